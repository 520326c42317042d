package arca

import "fmt"

// texts of codes. Those seen in recorded answers are literal, mistakes included; the
// others say the manual's condition in the service's style (no accents).
var texts = map[int]string{
	500:   "Error interno de aplicación.",
	501:   "Error interno de base de datos: - Metodo FECAESolicitar",
	502:   "Error interno de base de datos - Autorizador CAE / Régimen CAEA – Transacción Activa",
	600:   "ValidacionDeToken: Error al verificar hash: ",
	602:   "No existen datos en nuestros registros para los parametros ingresados.",
	10001: "Campo CantReg debe estar comprendido entre 1 y 9998.",
	10003: "La cantidad de registros en detalle debe ser menor igual al valor permitido. Consultar metodo " +
		"FECompTotXRequest.",
	10004: "Campo PtoVta debe estar comprendido entre 1 y 99998.",
	10005: "El punto de venta informado debe estar dado de alta y ser del tipo RECE.",
	10006: "Campo CbteTipo debe ser un valor numerico mayor a 0.",
	10007: "Campo CbteTipo no se corresponde con alguno de los habilitados. Consultar metodo FEParamGetTiposCbte.",
	10008: "Campo CbteDesde debe estar comprendido entre 1 y 99999999.",
	10010: "Campo CbteHasta debe estar comprendido entre 1 y 99999999.",
	10011: "Campo CbteHasta debe ser mayor o igual a CbteDesde.",
	10012: "Para el tipo de comprobante informado el campo CbteDesde debe ser igual al campo CbteHasta.",
	10013: "Para comprobantes clase A el campo DocTipo debe ser igual a 80 (CUIT).",
	10014: "Para comprobantes clase B con CbteHasta distinto a CbteDesde el importe promedio debe ser menor al monto " +
		"de la RG 4444.",
	10015: "Campos DocTipo y DocNro invalidos o no corresponde informar un receptor sin identificar por el monto de la " +
		"operacion.",
	10016: "El numero o fecha del comprobante no se corresponde con el proximo a autorizar. Consultar metodo " +
		"FECompUltimoAutorizado.",
	10018: "Si ImpIva es igual a 0 el objeto Iva y AlicIva son obligatorios. Id iva = 3 (iva 0)",
	10023: "La suma de los campos Importe en IVA debe ser igual al valor ingresado en ImpIVA.",
	10024: "Si ImpTrib es mayor a 0 el objeto Tributos y Tributo son obligatorios. Si es igual a 0 no deben enviarse.",
	10041: "El comprobante asociado no se encuentra registrado en las bases de la Administracion.",
	10048: "El campo 'Importe Total' ImpTotal, debe ser igual a la suma de ImpTotConc + ImpNeto + ImpOpEx + ImpTrib + " +
		"ImpIVA.",
	10051: "Los importes informados en AlicIVA no se corresponden con los porcentajes",
	10056: "Los importes deben informarse con la precision indicada.",
	10063: "Factura individual, DocTipo: 80, DocNro N no se encuentra inscripto en condicion ACTIVA en el impuesto (IVA).",
	10067: "Falta informar en Otros Tributos el tributo con ID = 13 - Percepcion de IVA No Categorizado segun la RG " +
		"2126/2006.",
	10069: "El numero de documento del receptor del comprobante no puede ser igual al del emisor.",
	10070: "Si el importe neto es mayor a cero, es obligatorio informar el array de iva.",
	10071: "Para comprobantes tipo C el objeto IVA no debe informarse.",
	10119: "El tipo de cambio no puede ser inferior al 2% ni superior en un 400% del que suministra ARCA. Ver metodo " +
		"FEParamGetCotizacion.",
	10152: "Si la fecha del comprobante es superior a la fecha de envio, debe corresponder al mismo mes.",
	10158: "El campo CbteAsoc.CbteFch es obligatorio informar si es una Factura de Credito.",
	10195: "La CUIT del receptor se encuentra incluida en la consulta de facturas apocrifas.",
	10197: "Si el comprobante es Debito o Credito, enviar estructura CbteAsoc o PeriodoAsoc.",
	10217: "El credito fiscal discriminado en el presente comprobante solo podra ser computado a efectos del " +
		"Procedimiento permanente de transicion al Regimen General.",
	10242: "El campo Condicion IVA receptor no es un valor valido. Consular metodo FEParamGetCondicionIvaReceptor",
	10243: "El campo Condicion IVA receptor no es valido para la clase de comprobante informado. Consular metodo " +
		"FEParamGetCondicionIvaReceptor",
	10245: "El campo Condicion IVA receptor resultara obligatorio conforme lo reglamentado por la Resolucion General " +
		"Nro 5616. Para mas informacion consular metodo FEParamGetCondicionIvaReceptor",
	10246: "Campo Condicion Frente al IVA del receptor es obligatorio conforme a lo reglamentado por la Resolucion " +
		"General Nro 5616. Para mas informacion consular metodo FEParamGetCondicionIvaReceptor",
	10247: "La CUIT del receptor se encuentra inactiva o es invalida.",
	10249: "La CUIT del receptor corresponde a una persona fallecida.",
	10284: "El numero de documento del receptor no corresponde a una CUIT.",
	11000: "El PtoVta debe ser valido comprendido entre 1 y 99998.",
	11001: "El CbteTipo debe ser alguno de los habilitados en este WS. Ver metodo FEParamGetTiposCbte",
	11002: "El punto de venta no se encuentra habilitado a usar en el presente WS. Ver metodo FEParamGetPtosVenta",
	12000: "Campo MonId debe ser algunos de los habilitados en el presente WS. Ver metodo FEParamGetTiposMonedas",
	12001: "Campo MonId es obligatorio ingresarlo.",
	12002: "Campo FchCotiz no corresponde a una fecha valida con formato YYYYMMDD.",
}

