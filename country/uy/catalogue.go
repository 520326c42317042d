package uy

import (
	"slices"

	"folio/country"
)

// paymentMethods have FmaPago (CFE25 A-C11) beside them: 1 cash, 2 credit. What pays is
// Folio's own list, told as the text of a MedioPago: DGI has no codes for it (E-C2).
var paymentMethods = []country.Catalogued{
	{Code: "CON", OfficialCode: "1", Name: "Contado"},
	{Code: "CRE", OfficialCode: "2", Name: "Crédito"},
	{Code: "EFE", OfficialCode: "1", Name: "Efectivo"},
	{Code: "TCR", OfficialCode: "1", Name: "Tarjeta de crédito"},
	{Code: "TDB", OfficialCode: "1", Name: "Tarjeta de débito"},
	{Code: "TRF", OfficialCode: "1", Name: "Transferencia"},
	{Code: "CHE", OfficialCode: "1", Name: "Cheque"},
	{Code: "CHF", OfficialCode: "2", Name: "Cheque diferido"},
	{Code: "DIN", OfficialCode: "1", Name: "Dinero electrónico"},
	{Code: "OTR", OfficialCode: "1", Name: "Otro"},
}

// itemCodes have TpoCod (CFE25 B-C2) beside them; that of a gtin follows its length.
var itemCodes = []country.Catalogued{
	{Code: "sku", OfficialCode: "INT1", Name: "Código interno"},
	{Code: "internal", OfficialCode: "INT2", Name: "Segundo código interno"},
	{Code: "ean", OfficialCode: "GTIN13", Name: "EAN 13"},
	{Code: "ean8", OfficialCode: "GTIN8", Name: "EAN 8"},
	{Code: "upc", OfficialCode: "GTIN12", Name: "UPC A"},
	{Code: "dun", OfficialCode: "GTIN14", Name: "EAN 14"},
	{Code: "gtin", OfficialCode: "GTIN", Name: "GTIN de 8, 12, 13 o 14 dígitos"},
	{Code: "plu", OfficialCode: "PLU", Name: "PLU"},
	{Code: "arce", OfficialCode: "ARCE", Name: "Código de la Agencia Reguladora de Compras Estatales"},
	{Code: "other", OfficialCode: "OTRO", Name: "Otro"},
}

// units have UniMed beside them (CFE25 B-C10); N/A says that there is none.
var units = slices.Concat(country.Units, []country.Catalogued{
	{Code: "none", OfficialCode: "N/A", Name: "sin unidad"},
	{Code: "ha", OfficialCode: "HA", Name: "hectáreas"},
})

// The identity documents that rules know by name.
const (
	docNIE      = "NIE"
	docCI       = "CI"
	docOther    = "OTRO"
	docPassport = "PAS"
	docDNI      = "DNI"
	docNIFE     = "NIFE"
)

// identityDocuments are DGI's (CFE25 A-C60, TipoDocRecep).
var identityDocuments = []country.Catalogued{
	{Code: identifierName, OfficialCode: "2", Name: "Registro Único Tributario"},
	{Code: docCI, OfficialCode: "3", Name: "Cédula de identidad"},
	{Code: docNIE, OfficialCode: "1", Name: "Número de identificación de extranjero, dado por Uruguay"},
	{Code: docDNI, OfficialCode: "6", Name: "Documento de identidad de Argentina, Brasil, Chile o Paraguay"},
	{Code: docPassport, OfficialCode: "5", Name: "Pasaporte"},
	{Code: docNIFE, OfficialCode: "7", Name: "Número de identificación fiscal de otro país"},
	{Code: docOther, OfficialCode: "4", Name: "Otro"},
}

// currencies are TpoMoneda: ISO 4217, and the two units that DGI has besides (CFE25
// A-C110): UYI the indexed unit, UYR the readjustable one.
var currencies = []country.Catalogued{
	{Code: localCurrency, OfficialCode: "UYU", Name: "Pesos uruguayos"},
	{Code: "USD", OfficialCode: "USD", Name: "Dólares estadounidenses"},
	{Code: "EUR", OfficialCode: "EUR", Name: "Euros"},
	{Code: "UYI", OfficialCode: "UYI", Name: "Unidades indexadas"},
	{Code: "UYR", OfficialCode: "UYR", Name: "Unidades reajustables"},
	{Code: "ARS", OfficialCode: "ARS", Name: "Pesos argentinos"},
	{Code: "BRL", OfficialCode: "BRL", Name: "Reales"},
	{Code: "CLP", OfficialCode: "CLP", Name: "Pesos chilenos"},
	{Code: "PYG", OfficialCode: "PYG", Name: "Guaraníes"},
	{Code: "BOB", OfficialCode: "BOB", Name: "Bolivianos"},
	{Code: "PEN", OfficialCode: "PEN", Name: "Soles"},
	{Code: "COP", OfficialCode: "COP", Name: "Pesos colombianos"},
	{Code: "MXN", OfficialCode: "MXN", Name: "Pesos mexicanos"},
	{Code: "GBP", OfficialCode: "GBP", Name: "Libras esterlinas"},
	{Code: "CHF", OfficialCode: "CHF", Name: "Francos suizos"},
	{Code: "CAD", OfficialCode: "CAD", Name: "Dólares canadienses"},
	{Code: "AUD", OfficialCode: "AUD", Name: "Dólares australianos"},
	{Code: "JPY", OfficialCode: "JPY", Name: "Yenes"},
	{Code: "CNY", OfficialCode: "CNY", Name: "Yuanes"},
}

// Catalogue are Uruguay's lists, with DGI's code beside each. There are no conditions
// before VAT and no taxes on a whole document.
func (Rules) Catalogue() country.Catalogue {
	return country.Catalogue{
		Concepts: country.Concepts, TaxTypes: taxTypeList, IdentityDocuments: identityDocuments, Units: units,
		PaymentMethods: paymentMethods, Currencies: currencies, ItemCodes: itemCodes,
	}
}
