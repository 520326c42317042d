package e2e

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/money"
)

// past appends facts to a stream of a running service as of an earlier time.
func past(t testing.TB, dir string, at time.Time, stream string, after int64, facts ...events.Event) {
	t.Helper()
	address, err := node.FindAddress(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	log, err := eventstore.Open(t.Context(), eventstore.Options{Address: address})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, e := range facts {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(context.Background(), stream, after,
			eventstore.Pending{ID: uuid.New(), Type: name, Data: data,
				Meta: events.Meta{Schema: schema, At: at}}); err != nil {
			t.Fatal(err)
		}
		after++
	}
}

// report is what the tests read of a daily report's record.
type report struct {
	Date, Status     string
	Sequence         int
	Issued, Annulled int64
	Sandbox          bool
	Reasons          []struct{ Code, Message string }
}

// reports are those of a company, the last sent first.
func (c company) reports(t testing.TB) []report {
	t.Helper()
	return get[struct{ Data []report }](t, c.client, c.path("/daily-reports")).Data
}

// ticketsOf has a company issue two small e-Tickets at an earlier time, as before an
// outage: one that is accepted and one that is rejected.
func (c company) ticketsOf(t testing.TB, dir string, then time.Time) {
	t.Helper()
	c.enumerate(t, http.StatusCreated, 101, cae(t, dir, rucIssuer, 101, "A", 1, 100))
	ids := []string{"01KJQ8M5ZV4W6R0S8N3XHYD2A1", "01KJQ8M5ZV4W6R0S8N3XHYD2A2"}
	for _, id := range ids {
		past(t, dir, then, "invoice-"+id, eventstore.NoStream,
			events.InvoiceCreated{Invoice: id, Company: c.id, Country: "UY", Environment: "Production",
				Document: events.Document{Type: "TIC", OfficialCode: 101, Date: then.Format(time.DateTime),
					Currency:   events.Currency{Code: "UYU", Rate: money.FromInt(1)},
					HeaderInfo: []byte(`{"daily_report_only":true,"issuer":{"branch_code":"1"}}`),
					Totals: events.Totals{Total: money.FromInt(122),
						Taxes: []events.TotalTax{{Type: "iva22", BaseAmount: money.FromInt(100), Amount: money.FromInt(22)}}}}})
	}
	signed := events.Authorization{Type: "CAE", Code: "90260001231",
		Extra: map[string]string{"signed_at": then.Format(time.RFC3339)}}
	past(t, dir, then, "numbering-"+c.id+"-Production-101-0", 0,
		events.SubmissionOpened{Submission: "S", First: 1, Invoices: ids, SHA256: "-"},
		events.SubmissionSettled{Submission: "S", Outcomes: []events.Outcome{
			{Invoice: ids[0], Number: 1, Result: events.Accepted, Authorization: &signed},
			{Invoice: ids[1], Number: 2, Result: events.Rejected,
				Messages: []events.AuthorityMessage{{Code: "E05", Text: "No cumplen"}}}}})
}

// beforeYesterday is a time two days ago, by Uruguay's clocks.
func beforeYesterday() time.Time {
	return time.Now().In(time.FixedZone("-03", -3*60*60)).AddDate(0, 0, -2)
}

// TestADayIsReportedToDGI has documents of the day before yesterday, as after an outage:
// the service reports them, and yesterday as a day without documents.
func TestADayIsReportedToDGI(t *testing.T) {
	t.Parallel()
	dir, then := t.TempDir(), beforeYesterday()
	p := serve(t, dir, "--retry-base", "100ms", "--daily-report-after", "1s")
	c := uruguayan(t, p, dir)
	if got := c.reports(t); len(got) != 0 {
		t.Fatalf("a company without documents has reports: %+v", got)
	}
	c.ticketsOf(t, dir, then)
	// A report may go out between the two facts; then another one replaces it.
	eventually(t, verdictLimit, "both days are accepted", func() (string, bool) {
		got := c.reports(t)
		done := slices.ContainsFunc(got, func(r report) bool {
			return r.Date == then.Format(time.DateOnly) && r.Status == "Accepted" && r.Issued == 1 && r.Annulled == 1 &&
				r.Sandbox
		}) && slices.ContainsFunc(got, func(r report) bool {
			return r.Date == then.AddDate(0, 0, 1).Format(time.DateOnly) && r.Status == "Accepted" && r.Issued == 0
		})
		return fmt.Sprintf("%+v", got), done
	})
	p.stop(t)
}

// TestAnOperatorHasARefusedDayReportedAgain has DGI refuse each report, which stops no
// later day, until an operator asks for one of them beside the running service.
func TestAnOperatorHasARefusedDayReportedAgain(t *testing.T) {
	t.Parallel()
	dir, then := t.TempDir(), beforeYesterday()
	p := serve(t, dir, "--retry-base", "100ms", "--daily-report-after", "1s")
	c := uruguayan(t, p, dir)
	uruguay.script(t, dir, map[string]any{"operation": "EFACRECEPCIONREPORTE", "effect": "cover", "code": "R04"})
	c.ticketsOf(t, dir, then)
	day, next := then.Format(time.DateOnly), then.AddDate(0, 0, 1).Format(time.DateOnly)
	retry := []string{"daily-report", "retry", c.id, "Production", day, "--reason", "DGI lifted the block", "--data", dir}
	last := func(date string) (r report) {
		all := c.reports(t)
		if i := slices.IndexFunc(all, func(r report) bool { return r.Date == date }); i >= 0 {
			r = all[i]
		}
		return r
	}
	eventually(t, verdictLimit, "both days are refused", func() (string, bool) {
		one, two := last(day), last(next)
		return fmt.Sprintf("%+v, %+v", one, two), one.Status == "Rejected" && one.Annulled == 1 && two.Status == "Rejected"
	})
	if why := last(day).Reasons; len(why) != 1 || why[0].Code != "R04" {
		t.Errorf("the refused report says %+v", why)
	}
	uruguay.administer(t, dir, http.MethodDelete, nil)
	succeed(t, retry...)
	eventually(t, verdictLimit, "the day is accepted", func() (string, bool) {
		one := last(day)
		return fmt.Sprintf("%+v", one), one.Status == "Accepted" && one.Sequence == 1 && one.Issued == 1
	})
	if two := last(next); two.Status != "Rejected" {
		t.Errorf("nobody asked for the day after: %+v", two)
	}
	if _, out, code := command(t, retry...); code == 0 || !strings.Contains(out, "was not refused") {
		t.Errorf("an accepted report was asked for again: %s", out)
	}
	p.stop(t)
}

// TestADayIsReportedOnceWhateverFails loses answers to the daily report, has DGI give
// errors for others, and kills the service meanwhile: DGI has each day once.
func TestADayIsReportedOnceWhateverFails(t *testing.T) {
	t.Parallel()
	dir, then := t.TempDir(), beforeYesterday()
	flags := []string{"--retry-base", "100ms", "--daily-report-after", "1s"}
	p := serve(t, dir, flags...)
	c := uruguayan(t, p, dir)
	trouble := func(effect, code string) map[string]any {
		return map[string]any{"operation": "EFACRECEPCIONREPORTE", "effect": effect, "code": code, "times": 1}
	}
	uruguay.script(t, dir, trouble("http500", ""), trouble("lose", ""))
	c.ticketsOf(t, dir, then)
	eventually(t, verdictLimit, "a report is under way", func() (string, bool) {
		got := c.reports(t)
		return fmt.Sprintf("%+v", got), len(got) > 0
	})
	p.kill()
	p = serve(t, dir, flags...)
	c.base = p.base
	for _, f := range []map[string]any{trouble("error", "99"), trouble("truncate", ""), trouble("soap_fault", ""),
		trouble("error", "100"), trouble("html", "")} {
		uruguay.script(t, dir, f)
	}
	eventually(t, verdictLimit, "both days are accepted", func() (string, bool) {
		got := c.reports(t)
		accepted := map[string]bool{}
		for _, r := range got {
			accepted[r.Date] = accepted[r.Date] || r.Status == "Accepted"
		}
		return fmt.Sprintf("%+v", got), accepted[then.Format(time.DateOnly)] &&
			accepted[then.AddDate(0, 0, 1).Format(time.DateOnly)]
	})
	said := c.reports(t)
	p.stop(t)
	var kept []string
	for _, a := range arrivals(t, filepath.Join(dir, "sandbox", "dgi-sandbox.db"),
		"SELECT sequence, CAST(REPLACE(date, '-', '') AS INTEGER), sha256 FROM report") {
		kept = append(kept, fmt.Sprintf("%d #%d", a.number, a.code))
	}
	var told []string
	for _, r := range said {
		if r.Status != "Accepted" {
			t.Errorf("%+v", r)
		}
		told = append(told, fmt.Sprintf("%s #%d", strings.ReplaceAll(r.Date, "-", ""), r.Sequence))
	}
	slices.Sort(kept)
	slices.Sort(told)
	if !slices.Equal(kept, told) {
		t.Errorf("DGI has %v, and Folio says %v", kept, told)
	}
}
