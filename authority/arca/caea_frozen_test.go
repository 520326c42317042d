package arca_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/events"
)

// What is kept of a document to be reported is held byte by byte: it is reported days later, by
// another version of this program perhaps.
func TestTheBytesOfADocumentThatIsReportedLater(t *testing.T) {
	for name, of := range map[string]struct {
		kind   string
		change func(*events.Document)
	}{
		"plain": {"FCB", func(d *events.Document) { d.Recipient = events.Party{} }},
		"note":  {"NCA", nil},
		"services": {"FCA", func(d *events.Document) {
			d.Concept, d.ServiceStart, d.ServiceEnd = "2", "2026-12-01 00:00:00", "2026-12-14 23:59:59"
			d.PaymentDueDate = "2026-12-30"
			d.Currency.Code, d.Currency.Rate = "USD", amount("1450.5")
			d.HeaderInfo = []byte(`{"same_currency_payment":"N","optionals":[{"id":"23","value":"OC-17 <&>"}],` +
				`"activities":[620100]}`)
			d.GlobalTaxes = []events.GlobalTax{{Type: "perc_iibb", Description: "Percepción IIBB", Rate: amount("3"),
				BaseAmount: amount("1000"), Amount: amount("30")}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := document(t, of.kind, of.change)
			// a second before midnight in Argentina, when the day has ended in UTC
			at := time.Date(2026, 12, 16, 2, 59, 59, 0, time.UTC)
			f, err := newBench(t).driver.Freeze(authority.Document{Invoice: "i", Number: 7, Document: c.Document,
				Taxes: c.Taxes}, "36482345678901", at)
			if err != nil {
				t.Fatal(err)
			}
			path := "testdata/frozen." + name + ".xml"
			got := strings.ReplaceAll(string(f.Content), "><", ">\n<") + "\n"
			if flag.Lookup("update").Value.String() == "true" {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || got != string(want) {
				t.Errorf("%s differs (-update writes it), %v:\n%s", path, err, got)
			}
			if f.Number != 7 || f.Invoice != "i" || f.SHA256 != authority.Prepare(f.Content).SHA256 {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestADocumentWithoutACodeIsNotFrozen(t *testing.T) {
	c := document(t, "FCA", nil)
	for _, code := range []string{"", "1234567890123", "1234567890123x"} {
		if _, err := newBench(t).driver.Freeze(authority.Document{Document: c.Document, Taxes: c.Taxes}, code,
			noon); err == nil {
			t.Errorf("frozen under %q", code)
		}
	}
}
