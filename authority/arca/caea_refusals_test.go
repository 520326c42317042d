package arca_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"folio/authority"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/fault"
	"folio/money"
	arcasandbox "folio/sandbox/arca"
)

// refusal is one code with which ARCA refuses the report of a document: how a document that
// was good breaks the rule, and where the check says so before it has a number.
type refusal struct {
	code   int
	kind   string
	change func(*events.Document, *events.TaxInformation)
	path   string
	rule   string
}

func doc(f func(*events.Document)) func(*events.Document, *events.TaxInformation) {
	return func(d *events.Document, _ *events.TaxInformation) { f(d) }
}

func told(f func(*events.TaxInformation)) func(*events.Document, *events.TaxInformation) {
	return func(_ *events.Document, t *events.TaxInformation) { f(t) }
}

func headed(text string) func(*events.Document, *events.TaxInformation) {
	return doc(func(d *events.Document) { d.HeaderInfo = []byte(text) })
}

func amount(s string) money.Decimal { return money.MustParse(s) }

func period(from, to string) func(*events.Document, *events.TaxInformation) {
	return doc(func(d *events.Document) {
		d.BillingReference = []events.Reference{{PeriodFrom: from, PeriodTo: to}}
	})
}

func tribute(t events.GlobalTax) func(*events.Document, *events.TaxInformation) {
	return func(d *events.Document, i *events.TaxInformation) {
		d.GlobalTaxes = []events.GlobalTax{t}
		i.Amounts.Other = amount("30")
		i.Amounts.Total = i.Amounts.Total.Add(amount("30"))
	}
}

func reference(f func(*events.Reference)) func(*events.Document, *events.TaxInformation) {
	return doc(func(d *events.Document) { f(&d.BillingReference[0]) })
}

