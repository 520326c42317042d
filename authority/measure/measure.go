// Package measure tells how authorities answer: each HTTP call of a driver, with its operation, its outcome and its
// time. It changes nothing about the calls.
package measure

import (
	"context"
	"slices"
	"sync"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/country"
)

// Call is one call to an authority.
type Call struct {
	Authority   string
	Environment authority.Environment
	Operation   string
	Result      authority.CallResult
	Began       time.Time
	Took        time.Duration
	Invoices    []string // that it is about, where the driver's method names them
	Fault       string   // in the driver's words; "" where it was answered
}

// Observer hears of each call once it is over, in the context of whoever asked. It must be quick.
type Observer func(ctx context.Context, c Call)

// Driver is a driver whose calls an observer hears of.
type Driver struct {
	authority.Driver
	tell Observer
}

// Wrap makes the calls of d heard.
func Wrap(d authority.Driver, tell Observer) *Driver { return &Driver{d, tell} }

// listener gathers the calls of one method of the driver. What a driver records of a call knows more of its outcome
// than HTTP does; log-ins are not recorded, so that they count as HTTP saw them.
type listener struct {
	d   *Driver
	ctx context.Context //nolint:containedctx // of the one method, for the observer
	e   authority.Environment
	of  []string // invoices

	mu    sync.Mutex
	heard []wire.Call // that nobody has recorded yet
}

func (d *Driver) listen(ctx context.Context, e authority.Environment, rec authority.Recorder) (
	context.Context, authority.Recorder, *listener) {
	l := &listener{d: d, ctx: ctx, e: e}
	record := func(x authority.Exchange) {
		l.recorded(x)
		if rec != nil {
			rec(x)
		}
	}
	return wire.Observed(ctx, l.called), record, l
}

func (l *listener) called(c wire.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, c)
}

func (l *listener) recorded(x authority.Exchange) {
	l.mu.Lock()
	i := slices.IndexFunc(l.heard, func(c wire.Call) bool { return c.Operation == x.Operation })
	if i < 0 { // nothing went out
		l.mu.Unlock()
		return
	}
	c := l.heard[i]
	l.heard = slices.Delete(l.heard, i, i+1)
	l.mu.Unlock()
	if x.Result != "" {
		c.Result = x.Result
	}
	l.say(c, x.Fault)
}

// end says what is left: calls that were not recorded.
func (l *listener) end() {
	l.mu.Lock()
	rest := l.heard
	l.heard = nil
	l.mu.Unlock()
	for _, c := range rest {
		l.say(c, "")
	}
}

func (l *listener) say(c wire.Call, fault string) {
	l.d.tell(l.ctx, Call{Authority: l.d.Name(), Environment: l.e, Operation: c.Operation, Result: c.Result,
		Began: c.Began, Took: c.Took, Invoices: l.of, Fault: fault})
}

// Last implements authority.Driver.
func (d *Driver) Last(ctx context.Context, c authority.Credential, s authority.Series,
	rec authority.Recorder) (authority.Last, error) {
	ctx, rec, l := d.listen(ctx, s.Environment, rec)
	defer l.end()
	return d.Driver.Last(ctx, c, s, rec)
}

// Send implements authority.Driver.
func (d *Driver) Send(ctx context.Context, c authority.Credential, b authority.Batch, p authority.Prepared,
	rec authority.Recorder) (authority.Answer, error) {
	ctx, rec, l := d.listen(ctx, b.Series.Environment, rec)
	for _, doc := range b.Documents {
		l.of = append(l.of, doc.Invoice)
	}
	defer l.end()
	return d.Driver.Send(ctx, c, b, p, rec)
}

// Find implements authority.Driver.
func (d *Driver) Find(ctx context.Context, c authority.Credential, s authority.Series, doc authority.Document,
	rec authority.Recorder) (authority.Found, error) {
	ctx, rec, l := d.listen(ctx, s.Environment, rec)
	l.of = []string{doc.Invoice}
	defer l.end()
	return d.Driver.Find(ctx, c, s, doc, rec)
}

// Can implements authority.Driver: what calls the authority is heard, too.
func (d *Driver) Can() authority.Capabilities {
	can := d.Driver.Can()
	if can.Quoter != nil {
		can.Quoter = quoter{d, can.Quoter}
	}
	if can.Reporter != nil {
		can.Reporter = reporter{can.Reporter, d}
	}
	if can.Verifier != nil {
		can.Verifier = verifier{d, can.Verifier}
	}
	return can
}

type quoter struct {
	d      *Driver
	within authority.Quoter
}

// Quote implements authority.Quoter.
func (q quoter) Quote(ctx context.Context, c authority.Credential, about authority.Question,
	rec authority.Recorder) (authority.Quotation, error) {
	ctx, rec, l := q.d.listen(ctx, c.Environment, rec)
	defer l.end()
	return q.within.Quote(ctx, c, about, rec)
}

type reporter struct {
	authority.Reporter
	d *Driver
}

// SendReport implements authority.Reporter.
func (r reporter) SendReport(ctx context.Context, c authority.Credential, p authority.Prepared,
	rec authority.Recorder) (authority.Reported, error) {
	ctx, rec, l := r.d.listen(ctx, c.Environment, rec)
	defer l.end()
	return r.Reporter.SendReport(ctx, c, p, rec)
}

type verifier struct {
	d      *Driver
	within authority.Verifier
}

// Verify implements authority.Verifier.
func (v verifier) Verify(ctx context.Context, c authority.Credential, p country.Purchase,
	rec authority.Recorder) (authority.Verification, error) {
	ctx, rec, l := v.d.listen(ctx, c.Environment, rec)
	defer l.end()
	return v.within.Verify(ctx, c, p, rec)
}
