package country_test

import (
	"encoding/json"
	"slices"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
)

func TestAMemberOfTheWrongTypeIsToldWhatToWrite(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"a code in quotation marks", `{"transfer_type":"1"}`, "info.transfer_type: it must be a whole number, without " +
			"quotation marks"},
		{"a code with decimals", `{"transfer_type":1.5}`, "info.transfer_type: it must be a whole number, without " +
			"quotation marks"},
		{"a count beyond all numbers", `{"packages":9223372036854775808}`,
			"info.packages: it must be a whole number, without quotation marks"},
		{"a text without them", `{"seller":7}`, "info.seller: it must be text, in quotation marks"},
		{"a choice in them", `{"gross_prices":"true"}`,
			"info.gross_prices: it must be true or false, without quotation marks"},
		{"a number within an object", `{"issuer":{"city":1}}`, "info.issuer: it must be an object whose members are text"},
		{"what fits", `{"transfer_type":1,"packages":2,"seller":"7","gross_prices":true,"issuer":{"city":"Pando"}}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var v country.Violations
			var target struct {
				TransferType int               `json:"transfer_type"`
				Packages     int64             `json:"packages"`
				Seller       string            `json:"seller"`
				GrossPrices  bool              `json:"gross_prices"`
				Issuer       map[string]string `json:"issuer"`
			}
			country.ReadMembers(&v, "info", "XX-HEADER-01", json.RawMessage(test.raw), &target)
			said := ""
			for _, violation := range v.All {
				said += violation.Path + ": " + violation.Message
			}
			if said != test.want {
				t.Errorf("said %q, want %q", said, test.want)
			}
		})
	}
}

// The same member is a number in one country and a text in another.
func TestWhichMembersAreNumbers(t *testing.T) {
	for _, c := range []struct {
		rules        country.Rules
		number, text []string
	}{
		{rules: ar.Rules{}, text: []string{"additional_export_info.destination_country", "additional_header_info.cbu"}},
		{rules: cl.Rules{}, number: []string{"additional_header_info.transfer_type", "additional_export_info.sale_clause",
			"additional_export_info.gross_weight", "additional_export_info.destination_country"},
			text: []string{"additional_header_info.transport.plate", "additional_header_info.seller"}},
		{rules: uy.Rules{}, number: []string{"additional_header_info.transfer_type", "additional_export_info.sale_mode"},
			text: []string{"additional_export_info.sale_clause", "additional_header_info.recipient.city"}},
	} {
		numbers := country.NumericMembers(c.rules)
		for _, path := range c.number {
			if !slices.Contains(numbers, path) {
				t.Errorf("%s: %s is a number and is not among %v", c.rules.Code(), path, numbers)
			}
		}
		for _, path := range c.text {
			if slices.Contains(numbers, path) {
				t.Errorf("%s: %s is a text and is among %v", c.rules.Code(), path, numbers)
			}
		}
	}
}
