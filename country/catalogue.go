package country

// Concepts say what is sold. SII and DGI are not told.
var Concepts = []Catalogued{
	{Code: "1", Name: "Productos"},
	{Code: "2", Name: "Servicios"},
	{Code: "3", Name: "Productos y servicios"},
}

// Units are the units of measure of countries whose documents name one in up to four
// characters of the issuer's choice: SII's UnmdItem and DGI's UniMed.
var Units = []Catalogued{
	{Code: "u", OfficialCode: "UN", Name: "unidades"},
	{Code: "kg", OfficialCode: "KG", Name: "kilogramos"},
	{Code: "g", OfficialCode: "GR", Name: "gramos"},
	{Code: "t", OfficialCode: "TON", Name: "toneladas"},
	{Code: "l", OfficialCode: "LT", Name: "litros"},
	{Code: "ml", OfficialCode: "ML", Name: "mililitros"},
	{Code: "m", OfficialCode: "MT", Name: "metros"},
	{Code: "cm", OfficialCode: "CM", Name: "centímetros"},
	{Code: "m2", OfficialCode: "MT2", Name: "metros cuadrados"},
	{Code: "m3", OfficialCode: "MT3", Name: "metros cúbicos"},
	{Code: "km", OfficialCode: "KM", Name: "kilómetros"},
	{Code: "pair", OfficialCode: "PAR", Name: "pares"},
	{Code: "dozen", OfficialCode: "DOC", Name: "docenas"},
	{Code: "pack", OfficialCode: "PAQ", Name: "paquetes"},
	{Code: "box", OfficialCode: "CAJA", Name: "cajas"},
	{Code: "kwh", OfficialCode: "KWH", Name: "kilovatios hora"},
	{Code: "hour", OfficialCode: "HR", Name: "horas"},
	{Code: "day", OfficialCode: "DIA", Name: "días"},
	{Code: "month", OfficialCode: "MES", Name: "meses"},
	{Code: "other", OfficialCode: "OTRO", Name: "otras unidades"},
}

// Collect is what each element of a list makes, in the order of the list.
func Collect[E, R any](list []E, row func(E) R) []R {
	all := make([]R, 0, len(list))
	for _, e := range list {
		all = append(all, row(e))
	}
	return all
}
