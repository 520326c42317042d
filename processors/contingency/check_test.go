package contingency_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
)

// check holds the log and the authority's books to what must never happen: a sale in both
// points, a gap, a double, a code of another fortnight, changed data, anything not reported.
func (w *world) check() {
	w.t.Helper()
	w.mu.Lock()
	w.quit, w.lose, w.away = true, 0, false
	w.mu.Unlock()
	sent := w.sentAndIssued()
	for _, id := range w.sales {
		s := w.invoice(id)
		switch {
		case s.Status != invoice.Accepted:
			w.t.Errorf("%s is %s", id, s.Status)
		case (s.PointOfSale == ordinary) != (s.Report == ""), s.Report != "" && s.Report != events.ReportDone &&
			s.Report != events.ReportObserved:
			w.t.Errorf("%s of point %d has the report %q", id, s.PointOfSale, s.Report)
		case sent[id] != s.PointOfSale:
			w.t.Errorf("%s is of point %d, and was given a number at %d", id, s.PointOfSale, sent[id])
		}
	}
	w.books()
}

// sentAndIssued are the points at which invoices got a number; none may have one at both, or two at one.
func (w *world) sentAndIssued() map[string]int {
	points := map[string]int{}
	for _, stream := range w.streams("numbering") {
		id, err := numbering.ParseSeries(aggregate(stream))
		if err != nil {
			w.t.Fatal(err)
		}
		next := int64(1)
		for _, e := range w.facts(stream) {
			switch e := e.(type) {
			case events.SubmissionOpened:
				if id.BranchOffice != ordinary {
					w.t.Errorf("documents were sent one by one at the contingency point %d", id.BranchOffice)
				}
				for _, inv := range e.Invoices {
					if at := points[inv]; at != 0 && at != id.BranchOffice {
						w.t.Errorf("%s was sent at %d and issued at %d", inv, id.BranchOffice, at)
					}
					points[inv] = id.BranchOffice
				}
			case events.ContingencyIssued:
				if id.BranchOffice == ordinary {
					w.t.Errorf("%s was issued by a code at the ordinary point", e.Invoice)
				}
				w.checkIssued(e, next, points[e.Invoice])
				points[e.Invoice], next = id.BranchOffice, e.Number+1
			case events.SeriesHeld:
				w.t.Errorf("%s was held: %s", id.ID(), e.Reason)
			}
		}
	}
	return points
}

func (w *world) checkIssued(e events.ContingencyIssued, next int64, before int) {
	if e.Number != next || before != 0 {
		w.t.Errorf("%s has the contingency number %d, and %d was next; it had a number at %d", e.Invoice, e.Number, next,
			before)
	}
	made := e.GeneratedAt.In(arcaZone)
	order := "1"
	if made.Day() > 15 {
		order = "2"
	}
	period := made.Format("200601") + "-" + order
	code := w.code("C1-Testing-" + period)
	if e.Period != period || e.Authorization.Date != made.Format(time.DateOnly) || code.Granted == nil ||
		code.Granted.Code != e.Authorization.Code {
		w.t.Errorf("%s was made %s by the code %s of %s, dated %s", e.Invoice, made, e.Authorization.Code, e.Period,
			e.Authorization.Date)
	}
}

// books compares each series with what the authority has.
func (w *world) books() {
	w.t.Helper()
	w.restart()
	_, cert := material()
	c := authority.Credential{Certificate: cert, Fingerprint: "K1", TaxIdentifier: "30500010912",
		Environment: authority.Testing}
	all := int64(0)
	for _, stream := range w.streams("numbering") {
		id, err := numbering.ParseSeries(aggregate(stream))
		if err != nil {
			w.t.Fatal(err)
		}
		s := w.series(id.ID())
		series := authority.Series{Company: "C1", Environment: authority.Testing, OfficialCode: id.OfficialCode,
			BranchOffice: id.BranchOffice}
		last, err := w.p.driver.Last(context.Background(), c, series, nil)
		if err != nil {
			w.t.Fatal(err)
		}
		if ours := max(s.Last, s.Contingent.Last); last.Number != ours {
			w.t.Errorf("%s: the authority's last number is %d, ours %d", id.ID(), last.Number, ours)
		}
		all += last.Number
	}
	if all != int64(len(w.sales)) {
		w.t.Errorf("the authority has %d documents of %d sales", all, len(w.sales))
	}
	for _, id := range w.sales {
		w.same(c, w.invoice(id), id)
	}
	for _, stream := range w.streams("caea") {
		s := w.code(aggregate(stream))
		for _, point := range []int{spare, other} {
			issued := int64(0)
			for _, kind := range []string{"1", "6"} {
				issued += w.series(fmt.Sprintf("C1-Testing-%s-%d", kind, point)).Contingent.Issued[fmt.Sprint(s.Period, "-",
					s.Order)]
			}
			if s.Idle[point] && issued > 0 || s.Doubted[point] != "" {
				w.t.Errorf("%s: point %d issued %d, and was told to have issued nothing", stream, point, issued)
			}
		}
		if s.Granted != nil && s.Granted.To < w.Now().In(arcaZone).AddDate(0, 0, -2).Format(time.DateOnly) && !s.Closed {
			w.t.Errorf("the code of %s is not closed: %+v", strings.TrimPrefix(stream, "caea-"), s)
		}
	}
}

// same says that the authority has the document under its number, by its code.
func (w *world) same(c authority.Credential, s invoice.State, id string) {
	w.t.Helper()
	var made events.InvoiceCreated
	var code string
	for _, e := range w.facts("invoice-" + id) {
		switch e := e.(type) {
		case events.InvoiceCreated:
			made = e
		case events.AuthorityAccepted:
			code = e.Authorization.Code
		}
	}
	series := authority.Series{Company: "C1", Environment: authority.Testing, OfficialCode: made.Document.OfficialCode,
		BranchOffice: s.PointOfSale}
	held, err := w.p.driver.Find(context.Background(), c, series, authority.Document{Invoice: id, Number: s.Number,
		Document: made.Document, Taxes: made.Taxes, Profile: made.Profile}, nil)
	if err != nil || !held.Exists || !held.Same || held.Authorization.Code != code {
		w.t.Errorf("%s: number %d at %d is %+v, ours has %s, %v", id, s.Number, s.PointOfSale, held, code, err)
	}
}
