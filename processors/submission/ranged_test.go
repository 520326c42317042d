package submission_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/waiting"
)

// rangedRules are Argentina's for numbers that come from files.
type rangedRules struct {
	ar.Rules
	country.Ranged // no file is read
}

func (rangedRules) QR(country.Issued) string            { return "" }
func (rangedRules) Missing(country.Issuer) (f []string) { return f }

// rangedAuthority takes documents under numbers of the sender's, and tells its verdicts
// when a test lets it. It outlives the processes.
type rangedAuthority struct {
	mu       sync.Mutex
	sent     []string                 // contents, in order
	arrived  map[string]bool          // "B2"
	verdicts map[string]events.Result // of those that are decided
	notYet   map[string]bool          // it does not know them although they arrived
	foreign  map[string]bool          // it has a document of somebody else under the number
	decides  bool                     // at once, accepting everything
	askAt    time.Time
	asked    int
	early    int // questions before askAt
	limit    int
	alone    string // total of documents that go in a call of their own
	fit      int    // documents that are not too large for a call; 0: any
	hides    bool   // it says that it has them, and shows none
	conceals bool   // and says so whenever it is asked

	bad    map[string]bool   // a call with one of them is refused as a whole
	errs   map[string]error  // of a call with that document alone; lost ones arrive all the same
	onSend func(name string) // before a document that goes alone
	mute   map[string]bool   // no question about it is answered
	silent map[string]bool   // sent, and not asked about since
	broken []string          // what must never happen
}

func newRangedAuthority() *rangedAuthority {
	return &rangedAuthority{arrived: map[string]bool{}, verdicts: map[string]events.Result{}, notYet: map[string]bool{},
		foreign: map[string]bool{}, decides: true, limit: 10,
		bad: map[string]bool{}, errs: map[string]error{}, onSend: func(string) {}, silent: map[string]bool{},
		mute: map[string]bool{}}
}

func nameOf(d authority.Document) string { return fmt.Sprintf("%s%d", d.Range.Series, d.Number) }

// rangedDriver is one process's way to it.
type rangedDriver struct {
	*rangedAuthority
	p *process
}

func (d rangedDriver) Can() authority.Capabilities {
	return authority.Capabilities{Grouper: d, Splitter: d, Renewer: d}
}

func (rangedDriver) Name() string                                      { return "arca" }
func (rangedDriver) Ping(context.Context, authority.Environment) error { return nil }

func (d rangedDriver) Last(context.Context, authority.Credential, authority.Series, authority.Recorder) (authority.Last,
	error) {
	return authority.Last{BatchLimit: d.limit}, nil
}

func (d rangedDriver) Prepare(_ context.Context, _ authority.Credential, b authority.Batch) (authority.Prepared,
	error) {
	if d.fit > 0 && len(b.Documents) > d.fit {
		return authority.Prepared{}, fmt.Errorf("%w: %d", authority.ErrTooLarge, len(b.Documents))
	}
	return authority.Prepare([]byte(fmt.Sprintf("%s at %s", namesOf(b), d.p.w.Now()))), nil
}

// namesOf are the documents of a batch as they are sent: "A1=I00001 A2=I00002".
func namesOf(b authority.Batch) string {
	var names []string
	for _, doc := range b.Documents {
		names = append(names, nameOf(doc)+"="+doc.Invoice)
	}
	return strings.Join(names, " ")
}

func (d rangedDriver) Send(_ context.Context, _ authority.Credential, b authority.Batch, p authority.Prepared,
	rec authority.Recorder) (a authority.Answer, err error) {
	rec(authority.Exchange{Operation: "send", At: d.p.w.Now(), Request: p.Content})
	if len(b.Documents) == 1 {
		d.onSend(nameOf(b.Documents[0]))
	}
	err = d.p.step("send", func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.sent = append(d.sent, string(p.Content))
		if err, done := d.refusal(b, p); done {
			return err
		}
		for _, doc := range b.Documents {
			if d.arrived[nameOf(doc)] = true; d.decides {
				d.verdicts[nameOf(doc)] = events.Accepted
				a.Outcomes = append(a.Outcomes, events.Outcome{Invoice: doc.Invoice, Number: doc.Number, Result: events.Accepted,
					Authorization: &events.Authorization{Type: "CAE", Code: "90260001231"}})
			}
		}
		if d.hides && !strings.Contains(string(p.Content), "renewed") {
			return &authority.Message{Code: "S08", Text: "DGI says that it has the envelope, and does not show its documents",
				Err: authority.ErrHidden}
		}
		if !d.decides {
			return &authority.Message{Text: "received", Err: authority.ErrPending, At: d.askAt}
		}
		return nil
	})
	return a, err
}

