package dailyreport_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/dgi"
	"folio/authority/wire"
	"folio/commands"
	"folio/commands/company"
	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/money"
	"folio/processors/dailyreport"
	"folio/sandbox"
	dgisandbox "folio/sandbox/dgi"
)

// holder opens one certificate for every company.
type holder authority.Credential

func (h holder) Open(context.Context, company.State, string, time.Time) (authority.Credential, error) {
	return authority.Credential(h), nil
}

// TestDGITakesTheReports lets the driver of DGI speak to its sandbox, which checks the
// signature, the order and limits of the elements, that counts and ranges agree, and the
// sequence.
func TestDGITakesTheReports(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	ca, err := sandbox.OpenCA(t.TempDir(), w.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	server, err := dgisandbox.Open(t.Context(), dgisandbox.Options{Dir: t.TempDir(), CA: ca, Now: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	key, cert, err := ca.Issue(sandbox.Certificate{Holder: dgisandbox.Holder, TaxIdentifier: "217111220014", Days: 100})
	if err != nil {
		t.Fatal(err)
	}
	driver := dgi.NewDriver(map[authority.Environment]*dgi.Client{authority.Testing: dgi.New(dgi.Options{
		Endpoints: dgi.EndpointsAt("testing", web.URL+dgisandbox.Prefix+"testing"), HTTP: wire.NewClient(5 * time.Second),
		Now: w.clock.Now})})
	stop := w.reportsTo(driver, authority.Credential{Certificate: tls.Certificate{Certificate: [][]byte{cert.Raw},
		PrivateKey: key, Leaf: cert},
		TaxIdentifier: "217111220014", Environment: authority.Testing})

	w.tickets(1, "ok", "E05", "ok")
	late := w.ticketsOpen(4, 2)
	w.log.AwaitHeard(t)
	w.clock.Set(at("2026-11-28 02:00"))
	w.accepted(1)
	w.ticketsSettle(late, 4, "E12", "ok")
	w.accepted(2)
	w.clock.Set(at("2026-11-30 02:00")) // two days without documents
	w.accepted(4)
	stop()
	reports, err := server.Reports(t.Context(), "217111220014", 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range reports {
		got = append(got, fmt.Sprintf("%s #%d %d %v", r.Date, r.Sequence, r.Documents, r.Summaries))
	}
	want := []string{
		"2026-11-29 #1 0 []", "2026-11-28 #1 0 []",
		"2026-11-27 #2 5 [{101 5 2 3 0 [{A 1 5}] [{A 2 2} {A 4 4}]}]",
		"2026-11-27 #1 5 [{101 5 1 4 0 [{A 1 5}] [{A 2 2}]}]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("DGI has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if a := w.accepted(1)[0]; a.Receipt == "" || !a.Sandbox || len(a.Calls) != 1 {
		t.Errorf("the verdict is %+v", a)
	}
}

// reportsTo runs a processor of a Uruguayan company U1 until stop.
func (w *world) reportsTo(driver authority.Driver, c authority.Credential) (stop func()) {
	w.t.Helper()
	w.record("company-U1", events.CompanyRegistered{Company: "U1", Account: "A", Country: "UY",
		TaxIdentifier: "217111220014"})
	w.record("numbering-U1-Testing-101-0", events.NumberingRangeUploaded{Range: "R", Company: "U1", Environment: "Testing",
		OfficialCode: 101,
		Series:       "A", From: 1, To: 1000, Fingerprint: "f"})
	w.life = &life{}
	base := w.log.Base(commands.NewExecutor(w.log, w.clock.Now), w.tables, w.clock)
	base.Rules = country.Registry{uy.Rules{}}.ByCode
	p := dailyreport.New(base, dailyreport.Config{Files: w, Credentials: holder(c),
		Driver:    func(string, authority.Environment) (authority.Driver, bool) { return driver, true },
		RetryBase: 5 * time.Second})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Error(err)
		}
	}
}

func (w *world) tickets(first int64, came ...string) {
	w.t.Helper()
	w.ticketsSettle(w.ticketsOpen(first, len(came)), first, came...)
}

func (w *world) ticketsOpen(first int64, n int) (submission string) {
	w.t.Helper()
	w.count++
	submission = fmt.Sprintf("U%d", w.count)
	w.signed[submission] = w.clock.Now()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s-%d", submission, i)
		w.record("invoice-"+ids[i], events.InvoiceCreated{Invoice: ids[i], Company: "U1", Country: "UY",
			Environment: "Testing", Document: events.Document{
				OfficialCode: 101, Date: "2026-11-27 10:00:00", Currency: events.Currency{Code: "UYU", Rate: money.FromInt(1)},
				HeaderInfo: []byte(`{"daily_report_only":true,"issuer":{"branch_code":"1"}}`),
				Totals: events.Totals{Taxes: []events.TotalTax{{Type: "iva22", BaseAmount: money.MustParse("100"),
					Amount: money.MustParse("22")}}}}})
	}
	w.record("numbering-U1-Testing-101-0", events.SubmissionOpened{Submission: submission, Range: "R", First: first,
		Invoices: ids})
	return submission
}

func (w *world) ticketsSettle(submission string, first int64, came ...string) {
	w.t.Helper()
	w.record("numbering-U1-Testing-101-0", w.outcomes(submission, first, came...))
}
