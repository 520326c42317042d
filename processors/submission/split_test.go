package submission_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/events"
	"folio/waiting"
)

var errLost = errors.New("the answer was lost")

// refusal is what a call comes to that is not processed, or whose answer is lost. It holds
// the call against the rules: only what was prepared, and nothing again before it was asked
// about.
func (d *rangedAuthority) refusal(b authority.Batch, p authority.Prepared) (err error, done bool) {
	if names, _, _ := strings.Cut(string(p.Content), " at "); names != namesOf(b) {
		d.broken = append(d.broken, fmt.Sprintf("%s was sent as %s", namesOf(b), names))
	}
	for _, doc := range b.Documents {
		if d.silent[nameOf(doc)] {
			d.broken = append(d.broken, nameOf(doc)+" was sent again without asking")
		}
		if d.arrived[nameOf(doc)] && !d.notYet[nameOf(doc)] && !d.hides {
			d.broken = append(d.broken, nameOf(doc)+" was sent although the authority has it")
		}
		d.silent[nameOf(doc)] = true
	}
	for _, doc := range b.Documents {
		if d.bad[nameOf(doc)] {
			return authority.Said("S04", "No cumple", authority.ErrRefused), true
		}
	}
	name := nameOf(b.Documents[0])
	err = d.errs[name]
	if err == nil || len(b.Documents) > 1 {
		return nil, false
	}
	if errors.Is(err, errStuck) {
		d.arrived[name] = true
		return authority.Said("REC", "received", authority.ErrPending), true
	}
	if errors.Is(err, errLost) {
		delete(d.errs, name)
		d.arrived[name], d.verdicts[name] = true, events.Accepted
	}
	return err, true
}

func (d rangedDriver) Split(b authority.Batch, p authority.Prepared) ([]authority.Prepared, error) {
	_, at, _ := strings.Cut(string(p.Content), " at ")
	var out []authority.Prepared
	for i := range b.Documents {
		out = append(out, authority.Prepare([]byte(namesOf(authority.Batch{Documents: b.Documents[i : i+1]})+" at "+at)))
	}
	return out, nil
}

// inSplitWorld has a company with the numbers A1 to A9 and five documents, of which A3
// makes the authority refuse whatever call it is in.
func inSplitWorld(t *testing.T, f func(*world, *rangedAuthority)) {
	t.Helper()
	inWorld(t, func(w *world) {
		w.splitSeries()
		f(w, w.ranged)
		for _, b := range w.ranged.broken {
			t.Error(b)
		}
	})
}

func (w *world) splitSeries() {
	w.ranged = newRangedAuthority()
	w.ranged.bad["A3"] = true
	w.company("C1", holder, false)
	w.letters(9)
	w.issueSome(5)
}

