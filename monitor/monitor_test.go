package monitor

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"folio/commands"
	"folio/commands/invoice"
	"folio/events"
	"folio/httpapi"
	"folio/projections"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/waiting"
)

func TestTheCatalogueKnowsWhatWasRegistered(t *testing.T) {
	r := NewRegistry()
	NewRequests(r).Answered(httpapi.Answered{Method: "BREW", Status: 418, Took: time.Second})
	got := r.Catalogue()
	if len(got) != 2 || got[0].Name != "folio_http_request_seconds" ||
		!slices.Equal(got[0].Labels, []string{"method", "route"}) ||
		got[1].Help == "" || !slices.Equal(got[1].Labels, []string{"method", "route", "status"}) {
		t.Errorf("%+v", got)
	}
	const want = `
# HELP folio_http_requests_total Requests answered, by method, route pattern (none: no such path) and status.
# TYPE folio_http_requests_total counter
folio_http_requests_total{method="other",route="none",status="418"} 1
`
	if err := testutil.GatherAndCompare(r, strings.NewReader(want), "folio_http_requests_total"); err != nil {
		t.Error(err)
	}
}

func TestFactsAreCountedByCountryAndState(t *testing.T) {
	r := NewRegistry()
	m := NewFacts(r, []string{"AR"})
	s := invoice.State{Country: "AR"}
	m.Recorded(commands.Told{State: s, Facts: []events.Event{events.InvoiceCreated{}}})
	s.Environment = "Production"
	m.Recorded(commands.Told{State: s, Facts: []events.Event{events.SubmissionStarted{}, events.NumberAssigned{}}})
	m.Recorded(commands.Told{State: s, Facts: []events.Event{events.AuthorityAccepted{}}})
	m.Recorded(commands.Told{State: s, Facts: []events.Event{events.InvoiceRefused{}}})
	m.Recorded(commands.Told{State: struct{}{},
		Facts: []events.Event{events.DailyReportRejected{}, events.CompanyRegistered{}}})
	for _, c := range []struct{ environment, state string }{
		{"none", "Pending"}, {"Production", "Accepted"}, {"Production", "Rejected"}} {
		if n := testutil.ToFloat64(m.invoices.WithLabelValues("AR", c.environment, c.state)); n != 1 {
			t.Errorf("%v: %v", c, n)
		}
	}
	if n := testutil.ToFloat64(m.reports.WithLabelValues("rejected")); n != 1 {
		t.Errorf("%v reports were rejected", n)
	}
}

func TestEmailsAndContingencyAreCountedByOutcome(t *testing.T) {
	m := NewFacts(NewRegistry(), nil)
	m.Recorded(commands.Told{State: invoice.State{}, Facts: []events.Event{events.EmailRequested{}, events.EmailDelayed{},
		events.EmailSent{}}})
	m.Recorded(commands.Told{State: invoice.State{}, Facts: []events.Event{events.EmailRequested{}, events.EmailFailed{}}})
	m.Recorded(commands.Told{State: struct{}{}, Facts: []events.Event{events.CAEAGranted{}, events.CAEARefused{},
		events.CAEAWarned{Kind: "overdue"}, events.CAEAClosed{}, events.ContingencyIssued{},
		events.ContingencyReportSettled{Outcomes: []events.ReportOutcome{{State: events.ReportDone},
			{State: events.ReportRefused}}}}})
	for _, c := range []struct {
		of      *prometheus.CounterVec
		outcome string
		want    float64
	}{{m.emails, "requested", 2}, {m.emails, "delayed", 1}, {m.emails, "sent", 1}, {m.emails, "failed", 1},
		{m.codes, "granted", 1}, {m.codes, "refused", 1}, {m.codes, "overdue", 1}, {m.codes, "closed", 1},
		{m.contingent, "issued", 1}, {m.contingent, "reported", 1}, {m.contingent, "refused", 1},
		{m.contingent, "observed", 0}} {
		if n := testutil.ToFloat64(c.of.WithLabelValues(c.outcome)); n != c.want {
			t.Errorf("%s: %v, want %v", c.outcome, n, c.want)
		}
	}
}

// away makes every read of the worklists fail while it says so.
type away struct {
	tables.Store
	fails bool
	looks int
}

func (a *away) Worklist(name string) tables.Worklist {
	a.looks++
	if a.fails {
		return broken{}
	}
	return a.Store.Worklist(name)
}

type broken struct{ tables.Worklist }

func (broken) Count(context.Context) (int64, error) { return 0, errors.New("away") }

