package past_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"folio/events"
	"folio/past"
	"folio/projections/projectiontest"
)

// folded is the ledger of a series, an entry a line, and its report.
func folded(t *testing.T, facts ...events.Event) ([]string, past.Report) {
	t.Helper()
	var all []given
	for _, e := range facts {
		all = append(all, given{Stream: "numbering-C1-Testing-33-0", Event: e})
	}
	var l past.Ledger
	var tally past.Tally
	var out []string
	for _, r := range projectiontest.Log(all...) {
		opened, err := events.Open(r)
		if err != nil {
			t.Fatal(err)
		}
		entries := l.Fold(opened)
		if err := tally.Add(entries...); err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Position != r.Position || e.Time.IsZero() {
				t.Errorf("%+v is of %s", e, r.Position)
			}
			out = append(out, fmt.Sprintf("%s %s%d-%d %s|%s", e.What, e.Letter, e.From, e.To, e.Invoice, e.Cause))
		}
	}
	return out, tally.Report()
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func gaps(r past.Report) (out []string) {
	for _, g := range r.Gaps {
		out = append(out, fmt.Sprintf("%s %s|%s", g.Kind, g.Numbers(), g.Cause))
	}
	return out
}

var yes = &events.Authorization{Type: "CAE", Code: "76"}

func TestTheLifeOfNumbersThatTheAuthorityCounts(t *testing.T) {
	at := projectiontest.Start
	entries, report := folded(t,
		events.ForeignNumbersNoticed{From: 1, To: 3},
		events.SubmissionOpened{Submission: "S1", First: 4, Invoices: []string{"I1", "I2", "I3"}, AuthorityLast: 3},
		events.SubmissionSettled{Submission: "S1", Calls: []events.Call{
			{
				Operation: "FECompUltimoAutorizado",
				At:        at,
				Request:   "a",
			},
			{Operation: "FECAESolicitar", At: at.Add(time.Hour), Request: "b"},
		},
			Outcomes: []events.Outcome{
				{Invoice: "I1", Number: 4, Result: events.Accepted, Authorization: yes},
				{
					Invoice:  "I2",
					Number:   5,
					Result:   events.Rejected,
					Messages: []events.AuthorityMessage{{Code: "10016", Text: "Fecha"}},
				},
				{Invoice: "I3", Number: 6, Result: events.NotProcessed},
			}},
		events.ForeignNumbersNoticed{From: 5, To: 5},
		events.SubmissionOpened{Submission: "S2", First: 6, Invoices: []string{"I3"}, AuthorityLast: 5},
	)
	same(t, entries, []string{
		"foreign 1-3 |another system, or another company with this tax identifier, used it: the authority's last number was higher",
		"opened 4-4 I1|the authority's last number was 3",
		"opened 5-5 I2|the authority's last number was 3",
		"opened 6-6 I3|the authority's last number was 3",
		"sent 4-4 I1|FECAESolicitar",
		"sent 5-5 I2|FECAESolicitar",
		"sent 6-6 I3|FECAESolicitar",
		"accepted 4-4 I1|CAE 76",
		"rejected 5-5 I2|10016: Fecha",
		"freed 5-5 I2|the authority counts: a rejected document takes no number",
		"freed 6-6 I3|the authority did not process the document",
		"foreign 5-5 |another system, or another company with this tax identifier, used it: the authority's last number was higher",
		"opened 6-6 I3|the authority's last number was 5",
	})
	same(t, gaps(report), []string{"foreign 1 to 3|another system, or another company with this tax identifier, used it: the authority's last number was higher",
		"foreign 5|another system, or another company with this tax identifier, used it: the authority's last number was higher"})
	if report.Accepted != 1 || report.Open != 1 || report.Counts[past.Foreign] != 4 {
		t.Errorf("%+v", report)
	}
}

// The answer with the code was lost: the cause ends with the kind of authorization, not with a space.
func TestAnAcceptedNumberWithoutACode(t *testing.T) {
	entries, _ := folded(t,
		events.SubmissionOpened{Submission: "S1", First: 1, Invoices: []string{"I1"}},
		events.SubmissionSettled{Submission: "S1", Outcomes: []events.Outcome{{Invoice: "I1", Number: 1,
			Result: events.Accepted, Authorization: &events.Authorization{Type: "CAF"}}}})
	same(t, entries[1:], []string{"accepted 1-1 I1|CAF"})
}

func TestAFreedNumberSaysWhyWithoutWordsOfTheAuthority(t *testing.T) {
	for want, o := range map[string]events.Outcome{
		"the authority did not process the document":             {},
		"the authority has a document under it that is not ours": {Found: true},
		"10016: Fecha": {Messages: []events.AuthorityMessage{{Code: "10016", Text: "Fecha"}}},
	} {
		o.Invoice, o.Number, o.Result = "I1", 1, events.NotProcessed
		entries, _ := folded(t, events.SubmissionOpened{Submission: "S1", First: 1, Invoices: []string{"I1"}},
			events.SubmissionSettled{Submission: "S1", Outcomes: []events.Outcome{o}})
		if got := entries[len(entries)-1]; got != "freed 1-1 I1|"+want {
			t.Errorf("%+v: %s", o, got)
		}
	}
}

