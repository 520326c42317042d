package ar

import (
	"strconv"

	"folio/country"
)

// The concepts of WSFEv1 (FEParamGetTiposConcepto).
const (
	products = "1"
	services = "2"
	both     = "3"
)

var concepts = []country.Catalogued{
	{Code: products, OfficialCode: "1", Name: "Productos"},
	{Code: services, OfficialCode: "2", Name: "Servicios"},
	{Code: both, OfficialCode: "3", Name: "Productos y servicios"},
}

// paymentMethods are Folio's: ARCA is not told, the condition of sale is printed.
var paymentMethods = []country.Catalogued{
	{Code: "CON", Name: "Contado"},
	{Code: "CTA", Name: "Cuenta corriente"},
	{Code: "TDE", Name: "Tarjeta de débito"},
	{Code: "TCR", Name: "Tarjeta de crédito"},
	{Code: "CHE", Name: "Cheque"},
	{Code: "TRA", Name: "Transferencia bancaria"},
	{Code: "BIL", Name: "Billetera electrónica"},
	{Code: "TIC", Name: "Ticket"},
	{Code: "OTR", Name: "Otra"},
}

// itemCodes are Folio's names for the issuer's own codes; WSFEv1 has no items, so
// none has an official one.
var itemCodes = []country.Catalogued{
	{Code: "sku", Name: "Código del vendedor"},
	{Code: "internal", Name: "Código interno"},
	{Code: "ean", Name: "EAN / GTIN-13"},
	{Code: "gtin", Name: "GTIN"},
	{Code: "upc", Name: "UPC"},
	{Code: "ncm", Name: "Nomenclatura Común del Mercosur"},
	{Code: "other", Name: "Otro"},
}

// conditionList and taxTypeList are built once: they are looked up for every document.
var (
	conditionList = country.Collect(conditions, condition.catalogued)
	taxTypeList   = country.Collect(lineTaxes, lineTax.catalogued)
)

func (c condition) catalogued() country.Catalogued {
	return country.Catalogued{Code: c.name, OfficialCode: strconv.Itoa(c.id), Name: c.text}
}

func (t lineTax) catalogued() country.Catalogued {
	return country.Catalogued{Code: t.name, OfficialCode: t.code, Name: t.text}
}

// Catalogue are Argentina's lists, with ARCA's code beside each.
func (Rules) Catalogue() country.Catalogue {
	return country.Catalogue{
		Concepts: concepts, TaxTypes: taxTypeList, GlobalTaxTypes: globalTaxes,
		TaxConditions: conditionList, IdentityDocuments: identityDocuments, Units: units,
		PaymentMethods: paymentMethods, Currencies: currencies, ItemCodes: itemCodes,
	}
}
