package uy

import "folio/country"

// departments are the 19 by their Spanish names, with ISO 3166-2 beside each. None has
// more than the 30 characters of Departamento and DeptoRecep.
var departments = []country.Catalogued{
	{Code: "Artigas", OfficialCode: "UY-AR"},
	{Code: "Canelones", OfficialCode: "UY-CA"},
	{Code: "Cerro Largo", OfficialCode: "UY-CL"},
	{Code: "Colonia", OfficialCode: "UY-CO"},
	{Code: "Durazno", OfficialCode: "UY-DU"},
	{Code: "Flores", OfficialCode: "UY-FS"},
	{Code: "Florida", OfficialCode: "UY-FD"},
	{Code: "Lavalleja", OfficialCode: "UY-LA"},
	{Code: "Maldonado", OfficialCode: "UY-MA"},
	{Code: "Montevideo", OfficialCode: "UY-MO"},
	{Code: "Paysandú", OfficialCode: "UY-PA"},
	{Code: "Río Negro", OfficialCode: "UY-RN"},
	{Code: "Rivera", OfficialCode: "UY-RV"},
	{Code: "Rocha", OfficialCode: "UY-RO"},
	{Code: "Salto", OfficialCode: "UY-SA"},
	{Code: "San José", OfficialCode: "UY-SJ"},
	{Code: "Soriano", OfficialCode: "UY-SO"},
	{Code: "Tacuarembó", OfficialCode: "UY-TA"},
	{Code: "Treinta y Tres", OfficialCode: "UY-TT"},
}

// Department is the Spanish name of a department, from that name in any case or from its
// ISO 3166-2 code.
func Department(text string) (string, bool) {
	found, ok := country.Find(departments, text)
	return found.Code, ok
}
