package arca

// textsCAEA are texts of the codes of CAEA. 782, 1200, 15004 and 15015 are literal; the
// others say the manual's condition in the service's style.
var textsCAEA = map[int]string{
	700: "Campo CbteTipo no se corresponde con alguno de los habilitados.",
	701: "El punto de Venta debe ser del tipo habilitado para CAEA y no debe estar bloqueado a la fecha en que se " +
		"emitio el comprobante. Consultar metodo FEParamGetPtosVenta.",
	702: "Campo CbteFch debe estar comprendida dentro de la fecha desde y fecha hasta de vigencia del CAEA.",
	703: "El numero de comprobante informado debe ser mayor en 1 al ultimo informado para igual punto de venta y " +
		"tipo de comprobante. Consultar metodo FECompUltimoAutorizado",
	704: "La fecha del comprobante debe ser mayor o igual a la fecha del ultimo comprobante informado para igual " +
		"tipo de comprobante y punto de venta.",
	705: "El CAEA debe corresponder a la CUIT que esta informando.",
	709: "La fecha de alta del punto de venta debera ser menor o igual a la fecha de vigencia hasta del CAEA.",
	711: "Para comprobantes clase A y comprobantes MiPyMEs (FCE) el campo CbteDesde debe ser igual al campo " +
		"CbteHasta.",
	713: "El campo Concepto es obligatorio y debe corresponder a 1, 2 o 3.",
	715: "Si ImpIVA es igual a 0 los objetos Iva y AlicIva solo deben informarse con Id 3. Si es mayor a 0 son " +
		"obligatorios.",
	724: "El campo ImpTotal debe ser igual a la suma de ImpTotConc + ImpNeto + ImpOpEx + ImpTrib + ImpIVA.",
	725: "El campo ImpIVA debe ser igual a la sumatoria de los campos Importe de AlicIVA.",
	726: "El campo MonCotiz es obligatorio y mayor a 0. Debe ser igual a 1 si MonId es PES.",
	780: "El CAEA debera corresponder a un CAEA registrado en las bases de la Administracion.",
	781: "La fecha de alta del punto de venta debera ser menor o igual a la fecha del comprobante.",
	782: "El <CAEA> es obligatorio informarlo.",
	783: "El campo CbteFch es obligatorio, formato yyyymmdd.",
	784: "Los campos CbteDesde y CbteHasta son obligatorios, valores comprendidos entre 1 y 99999999.",
	788: "El documento informado no puede ser el mismo al ingresado en el campo Cuit.",
	826: "Campo Condicion Frente al IVA del receptor es obligatorio conforme a lo reglamentado por la Resolucion " +
		"General Nro 5616. Para mas informacion consular metodo FEParamGetCondicionIvaReceptor",
	1200: "El codigo de autorizacion debe ser del tipo CAEA",
	1201: "El CAEA debe corresponder a la CUIT del emisor.",
	1202: "El CAEA y punto de venta se encuentra informado como utilizado en algun comprobante.",
	1203: "La fecha de envio de la solicitud debe ser mayor a la fecha de inicio de vigencia del CAEA que se esta " +
		"informando.",
	1204: "El PtoVta debe corresponder a un punto de venta habilitado para el regimen CAEA.",
	1205: "El punto de venta debera haber estado activo durante la vigencia del CAEA.",
	1206: "El punto de venta debera estar comprendido entre 1 y 99998.",
	1207: "El CAEA no tiene un formato valido.",
	1209: "El punto de venta informado como sin movimiento ya fue notificado.",
	1300: "Campo PtoVta debe estar comprendido entre 1 y 99998.",
	1403: "Para comprobantes clase A el campo DocTipo debe ser igual a 80 (CUIT).",
	1414: "La fecha en la que se informa el comprobante debe ser mayor a la fecha de entrada en vigencia del CAEA " +
		"vinculado.",
	1415: "Para comprobantes tipo B con CbteHasta distinto a CbteDesde, DocNro debe ser 0 y DocTipo 99.",
	1416: "Para comprobantes tipo B, CbteHasta debe ser mayor o igual a CbteDesde.",
	1417: "Para comprobantes B o C de importe mayor o igual al de la RG 4444, DocTipo debe ser distinto a 99 y " +
		"DocNro mayor a 0.",
	1418: "Para comprobantes B o C, si DocTipo es 99 DocNro debe ser igual a 0.",
	1419: "Para comprobantes B o C, si DocTipo es distinto a 99 DocNro debe ser mayor a 0.",
	1420: "DocNro debera ser un valor registrado en el padron.",
	1423: "Si ImpTrib es mayor a 0 el objeto Tributos y Tributo son obligatorios. Si es igual a 0 no deben " +
		"informarse.",
	1424: "El CAEA y punto de venta no debe estar informado sin movimientos.",
	1426: "El array Opcionales no puede informarse para el CbteTipo.",
	1432: "No se encuentra habilitado informar compradores en el regimen de informacion para la modalidad CAEA.",
	1439: "Para comprobantes tipo C, el campo ImpTotal debe ser igual a la suma de ImpNeto + ImpTrib.",
	1440: "Si el punto de venta es para CONTINGENCIAS CAEA el campo CbteFchHsGen es obligatorio informarlo.",
	1441: "El campo CbteFchHsGen debe tener el formato yyyymmddhhmiss.",
	1443: "Si el tipo de comprobante es C, el array de IVA no debe informarse.",
	1444: "El punto de venta no se encuentra habilitado para la clase de comprobante.",
	1445: "El campo CbteFch debe estar comprendido en el rango de dias permitido respecto de CbteFchHsGen.",
	1491: "Si el comprobante es Debito o Credito, enviar estructura CbteAsoc o PeriodoAsoc.",
	1492: "Si el comprobante es Factura no se debera informar PeriodoAsoc.",
	1528: "El numero de documento receptor informado no corresponde al Tipo de Documento receptor indicado (CUIT).",

	10100: "No ingreso el CAEA o el formato es invalido.",
	10101: "No ingreso el Punto de Venta o el formato es invalido.",
	10102: "El CAEA informado no se encuentra registrado en las bases de la Administracion como sin movimientos.",
	10105: "El punto de venta ingresado registra comprobantes informados.",

	15000: "Campo CUIT: Debe encontrarse activa en el Sistema Registral.",
	15003: "Campo CUIT: Debera poseer al menos un punto de venta activo correspondiente al regimen CAEA",
	15004: "El campo <Periodo> debe tener el formato AAAAMM, donde AAAA indica el año y MM el mes en números.",
	15005: "Campo Orden: Debe ser igual a 1 o 2.",
	15008: "No debe existir un CAEA otorgado para la CUIT solicitante con igual periodo y orden.",
	15009: "Campo CUIT: Registra problemas de domicilio",
	15010: "Campo CUIT: Debera estar inscripto en alguno de los sig. impuestos: 20 - MONOTRIBUTO 30 - IVA 32 - IVA " +
		"EXENTO",
	15011: "Campo CUIT: Debera tener al menos una actividad economica declarada",
	15012: "Campo CUIT: Debera estar empadronado en el regimen de emision de comprobantes electronicos",
	15014: "El contribuyente registra incumplimientos en la rendicion del regimen CAEA. La CUIT adeuda la " +
		"presentacion de 2 quincenas consecutivas o 4 alternadas.",
	15015: " Registra problemas en el domicilio fiscal electrónico. No se encuentra adherido ",
	15016: "Se recuerda que segun la RG 5782/2025 el regimen de CAEA se aplica exclusivamente a situaciones de " +
		"contingencia, motivo por el cual solo se permitira su uso en domicilios que cuenten con al menos un punto " +
		"de venta activo bajo la modalidad CAE o Controlador Fiscal de Nueva Tecnologia como modalidad principal.",
	15017: "Existen Puntos de Venta CAEA que no comparten domicilio con algun Punto de Venta CAE o Controlador " +
		"Fiscal que actue como modalidad principal.",
	15018: "Se recuerda que segun la RG 5782/2025 las operaciones realizadas deberan ser informadas, con indicacion " +
		"de la fecha y hora de generacion de los comprobantes emitidos.",
}