// refusals has a row for every code that refuses one document for what it says.
var refusals = []refusal{
	{700, "FCA", doc(func(d *events.Document) { d.Type, d.OfficialCode = "FCX", 19 }), "invoice_type", "AR-CAEA-01"},
	{702, "FCA", doc(func(d *events.Document) { d.Date = "2026-12-16 10:00:00" }), "invoice_date", "AR-CAEA-02"},
	{702, "FCA", doc(func(d *events.Document) { d.Date = "2026-11-30 10:00:00" }), "invoice_date", "AR-CAEA-02"},
	{783, "FCA", doc(func(d *events.Document) { d.Date = "" }), "invoice_date", "AR-CAEA-02"},
	{713, "FCA", doc(func(d *events.Document) { d.Concept = "7" }), "concept", "AR-CAEA-11"},
	{1403, "FCA", doc(func(d *events.Document) {
		d.Recipient.DocumentType, d.Recipient.DocumentNumber = "DNI", "28765432"
	}),
		"recipient.document_type", "AR-CAEA-05"},
	{1421, "FCA", doc(func(d *events.Document) { d.Recipient.DocumentNumber = "12345678901" }),
		"recipient.document_number", "AR-CAEA-05"},
	{1528, "FCA", doc(func(d *events.Document) { d.Recipient.DocumentNumber = "20111111113" }),
		"recipient.document_number", "AR-CAEA-05"},
	{788, "FCA", doc(func(d *events.Document) { d.Recipient.DocumentNumber = issuer }), "recipient.document_number",
		"AR-CAEA-05"},
	{1405, "FCB", doc(func(d *events.Document) {
		d.Recipient.DocumentType, d.Recipient.DocumentNumber = "DNI", "287654321012"
	}),
		"recipient.document_number", "AR-CAEA-05"},
	{1418, "FCB", doc(func(d *events.Document) { d.Recipient.DocumentType, d.Recipient.DocumentNumber = "99", "5" }),
		"recipient.document_number", "AR-CAEA-05"},
	{1417, "FCB", func(d *events.Document, t *events.TaxInformation) {
		d.Recipient = events.Party{}
		t.Amounts.Net, t.Amounts.Tax, t.Amounts.Total = amount("9000000"), amount("1890000"), amount("10890000")
		t.Rates[0].Base, t.Rates[0].Amount = t.Amounts.Net, t.Amounts.Tax
	}, "recipient.document_number", "AR-CAEA-05"},
	{826, "FCA", told(func(t *events.TaxInformation) { t.RecipientConditionID = 0 }), "recipient.tax_condition",
		"AR-CAEA-06"},
	{823, "FCA", told(func(t *events.TaxInformation) { t.RecipientConditionID = 77 }), "recipient.tax_condition",
		"AR-CAEA-06"},
	{726, "FCA", doc(func(d *events.Document) { d.Currency = events.Currency{Code: "USD"} }), "currency.exchange_rate",
		"AR-CAEA-03"},
	{726, "FCA", doc(func(d *events.Document) { d.Currency.Rate = amount("2") }), "currency.exchange_rate", "AR-CAEA-03"},
	{820, "FCA", headed(`{"same_currency_payment":"X"}`), "additional_header_info.same_currency_payment", "AR-CAEA-03"},
	{717, "FCA", told(func(t *events.TaxInformation) { t.Amounts.Untaxed = amount("-1") }), "totals", "AR-CAEA-07"},
	{718, "FCA", told(func(t *events.TaxInformation) { t.Amounts.Exempt = amount("-1") }), "totals", "AR-CAEA-07"},
	{719, "FCA", told(func(t *events.TaxInformation) { t.Amounts.Net = amount("-1") }), "totals", "AR-CAEA-07"},
	{723, "FCA", told(func(t *events.TaxInformation) { t.Amounts.Other = amount("-1") }), "totals", "AR-CAEA-07"},
	{1407, "FCA", told(func(t *events.TaxInformation) { t.Amounts.Tax = amount("-1") }), "totals", "AR-CAEA-07"},
	{1409, "FCA", told(func(t *events.TaxInformation) { t.Amounts.Total = amount("-1") }), "totals", "AR-CAEA-07"},
	{1434, "FCC", told(func(t *events.TaxInformation) { t.Amounts.Untaxed = amount("1") }), "totals.taxes", "AR-CAEA-07"},
	{1435, "FCC", told(func(t *events.TaxInformation) { t.Amounts.Exempt = amount("1") }), "totals.taxes", "AR-CAEA-07"},
	{1436, "FCC", told(func(t *events.TaxInformation) { t.Amounts.Net = amount("-1") }), "totals", "AR-CAEA-07"},
	{1437, "FCC", told(func(t *events.TaxInformation) { t.Amounts.Other = amount("-1") }), "totals", "AR-CAEA-07"},
	{1438, "FCC", told(func(t *events.TaxInformation) { t.Amounts.Tax = amount("1") }), "totals.taxes", "AR-CAEA-07"},
	{1439, "FCC", told(func(t *events.TaxInformation) { t.Amounts.Total = amount("1001") }), "totals.total", "AR-CAEA-07"},
	{1443, "FCC", told(func(t *events.TaxInformation) {
		t.Rates = []events.AppliedRate{{Code: "3", Base: amount("1000")}}
	}),
		"totals.taxes", "AR-CAEA-08"},
	{715, "FCA", told(func(t *events.TaxInformation) { t.Rates = nil }), "totals.taxes", "AR-CAEA-08"},
	{715, "FCA", told(func(t *events.TaxInformation) {
		t.Rates[0].Amount, t.Amounts.Tax, t.Amounts.Total = amount("0"), amount("0"), amount("1000")
	}), "totals.taxes", "AR-CAEA-08"},
	{1000, "FCA", told(func(t *events.TaxInformation) { t.Rates[0].Code = "55" }), "totals.taxes", "AR-CAEA-08"},
	{1003, "FCA", told(func(t *events.TaxInformation) { t.Rates = append(t.Rates, t.Rates[0]) }), "totals.taxes",
		"AR-CAEA-08"},
	{1008, "FCA", told(func(t *events.TaxInformation) { t.Rates[0].Amount = amount("-1") }), "totals.taxes", "AR-CAEA-08"},
	{1009, "FCA", told(func(t *events.TaxInformation) { t.Rates[0].Base = amount("0") }), "totals.taxes", "AR-CAEA-08"},
	{1423, "FCA", told(func(t *events.TaxInformation) {
		t.Amounts.Other, t.Amounts.Total = amount("30"), t.Amounts.Total.Add(amount("30"))
	}), "global_taxes", "AR-CAEA-09"},
	{905, "FCA", tribute(events.GlobalTax{Type: "iibb", BaseAmount: amount("-1"), Amount: amount("30")}),
		"global_taxes[0].base_amount", "AR-CAEA-09"},
	{906, "FCA", tribute(events.GlobalTax{Type: "iibb", Rate: amount("-1"), BaseAmount: amount("1"),
		Amount: amount("30")}),
		"global_taxes[0].rate", "AR-CAEA-09"},
	{907, "FCA", tribute(events.GlobalTax{Type: "iibb", BaseAmount: amount("1"), Amount: amount("-30")}),
		"global_taxes[0].amount", "AR-CAEA-09"},
	{908, "FCA", tribute(events.GlobalTax{Type: "other", BaseAmount: amount("1"), Amount: amount("30")}),
		"global_taxes[0].description", "AR-CAEA-09"},
	{1491, "NCA", doc(func(d *events.Document) { d.BillingReference = nil }), "billing_reference", "AR-CAEA-04"},
	{1492, "FCA", period("2026-11-01", "2026-11-30"), "billing_reference[0].period_from", "AR-CAEA-04"},
	{1494, "NCA", period("2026-11-01", ""), "billing_reference[0].period_to", "AR-CAEA-04"},
	{1495, "NCA", period("2026-11-99", "2026-11-30"), "billing_reference[0].period_from", "AR-CAEA-04"},
	{1496, "NCA", period("2026-11-01", "2026-11-99"), "billing_reference[0].period_to", "AR-CAEA-04"},
	{1497, "NCA", period("2005-11-01", "2026-11-30"), "billing_reference[0].period_from", "AR-CAEA-04"},
	{1498, "NCA", period("2026-11-30", "2026-11-01"), "billing_reference[0].period_to", "AR-CAEA-04"},
	{1499, "NCA", period("2026-11-01", "2026-12-31"), "billing_reference[0].period_to", "AR-CAEA-04"},
	{802, "NCA", reference(func(r *events.Reference) { r.BranchOffice = 0 }), "billing_reference[0].branch_office",
		"AR-CAEA-04"},
	{803, "NCA", reference(func(r *events.Reference) { r.Number = 0 }), "billing_reference[0].number", "AR-CAEA-04"},
	{804, "NCA", doc(func(d *events.Document) { d.BillingReference = append(d.BillingReference, d.BillingReference[0]) }),
		"billing_reference[1].number", "AR-CAEA-04"},
	{805, "NCA", reference(func(r *events.Reference) { r.OfficialCode = 0 }), "billing_reference[0].type", "AR-CAEA-04"},
	{807, "RCA", doc(func(d *events.Document) {
		d.BillingReference = []events.Reference{{Type: "FCA", OfficialCode: 1, BranchOffice: 1, Number: 5}}
	}), "billing_reference[0].type", "AR-CAEA-04"},
	{808, "NCA", reference(func(r *events.Reference) { r.DocumentNumber = "305" }),
		"billing_reference[0].document_number", "AR-CAEA-04"},
	{1504, "NCA", reference(func(r *events.Reference) { r.Date = "2026-12-99" }), "billing_reference[0].date",
		"AR-CAEA-04"},
	{1432, "FCA", headed(`{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":60},` +
		`{"document_type":"CUIL","document_number":"20111111112","percentage":40}]}`), "additional_header_info.buyers",
		"AR-CAEA-10"},
	{1426, "FCC", headed(`{"optionals":[{"id":"23","value":"OC-17"}]}`), "additional_header_info.optionals[0].id",
		"AR-CAEA-10"},
	{1100, "FCA", headed(`{"optionals":[{"id":"999","value":"x"}]}`), "additional_header_info.optionals[0].id",
		"AR-CAEA-10"},
	{1101, "FCA", headed(`{"optionals":[{"id":"5","value":"02"},{"id":"5","value":"02"}]}`),
		"additional_header_info.optionals[1].id", "AR-CAEA-10"},
	{1105, "FCA", headed(`{"optionals":[{"id":"5","value":""}]}`), "additional_header_info.optionals[0].value",
		"AR-CAEA-10"},
	{1466, "FCA", headed(`{"optionals":[{"id":"22","value":"S"}]}`), "additional_header_info.optionals[0].id",
		"AR-CAEA-10"},
	{1482, "FCA", headed(`{"optionals":[{"id":"23","value":"123456789012345678901234567890123456789012345678901"}]}`),
		"additional_header_info.optionals[0].value", "AR-CAEA-10"},
	{1483, "FCA", headed(`{"optionals":[{"id":"23","value":"a"},{"id":"23","value":"a"}]}`),
		"additional_header_info.optionals[1].id", "AR-CAEA-10"},
	{16003, "FCA", headed(`{"activities":[620100,620100]}`), "additional_header_info.activities[1]", "AR-CAEA-10"},
}

