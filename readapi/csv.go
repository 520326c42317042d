package readapi

import (
	"bytes"
	"net/http"

	"folio/httpapi"
	"folio/papers"
	"folio/past"
	"folio/strict"
)

// formatOf reads the parameter format: true for CSV.
func formatOf(q *strict.Query) bool {
	format := q.String("format", strict.MaxLen(10))
	if format != "" && format != "json" && format != "csv" {
		q.Fail("format", strict.CodeNotAllowed, "Use json or csv.")
	}
	return format == "csv"
}

// refuse fails the parameters that the answer could not obey.
func refuse(q *strict.Query, why string, names ...string) {
	for _, name := range names {
		if q.Has(name) {
			q.Fail(name, strict.CodeNotAllowed, why)
		}
	}
}

// wholeTable is why a table of CSV takes no page.
const wholeTable = "A table has all rows: leave it away."

// csvPart is how many entries are made between two turns of others.
const csvPart = 1000

// ledgerCSV answers with the whole ledger after a position, made and written in parts. An
// error after the first part cuts the connection off, so that nobody takes a part for the
// whole.
func (a api) ledgerCSV(w http.ResponseWriter, r *http.Request, id string, x walk, number int64) error {
	x.perPage = csvPart
	for first := true; ; first = false {
		var page ledgerPage
		var raw bytes.Buffer
		err := a.pass(r.Context(), func() (err error) {
			if page, err = a.ledgerPage(r.Context(), id, x, number); err != nil {
				return err
			}
			out := past.NewCSV(&raw)
			if first {
				out.Header(past.LedgerColumns)
			}
			for _, e := range page.entries {
				out.Row(e.Row()...)
			}
			return out.Flush()
		})
		if err != nil && first {
			return err
		}
		if err != nil {
			httpapi.Log(r.Context()).Error("the ledger was cut off", "series", id, "error", err)
			panic(http.ErrAbortHandler)
		}
		if first {
			asCSV(w, id+"-ledger")
		}
		if _, err := w.Write(raw.Bytes()); err != nil || page.next.IsZero() {
			return nil // the end, or the client has gone
		}
		x.after = page.next
	}
}

func asCSV(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+papers.PlainName(name)+`.csv"`)
}

func gapsCSV(w http.ResponseWriter, id string, report past.Report) error {
	var raw bytes.Buffer
	if err := past.WriteGaps(&raw, report); err != nil {
		return err
	}
	asCSV(w, id+"-gaps")
	_, _ = w.Write(raw.Bytes()) // the only failure is a client that has gone
	return nil
}
