package country_test

import (
	"testing"

	"folio/country"
)

func TestAPlaceSaysNothingTwice(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		want  string
	}{
		{"nothing", nil, ""},
		{"each part", []string{"Ruta 8 km 20", "Pando", "Canelones"}, "Ruta 8 km 20, Pando, Canelones"},
		{"parts that say nothing", []string{" ", "Pando", "", " Canelones "}, "Pando, Canelones"},
		{"a city with the name of what it lies in", []string{"18 de Julio 1234", "Montevideo", "MONTEVIDEO"}, "18 de Julio 1234, Montevideo"},
		{"with nothing between the two", []string{"Santiago", "", "Santiago"}, "Santiago"},
	} {
		if got := country.Place(c.parts...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
