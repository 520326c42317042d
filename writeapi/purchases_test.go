package writeapi_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
)

// A supplier's document has one identity, however its typed fields are spelled.
func TestATypedPurchaseIsTheSameInEverySpelling(t *testing.T) {
	for _, c := range []struct {
		rules         country.Rules
		company, name string
		purchase      string
		supplier      []string
		foreign       []string // members that documents of the country do not have, and the refusal
		currency      string
		official      string // the authority's code of it
	}{
		{ar.Rules{}, cuit, "CUIT", `"invoice_type":"FCA","branch_office":3,"authorization_code":"76450000000001"`,
			[]string{"30712345671", "30-71234567-1"},
			[]string{"series AR-PURCHASE-09"}, "ARS", "PES"},
		{cl.Rules{}, "77111222-6", "RUT", `"invoice_type":"33"`, []string{"76192083-9", "76.192.083-9", "761920839"},
			[]string{"series CL-PURCHASE-05", "branch_office CL-PURCHASE-06"}, "CLP", "clp"},
		{uy.Rules{}, "210001300008", "RUT", `"invoice_type":"111","series":"A"`, []string{"214844360018", "21 484436 0018"},
			[]string{"branch_office UY-PURCHASE-08"}, "UYU", "uyu"},
	} {
		t.Run(c.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, c.rules)
			id := w.call("POST", "/api/companies",
				`{"legal_name":"Compradora","tax_identifier":"`+c.company+`","tax_identifier_name":"`+c.name+
					`","start_activities_date":"1999-03-01","id_currency":1}`, ana).want(201).text("id_company")
			key := "x-api-key: " + w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`","description":"x"}`,
				ana).want(201).text("api_key")
			path := "/api/companies/" + id + "/purchases"
			typed := func(supplier, currency string, more ...string) string {
				return `{` + strings.Join(append(more, c.purchase), ",") +
					`,"number":7,"date":"2026-11-20","total":100,"currency":"` + currency +
					`","supplier":{"legal_name":"Proveedora","document_number":"` + supplier + `"}}`
			}
			first := w.call("POST", path, typed(c.supplier[0], c.currency), key).want(201)
			for _, spelling := range c.supplier {
				if again := w.call("POST", path, typed(spelling, strings.ToLower(c.currency),
					`"recipient_document":"`+c.company+`"`), key).want(200); again.text("id") != first.text("id") {
					t.Errorf("%s is another purchase: %s", spelling, again.Body)
				}
			}
			if again := w.call("POST", path, typed(c.supplier[0], c.official),
				key).want(200); again.text("currency") != c.currency {
				t.Errorf("%s is %s", c.official, again.text("currency"))
			}
			read := w.call("GET", path+"/"+first.text("id"), "", key).want(200)
			if !strings.Contains(read.Body.String(), `"document_type":"`+c.name+`"`) {
				t.Errorf("the supplier's identifier has no name: %s", read.Body)
			}
			if read.text("received_at") != first.text("received_at") {
				t.Errorf("received at %s, read as %s", first.text("received_at"), read.text("received_at"))
			}
			for _, member := range c.foreign {
				name, code, _ := strings.Cut(member, " ")
				w.call("POST", path, typed(c.supplier[0], c.currency,
					`"`+name+`":`+map[string]string{"series": `"A"`, "branch_office": "1"}[name]), key).
					fails(422, "VALIDATION_FAILED", name+" "+code)
			}
			if again := w.call("POST", path, typed(c.supplier[0], c.currency, `"qr":null`, `"xml":null`),
				key).want(200); again.text("id") != first.text("id") {
				t.Errorf("with forms that are null it is another purchase: %s", again.Body)
			}
			w.call("POST", path, `{"qr":"x","xml":"y"}`, key).fails(422, "VALIDATION_FAILED", "xml ONE_FORM")
			w.call("POST", path, typed(c.supplier[0], c.currency, `"recipient_document":"`+c.supplier[0]+`"`), key).
				fails(422, "VALIDATION_FAILED", "recipient_document OTHER_RECIPIENT")
		})
	}
}