func TestTheLifeOfNumbersOfFiles(t *testing.T) {
	void := []events.AuthorityMessage{{Code: "DTE-3", Text: "no"}}
	entries, report := folded(
		t,
		events.NumberingRangeUploaded{Range: "R1", Series: "A", From: 1, To: 9, Authority: "90", ExpiresOn: "2028-01-01"},
		events.NumberingRangeUploaded{Range: "R2", Series: "B", From: 1, To: 100},
		events.NumberingStartConfigured{Range: "R1", From: 3},
		events.SubmissionOpened{Submission: "S1", First: 3, Invoices: []string{"I1", "I2"}, Range: "R1"},
		events.SubmissionSettled{
			Submission: "S1",
			Outcomes: []events.Outcome{{Invoice: "I1", Number: 3, Result: events.Rejected, Messages: void},
				{Invoice: "I2", Number: 4, Result: events.Accepted, Authorization: yes}},
		},
		events.NumberVoided{Number: 3, Series: "A", Invoice: "I1", Reasons: void},
		events.SeriesHeld{Reason: "restored"},
		events.SeriesReleased{Range: "R2", Next: 11, Reason: "paper"},
		events.SubmissionOpened{Submission: "S2", First: 11, Invoices: []string{"I3"}, Range: "R2"},
		events.SubmissionSettled{
			Submission: "S2",
			Outcomes:   []events.Outcome{{Invoice: "I3", Number: 11, Result: events.Accepted, Authorization: yes}},
		},
	)
	same(t, entries, []string{
		"uploaded A1-9 |a numbering file, authorisation 90, good until 2028-01-01",
		"uploaded B1-100 |a numbering file",
		"passed_over A1-2 |the company set the number to start with",
		"opened A3-3 I1|the next free number of its range",
		"opened A4-4 I2|the next free number of its range",
		"rejected A3-3 I1|DTE-3: no",
		"accepted A4-4 I2|CAE 76",
		"voided A3-3 I1|DTE-3: no",
		"passed_over A5-9 |an operator named 11 as the next number: paper",
		"passed_over B1-10 |an operator named 11 as the next number: paper",
		"opened B11-11 I3|the next free number of its range",
		"accepted B11-11 I3|CAE 76",
	})
	same(t, gaps(report), []string{
		"passed_over A 1 to 2|the company set the number to start with",
		"voided A 3|DTE-3: no",
		"passed_over A 5 to 9|an operator named 11 as the next number: paper",
		"passed_over B 1 to 10|an operator named 11 as the next number: paper",
	})
}

func TestNumbersThatAnOperatorPassesOverAtAContingencyPoint(t *testing.T) {
	issued := func(number int64, invoice string) events.ContingencyIssued {
		return events.ContingencyIssued{Number: number, Invoice: invoice,
			Authorization: events.Authorization{Type: "CAEA", Code: "36"}}
	}
	_, report := folded(t, issued(1, "I1"), events.SeriesHeld{Reason: "restored"},
		events.SeriesReleased{Next: 4, Reason: "paper"}, issued(4, "I2"))
	same(t, gaps(report), []string{"passed_over 2 to 3|an operator named 4 as the next number: paper"})
}

func TestNumbersThatNoFactSpeaksOfAreUnexplained(t *testing.T) {
	_, report := folded(t,
		events.SubmissionOpened{Submission: "S1", First: 1, Invoices: []string{"I1"}},
		events.SubmissionOpened{Submission: "S2", First: 5, Invoices: []string{"I2"}})
	same(t, gaps(report), []string{"unexplained 2 to 4|no fact speaks of it"})
	if report.Gaps[0].Explained() {
		t.Error("it is explained")
	}
}

// Runs say of every number what a table with a row a number says.
func TestRunsAgreeWithATableOfNumbers(t *testing.T) {
	kinds := []string{past.Uploaded, past.PassedOver, past.Foreign, past.Opened, past.Accepted, past.Freed, past.Voided}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		var tally past.Tally
		table := map[int64]past.Entry{}
		for n := range 60 {
			from := 1 + r.Int64N(40)
			e := past.Entry{What: kinds[r.IntN(len(kinds))], From: from, To: from + r.Int64N(6), Cause: fmt.Sprint(r.IntN(2)),
				Position: events.Position{Commit: uint64(n + 1)}}
			if err := tally.Add(e); err != nil {
				t.Fatal(err)
			}
			for i := e.From; i <= e.To; i++ {
				table[i] = e
			}
		}
		report, told := tally.Report(), map[int64]string{}
		for i, g := range report.Gaps {
			for n := g.From; n <= g.To; n++ {
				told[n] = g.Kind
			}
			if i > 0 && report.Gaps[i-1].To >= g.From {
				t.Fatalf("seed %d: gaps overlap: %+v", seed, report.Gaps)
			}
		}
		last := int64(0)
		for n, e := range table {
			if e.What != past.Uploaded && e.What != past.Freed {
				last = max(last, n)
			}
		}
		var accepted, open int64
		for n := int64(1); n <= 50; n++ {
			want := table[n].What
			switch want {
			case past.Accepted:
				accepted++
			case past.Opened:
				open++
			}
			if want == past.Uploaded {
				want = past.Unused
			}
			if n > last || want == past.Accepted || want == past.Opened || want == "" && told[n] != past.Unexplained {
				want = ""
			} else if want == "" {
				want = past.Unexplained
			}
			if told[n] != want {
				t.Fatalf("seed %d: number %d is %q, want %q: %+v", seed, n, told[n], want, report)
			}
		}
		if accepted != report.Accepted || open != report.Open {
			t.Fatalf("seed %d: %d accepted, %d open: %+v", seed, accepted, open, report)
		}
	}
}

func TestAReportIsBounded(t *testing.T) {
	var tally past.Tally
	var err error
	for n := int64(1); err == nil && n < 1_000_000; n++ {
		what := past.Accepted
		if n%2 == 0 {
			what = past.Voided
		}
		err = tally.Add(past.Entry{What: what, From: n, To: n, Cause: fmt.Sprint(n)})
	}
	if err == nil {
		t.Error("a million runs fit")
	}
}
