package dgi

// glosas are the texts of the codes: a closed list of DGI's schemas (DGITypes.xsd
// 1.44.2), blanks included.
var glosas = map[string]string{
	"S01": "Formato del archivo no es el indicado",
	"S02": "No coincide RUC de Sobre, Certificado, envío o CFE",
	"S03": "Certificado electrónico no es válido",
	"S04": "No cumple validaciones según Formato de sobre",
	"S05": "No coinciden cantidad CFE de carátula y contenido",
	"S06": "No coinciden certificado de sobre y comprobantes",
	"S07": "Sobre enviado supera el tamaño máximo admitido",
	"S08": "Sobre enviado ya existe en los registros de DGI",
	"E01": "Tipo y Nº de CFE ya fue reportado como anulado",
	"E02": "Tipo y Nº de CFE ya existe en los registros",
	"E03": "Tipo y Nº de CFE no se corresponden con el CAE",
	"E04": "Firma electrónica no es válida",
	"E05": "No cumple validaciones de Formato comprobantes",
	"E06": "Importe informado en el CFE excede montos habituales",
	"E07": "Fecha Firma de CFE no se corresponde con fecha CAE",
	"E08": "No coincide RUC de CFE y Complemento Fiscal",
	"E09": "RUC emisor y/o tipo de CFE no se corresponden con el CAE",
	"E10": "Tipo de cambio no válido",
	"E11": "Tipo de CAE especial del CFE no se corresponde con el CAE",
	"E12": "Información en Zona de Referencia no existe en los registros",
	"E13": "Tipo de CAE  del CFE  no se corresponde con el CAE utilizado",
	"E14": "Irregularidades detectadas",
	"E15": "Deudor contumaz sin informar situación",
	"R01": "Formato del archivo no es el indicado",
	"R02": "No coincide RUC en Reporte, Certificado o envío",
	"R03": "Firma o Certificado electrónicos no son válidos",
	"R04": "No cumple validaciones según Formato de Reporte",
	"R05": "La secuencia indicada en el reporte no es correcta",
	"R06": "Fecha recepción no puede ser menor a fecha resumen",
}

// refusals are the errors of the services (ExcepcionesServicios.xsd). The texts are
// short ones of ours: no list of DGI's is known.
var refusals = map[string]string{
	"1":   "XML de consulta mal formado",
	"2":   "IdReceptor debe ser positivo",
	"3":   "Token no corresponde al IdReceptor",
	"4":   "Token no corresponde al RUC",
	"5":   "Certificado no valido",
	"6":   "RUC o documento del certificado desconocido",
	"7":   "RUC o documento desconocido",
	"11":  "Archivo supera el tamaño maximo",
	"12":  "Certificado no valido",
	"13":  "Sobre aun no procesado",
	"99":  "Error interno, reintente",
	"100": "Excepcion del servicio",
	"101": "Error de seguridad",
	"103": "El RUC no es emisor electronico",
	"105": "Sobre en proceso",
	"108": "Sobre duplicado",
	"109": "Reporte duplicado",
	"111": "Identificador demasiado largo",
}

// remark is a code with what it is about.
type remark struct {
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
}

// glosa is the text of a code; a code that is not in the list has the list's own for
// what is not said further.
func (r remark) glosa() string {
	if text, ok := glosas[r.Code]; ok {
		return text
	}
	return glosas["E14"]
}
