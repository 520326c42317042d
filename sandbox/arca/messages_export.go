package arca

// textsFX are those of WSFEXv1's codes: 1000, 1606 and 1607 literal, the others the
// manual's condition in its own words, shortened.
var textsFX = map[int]string{
	0: "OK", 21: "CUIT receptora inactiva, apocrifa",
	500: "Error interno de aplicación.", 501: "Error interno de base de datos.",
	502:  "Error interno - Autorizador - Transacción Activa",
	1000: "Usuario no autorizado a realizar esta operacion. ", 1014: "Id: Debe ser un valor numerico mayor o igual a 0.",
	1020: "Comprobante inexistente",
	1500: "Fecha_cbte: Nulo, o comprendido entre N-5 y N+5 siendo N la Fecha de envío.",
	1510: "Punto_vta: Valor comprendido entre 1 – 99998 y dado de alta como punto de venta \"Comprobantes de " +
		"Exportación - Web Services\".",
	1520: "Cbte_nro: Comprendido entre 1 y 99999999.", 1530: "Cbte_Tipo: Los posibles tipo de comprobantes son: 19, " +
		"20, 21.",
	1535: "El comprobante ingresado no corresponde en secuencia al próximo inmediato a autorizar.",
	1540: "Tipo_expo: Valores Permitidos: 1, 2, 4.", 1550: "Permiso_existente: Valores posibles: S, N o vacío.",
	1560: "Dst_cmp: Ver método FEXGetPARAM_DST_pais",
	1570: "Cuit_pais_cliente: Ver método FEXGetPARAM_DST_CUIT",
	1580: "ID_impositivo / Cuit pais cliente: Se deberá consignar al menos un campo.",
	1590: "Moneda_Id: Ver método FEXGetPARAM_MON.",
	1600: "Moneda_ctz: Deberá ser mayor a 0, hasta 4 enteros y 6 decimales",
	1601: "Moneda_ctz deberá ser igual a 1 cuando de indique Moneda_Id = PES",
	1602: "El campo Moneda_ctz es obligatorio si no informa el campo CanMisMonExt con el valor S, y debe ser mayor a 0",
	1603: "Si informa el campo CanMisMonExt, los valores posibles son S o N y no debe quedar vacío.",
	1605: "Si informa Tipo Cbte 19 y MonID = PES, o Tipo Cbte 20 y 21 el campo CanMisMonExt no debe informarse",
	1606: "Campo Cbte_Tipo no se corresponde con alguno de los comprobantes habilitados. Recuerde que los valores son " +
		"19, 20 o 21",
	1607: "Campo Pto_venta no es valido o no esta dado de alta como punto de venta de 'Comprobantes de Exportación - " +
		"Web Services'",
	1610: "Imp_total: Deberá ser mayor igual a cero e igual a la suma de los campos Item.Pro_total_item",
	1620: "Forma_pago: Obligatorio si el tipo de comprobantes es 19", 1630: "Idioma_cbte: Valores posibles: 1, 2, 3.",
	1640: "Incoterms: Ver método FEXGetPARAM_Incoterms",
	1641: "Incoterms_Ds: Si se ingresó un valor, el campo Incoterms no puede estar vacío.",
	1642: "Incoterms_Ds: Longitud máxima es de 20 caracteres.",
	1650: "Cliente: Campo Obligatorio, no podrá estar vacío.", 1651: "Cliente: Longitud máxima es de 200 caracteres",
	1660: "Domicilio_cliente: Campo Obligatorio, no podrá estar vacío",
	1661: "Domicilio_cliente: Longitud máxima es de 300 caracteres",
	1665: "El campo Obs la longitud máxima es 1000 y para el campo Obs_comerciales la longitud máxima es 4000",
	1666: "La estructura <Items> es inválida.", 1667: "Moneda_ctz no puede ser superior en un 400% ni inferior al 2% " +
		"de la cotización oficial (ver método FEXGetPARAM_Ctz)",
	1671: "Si informa fecha de pago debe tener formato válido YYYYMMDD.",
	1672: "Para Facturas de Exportación de Servicios / Otros la fecha de pago es obligatoria.",
	1673: "Para comprobantes que no son tipo 19 la fecha de pago no debe informarse.",
	1674: "La fecha de pago debe ser igual o posterior a la fecha de emisión del comprobante.",
	1680: "Cmps_asoc.Cbte_tipo: 19, 20, 21, 88, 89, 91, 993, 994.",
	1690: "Cmps_asoc.Cbte_punto_vta: comprendido entre 1 – 99998.", 1700: "Cmps_asoc.Cbte_nro: desde 1 hasta 999999999",
	1720: "Permisos: no se corresponde con Permiso_existente.",
	1730: "Permisos: Id_permiso y Dst_merc deben informarse ambos.",
	1736: "No es posible informar Permisos con tipo expo = 2 ó 4.",
	1740: "Id_permiso: formato 99999AAXX999999A, no debe repetirse.",
	1749: "El comprobante asociado no se encuentra autorizado.",
	1750: "Dst_merc: Ver método FEXGetPARAM_DST_pais", 1754: "No se puede informar más de 1 comprobante asociado, " +
		"excepto que los mismos sean 88 u 89.",
	1755: "No se pueden informar comprobantes asociados del tipo 19, 20 y 21 cuando el tipo de comprobante a autorizar " +
		"es 19.",
	1760: "Pro_codigo: No podrá superar longitud de 50 caracteres",
	1770: "Pro_ds: Campo obligatorio, no podrá exceder los 4000 caracteres.",
	1775: "Si Pro_umed es igual a 0, 97 ó 99 Pro_qty, Pro_precio_uni y Pro_bonificacion deben ser 0.",
	1780: "Pro_qty: deberá ser mayor a cero.",
	1790: "Pro_umed: Ver Método FEXGetPARAM_UMed", 1800: "Pro_precio_uni: deberá ser mayor o igual a cero.",
	1810: "Pro_total_item: signo no permitido para la unidad.",
	1811: "Pro_bonificacion: debe ser mayor o igual a 0",
	1812: "Pro_bonificacion: debe ser menor o igual a Pro_precio_uni * Pro_qty.",
	1813: "Pro_qty: 12 enteros y 6 decimales.",
	1814: "Pro_precio_uni: 12 enteros y 6 decimales.", 1815: "Pro_total_item: deberá ser igual a Pro_precio_uni * " +
		"Pro_qty - Pro_bonificacion",
	1816: "Pro_total_item: 13 enteros y 2 decimales.", 1817: "Pro_bonificacion: 12 enteros y 6 decimales.",
	1820: "Si envía Cmps_asoc, Cmp_asoc es obligatorio",
	2031: "Cbte_cuit no puede ser distinto al emisor del comprobante que se solicita autorización.",
	2047: "Si esta autorizando una N.D. o N.C. comprobante de Servicio, el campo Cmp.Cmps_asoc es de caracter obligatorio.",
	2053: "Cotizacion informada no valida.",
}

// codedFX is a code of WSFEXv1 with its text.
func codedFX(code int) Message {
	if text, ok := textsFX[code]; ok {
		return Message{code, text}
	}
	return coded(code)
}
