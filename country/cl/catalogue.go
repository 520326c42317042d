package cl

import "folio/country"

// paymentMethods are the forms (FmaPago) and means of payment (MedioPago) of FMT.
// The official code of a form is a digit, of a means two letters.
var paymentMethods = []country.Catalogued{
	{Code: "CON", OfficialCode: "1", Name: "Contado"},
	{Code: "CRE", OfficialCode: "2", Name: "Crédito"},
	{Code: "GRA", OfficialCode: "3", Name: "Sin costo (entrega gratuita)"},
	{Code: "EFE", OfficialCode: "EF", Name: "Efectivo"},
	{Code: "CHE", OfficialCode: "CH", Name: "Cheque"},
	{Code: "CHF", OfficialCode: "CF", Name: "Cheque a fecha"},
	{Code: "LET", OfficialCode: "LT", Name: "Letra"},
	{Code: "TCR", OfficialCode: "TC", Name: "Tarjeta de crédito"},
	{Code: "PEC", OfficialCode: "PE", Name: "Pago a cuenta corriente"},
	{Code: "ELE", OfficialCode: "OT", Name: "Medio electrónico (débito, prepago, billetera)"},
	{Code: "OTR", OfficialCode: "OT", Name: "Otro"},
}

// itemCodes have TpoCodigo (up to 10 characters, free in FMT) beside them.
var itemCodes = []country.Catalogued{
	{Code: "sku", OfficialCode: "SKU", Name: "Código del vendedor"},
	{Code: "internal", OfficialCode: "INT1", Name: "Código interno"},
	{Code: "ean", OfficialCode: "EAN13", Name: "EAN / GTIN-13"},
	{Code: "gtin", OfficialCode: "GTIN", Name: "GTIN"},
	{Code: "dun", OfficialCode: "DUN14", Name: "DUN-14"},
	{Code: "plu", OfficialCode: "PLU", Name: "PLU"},
	{Code: "other", OfficialCode: "OTRO", Name: "Otro"},
}

// identityDocuments: only a RUT is told to SII as one. Another document of a boleta's
// buyer goes to CdgIntRecep, of a foreigner to NumId.
var identityDocuments = []country.Catalogued{
	{Code: identifierName, Name: "Rol Único Tributario"},
	{Code: "PASAPORTE", Name: "Pasaporte"},
	{Code: "EXTRANJERO", Name: "Identificación tributaria de otro país"},
}

// currencies pair ISO 4217 with TpoMoneda (XSD TipMonType). What has no name there is
// OTRAS MONEDAS.
var currencies = []country.Catalogued{
	{Code: localCurrency, OfficialCode: "PESO CL", Name: "Pesos chilenos"},
	{Code: "USD", OfficialCode: "DOLAR USA", Name: "Dólares estadounidenses"},
	{Code: "EUR", OfficialCode: "EURO", Name: "Euros"},
	{Code: "ARS", OfficialCode: "PESO", Name: "Pesos argentinos"},
	{Code: "UYU", OfficialCode: "PESO URUG", Name: "Pesos uruguayos"},
	{Code: "BRL", OfficialCode: "CRUZEIRO REAL", Name: "Reales"},
	{Code: "PYG", OfficialCode: "GUARANI", Name: "Guaraníes"},
	{Code: "BOB", OfficialCode: "BOLIVIANO", Name: "Bolivianos"},
	{Code: "PEN", OfficialCode: "NUEVO SOL", Name: "Soles"},
	{Code: "COP", OfficialCode: "PESO COL", Name: "Pesos colombianos"},
	{Code: "MXN", OfficialCode: "PESO MEX", Name: "Pesos mexicanos"},
	{Code: "GBP", OfficialCode: "LIBRA EST", Name: "Libras esterlinas"},
	{Code: "CHF", OfficialCode: "FRANCO SZ", Name: "Francos suizos"},
	{Code: "CAD", OfficialCode: "DOLAR CAN", Name: "Dólares canadienses"},
	{Code: "AUD", OfficialCode: "DOLAR AUST", Name: "Dólares australianos"},
	{Code: "NZD", OfficialCode: "DOLAR NZ", Name: "Dólares neozelandeses"},
	{Code: "JPY", OfficialCode: "YEN", Name: "Yenes"},
	{Code: "CNY", OfficialCode: "RENMINBI", Name: "Yuanes"},
	{Code: "SEK", OfficialCode: "CORONA SC", Name: "Coronas suecas"},
	{Code: "NOK", OfficialCode: "CORONA NOR", Name: "Coronas noruegas"},
	{Code: "DKK", OfficialCode: "CORONA DIN", Name: "Coronas danesas"},
}

// taxTypeList is built once: it is looked up for every document.
var taxTypeList = country.Collect(lineTaxes, lineTax.catalogued)

func (t lineTax) catalogued() country.Catalogued {
	return country.Catalogued{Code: t.name, OfficialCode: t.code, Name: t.text}
}

// Catalogue are Chile's lists, with SII's code beside each. There are no conditions
// before VAT and no taxes on a whole document.
func (Rules) Catalogue() country.Catalogue {
	return country.Catalogue{
		Concepts: country.Concepts, TaxTypes: taxTypeList, IdentityDocuments: identityDocuments, Units: country.Units,
		PaymentMethods: paymentMethods, Currencies: currencies, ItemCodes: itemCodes,
	}
}
