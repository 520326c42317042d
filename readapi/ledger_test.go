package readapi_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"folio/events"
)

const chileanSeries = "C1-Testing-33-0"

// aSeries is a series of files in which 2 was voided, and another company's.
func aSeries() []given {
	of := func(e events.Event) given { return given{Stream: "numbering-" + chileanSeries, Event: e} }
	company := func(id, account string) given {
		return given{Stream: "company-" + id, Event: events.CompanyRegistered{Company: id, Account: account, Country: "CL"}}
	}
	all := []given{company("C1", "A1"), company("C2", "A2"), of(events.NumberingRangeUploaded{Range: "R1", Company: "C1",
		Environment: "Testing", DocumentType: 55, OfficialCode: 33, From: 1, To: 50})}
	for n := int64(1); n <= 4; n++ {
		submission, id, outcome := fmt.Sprint("S", n), fmt.Sprint("I", n), events.Accepted
		var yes *events.Authorization
		if n == 2 {
			outcome = events.Rejected
		} else {
			yes = &events.Authorization{Type: "CAF", Code: "1"}
		}
		all = append(
			all,
			of(events.SubmissionOpened{Submission: submission, First: n, Invoices: []string{id}, Range: "R1"}),
			of(
				events.SubmissionSettled{
					Submission: submission,
					Outcomes: []events.Outcome{{Invoice: id, Number: n, Result: outcome,
						Authorization: yes, Messages: []events.AuthorityMessage{{Text: "=no"}}}},
				},
			),
		)
		if n == 2 {
			all = append(all, of(events.NumberVoided{Number: 2, Invoice: id, Reasons: []events.AuthorityMessage{{Text: "=no"}}}))
		}
	}
	return append(all, given{Stream: "numbering-C1-Testing-39-0", Event: events.SeriesHeld{Reason: "look"}},
		given{Stream: "numbering-C2-Testing-33-0", Event: events.SeriesHeld{Reason: "of another"}})
}

func TestTheSeriesOfACompany(t *testing.T) {
	w := newWorld(t, aSeries()...)
	p := w.page("/api/companies/C1/numbering", key1)
	if ids := p.ids(
		t,
		"series",
	); !slices.Equal(ids, []string{"C1-Testing-33-0", "C1-Testing-39-0"}) ||
		p.TotalResults != 2 {
		t.Errorf("%v of %d", ids, p.TotalResults)
	}
	if text := string(
		p.Data[0],
	); !strings.Contains(text, `"official_code":33,"invoice_type":"FAC"`) ||
		!strings.Contains(text, `"next":5`) {
		t.Error(text)
	}
	w.get("/api/companies/C1/numbering", ana).want(200)
	w.get("/api/companies/C1/numbering", bob).fails(404, "COMPANY_NOT_FOUND")
}

func TestTheLedgerOfASeriesByPages(t *testing.T) {
	w := newWorld(t, aSeries()...)
	path := "/api/companies/C1/numbering/" + chileanSeries + "/ledger"
	read := func(perPage int, query string) (out []string) {
		for after := ""; ; {
			var p struct {
				Data []struct {
					What, Position string
					From           int64
					Cause          *string
				}
				Next *string `json:"next_after"`
			}
			w.get(fmt.Sprintf("%s?per_page=%d%s%s", path, perPage, query, after), key1).want(200).into(&p)
			for _, e := range p.Data {
				out = append(out, fmt.Sprint(e.What, " ", e.From))
			}
			if p.Next == nil {
				return out
			}
			after = "&after=" + *p.Next
		}
	}
	want := []string{
		"uploaded 1",
		"opened 1",
		"accepted 1",
		"opened 2",
		"rejected 2",
		"voided 2",
		"opened 3",
		"accepted 3",
		"opened 4",
		"accepted 4",
	}
	for _, perPage := range []int{1, 2, 3, 1000} {
		if got := read(perPage, ""); !slices.Equal(got, want) {
			t.Errorf("by %d: %v", perPage, got)
		}
	}
	if got := read(2, "&number=2"); !slices.Equal(got, []string{"uploaded 1", "opened 2", "rejected 2", "voided 2"}) {
		t.Errorf("of the number 2: %v", got)
	}
	if got := read(2, "&at=C:5/P:5"); !slices.Equal(got, want[:3]) {
		t.Errorf("then: %v", got)
	}
	rows := w.table(path + "?format=csv")
	if len(rows) != 1+len(want) || rows[0][2] != "what" || rows[5][2] != "rejected" || rows[5][9] != "'=no" {
		t.Errorf("%q", rows)
	}
	w.get(path+"?format=pdf", key1).fails(422, "VALIDATION_FAILED", "format NOT_ALLOWED")
	w.get(path, bob).fails(404, "COMPANY_NOT_FOUND")
	w.get("/api/companies/C1/numbering/C2-Testing-33-0/ledger", key1).fails(404, "SERIES_NOT_FOUND")
}

// table reads CSV.
func (w *world) table(path string) [][]string {
	w.t.Helper()
	a := w.get(path, key1).want(200)
	if a.Header().Get("Content-Type") != "text/csv; charset=utf-8" {
		w.t.Errorf("%v", a.Header())
	}
	rows, err := csv.NewReader(a.Body).ReadAll()
	check(w.t, err)
	return rows
}

func TestGapsAreGroupedAndExplained(t *testing.T) {
	w := newWorld(t, aSeries()...)
	path := "/api/companies/C1/numbering/" + chileanSeries + "/gaps"
	type report struct {
		Accepted, Open int64
		Counts         map[string]int64
		Gaps           []struct {
			From, To, Count int64
			Kind            string
			Explained       bool
			Position        *string
		}
	}
	var r report
	w.get(path, key1).want(200).into(&r)
	if r.Accepted != 3 || r.Open != 0 || r.Counts["voided"] != 1 || len(r.Gaps) != 1 || r.Gaps[0].From != 2 ||
		!r.Gaps[0].Explained ||
		*r.Gaps[0].Position != "C:8/P:8" {
		t.Errorf("%+v", r)
	}
	var then report
	w.get(path+"?at=C:6/P:6", ana).want(200).into(&then)
	if then.Accepted != 1 || then.Open != 1 || len(then.Gaps) != 0 {
		t.Errorf("then: %+v", then)
	}
	if rows := w.table(path + "?format=csv"); len(rows) != 2 || rows[1][4] != "voided" || rows[1][6] != "'=no" {
		t.Errorf("%q", rows)
	}
}