// fields of the codes whose condition is "this field is not what it must be".
var fields = map[int]string{
	10019: "AlicIVA.Id", 10020: "AlicIVA.BaseImp", 10021: "AlicIVA.Importe", 10022: "AlicIVA.Id, no debe repetirse",
	10025: "Tributo.Id", 10026: "Tributo.BaseImp", 10027: "Tributo.Alic", 10028: "Tributo.Importe",
	10029: "ImpTrib, suma de Tributo.Importe",
	10030: "Concepto", 10031: "FchServDesde", 10032: "FchServDesde, posterior a FchServHasta", 10033: "FchServHasta",
	10035: "FchVtoPago",
	10036: "FchVtoPago, anterior a CbteFch", 10037: "MonId", 10038: "MonCotiz", 10039: "MonCotiz, para PES debe ser 1",
	10040: "CbteAsoc.Tipo, no permitido",
	10042: "Tributo.Desc", 10043: "ImpTotConc", 10044: "ImpOpEx", 10045: "ImpNeto", 10046: "ImpTrib", 10047: "ImpIVA",
	10049: "FchServDesde, FchServHasta, FchVtoPago", 10052: "Opcional", 10053: "Opcional.Id",
	10054: "Opcional.Id, no debe repetirse", 10055: "Opcional.Valor",
	10057: "CbteAsoc.Tipo", 10058: "CbteAsoc.PtoVta", 10059: "CbteAsoc.Nro", 10060: "CbteAsoc, no debe repetirse",
	10061: "ImpNeto, suma de AlicIVA.BaseImp",
	10062: "CbteAsoc", 10065: "ImpTotal", 10151: "CbteAsoc.Cuit", 10153: "CbtesAsoc",
	10155: "CbteAsoc.Cuit, distinto del emisor", 10156: "CbteAsoc, debe asociar una factura",
	10159: "CbteAsoc.CbteFch, posterior a CbteFch", 10160: "CbteAsoc, no autorizado con esa fecha", 10162: "Opcionales",
	10163: "FchVtoPago", 10164: "FchVtoPago, anterior",
	10165: "Opcional 2101", 10166: "Opcional 2102", 10167: "Opcional 22", 10168: "Opcional 2101",
	10169: "Opcional, solo para FCE", 10170: "Opcional 2101, 22 o 27",
	10171: "Opcional 22, no corresponde", 10172: "Opcional 2101, 2102 y 27, no corresponden", 10173: "Opcional 22",
	10175: "FchVtoPago, no corresponde",
	10178: "DocNro, no categorizado", 10189: "Opcional 23", 10190: "Opcional 23, no debe repetirse",
	10194: "Compradores, no corresponde",
	10196: "PeriodoAsoc, no corresponde a FCE", 10198: "PeriodoAsoc, no corresponde a Factura",
	10199: "PeriodoAsoc.FchDesde", 10203: "PeriodoAsoc.FchHasta",
	10204: "PeriodoAsoc.FchDesde, formato", 10205: "PeriodoAsoc.FchHasta, formato", 10206: "PeriodoAsoc, anterior a 2006",
	10207: "PeriodoAsoc.FchHasta, anterior a FchDesde",
	10208: "PeriodoAsoc.FchHasta, posterior a CbteFch", 10210: "CbteAsoc.CbteFch, de otro mes",
	10213: "CbteAsoc.CbteFch, formato", 10214: "Opcional 27", 10215: "Opcional 27, SCA o ADC", 10216: "Opcional 27",
	10218: "Actividad", 10221: "Actividad.Id, no debe repetirse", 10239: "CanMisMonExt",
	10240: "MonCotiz, con CanMisMonExt S debe ser la que informa ARCA", 10241: "CanMisMonExt, no corresponde a PES",
	10133: "Comprador", 10136: "Compradores, DocTipo del receptor", 10137: "Comprador.DocTipo", 10139: "Comprador.DocNro",
	10140: "Comprador.DocNro, igual al emisor",
	10141: "Comprador, no debe repetirse", 10144: "Comprador.Porcentaje", 10145: "Compradores, al menos dos",
	10146: "Comprador, el mayor debe ser el receptor",
	10147: "Comprador.Porcentaje, suma 100", 10150: "Compradores, solo Concepto 1", 10200: "PtoVta", 10201: "CbteTipo",
	10202: "CbteNro", 10244: "ClaseCmp",
}

// coded is a code with its text.
func coded(code int) Message {
	if text, ok := texts[code]; ok {
		return Message{code, text}
	}
	if text, ok := textsCAEA[code]; ok {
		return Message{code, text}
	}
	if field, ok := fields[code]; ok {
		return Message{code, "El campo informado es obligatorio o no es valido: " + field + "."}
	}
	return Message{code, fmt.Sprintf("Codigo %d (%s).", code, Ambiente)}
}
