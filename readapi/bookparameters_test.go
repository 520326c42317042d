package readapi_test

import (
	"strings"
	"testing"

	"folio/events"
	"folio/money"
)

func TestWhatATableOrASumCannotObeyIsRefused(t *testing.T) {
	w := booksWorld(t)
	for path, want := range map[string][]string{
		"/api/projections/vat_book?order=up":             {"order NOT_ALLOWED"},
		"/api/projections/vat_totals?month=2026-13":      {"month INVALID_FORMAT"},
		"/api/projections/purchase_book?from_month=2026": {"from_month INVALID_FORMAT"},
		"/api/projections/vat_book?from_date=31/12/2026": {"from_date INVALID_FORMAT"},
		"/api/projections/vat_book?from_total=1,5":       {"from_total INVALID_FORMAT"},
		"/api/projections/vat_book?format=csv&sort=total&order=desc&page=2&per_page=1": {"sort NOT_ALLOWED",
			"order NOT_ALLOWED", "page NOT_ALLOWED", "per_page NOT_ALLOWED"},
		"/api/projections/vat_book?sum=total&sort=total&order=asc&page=2": {"sort NOT_ALLOWED", "order NOT_ALLOWED",
			"page NOT_ALLOWED"},
		"/api/reports/vat-book?month=2026-11&format=csv&page=2":          {"page NOT_ALLOWED"},
		"/api/reports/vat-book/cbte?month=2026-11&format=csv&page=2":     {"format UNKNOWN_FIELD", "page UNKNOWN_FIELD"},
		"/api/reports/purchase-book?month=2026-11&format=csv&per_page=2": {"per_page NOT_ALLOWED"},
		"/api/reports/receivables?format=csv&page=1&per_page=2":          {"page NOT_ALLOWED", "per_page NOT_ALLOWED"},
	} {
		w.get(path, key1).fails(422, "VALIDATION_FAILED", want...)
	}
	if body := w.get("/api/projections/vat_totals?sum=nope", key1).want(422).Body.String(); strings.Contains(body,
		"Use .") ||
		!strings.Contains(body, "has no attribute for it") {
		t.Errorf("got %s", body)
	}
}

func TestDocumentsAndCurrenciesAreFoundHoweverTheyAreWritten(t *testing.T) {
	w := booksWorld(t)
	for path, total := range map[string]int{
		"/api/reports/receivables?environment=testing&customer_document=33-69345023-9&currency=ars": 1,
		"/api/projections/receivables?customer_document=33.693450239&currency=usd":                  1,
		"/api/projections/vat_book?recipient_document=33-69345023-9":                                4,
	} {
		var p struct {
			Total int `json:"total_results"`
		}
		if w.get(path, key1).want(200).into(&p); p.Total != total {
			t.Errorf("%s: %d, want %d", path, p.Total, total)
		}
	}
}

func TestWhoIsNotIdentifiedIsFoundHoweverThatIsWritten(t *testing.T) {
	all := []given{company("A1", "C1")}
	for id, number := range map[string]string{"I1": "", "I2": "0"} {
		one := billed(id, 1, 6, "FCB", "2026-11-03", "ARS", "1")
		e := one[0].Event.(events.InvoiceCreated)
		e.Document.Recipient.DocumentType, e.Document.Recipient.DocumentNumber = "99", number
		one[0].Event = e
		all = append(all, one...)
	}
	w := newWorld(t, append(all, billed("I3", 2, 6, "FCB", "2026-11-03", "ARS", "1")...)...)
	for _, number := range []string{"0", "00", "66.666.666-6"} {
		body := w.get("/api/reports/receivables?environment=testing&customer_document="+number, key1).want(200).Body.String()
		if !strings.Contains(body, `"total_results":1`) || !strings.Contains(body, `"documents":2`) {
			t.Errorf("%s: %s", number, body)
		}
	}
}

func TestReceivablesHaveTheDecimalsOfTheirCurrency(t *testing.T) {
	mine := company("A1", "C1")
	registered := mine.Event.(events.CompanyRegistered)
	registered.Country = "CL"
	mine.Event = registered
	all := []given{mine}
	for _, one := range [][]given{billed("I1", 1, 33, "FCA", "2026-11-03", "CLP", "1"),
		billed("I2", 2, 33, "FCA", "2026-11-03", "USD", "900")} {
		e := one[0].Event.(events.InvoiceCreated)
		e.Country, e.Taxes.Amounts.Total = "CL", money.MustParse("121")
		one[0].Event = e
		all = append(all, one...)
	}
	body := newWorld(t, all...).get("/api/reports/receivables?environment=testing", key1).want(200).Body.String()
	for _, want := range []string{`"currency":"CLP","documents":1,"billed":121,`,
		`"currency":"USD","documents":1,"billed":121.00,`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}
