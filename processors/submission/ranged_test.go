package submission_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"folio/authority"
	"folio/country"
	"folio/country/ar"
	"folio/events"
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