// kept are the codes that refuse for what is not the document's, and who keeps them. The setting is refused unless the
// registry names the point at that time, of the issuer's condition (1444); documents are of today (702), so that the
// point was there before their date (781) and before the end of their code (709).
var kept = map[int]string{
	10000: "the company", 10001: "the reporter", 10002: "the driver", 10003: "the reporter", 701: "the point of sale",
	1300: "the point of sale", 703: "the numbering", 704: "the numbering", 705: "the code", 709: "the setting",
	780: "the code", 781: "the setting", 782: "the driver", 784: "the numbering", 1414: "the reporter",
	1440: "the driver", 1441: "the driver", 1444: "the setting", 711: "the driver", 1415: "the driver",
	1416: "the driver", 1422: "the driver", 1433: "the driver",
	// What the driver writes cannot break these: an unknown document is nobody, a currency, a
	// tributo and a number of a consumer that there are not are no voucher at all.
	1404: "the driver", 1419: "the driver", 1401: "the driver", 900: "the driver", 800: "the driver", 1103: "the driver",
	1493: "the driver", 16000: "the driver",
}

// The codes that §"rules that differ" of the law's digest names as refusing a report.
var named = []int{1403, 1417, 1418, 1419, 715, 1423, 1443, 1433, 1434, 1435, 1436, 1437, 1438, 1439, 1491, 1492, 820,
	823, 826, 1528, 900, 905, 906, 907, 908, 1000, 1003, 1008, 1009, 10000, 10001, 10002, 10003, 700, 701, 1300, 702, 703,
	704, 705, 709, 780, 781, 782, 783, 784, 1414, 1440, 1441, 1432}

