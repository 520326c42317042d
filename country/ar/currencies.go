package ar

import "folio/country"

// localCurrency is the ISO 4217 code of MonId PES.
const localCurrency = "ARS"

// currencies pair ISO 4217 with ARCA's MonId (FEParamGetTiposMonedas), without the
// currencies that no longer exist.
var currencies = []country.Catalogued{
	{Code: "ARS", OfficialCode: "PES", Name: "Pesos argentinos"},
	{Code: "USD", OfficialCode: "DOL", Name: "Dólares estadounidenses"},
	{Code: "EUR", OfficialCode: "060", Name: "Euros"},
	{Code: "BRL", OfficialCode: "012", Name: "Reales"},
	{Code: "UYU", OfficialCode: "011", Name: "Pesos uruguayos"},
	{Code: "CLP", OfficialCode: "033", Name: "Pesos chilenos"},
	{Code: "PYG", OfficialCode: "029", Name: "Guaraníes"},
	{Code: "BOB", OfficialCode: "031", Name: "Bolivianos"},
	{Code: "PEN", OfficialCode: "035", Name: "Soles"},
	{Code: "COP", OfficialCode: "032", Name: "Pesos colombianos"},
	{Code: "MXN", OfficialCode: "010", Name: "Pesos mexicanos"},
	{Code: "GBP", OfficialCode: "021", Name: "Libras esterlinas"},
	{Code: "CAD", OfficialCode: "018", Name: "Dólares canadienses"},
	{Code: "AUD", OfficialCode: "026", Name: "Dólares australianos"},
	{Code: "JPY", OfficialCode: "019", Name: "Yenes"},
	{Code: "CHF", OfficialCode: "009", Name: "Francos suizos"},
	{Code: "CNY", OfficialCode: "064", Name: "Yuanes"},
	{Code: "DKK", OfficialCode: "014", Name: "Coronas danesas"},
	{Code: "NOK", OfficialCode: "015", Name: "Coronas noruegas"},
	{Code: "SEK", OfficialCode: "016", Name: "Coronas suecas"},
	{Code: "ZAR", OfficialCode: "034", Name: "Rands"},
	{Code: "ILS", OfficialCode: "030", Name: "Nuevos séqueles"},
	{Code: "INR", OfficialCode: "062", Name: "Rupias"},
	{Code: "PLN", OfficialCode: "061", Name: "Zlotys"},
	{Code: "CZK", OfficialCode: "024", Name: "Coronas checas"},
	{Code: "HUF", OfficialCode: "056", Name: "Florines húngaros"},
	{Code: "RON", OfficialCode: "040", Name: "Lei rumanos"},
	{Code: "HKD", OfficialCode: "051", Name: "Dólares de Hong Kong"},
	{Code: "SGD", OfficialCode: "052", Name: "Dólares de Singapur"},
	{Code: "TWD", OfficialCode: "054", Name: "Dólares de Taiwán"},
	{Code: "THB", OfficialCode: "057", Name: "Baht"},
	{Code: "KWD", OfficialCode: "059", Name: "Dinares kuwaitíes"},
	{Code: "SAR", OfficialCode: "047", Name: "Riyales saudíes"},
	{Code: "EGP", OfficialCode: "046", Name: "Libras egipcias"},
	{Code: "MAD", OfficialCode: "045", Name: "Dirhams marroquíes"},
	{Code: "GTQ", OfficialCode: "055", Name: "Quetzales"},
	{Code: "HNL", OfficialCode: "063", Name: "Lempiras"},
	{Code: "NIO", OfficialCode: "044", Name: "Córdobas"},
	{Code: "PAB", OfficialCode: "043", Name: "Balboas"},
	{Code: "DOP", OfficialCode: "042", Name: "Pesos dominicanos"},
	{Code: "JMD", OfficialCode: "053", Name: "Dólares jamaiquinos"},
	{Code: "XDR", OfficialCode: "041", Name: "Derechos especiales de giro"},
}

// MonID is ARCA's code of an ISO 4217 currency.
func MonID(iso string) (string, bool) {
	c, ok := country.Find(currencies, iso)
	return c.OfficialCode, ok
}
