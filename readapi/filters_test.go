package readapi_test

import (
	"strings"
	"testing"

	"folio/events"
)

func TestFiltersAreReadAsTheirWriterMeantThem(t *testing.T) {
	w := newWorld(t,
		given{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR",
			LegalName: "Uno", TaxIdentifier: "30712345671", TaxIdentifierName: "CUIT"}},
		created("C1", "I1", nil),
		created("C1", "I2", func(d *events.Document) { d.Type, d.OfficialCode = "FCB", 6 }),
		created("C1", "I3", func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber = "96", "12345678"
		}),
	)
	for query, want := range map[string]string{
		"recipient_document=33-69345023-9":  "I2 I1",
		"recipient_document=33.693450239":   "I2 I1",
		"recipient_document=12.345.678":     "I3",
		"recipient_document=12%20345%20678": "I3",
		"recipient_document=AB-12":          "",
		"invoice_type=6":                    "I2",
		"invoice_type=006":                  "I2",
		"invoice_type=fcb&status=pending":   "I2",
	} {
		p := w.page("/api/invoices?"+query, key1)
		if got := strings.Join(p.ids(t, "id"), " "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	a := w.get("/api/invoices?invoice_type=XYZ", key1)
	a.fails(422, "VALIDATION_FAILED", "invoice_type NOT_ALLOWED")
	for _, name := range []string{"FCA", "NCB", "FCX"} {
		if !strings.Contains(a.Body.String(), name) {
			t.Errorf("the answer does not name %s: %s", name, a.Body)
		}
	}
	if !strings.HasSuffix(a.Body.String(), "}\n") {
		t.Error("the answer does not end its line")
	}
}

func TestANumberIsFoundWithAndWithoutItsZeros(t *testing.T) {
	history := []given{
		{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR", LegalName: "Uno",
			TaxIdentifier: "30712345671", TaxIdentifierName: "CUIT"}},
		{Stream: "company-C2", Event: events.CompanyRegistered{Company: "C2", Account: "A2", Country: "UY", LegalName: "Dos",
			TaxIdentifier: "217111220014", TaxIdentifierName: "RUT"}},
		created("C1", "I1", nil), created("C2", "I2", nil),
		{Stream: "invoice-I2", Event: events.NumberAssigned{Number: 17, Series: "A"}},
	}
	w := newWorld(t, append(history, accepted("I1", 17)...)...)
	for _, c := range []struct{ key, number, want string }{
		{key1, "0005-00000017", "I1"}, {key1, "5-17", "I1"}, {key1, "17", ""}, {key1, "6-17", ""}, {key1, "x-17", ""},
		{key2, "0000-00000017", "I2"}, {key2, "17", "I2"}, {key2, "018", ""}, {key2, "99999999999999999999", ""},
	} {
		p := w.page("/api/invoices?number="+c.number, c.key)
		if got := strings.Join(p.ids(t, "id"), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.number, got, c.want)
		}
	}
}
