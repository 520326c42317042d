package submission_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"folio/authority/arca"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/processors/submission"
)

// directWire speaks to the authority past processes, faults of theirs and records.
type directWire struct{ w *world }

func (d directWire) RoundTrip(r *http.Request) (*http.Response, error) {
	body := make([]byte, r.ContentLength)
	if _, err := readFull(r, body); err != nil {
		return nil, err
	}
	return d.w.serve(r, body)
}

// vouchers are what the authority holds of a series, from number 1.
func (w *world) vouchers(id string) []arca.Registered {
	w.t.Helper()
	s, err := numbering.ParseSeries(id)
	if err != nil {
		w.t.Fatal(err)
	}
	endpoints := arca.Homologation
	if s.Environment == "Production" {
		endpoints = arca.Production
	}
	_, cert := material()
	client := arca.New(arca.Options{Endpoints: arca.EndpointsAt(endpoints.Environment,
		"http://authority/"+endpoints.Environment),
		HTTP: &http.Client{Transport: directWire{w}}, Vault: w.tickets, Now: w.Now})
	cuit := int64(holder)
	if s.Company == "C2" {
		cuit = second
	}
	session := client.Session(arca.Credential{Certificate: cert.leaf, Key: cert.key}, cuit, nil)
	last, err := session.Last(context.Background(), s.BranchOffice, s.OfficialCode)
	if err != nil {
		w.t.Fatal(err)
	}
	out := make([]arca.Registered, last)
	for n := range out {
		found, ok, err := session.Find(context.Background(), s.BranchOffice, s.OfficialCode, int64(n+1))
		if err != nil || !ok {
			w.t.Fatalf("the authority does not know number %d of %d: %v", n+1, last, err)
		}
		out[n] = found
	}
	return out
}

// check holds the world against everything that must be so at rest.
func (w *world) check() {
	w.t.Helper()
	w.authority.ClearFaults("")
	w.mu.Lock()
	for _, b := range w.broken {
		w.t.Error(b)
	}
	w.mu.Unlock()
	owned := map[string]int{} // invoice: numbers that were accepted for it
	totals := map[string]int{}
	for _, name := range w.log.named("numbering") {
		w.checkSeries(strings.TrimPrefix(name, "numbering-"), owned, totals)
	}
	for _, id := range w.invoices {
		w.checkInvoice(id, owned[id], totals)
	}
	if n, err := w.store.Worklist(submission.Name).Count(context.Background()); err != nil || n != 0 {
		w.t.Errorf("%d items are left on the worklist, %v", n, err)
	}
	if w.t.Failed() {
		w.t.Logf("the process died at %q\n%s", w.died, w.dump())
	}
}

