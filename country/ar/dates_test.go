package ar_test

import (
	"slices"
	"testing"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
)

// dated is a document of the kind with this concept and date and, for services, the
// dates that go with it. Today is 2026-11-27.
func dated(kind, concept, date string) (events.Document, country.Issuer) {
	k, _ := ar.Rules{}.DocumentType(kind)
	d, who := example(k)
	d.Concept, d.Date = concept, date+" 10:00:00"
	if concept != "1" {
		d.ServiceStart, d.ServiceEnd, d.PaymentDueDate = "2026-11-01 00:00:00", "2026-11-30 23:59:59", "2026-12-27"
	}
	return d, who
}

func TestWindows(t *testing.T) {
	for _, c := range []struct{ name, kind, concept, date, want string }{
		{"products of five days ago", "FCA", "1", "2026-11-22", ""},
		{"products of six days ago", "FCA", "1", "2026-11-21", "invoice_date AR-DATE-03"},
		{"products within the month", "FCA", "1", "2026-11-30", ""},
		{"products of the next month", "FCA", "1", "2026-12-01", "invoice_date AR-DATE-04"},
		{"products in six days", "FCA", "1", "2026-12-03", "invoice_date AR-DATE-03"},
		{"products in twenty days, which would block the series", "FCA", "1", "2026-12-17", "invoice_date AR-DATE-03"},
		{"services of ten days ago", "FCA", "2", "2026-11-17", ""},
		{"services of eleven days ago", "FCA", "2", "2026-11-16", "invoice_date AR-DATE-03"},
		{"services in ten days, in the next month", "FCB", "3", "2026-12-07", ""},
		{"services in eleven days", "FCB", "3", "2026-12-08", "invoice_date AR-DATE-03"},
		{"an FCE of tomorrow", "FMA", "1", "2026-11-28", ""},
		{"an FCE of the day after tomorrow", "FMA", "1", "2026-11-29", "invoice_date AR-DATE-03"},
		{"an FCE for services of six days ago", "FMA", "2", "2026-11-21", "invoice_date AR-DATE-03"},
		{"an FCE note of today", "CMA", "1", "2026-11-27", ""},
		{"an FCE note of tomorrow", "CMA", "1", "2026-11-28", "invoice_date AR-DATE-03"},
		{"class C follows the same window", "FCC", "1", "2026-11-21", "invoice_date AR-DATE-03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, who := dated(c.kind, c.concept, c.date)
			_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			if c.want == "" {
				countrytest.MustRefuse(t, vs)
			} else {
				countrytest.MustRefuse(t, vs, c.want)
			}
		})
	}
}

// An FCE is issued in the month of its date, of goods and of services (10152).
func TestADateInTheNextMonth(t *testing.T) {
	last := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ kind, concept, want string }{
		{"FCA", "1", "invoice_date AR-DATE-04"}, {"FCA", "2", ""}, {"FCA", "3", ""},
		{"FMA", "1", "invoice_date AR-DATE-04"}, {"FMA", "2", "invoice_date AR-DATE-04"},
		{"FMB", "3", "invoice_date AR-DATE-04"},
	} {
		d, who := dated(c.kind, c.concept, "2026-12-01")
		want := slices.DeleteFunc([]string{c.want}, func(w string) bool { return w == "" })
		_, vs := ar.Rules{}.Check(d, who, last, country.Config{})
		countrytest.MustRefuse(t, vs, want...)
	}
}

func TestDatesOfServices(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*events.Document)
		want   []string
	}{
		{"services without any of the three dates",
			func(d *events.Document) { d.ServiceStart, d.ServiceEnd, d.PaymentDueDate = "", "", "" },
			[]string{"service_start_date AR-DATE-05", "service_end_date AR-DATE-05", "payment_due_date AR-DATE-05"}},
		{"a service that ends before it starts", func(d *events.Document) { d.ServiceEnd = "2026-10-31 00:00:00" },
			[]string{"service_end_date AR-DATE-06"}},
		{"payment due before the document", func(d *events.Document) { d.PaymentDueDate = "2026-11-26" },
			[]string{"payment_due_date AR-DATE-08"}},
		{"a due date with a time", func(d *events.Document) { d.PaymentDueDate = "2026-12-27 00:00:00" },
			[]string{"payment_due_date AR-DATE-02"}},
		{"a date that does not exist", func(d *events.Document) { d.ServiceStart = "2026-02-30 00:00:00" },
			[]string{"service_start_date AR-DATE-02"}},
		{"an invoice_date without time", func(d *events.Document) { d.Date = "2026-11-27" },
			[]string{"invoice_date AR-DATE-02"}},
		{"an invoice_date with a zone", func(d *events.Document) { d.Date = "2026-11-27T10:00:00Z" },
			[]string{"invoice_date AR-DATE-02"}},
		{"a fraction of a second", func(d *events.Document) { d.Date = "2026-11-27 10:00:00,5" },
			[]string{"invoice_date AR-DATE-02"}},
		{"no date", func(d *events.Document) { d.Date = "" }, []string{"invoice_date AR-DATE-02"}},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			d, _ := dated("FCA", "2", "2026-11-27")
			c.change(&d)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	t.Run("due today is accepted", func(t *testing.T) {
		d, _ := dated("FCA", "2", "2026-11-27")
		d.PaymentDueDate = "2026-11-27"
		mustAccept(t, d)
	})
}

func TestDueDatesOfFCE(t *testing.T) {
	d, _ := dated("FMA", "1", "2026-11-25")
	d.PaymentDueDate = ""
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "payment_due_date AR-DATE-07")
	d.PaymentDueDate = "2026-11-26" // after the document, before today
	_, vs = check(d)
	countrytest.MustRefuse(t, vs, "payment_due_date AR-DATE-08")
	d.PaymentDueDate = "2026-11-27"
	mustAccept(t, d)
}

func TestDatesThatAreToldToTheAuthority(t *testing.T) {
	for _, c := range []struct {
		name, kind, concept, header, start, end, due string
	}{
		{"products: none, though a due date is printed", "FCA", "1", "", "", "", ""},
		{"services: all three", "FCA", "2", "", "20261101", "20261130", "20261227"},
		{"both: all three", "FCC", "3", "", "20261101", "20261130", "20261227"},
		{"an FCE of products: the day of payment", "FMA", "1", "", "", "", "20261227"},
		{"an FCE note that cancels: the day of payment", "CMA", "1", `{"cancellation":"S"}`, "", "", "20261227"},
		{"an FCE note that does not: none", "CMA", "1", `{"cancellation":"N"}`, "", "", ""},
		{"an FCE note of services: the period only", "CMA", "2", `{"cancellation":"N"}`, "20261101", "20261130", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := events.Document{Type: c.kind, Concept: c.concept, ServiceStart: "2026-11-01 00:00:00",
				ServiceEnd: "2026-11-30 23:59:59", PaymentDueDate: "2026-12-27", HeaderInfo: []byte(c.header)}
			if start, end, due := ar.Dates(d); start != c.start || end != c.end || due != c.due {
				t.Errorf("told %q %q %q", start, end, due)
			}
		})
	}
}