func TestEveryRefusingCodeIsKeptBySomebody(t *testing.T) {
	for _, code := range named {
		row := slices.ContainsFunc(refusals, func(r refusal) bool { return r.code == code })
		if _, elsewhere := kept[code]; row == elsewhere {
			t.Errorf("%d: a row: %v, kept elsewhere: %v", code, row, elsewhere)
		}
	}
}

const contingencyPoint = 9

// contingency is a bench with a point of sale of CAEA and the code of noon's fortnight.
func contingency(t *testing.T, cond arcasandbox.Taxpayer) (*bench, authority.ContingencyCode) {
	t.Helper()
	b := newBench(t)
	k := b.server.Knobs()
	k.ContingencyPoints = map[int64][]arcasandbox.Point{30500010912: {{Number: contingencyPoint}}}
	k.Registry = map[int64]arcasandbox.Taxpayer{30500010912: cond}
	b.server.SetKnobs(k)
	code, err := b.driver.Ask(t.Context(), b.cred, authority.Fortnight{Period: "202612", Order: 1}, b.record)
	if err != nil {
		t.Fatal(err)
	}
	return b, code
}

// at makes another point of sale the one of CAEA, of an issuer of another condition: its first
// number is the next.
func (b *bench) at(point int, cond arcasandbox.Taxpayer) {
	k := b.server.Knobs()
	k.ContingencyPoints = map[int64][]arcasandbox.Point{30500010912: {{Number: point}}}
	k.Registry = map[int64]arcasandbox.Taxpayer{30500010912: cond}
	b.server.SetKnobs(k)
}