// checkSeries: nothing open or held, every number of the authority's either ours, once,
// with the same fields and in order of creation, or noticed as another system's.
func (w *world) checkSeries(id string, owned, totals map[string]int) {
	w.t.Helper()
	facts := w.log.facts("numbering-" + id)
	state := numbering.Decider.Fold(facts...)
	if len(state.Open) > 0 || state.Held != "" {
		w.t.Errorf("%s: open %+v, held %q", id, state.Open, state.Held)
	}
	if r := w.reason(id); r != nil {
		w.t.Errorf("%s still tells why it waits: %+v", id, r)
	}
	ours, foreign := map[int64]events.Outcome{}, map[int64]bool{}
	for _, e := range facts {
		switch e := e.(type) {
		case events.ForeignNumbersNoticed:
			for n := e.From; n <= e.To; n++ {
				foreign[n] = true
			}
		case events.SubmissionSettled:
			w.checkCalls(e)
			for _, o := range e.Outcomes {
				if o.Result != events.Accepted {
					continue
				}
				if _, twice := ours[o.Number]; twice {
					w.t.Errorf("%s: number %d was accepted twice", id, o.Number)
				}
				ours[o.Number] = o
				owned[o.Invoice]++
			}
		}
	}
	before := ""
	for i, v := range w.vouchers(id) {
		n := int64(i + 1)
		o, mine := ours[n]
		switch {
		case mine && foreign[n]:
			w.t.Errorf("%s: number %d is ours and another system's", id, n)
		case !mine && !foreign[n] && n <= state.Known:
			w.t.Errorf("%s: number %d is at the authority and unexplained", id, n)
		case mine && v.Code != o.Authorization.Code:
			w.t.Errorf("%s: number %d has CAE %s at the authority, %s with us", id, n, v.Code, o.Authorization.Code)
		case mine && o.Invoice < before:
			w.t.Errorf("%s: %s got a number after %s", id, o.Invoice, before)
		}
		if mine {
			before = o.Invoice
			if got, want := v.ImpTotal, w.state(o.Invoice).Created.Document.Totals.Total; !got.Equal(want) {
				w.t.Errorf("%s: number %d is of %s at the authority, of %s with us", id, n, got, want)
			}
		}
		totals[fmt.Sprintf("%s %d %s", id, v.DocNro, v.ImpTotal.RoundEven(2))]++
		delete(ours, n)
	}
	if len(ours) > 0 {
		w.t.Errorf("%s: the authority does not know %d numbers that we hold as accepted", id, len(ours))
	}
}

// checkCalls: what a settlement names is kept, and holds no ticket.
func (w *world) checkCalls(e events.SubmissionSettled) {
	for _, c := range e.Calls {
		for _, name := range []string{c.Request, c.Answer} {
			if name == "" {
				continue
			}
			content, err := w.files.File(context.Background(), name)
			if err != nil || strings.Contains(string(content), "<Token>") {
				w.t.Errorf("call %s of %s: %v", c.Operation, e.Submission, err)
			}
		}
	}
}

// checkInvoice: final, once, with its copies, and at the authority exactly when accepted.
func (w *world) checkInvoice(id string, owned int, totals map[string]int) {
	w.t.Helper()
	s := w.state(id)
	count := map[string]int{}
	var number int64
	var given events.Authorization
	for _, e := range w.log.facts("invoice-" + id) {
		count[fmt.Sprintf("%T", e)]++
		if e, ok := e.(events.NumberAssigned); ok {
			number = e.Number
		}
		if e, ok := e.(events.AuthorityAccepted); ok {
			given = e.Authorization
		}
		if e, ok := e.(events.AuthorityRejected); ok && len(e.Reasons) == 0 {
			w.t.Errorf("%s was rejected without a reason", id)
		}
	}
	accepted := count["events.AuthorityAccepted"]
	switch {
	case s.Status != invoice.Accepted && s.Status != invoice.Rejected:
		w.t.Errorf("%s is %s", id, s.Status)
	case accepted != owned || accepted+count["events.AuthorityRejected"] != 1 || count["events.NumberAssigned"] != owned:
		w.t.Errorf("%s: %v, and %d numbers", id, count, owned)
	case s.Status == invoice.Accepted && (given.Code == "" || given.QR == "" || number == 0):
		w.t.Errorf("%s: number %d, %+v", id, number, given)
	case count["events.SubmissionStarted"] == 0:
		w.t.Errorf("%s has its answer and was never sent", id)
	}
	d := s.Created.Document
	series := numbering.Series{Company: s.Company, Environment: "Testing", OfficialCode: d.OfficialCode,
		BranchOffice: d.BranchOffice}.ID()
	if at := totals[fmt.Sprintf("%s %s %s", series, d.Recipient.DocumentNumber,
		d.Totals.Total.RoundEven(2))]; at != owned {
		w.t.Errorf("%s: %d times at the authority, %d times with us", id, at, owned)
	}
}

func readFull(r *http.Request, into []byte) (int, error) {
	defer r.Body.Close()
	return io.ReadFull(r.Body, into)
}
