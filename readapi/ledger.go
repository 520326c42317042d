package readapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/past"
	"folio/strict"
)

// ledgerEntry is one thing that happened to the numbers from to to.
type ledgerEntry struct {
	Position    string    `json:"position"`
	Time        time.Time `json:"time"`
	What        string    `json:"what"`
	Series      *string   `json:"series"` // letter, Uruguay
	From        int64     `json:"from"`
	To          int64     `json:"to"`
	Invoice     *string   `json:"invoice_id"`
	Submission  *string   `json:"submission"`
	Enumeration *string   `json:"id_enumeration"`
	Cause       *string   `json:"cause"`
}

func ledgerEntryOf(e past.Entry) ledgerEntry {
	return ledgerEntry{e.Position.String(), e.Time.UTC(), e.What, pointer(e.Letter), e.From, e.To, pointer(e.Invoice),
		pointer(e.Submission), pointer(e.Range), pointer(e.Cause)}
}

// cachedLedgers bounds the ledgers that wait for their next page, in bytes. A page whose
// ledger is gone is folded from the beginning of its series.
const cachedLedgers = 8 << 20

// ledgerPage is a page of a ledger. It ends with the fact that fills it, so that it may have
// some entries more than were asked for.
type ledgerPage struct {
	entries []past.Entry
	next    events.Position // zero at the end
}

func (a api) readLedger(w http.ResponseWriter, r *http.Request) error {
	id, err := a.series(r)
	if err != nil {
		return err
	}
	q := strict.ReadQuery(r)
	x, err := a.walk(r, q, 1000)
	if err != nil {
		return err
	}
	number := q.Int("number", 0, strict.Between(1, 1<<62))
	csv := formatOf(q)
	if csv {
		refuse(q, wholeTable, "per_page")
	}
	if err := q.Done(); err != nil {
		return err
	}
	if csv {
		return a.ledgerCSV(w, r, id, x, number)
	}
	var page ledgerPage
	if err := a.pass(r.Context(), func() (err error) {
		page, err = a.ledgerPage(r.Context(), id, x, number)
		return err
	}); err != nil {
		return err
	}
	out := struct {
		PerPage int64         `json:"per_page"`
		Data    []ledgerEntry `json:"data"`
		Next    *string       `json:"next_after"`
	}{PerPage: x.perPage, Data: make([]ledgerEntry, len(page.entries))}
	for i, e := range page.entries {
		out.Data[i] = ledgerEntryOf(e)
	}
	if !page.next.IsZero() {
		out.Next = pointer(page.next.String())
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

// ledgerPage folds the series on from the end of the page before, or from its beginning.
func (a api) ledgerPage(ctx context.Context, id string, x walk, number int64) (ledgerPage, error) {
	var out ledgerPage
	ledger, from := &past.Ledger{}, events.Position{}
	if known, ok := a.ledgers.Get(id + x.after.String()); ok {
		ledger, from = known.Clone(), x.after
	}
	last := x.after
	for r, err := range past.Until(past.Series(ctx, a.Log, id, from), x.at) {
		if err != nil {
			return out, err
		}
		if int64(len(out.entries)) >= x.perPage {
			out.next = last
			a.ledgers.Add(id+last.String(), ledger)
			return out, nil
		}
		entries := ledger.Fold(r)
		if !x.after.Before(r.Position) {
			continue
		}
		last = r.Position
		for _, e := range entries {
			if number == 0 || e.From <= number && number <= e.To {
				out.entries = append(out.entries, e)
			}
		}
	}
	return out, nil
}

// gapReport says which numbers of a series are no accepted documents, and why.
type gapReport struct {
	Series   string           `json:"series"`
	Accepted int64            `json:"accepted"`
	Open     int64            `json:"open"` // sent, or about to be
	Counts   map[string]int64 `json:"counts"`
	Gaps     []gap            `json:"gaps"`
}

type gap struct {
	Series    *string `json:"series"` // letter, Uruguay
	From      int64   `json:"from"`
	To        int64   `json:"to"`
	Count     int64   `json:"count"`
	Kind      string  `json:"kind"`
	Explained bool    `json:"explained"`
	Cause     string  `json:"cause"`
	Position  *string `json:"position"` // of the fact that explains it
}

func gapOf(g past.Gap) gap {
	out := gap{pointer(g.Letter), g.From, g.To, g.To - g.From + 1, g.Kind, g.Explained(), g.Cause, nil}
	if !g.Position.IsZero() {
		out.Position = pointer(g.Position.String())
	}
	return out
}

var errTooManyGaps = fault.New(fault.Invalid, "TOO_MANY_GAPS",
	"The series has more gaps than one report may have. Read its ledger, with format=csv as a whole.")

func (a api) readGaps(w http.ResponseWriter, r *http.Request) error {
	id, err := a.series(r)
	if err != nil {
		return err
	}
	q := strict.ReadQuery(r)
	m, err := a.at(r.Context(), q)
	if err != nil {
		return err
	}
	csv := formatOf(q)
	if err := q.Done(); err != nil {
		return err
	}
	var report past.Report
	if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), gapsMemory, func() error {
		report, err = past.Gaps(r.Context(), a.Log, id, m)
		if errors.Is(err, past.ErrTooManyGaps) {
			err = errTooManyGaps
		}
		return err
	}); err != nil {
		return err
	}
	if csv {
		return gapsCSV(w, id, report)
	}
	out := gapReport{
		Series:   id,
		Accepted: report.Accepted,
		Open:     report.Open,
		Counts:   report.Counts,
		Gaps:     make([]gap, len(report.Gaps)),
	}
	for i, g := range report.Gaps {
		out.Gaps[i] = gapOf(g)
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

// gapsMemory is what the longest report takes.
const gapsMemory = 48 << 20
