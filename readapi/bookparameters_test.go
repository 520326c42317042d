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

// A range that ends before it begins has nothing in it: it is a slip, and no empty list. Both bounds are named.
func TestARangeThatEndsBeforeItBeginsIsRefused(t *testing.T) {
	w := newWorld(t, company("A1", "C1"), given{Stream: "webhook-C1",
		Event: events.WebhookSubscribed{Webhook: 7, Company: "C1", URL: "https://hooks.example.com/x",
			Events: []string{"ISE"}}})
	const deliveries = "/api/companies/C1/webhooks/7/deliveries"
	for path, bounds := range map[string][2]string{
		"/api/invoices?date_from=2026-11-21&date_to=2026-11-20":                              {"date_from", "date_to"},
		"/api/companies/C1/purchases?date_from=2026-11-21&date_to=2026-11-20":                {"date_from", "date_to"},
		"/api/feed?from=2026-11-21&to=2026-11-20":                                            {"from", "to"},
		"/api/feed?from=2026-11-20T12:00:00-03:00&to=2026-11-20T14:59:59Z":                   {"from", "to"},
		deliveries + "?from=2026-11-21&to=2026-11-20":                                        {"from", "to"},
		"/api/projections/vat_book?from_date=2026-11-21&to_date=2026-11-20":                  {"from_date", "to_date"},
		"/api/projections/vat_book?from_total=100&to_total=20.5":                             {"from_total", "to_total"},
		"/api/projections/vat_totals?from_month=2026-11&to_month=2026-10&format=csv":         {"from_month", "to_month"},
		"/api/projections/facts?from_time=2026-11-21T00:00:00Z&to_time=2026-11-20T23:59:59Z": {"from_time", "to_time"},
	} {
		a := w.get(path, key1)
		a.fails(422, "VALIDATION_FAILED", bounds[1]+" BEFORE_FROM")
		if !strings.Contains(a.Body.String(), "must not be before "+bounds[0]) {
			t.Errorf("%s: %s", path, a.Body)
		}
	}
	for _, path := range []string{"/api/invoices?date_from=2026-11-21&date_to=2026-11-21",
		"/api/companies/C1/purchases?date_from=2026-11-21&date_to=2026-11-21", "/api/feed?from=2026-11-21&to=2026-11-21",
		"/api/feed?from=2026-11-21T23:00:00Z&to=2026-11-21", deliveries + "?from=2026-11-21T23:00:00Z&to=2026-11-21",
		"/api/projections/vat_book?from_total=9&to_total=10"} {
		w.get(path, key1).want(200)
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