func (d rangedDriver) Find(_ context.Context, _ authority.Credential, _ authority.Series, doc authority.Document,
	rec authority.Recorder) (authority.Found, error) {
	rec(authority.Exchange{Operation: "find", At: d.p.w.Now(), Request: []byte(nameOf(doc))})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.p.w.Now().Before(d.askAt) {
		d.early++
	}
	name := nameOf(doc)
	if d.mute[name] {
		return authority.Found{}, errAway
	}
	delete(d.silent, name)
	if d.conceals {
		return authority.Found{}, &authority.Message{Code: "RPT",
			Text: "SII says that it has had the envelope before, and does not show its document", Err: authority.ErrHidden}
	}
	if d.foreign[name] {
		return authority.Found{Exists: true, Difference: "another total"}, nil
	}
	verdict, decided := d.verdicts[name]
	f := authority.Found{Exists: d.arrived[name] && !d.notYet[name], Same: true, Rejected: verdict == events.Rejected}
	switch {
	case f.Exists && !decided:
		f.Pending = true
	case f.Rejected:
		f.Observations = []events.AuthorityMessage{{Code: "E05", Text: "No cumplen validaciones"}}
	case f.Exists:
		f.Authorization = events.Authorization{Type: "CAE", Code: "90260001231"}
	}
	return f, nil
}

// Together is false where only one of two is of the total that goes alone.
func (d rangedDriver) Together(a, b events.Document) bool {
	return d.alone == "" || (a.Totals.Total.String() == d.alone) == (b.Totals.Total.String() == d.alone)
}

// calls are what was sent so far, in order.
func (d *rangedAuthority) calls() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sent)
}

func (d *rangedAuthority) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

const rangedSeries = "C1-Testing-1-1"

// inRangedWorld has a company with the numbers 1 to 3 twice, under the letters A and B.
func inRangedWorld(t *testing.T, f func(*world, *rangedAuthority)) {
	t.Helper()
	inWorld(t, func(w *world) {
		w.ranged = newRangedAuthority()
		w.company("C1", holder, false)
		w.letters(3)
		f(w, w.ranged)
	})
}

func (w *world) letters(to int64) {
	series := fmt.Sprintf("C1-Testing-1-%d", w.branch)
	for _, letter := range []string{"A", "B"} {
		ref := "range/" + letter
		if err := w.tickets.Seal(w.t.Context(), ref, []byte("CAE "+letter)); err != nil {
			w.t.Fatal(err)
		}
		w.record("numbering-"+series, events.NumberingRangeUploaded{Range: "R" + letter, Company: "C1",
			Environment:  "Testing",
			OfficialCode: 1, Series: letter, From: 1, To: to, Authority: "9026000" + letter, Fingerprint: letter, Secret: ref})
	}
}

// assigned is the number that an invoice has, "" for none.
func (w *world) assigned(id string) string {
	out := ""
	for _, e := range w.log.facts("invoice-" + id) {
		if n, ok := e.(events.NumberAssigned); ok {
			out += fmt.Sprintf("%s%d", n.Series, n.Number)
		}
	}
	return out
}

func (w *world) allAssigned() string {
	var out []string
	for _, id := range w.invoices {
		out = append(out, w.assigned(id))
	}
	return strings.Join(out, " ")
}

func TestTwoSeriesWithTheSameNumbersNeverMix(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.limit = 2
		w.issueSome(5)
		w.start()
		w.finish(time.Minute)
		if got, want := w.allAssigned(), "A1 A2 A3 B1 B2"; got != want {
			t.Errorf("numbers %s, want %s", got, want)
		}
		s := w.series(rangedSeries)
		if left, _ := s.Remaining("2026-12-15"); left != 1 {
			t.Errorf("%d numbers left, want B3 alone", left)
		}
	})
}

