package console

import (
	"encoding/json"
	"testing"
)

func TestPricesWithVATInThemAreKnownByTheirSums(t *testing.T) {
	for _, c := range []struct {
		name, invoice string
		want          bool
	}{
		{"net prices", `{"items":[{"quantity":2,"unit_price":50.00}],"totals":{"sub_total":100.00,"discount":0,
			"taxes":[{"amount":21.00}],"total":121.00}}`, false},
		{"prices with VAT", `{"items":[{"quantity":1,"unit_price":1190}],"totals":{"sub_total":1000,"discount":0,
			"taxes":[{"amount":190}],"total":1190}}`, true},
		{"with a discount", `{"items":[{"quantity":1,"unit_price":1290}],"totals":{"discount":100,"taxes":[{"amount":190}],
			"total":1190}}`, true},
		{"rounded", `{"items":[{"quantity":3,"unit_price":33.333}],"totals":{"taxes":[{"amount":18.03}],"total":100.00}}`,
			true},
		{"no tax", `{"items":[{"quantity":1,"unit_price":100}],"totals":{"taxes":[],"total":100}}`, false},
	} {
		var i invoice
		if err := json.Unmarshal([]byte(c.invoice), &i); err != nil || i.GrossPrices() != c.want {
			t.Errorf("%s: %v, %v", c.name, i.GrossPrices(), err)
		}
	}
}

func TestKindsOfIdentifierNameTheirCountries(t *testing.T) {
	c := Config{Countries: []Country{{Code: "AR", Name: "Argentina", Identifier: "CUIT"},
		{Code: "CL", Name: "Chile", Identifier: "RUT"}, {Code: "UY", Name: "Uruguay", Identifier: "RUT"}}}
	got := c.identifiers()
	if len(got) != 3 || got[1].Name != "CUIT · Argentina" || got[2].Value != "RUT" || got[2].Name != "RUT · Chile, Uruguay" {
		t.Errorf("%+v", got)
	}
}
