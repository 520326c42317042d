package countrytest

import (
	"folio/country"
	"folio/country/figures"
	"folio/money"
)

// Figures are the built-in ones with others of one name over them, given as pairs of the
// first day and the value. What the table refuses leaves the built-in ones as they are.
func Figures(code, name string, pairs ...string) country.Config {
	var table figures.Table
	for i := 0; i+1 < len(pairs); i += 2 {
		row := figures.Figure{Country: code, Name: name, Since: pairs[i], Value: money.MustParse(pairs[i+1]),
			Source: "a test"}
		if more, err := table.With(row); err == nil {
			table = more
		}
	}
	return country.Config{Figures: table}
}
