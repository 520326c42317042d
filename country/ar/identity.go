package ar

import (
	"strconv"

	"folio/country"
)

// DocTipo values that rules know by number.
const (
	docCUIT         = 80
	docCUIL         = 86
	docCDI          = 87
	docDNI          = 96
	docUnidentified = 99
)

// identityDocuments are ARCA's DocTipo (FEParamGetTiposDoc) without 30 and 31, which
// only banks and ARCA itself use.
var identityDocuments = []country.Catalogued{
	{Code: "CUIT", OfficialCode: "80", Name: "CUIT"},
	{Code: "CUIL", OfficialCode: "86", Name: "CUIL"},
	{Code: "CDI", OfficialCode: "87", Name: "CDI"},
	{Code: "LE", OfficialCode: "89", Name: "Libreta de Enrolamiento"},
	{Code: "LC", OfficialCode: "90", Name: "Libreta Cívica"},
	{Code: "CIE", OfficialCode: "91", Name: "CI Extranjera"},
	{Code: "EnTramite", OfficialCode: "92", Name: "En trámite"},
	{Code: "ActaNacimiento", OfficialCode: "93", Name: "Acta de nacimiento"},
	{Code: "Pasaporte", OfficialCode: "94", Name: "Pasaporte"},
	{Code: "CIBsAs", OfficialCode: "95", Name: "CI Bs. As. RNP"},
	{Code: "DNI", OfficialCode: "96", Name: "DNI"},
	{Code: "SinIdentificar", OfficialCode: "99", Name: "Sin identificar / consumidor final"},
	{Code: "CIPoliciaFederal", OfficialCode: "0", Name: "CI Policía Federal"},
	{Code: "CIBuenosAires", OfficialCode: "1", Name: "CI Buenos Aires"},
	{Code: "CICatamarca", OfficialCode: "2", Name: "CI Catamarca"},
	{Code: "CICordoba", OfficialCode: "3", Name: "CI Córdoba"},
	{Code: "CICorrientes", OfficialCode: "4", Name: "CI Corrientes"},
	{Code: "CIEntreRios", OfficialCode: "5", Name: "CI Entre Ríos"},
	{Code: "CIJujuy", OfficialCode: "6", Name: "CI Jujuy"},
	{Code: "CIMendoza", OfficialCode: "7", Name: "CI Mendoza"},
	{Code: "CILaRioja", OfficialCode: "8", Name: "CI La Rioja"},
	{Code: "CISalta", OfficialCode: "9", Name: "CI Salta"},
	{Code: "CISanJuan", OfficialCode: "10", Name: "CI San Juan"},
	{Code: "CISanLuis", OfficialCode: "11", Name: "CI San Luis"},
	{Code: "CISantaFe", OfficialCode: "12", Name: "CI Santa Fe"},
	{Code: "CISantiagoDelEstero", OfficialCode: "13", Name: "CI Santiago del Estero"},
	{Code: "CITucuman", OfficialCode: "14", Name: "CI Tucumán"},
	{Code: "CIChaco", OfficialCode: "16", Name: "CI Chaco"},
	{Code: "CIChubut", OfficialCode: "17", Name: "CI Chubut"},
	{Code: "CIFormosa", OfficialCode: "18", Name: "CI Formosa"},
	{Code: "CIMisiones", OfficialCode: "19", Name: "CI Misiones"},
	{Code: "CINeuquen", OfficialCode: "20", Name: "CI Neuquén"},
	{Code: "CILaPampa", OfficialCode: "21", Name: "CI La Pampa"},
	{Code: "CIRioNegro", OfficialCode: "22", Name: "CI Río Negro"},
	{Code: "CISantaCruz", OfficialCode: "23", Name: "CI Santa Cruz"},
	{Code: "CITierraDelFuego", OfficialCode: "24", Name: "CI Tierra del Fuego"},
}

// DocTipo is ARCA's code and number for the document of a checked party: 99 and 0
// for an unidentified consumer.
func DocTipo(documentType, documentNumber string) (code int, number int64) {
	c, ok := country.Find(identityDocuments, documentType)
	if !ok {
		return docUnidentified, 0
	}
	code, _ = strconv.Atoi(c.OfficialCode)
	number, err := strconv.ParseInt(documentNumber, 10, 64)
	if err != nil || number <= 0 {
		return docUnidentified, 0
	}
	return code, number
}

// hasCheckDigit says that documents of this type are eleven digits with a check.
func hasCheckDigit(docType int) bool {
	return docType == docCUIT || docType == docCUIL || docType == docCDI
}