// What waits is shown by reason, and is read again only when it is old; what cannot be read stays, and grows old.
func TestTheStateIsReadNowAndThen(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	store, err := sqlite.Open(t.Context(), t.TempDir()+"/tables.db")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	notes, err := waiting.Open(t.Context(), store, clock)
	if err != nil {
		t.Fatal(err)
	}
	list := store.Worklist("submission")
	for i, c := range []struct {
		group string
		age   time.Duration
	}{{"C1-Production-6-1", time.Hour}, {"C1-Production-6-1", time.Minute}, {"C2/unassigned", 48 * time.Hour}} {
		id := ulid.MustNew(ulid.Timestamp(now.Add(-c.age)), ulid.DefaultEntropy()).String()
		at := events.Position{Commit: uint64(i + 1), Prepare: uint64(i + 1)}
		if err := list.Put(t.Context(), tables.Item{Key: id, Group: c.group, Order: at, At: at}); err != nil {
			t.Fatal(err)
		}
	}
	if err := notes.Put(t.Context(), "C2/unassigned", &waiting.Reason{Code: waiting.NoCertificate}, nil); err != nil {
		t.Fatal(err)
	}
	if err := store.Worklist("mail").Put(t.Context(), tables.Item{Key: "I/E", Group: "C1", Due: now.Add(-2 * time.Minute),
		Order: events.Position{Commit: 9, Prepare: 9}, At: events.Position{Commit: 9, Prepare: 9}}); err != nil {
		t.Fatal(err)
	}
	shared := &away{Store: store}
	s := &State{Every: 15 * time.Second, Now: clock, Sources: Sources{Tables: shared,
		Reader: projections.NewReader(store, nil), Notes: notes, Submission: "submission", DailyReports: "dailyreport",
		Mail: "mail", Contingency: "contingency",
		Delivery: func(context.Context) (time.Time, bool, error) { return now.Add(-time.Minute), true, nil },
		Zone:     func(string) *time.Location { return time.UTC }}}
	r := NewRegistry()
	r.MustRegister(s)
	shows := func(want string, names ...string) {
		t.Helper()
		if err := testutil.GatherAndCompare(r, strings.NewReader(want), names...); err != nil {
			t.Error(err)
		}
	}
	const oldest = `
# HELP folio_invoices_oldest_seconds Age of the oldest invoice without a final answer, from its creation, by the labels of folio_invoices_open.
# TYPE folio_invoices_oldest_seconds gauge
folio_invoices_oldest_seconds{country="",environment="Production",state="Pending",waits_for="service"} 3600
folio_invoices_oldest_seconds{country="",environment="none",state="Pending",waits_for="company"} 172800
`
	shows(oldest, "folio_invoices_oldest_seconds")
	looks := shared.looks
	shows(oldest, "folio_invoices_oldest_seconds")
	if shared.looks != looks {
		t.Error("a second scrape reads the tables again")
	}
	if n := testutil.CollectAndCount(s, "folio_invoices_open"); n != 2 {
		t.Errorf("%d kinds of open invoices", n)
	}
	shared.fails = true
	now = now.Add(time.Minute)
	shows(`
# HELP folio_email_oldest_due_seconds For how long the longest waiting e-mail has been due; 0: none waits.
# TYPE folio_email_oldest_due_seconds gauge
folio_email_oldest_due_seconds 120
# HELP folio_state_age_seconds How old the figures are that are read from the tables; it grows while the tables are away.
# TYPE folio_state_age_seconds gauge
folio_state_age_seconds 60
# HELP folio_webhook_oldest_due_seconds For how long the longest waiting delivery has been due in the process that owns them; 0: none waits.
# TYPE folio_webhook_oldest_due_seconds gauge
folio_webhook_oldest_due_seconds 60
`, "folio_email_oldest_due_seconds", "folio_state_age_seconds", "folio_webhook_oldest_due_seconds")
}

// A series is as well supplied as its last usable range; what was left in one that has expired serves no more.
func TestRangesOfASeriesCountTogether(t *testing.T) {
	var s stock
	for _, r := range []struct {
		left int64
		days float64
	}{{40, -1}, {5, 2}, {0, 700}, {100, 90}} {
		s = s.with(kindOf{officialCode: "33"}, r.left, r.days)
	}
	if s.numbers != 105 || s.days != 90 {
		t.Errorf("%+v", s)
	}
}

// A certificate that was replaced says nothing; the newest one of each environment counts.
func TestTheNewestCertificateCounts(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	s := supplies{certificateDays: map[place]float64{}, expired: map[place]int64{}}
	until := func(d time.Duration) string { return now.Add(d).Format(time.RFC3339) }
	s.certificates(projections.Company{Country: "AR", Certificates: []projections.CompanyCertificate{
		{Environment: "Production", ValidTo: until(24 * time.Hour)}, {Environment: "Testing", ValidTo: until(-time.Hour)},
		{Environment: "Production", ValidTo: until(240 * time.Hour)}}}, now)
	if s.certificateDays[place{"AR", "Production"}] != 10 || s.expired[place{"AR", "Testing"}] != 1 ||
		len(s.certificateDays) != 1 {
		t.Errorf("%+v", s)
	}
}