func (b *bench) freeze(t *testing.T, c country.Checked, number int64,
	code string) (authority.Series, authority.Frozen) {
	t.Helper()
	s := authority.Series{Environment: authority.Testing, OfficialCode: c.Document.OfficialCode,
		BranchOffice: contingencyPoint}
	f, err := b.driver.Freeze(authority.Document{Invoice: fmt.Sprint(c.Document.Type, number), Number: number,
		Document: c.Document, Taxes: c.Taxes}, code, noon.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}

func conditionOf(kind string) arcasandbox.Taxpayer {
	if k, _ := (ar.Rules{}).DocumentType(kind); classC(k.Code) {
		return arcasandbox.Monotributo
	}
	return arcasandbox.Registered
}

// What ARCA would refuse when it is reported is refused before it has a number; that it would
// be refused, the sandbox says to whoever passes the check by.
func TestWhatWouldBeRefusedIsRefusedBeforeItHasANumber(t *testing.T) {
	b, code := contingency(t, arcasandbox.Registered)
	for i, r := range refusals {
		t.Run(fmt.Sprint(r.code, " ", r.path), func(t *testing.T) {
			c := document(t, r.kind, nil)
			if wrong := (ar.Rules{}).CheckContingency(c.Document, c.Taxes, noon); len(wrong) > 0 {
				t.Fatalf("before the change: %v", wrong)
			}
			r.change(&c.Document, &c.Taxes)
			wrong := (ar.Rules{}).CheckContingency(c.Document, c.Taxes, noon)
			if len(wrong) == 0 || !slices.ContainsFunc(wrong,
				func(v fault.Violation) bool { return v.Path == r.path && v.Code == r.rule }) {
				t.Errorf("%v, want %s at %s", wrong, r.rule, r.path)
			}
			b.at(100+i, conditionOf(r.kind))
			s, f := b.freeze(t, c, 1, code.Code)
			s.BranchOffice = 100 + i
			got, err := b.driver.Report(t.Context(), b.cred, s, []authority.Frozen{f}, b.record)
			if r.code == 700 {
				if err == nil {
					t.Errorf("%v, %v", got, err)
				}
				return
			}
			if err != nil || got[0].Result != authority.ReportRefused || !slices.ContainsFunc(got[0].Messages,
				func(m events.AuthorityMessage) bool { return m.Code == strconv.Itoa(r.code) }) {
				t.Errorf("the authority: %+v, %v, want %d", got, err, r.code)
			}
		})
	}
}

// Every document that the rules accept and that may be issued by CAEA passes the check, and its
// report is taken without a remark.
func TestWhatPassesTheCheckIsTaken(t *testing.T) {
	b, held := contingency(t, arcasandbox.Registered)
	for i, code := range (ar.Rules{}).ContingencyTypes() {
		k, _ := (ar.Rules{}).DocumentType(strconv.Itoa(code))
		t.Run(k.InvoiceType, func(t *testing.T) {
			c := document(t, k.InvoiceType, nil)
			if wrong := (ar.Rules{}).CheckContingency(c.Document, c.Taxes, noon); len(wrong) > 0 {
				t.Fatal(wrong)
			}
			b.at(100+i, conditionOf(k.InvoiceType))
			s, f := b.freeze(t, c, 1, held.Code)
			s.BranchOffice = 100 + i
			got, err := b.driver.Report(t.Context(), b.cred, s, []authority.Frozen{f}, b.record)
			ok := err == nil && (got[0].Result == authority.ReportTaken ||
				k.IsNote() && got[0].Result == authority.ReportObserved)
			if !ok || !got[0].Sandbox {
				t.Errorf("%+v, %v", got, err)
			}
			found, err := b.driver.FindReported(t.Context(), b.cred, s, f, b.record)
			if err != nil || !found.Same || found.Authorization.Code != held.Code ||
				found.Authorization.ExpiresOn != held.To || found.Authorization.Type != "CAEA" {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}
