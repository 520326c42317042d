package readapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"folio/httpapi"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/strict"
)

// seriesRecord is a numbering series as it stands.
type seriesRecord struct {
	ID           string           `json:"series"`
	Environment  string           `json:"environment"`
	OfficialCode int              `json:"official_code"`
	InvoiceType  *string          `json:"invoice_type"`
	BranchOffice int              `json:"branch_office"`
	Last         int64            `json:"last"` // known to be used, by whomever
	LastAccepted int64            `json:"last_accepted"`
	Open         []openSubmission `json:"open"`
	Held         *heldSeries      `json:"held"`
	Ranges       []seriesRange    `json:"ranges"`
}

type openSubmission struct {
	Submission string    `json:"submission"`
	First      int64     `json:"first"`
	Documents  int       `json:"documents"`
	OpenedAt   time.Time `json:"opened_at"`
}

type heldSeries struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

type seriesRange struct {
	Enumeration string `json:"id_enumeration"`
	From        int64  `json:"from"`
	To          int64  `json:"to"`
	Next        *int64 `json:"next"` // null when none is left
}

// listSeries lists the company's numbering series, by their ids.
func (a api) listSeries(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	types := map[int]string{}
	if rules, ok := a.Countries.ByCode(c.Country); ok {
		for _, k := range rules.DocumentTypes() {
			types[k.Code] = k.InvoiceType
		}
	}
	httpapi.Localized(w.Header(), httpapi.InSpanish(r))
	return answerList(a, w, r, strict.ReadQuery(r), records[projections.Series, seriesRecord]{
		of: projections.Numbering,
		find: func(ctx context.Context, p engine.Page) (engine.List[projections.Series], error) {
			p.MaxBytes = 0 // a table without a list cannot go on in the middle
			return a.Documents.ListSeries(ctx, c.ID, p)
		},
		record: func(s projections.Series) (seriesRecord, error) {
			out, err := seriesOf(s, types)
			if out.Held != nil {
				out.Held.Reason = httpapi.Said(r, httpapi.Story, out.Held.Reason)
			}
			return out, err
		},
	})
}

func seriesOf(s projections.Series, types map[int]string) (seriesRecord, error) {
	environment, code, branch, ok := past.SplitSeries(s.ID)
	if !ok {
		return seriesRecord{}, fmt.Errorf("series %.80q: no id of one", s.ID)
	}
	out := seriesRecord{
		ID:           s.ID,
		Environment:  environment,
		OfficialCode: code,
		InvoiceType:  pointer(types[code]),
		BranchOffice: branch,
		Last:         s.Last,
		LastAccepted: s.LastAccepted,
		Open:         make([]openSubmission, len(s.Open)),
		Ranges:       make([]seriesRange, len(s.Ranges)),
	}
	for i, o := range s.Open {
		out.Open[i] = openSubmission{o.Submission, o.First, len(o.Invoices), o.OpenedAt}
	}
	for i, x := range s.Ranges {
		out.Ranges[i] = seriesRange{Enumeration: x.ID, From: x.From, To: x.To}
		if x.Next <= x.To {
			out.Ranges[i].Next = &x.Next
		}
	}
	if s.Held != nil {
		out.Held = &heldSeries{s.Held.Reason, s.Held.Since}
	}
	return out, nil
}