// sentAlone are the documents that went alone so far, in order.
func (d *rangedAuthority) sentAlone() string {
	var out []string
	for _, content := range d.calls() {
		if names, _, _ := strings.Cut(content, " at "); !strings.Contains(names, " ") {
			name, _, _ := strings.Cut(names, "=")
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// oneRejected wants A3 Rejected with the authority's reason, its number void, and all
// others Accepted under the numbers that they were signed with.
func (w *world) oneRejected(what string) {
	w.t.Helper()
	yes, no := invoice.Accepted, invoice.Rejected
	if got := w.statuses(w.invoices...); !slices.Equal(got, []invoice.Status{yes, yes, no, yes, yes}) {
		w.t.Errorf("%s: statuses %v", what, got)
	}
	if got := w.reasons(w.invoices[2]); len(got) != 1 || got[0].Code != "S04" {
		w.t.Errorf("%s: the bad one was rejected with %+v", what, got)
	}
	if got := w.allAssigned(); got != "A1 A2 A3 A4 A5" {
		w.t.Errorf("%s: numbers %s", what, got)
	}
	splits, settled, voided := 0, 0, int64(0)
	for _, e := range w.log.facts(fmt.Sprint("numbering-C1-Testing-1-", w.branch)) {
		switch e := e.(type) {
		case events.NumberVoided:
			voided = voided*10 + e.Number
		case events.SubmissionSplit:
			splits++
		case events.SubmissionSettled:
			settled++
		}
	}
	if splits != 1 || settled != 1 || voided != 3 {
		w.t.Errorf("%s: split %d times, settled %d times, voided %d: want once, and 3 alone", what, splits, settled, voided)
	}
}

func TestOneBadDocumentDoesNotRejectItsNeighbours(t *testing.T) {
	inSplitWorld(t, func(w *world, a *rangedAuthority) {
		w.start()
		w.finish(time.Minute)
		w.oneRejected("at once")
		if got := a.sentAlone(); got != "A1 A2 A3 A4 A5" || len(a.calls()) != 6 {
			t.Errorf("alone went %s, of %d calls", got, len(a.calls()))
		}
		for _, e := range w.log.facts("numbering-" + rangedSeries) {
			switch e := e.(type) {
			case events.SubmissionSplit:
				if len(e.Messages) != 1 || e.Messages[0].Code != "S04" || len(e.Calls) != 1 || e.Calls[0].Operation != "send" {
					t.Errorf("split with %+v", e)
				}
			case events.SubmissionSettled:
				if n := len(e.Calls); n != 10 {
					t.Errorf("%d calls are told, want a question and a call for each document: %+v", n, e.Calls)
				}
			}
		}
	})
}

func TestWhatWentAloneIsWaitedForAndNothingIsSentAgain(t *testing.T) {
	inSplitWorld(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.start()
		w.until("sent alone", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		time.Sleep(2 * time.Hour)
		if got := a.sentAlone(); got != "A1 A2 A3 A4 A5" {
			t.Errorf("alone went %s: what was refused or received is not sent again", got)
		}
		if r := w.reason(rangedSeries); r == nil ||
			!strings.Contains(r.Text, "refused 5 documents that were sent together") ||
			!strings.Contains(r.Text, "refused 1 of them") {
			t.Errorf("it waits because of %+v", r)
		}
		a.change(func() {
			a.verdicts["A1"], a.verdicts["A2"], a.verdicts["A4"] = events.Accepted, events.Accepted, events.Accepted
		})
		time.Sleep(time.Hour)
		if s := w.series(rangedSeries); s.Settled != nil {
			t.Errorf("settled before A5 was decided: %+v", s.Settled)
		}
		a.change(func() { a.verdicts["A5"] = events.Accepted })
		w.finish(time.Hour)
		w.oneRejected("later")
		facts, sends := w.log.facts("numbering-"+rangedSeries), 0
		for _, call := range facts[len(facts)-2].(events.SubmissionSettled).Calls {
			if call.Operation == "send" {
				sends++
			}
		}
		if sends != 5 {
			t.Errorf("the settlement tells of %d calls that sent a document, want those of all five", sends)
		}
	})
}

func TestATroubleWithOneDocumentHoldsUpNoOther(t *testing.T) {
	for name, trouble := range map[string]error{
		"its answer is lost":                errLost,
		"the authority cannot cope with it": errors.New("HTTP 500"),
		"the authority has it already and does not show it": &authority.Message{Code: "108", Text: "repetido",
			Err: authority.ErrHidden},
	} {
		t.Run(name, func(t *testing.T) {
			inSplitWorld(t, func(w *world, a *rangedAuthority) {
				a.errs["A2"] = trouble
				w.start()
				w.until("the others have arrived", time.Hour, func() bool {
					a.mu.Lock()
					defer a.mu.Unlock()
					return a.arrived["A1"] && a.arrived["A4"] && a.arrived["A5"]
				})
				if w.series(rangedSeries).Settled != nil && trouble != errLost {
					t.Error("settled without the one in trouble")
				}
				hidden := errors.Is(trouble, authority.ErrHidden)
				time.Sleep(2 * time.Hour)
				if n := strings.Count(a.sentAlone(), "A2"); hidden && n != 1 {
					t.Errorf("what the authority says that it has was sent %d times", n)
				}
				a.change(func() {
					if delete(a.errs, "A2"); hidden {
						a.arrived["A2"], a.verdicts["A2"] = true, events.Accepted
					}
				})
				w.finish(time.Hour)
				w.oneRejected(name)
			})
		})
	}
}

func TestAnOperatorGivesUpASplitSubmission(t *testing.T) {
	inSplitWorld(t, func(w *world, a *rangedAuthority) {
		a.errs["A2"] = &authority.Message{Code: "108", Text: "repetido", Err: authority.ErrHidden}
		w.start()
		w.until("one is hidden", time.Hour, w.waits(rangedSeries, waiting.AuthorityDisagree))
		w.record("numbering-"+rangedSeries, events.SeriesHeld{Reason: "looking"})
		w.until("held", time.Hour, w.held)
		sent := len(a.calls())
		w.voidOpen("DGI's page does not have it")
		w.finish(time.Hour)
		yes, no := invoice.Accepted, invoice.Rejected
		if got := w.statuses(w.invoices...); !slices.Equal(got, []invoice.Status{yes, no, no, yes, yes}) {
			t.Errorf("statuses %v", got)
		}
		for i, code := range map[int]string{1: events.CodeVoided, 2: "S04"} {
			if got := w.reasons(w.invoices[i]); len(got) != 1 || got[0].Code != code {
				t.Errorf("invoice %d: %+v, want %s", i+1, got, code)
			}
		}
		if len(a.calls()) != sent {
			t.Errorf("sent %d times more after the numbers were given up", len(a.calls())-sent)
		}
	})
}