func TestVerdictsInPartsSettleOnceAndNothingIsSentAgain(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.decides, a.askAt = false, w.Now().Add(3*time.Minute)
		w.issueSome(3)
		w.start()
		w.until("sent", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		w.record("invoice-"+w.invoices[0], events.ProcessingRequested{}) // wakes the series before the time to ask
		w.until("the time to ask", 2*time.Minute+30*time.Second,
			func() bool { return !w.Now().Before(a.askAt.Add(-time.Minute)) })
		if a.asked != 0 {
			t.Errorf("asked %d times before the authority wanted to be", a.asked)
		}
		a.change(func() { a.verdicts["A2"], a.notYet["A1"], a.notYet["A3"] = events.Accepted, true, true })
		w.until("one of three is known", 10*time.Minute, w.waits(rangedSeries, waiting.AuthorityDisagree))
		a.change(func() { delete(a.notYet, "A1"); delete(a.notYet, "A3"); a.verdicts["A3"] = events.Rejected })
		w.until("two of three are known", time.Hour, w.waits(rangedSeries, waiting.AuthorityDeciding))
		if got := w.series(rangedSeries).Settled; got != nil {
			t.Errorf("settled with a document that is not decided: %+v", got)
		}
		a.change(func() { a.verdicts["A1"] = events.Accepted })
		w.finish(time.Hour)
		if len(a.calls()) != 1 || a.early != 0 {
			t.Errorf("sent %d times, asked %d times too early, want once and never:\n%s", len(a.calls()), a.early, a.calls())
		}
		if got, want := w.statuses(w.invoices...),
			[]invoice.Status{invoice.Accepted, invoice.Accepted, invoice.Rejected}; !slices.Equal(got, want) {
			t.Errorf("statuses %v, want %v", got, want)
		}
		facts := w.log.facts("numbering-" + rangedSeries)
		if v, ok := facts[len(facts)-1].(events.NumberVoided); !ok || v.Series != "A" || v.Number != 3 {
			t.Errorf("the last fact is %+v, want number A3 voided", facts[len(facts)-1])
		}
	})
}

func TestDocumentsThatMayNotShareACallDoNot(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		w.issueSome(3)
		a.alone = w.state(w.invoices[1]).Created.Document.Totals.Total.String()
		w.start()
		w.finish(time.Minute)
		want := []string{"A1=I00001", "A2=I00002", "A3=I00003"}
		for i, content := range a.calls() {
			if got, _, _ := strings.Cut(content, " at "); i >= len(want) || got != want[i] {
				t.Errorf("call %d carries %s, want %v", i+1, got, want)
			}
		}
		if len(a.calls()) != 3 {
			t.Errorf("%d calls, want 3", len(a.calls()))
		}
	})
}

func TestWhatIsTooLargeForOneCallGoesInSeveral(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		w.issueSome(3)
		a.fit = 2
		w.start()
		w.finish(time.Minute)
		var calls []string
		for _, content := range a.calls() {
			names, _, _ := strings.Cut(content, " at ")
			calls = append(calls, names)
		}
		if want := []string{"A1=I00001", "A2=I00002 A3=I00003"}; !slices.Equal(calls, want) {
			t.Errorf("calls %v, want %v", calls, want)
		}
	})
}

// TestACrashOfARangedSeriesBetweenAnyTwoSteps kills the process before and after every
// effect. Whatever is sent under a number is always the same bytes.
func TestACrashOfARangedSeriesBetweenAnyTwoSteps(t *testing.T) {
	inWorld(t, func(w *world) {
		for k, died := int64(1), true; died; k++ {
			died = false
			for _, after := range sides {
				died = w.rangedCrash(k, after) || died
				w.renew()
			}
			if !died && k < 20 {
				t.Errorf("the whole life had %d steps only", k)
			}
		}
	})
}

func (w *world) rangedCrash(k int64, after bool) (died bool) {
	w.t.Helper()
	w.ranged = newRangedAuthority()
	w.ranged.limit = 2
	w.company("C1", holder, false)
	w.letters(3)
	w.issueSome(4)
	w.steps.Store(0)
	w.plan.Store(&plan{step: k, after: after})
	p := w.start()
	w.until("dead or done", time.Minute, func() bool { return p.dead.Load() || w.done() })
	died = p.dead.Load()
	w.plan.Store(nil)
	p.stop()
	synctest.Wait()
	w.start()
	w.finish(time.Hour)
	where := fmt.Sprintf("step %d (%s), after it: %t", k, w.died, after)
	if got, want := w.allAssigned(), "A1 A2 A3 B1"; got != want {
		w.t.Errorf("%s: numbers %s, want %s", where, got, want)
	}
	bytes := map[string]string{}
	for _, content := range w.ranged.calls() {
		names, _, _ := strings.Cut(content, " at ")
		for _, name := range strings.Fields(names) {
			number, _, _ := strings.Cut(name, "=")
			if before, sent := bytes[number]; sent && before != content {
				w.t.Errorf("%s: %s was sent as %q and as %q", where, number, before, content)
			}
			bytes[number] = content
		}
	}
	return died
}
