package summary_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"folio/countries"
	"folio/country"
	"folio/events"
	"folio/money"
	"folio/summary"
)

func dec(s string) money.Decimal { return money.MustParse(s) }

// a document of a type, with net 100, VAT 21 and total 121 in a currency.
func created(nation string, code int, currency, rate string) events.InvoiceCreated {
	return events.InvoiceCreated{Invoice: "I", Company: "C", Country: nation, Environment: "Testing",
		Document: events.Document{OfficialCode: code, Type: "T", Date: "2026-11-30 23:59:59",
			Currency:  events.Currency{Code: currency, Rate: dec(rate)},
			Recipient: events.Party{LegalName: "R", DocumentNumber: "1"}},
		Taxes: events.TaxInformation{Rates: []events.AppliedRate{{Type: "iva21", Code: "5", Rate: dec("21"),
			Base: dec("100.00"), Amount: dec("21.00")}},
			Amounts: events.AppliedAmounts{Net: dec("100.00"), Tax: dec("21.00"), Total: dec("121.00")}}}
}

func fold(all ...events.Event) (s summary.Summary) {
	for _, e := range all {
		s = summary.Evolve(s, e)
	}
	return s
}

func TestSignSideAndCurrencyAreDecidedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		e     events.InvoiceCreated
		side  summary.Side
		total string // as sums take it, in local currency
	}{
		"an invoice":                       {created("AR", 1, "ARS", "1"), summary.Sale, "121"},
		"a credit note takes":              {created("AR", 3, "ARS", "1"), summary.Sale, "-121"},
		"a debit note adds":                {created("AR", 2, "ARS", "1"), summary.Sale, "121"},
		"another currency is turned":       {created("AR", 1, "USD", "1234.5678"), summary.Sale, "149382.7"},
		"a credit note in another one":     {created("UY", 112, "USD", "40.123"), summary.Sale, "-4854.88"},
		"pesos without decimals":           {created("CL", 110, "USD", "950.55"), summary.Sale, "115017"},
		"a guía bills nothing":             {created("CL", 52, "CLP", "1"), summary.Neither, "0"},
		"a remito bills nothing":           {created("UY", 181, "UYU", "1"), summary.Neither, "0"},
		"a factura de compra is no sale":   {created("CL", 46, "CLP", "1"), summary.Purchase, "121"},
		"a rate that is not known yet":     {created("UY", 111, "USD", "0"), summary.Sale, "0"},
		"a country that nobody knows here": {created("XX", 1, "XXX", "1"), summary.Sale, "121"},
	} {
		s := fold(c.e)
		if s.Side != c.side || s.Local(s.Amounts.Total).String() != c.total {
			t.Errorf("%s: side %s, total %s", name, s.Side, s.Local(s.Amounts.Total))
		}
	}
}

func TestASummaryFollowsTheInvoice(t *testing.T) {
	s := fold(created("UY", 111, "USD", "0"), events.RateTaken{Rate: dec("40")},
		events.SubmissionStarted{Environment: "Production", Number: 7},
		events.NumberAssigned{Number: 7, Series: "A"}, events.ProcessingRequested{},
		events.AuthorityAccepted{Sandbox: true, Authorization: events.Authorization{Code: "X"}})
	want := fold(created("UY", 111, "USD", "40"))
	want.Environment, want.Number, want.Series, want.Status, want.Sandbox, want.Authorization = "Production", 7, "A",
		summary.Accepted, true, "X"
	if d := cmp.Diff(want, s, cmp.AllowUnexported(money.Exact{})); d != "" {
		t.Error(d)
	}
	if s.Month() != "2026-11" || !s.Counts() {
		t.Errorf("month %s, counts %v", s.Month(), s.Counts())
	}
	if r := fold(created("UY", 111, "UYU", "1"), events.AuthorityRejected{}); r.Counts() || r.Status != summary.Rejected {
		t.Error("a rejected document counts")
	}
}

func TestEveryCountryOfTheProgramIsKnown(t *testing.T) {
	codes := func(all country.Registry) (out []string) {
		for _, r := range all {
			out = append(out, r.Code())
		}
		return out
	}
	if d := cmp.Diff(codes(countries.Rules()), codes(summary.Countries)); d != "" {
		t.Error(d)
	}
}
