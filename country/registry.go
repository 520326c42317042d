package country

import (
	"errors"
	"fmt"
	"strings"
)

// Registry are the countries that the service knows.
type Registry []Rules

// ByCode finds a country by its ISO 3166-1 alpha-2 code, in any case.
func (all Registry) ByCode(code string) (Rules, bool) {
	for _, r := range all {
		if strings.EqualFold(r.Code(), code) {
			return r, true
		}
	}
	return nil, false
}

// ByIdentifier finds the country whose tax identifier has this name and this form,
// and the identifier's canonical text. Where several countries share a name, the
// check digit tells them apart. Without one that fits, named are those that have the
// name, and err is what each of them says against the text.
func (all Registry) ByIdentifier(name, text string) (found Rules, canonical string, named []Rules, err error) {
	var bad []string
	var last error
	for _, r := range all {
		if !strings.EqualFold(r.IdentifierName(), strings.TrimSpace(name)) {
			continue
		}
		named = append(named, r)
		canonical, err := r.Identifier(text)
		if err == nil {
			return r, canonical, named, nil
		}
		bad = append(bad, fmt.Sprintf("in %s, %v", SpanishName(r.Code()), err))
		last = err
	}
	if len(named) < 2 {
		return nil, "", named, last
	}
	return nil, "", named, errors.New(strings.Join(bad, "; "))
}

// IdentifierNames are the names that ByIdentifier knows.
func (all Registry) IdentifierNames() []string {
	return Collect(all, Rules.IdentifierName)
}

// Currency is one row of Folio's catalogue of currencies.
type Currency struct {
	ID   int    `json:"id"`
	Code string `json:"code"` // ISO 4217
	Name string `json:"name"`
}

// Currencies are the ids that a company's id_currency may have. Ids never change.
var Currencies = []Currency{
	{1, "ARS", "Peso argentino"},
	{2, "CLP", "Peso chileno"},
	{3, "UYU", "Peso uruguayo"},
	{4, "USD", "Dólar estadounidense"},
	{5, "EUR", "Euro"},
	{6, "BRL", "Real brasileño"},
	{7, "PYG", "Guaraní paraguayo"},
	{8, "BOB", "Boliviano"},
	{9, "PEN", "Sol peruano"},
	{10, "COP", "Peso colombiano"},
	{11, "MXN", "Peso mexicano"},
	{12, "GBP", "Libra esterlina"},
	{13, "CHF", "Franco suizo"},
	{14, "CAD", "Dólar canadiense"},
	{15, "JPY", "Yen japonés"},
	{16, "CNY", "Yuan chino"},
}

// CurrencyByID finds a currency of the catalogue.
func CurrencyByID(id int) (Currency, bool) {
	for _, c := range Currencies {
		if c.ID == id {
			return c, true
		}
	}
	return Currency{}, false
}
