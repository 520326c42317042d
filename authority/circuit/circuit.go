// Package circuit keeps a service from hammering an authority that is down: once
// several companies have failed in a row, calls are refused here until a single one has
// got through again.
//
// One failing company proves nothing, since it can be stuck for reasons of its own; its
// pauses are the processor's business. For the same reason a company that has not
// failed may always try once.
//
// Only an exchange with the authority says that it is there: a driver may answer out of
// what it knows, without a call (Last where numbers come from files).
package circuit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"folio/authority"
)

// trip is how many companies must fail, with no success between, before the circuit
// opens.
const trip = 3

// State is how an authority and environment were last seen.
type State struct {
	Authority   string                `json:"authority"`
	Environment authority.Environment `json:"environment"`
	Up          bool                  `json:"up"`
	Since       time.Time             `json:"since"` // of Up
	LastSuccess *time.Time            `json:"last_success"`
	LastFailure *time.Time            `json:"last_failure"`
	Fault       string                `json:"fault"`    // of the last failure
	NextTry     *time.Time            `json:"next_try"` // while it is down
}

// Options say how a circuit behaves.
type Options struct {
	// Pause is how long it stays open before one call may try.
	Pause time.Duration
	Now   func() time.Time
	// After calls f once after d, as time.AfterFunc does.
	After func(d time.Duration, f func())
	// Changed hears every change of Up, failures (not more often than every few seconds
	// while it counts as up), the success after one of these, and now and then that nothing
	// has changed.
	Changed func(State)
	// Retry is called when series that wait should look again.
	Retry func()
	// Called hears what came of each call that a company needed; nil: nobody listens. It must
	// not wait. Calls that told nothing of the authority are none.
	Called func(Call)
}

// Call is what came of a call that a company needed.
type Call struct {
	Authority   string
	Environment authority.Environment
	Company     string
	At          time.Time // when it ended
	Operation   string    // of the last exchange; "": there was none
	Fault       string    // "": the authority is there
	Spared      bool      // it was not made: the circuit was open
}

// Driver wraps a driver with one circuit an environment.
type Driver struct {
	authority.Driver
	o  Options
	mu sync.Mutex
	by map[authority.Environment]*breaker
}

type breaker struct {
	state   State
	failing map[string]bool // companies
	probing bool            // one call is trying
	noted   time.Time       // when Changed last heard
	ailing  bool            // what it heard was a failure
}

// noteEvery is how often Changed hears that nothing has changed, so that whoever looks
// knows how old the news is.
const (
	noteEvery    = time.Minute
	noteFailures = 3 * time.Second // while something fails
)

// Wrap puts circuits around d.
func Wrap(d authority.Driver, o Options) *Driver {
	return &Driver{Driver: d, o: o, by: map[authority.Environment]*breaker{}}
}

// States are those of the environments that were spoken to.
func (d *Driver) States() []State {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []State
	for _, e := range []authority.Environment{authority.Production, authority.Testing} {
		if b := d.by[e]; b != nil {
			out = append(out, b.state)
		}
	}
	return out
}

// Last asks through the circuit.
func (d *Driver) Last(ctx context.Context, c authority.Credential, s authority.Series,
	rec authority.Recorder) (out authority.Last, err error) {
	err = d.through(s, rec, func(heard authority.Recorder) (err error) {
		out, err = d.Driver.Last(ctx, c, s, heard)
		return err
	})
	return out, err
}

// Send sends through the circuit. While it is open nothing is sent.
func (d *Driver) Send(ctx context.Context, c authority.Credential, b authority.Batch, p authority.Prepared,
	rec authority.Recorder) (out authority.Answer, err error) {
	err = d.through(b.Series, rec, func(heard authority.Recorder) (err error) {
		out, err = d.Driver.Send(ctx, c, b, p, heard)
		return err
	})
	return out, err
}

// Find asks through the circuit.
func (d *Driver) Find(ctx context.Context, c authority.Credential, s authority.Series, doc authority.Document,
	rec authority.Recorder) (out authority.Found, err error) {
	err = d.through(s, rec, func(heard authority.Recorder) (err error) {
		out, err = d.Driver.Find(ctx, c, s, doc, heard)
		return err
	})
	return out, err
}

// Can is what the driver can. Rates are asked through the circuit; daily reports, what has
// to do with contingencies and questions about purchases go round it, since they are few,
// have pauses of their own, and say nothing about invoices that wait.
func (d *Driver) Can() authority.Capabilities {
	can := d.Driver.Can()
	if can.Quoter != nil {
		can.Quoter = quoter{d, can.Quoter}
	}
	return can
}

type quoter struct {
	driver *Driver
	within authority.Quoter
}

// Quote asks through the circuit. That there is no rate is an answer.
func (q quoter) Quote(ctx context.Context, c authority.Credential, about authority.Question,
	rec authority.Recorder) (out authority.Quotation, err error) {
	unknown := false
	series := authority.Series{Environment: c.Environment, OfficialCode: about.OfficialCode}
	err = q.driver.through(series, rec, func(heard authority.Recorder) (err error) {
		if out, err = q.within.Quote(ctx, c, about, heard); errors.Is(err, authority.ErrNoQuotation) {
			unknown = true
			return nil
		}
		return err
	})
	if unknown {
		return authority.Quotation{}, authority.ErrNoQuotation
	}
	return out, err
}

func (d *Driver) through(s authority.Series, rec authority.Recorder, call func(authority.Recorder) error) error {
	if err := d.admit(s); err != nil {
		d.called(s, Call{Fault: err.Error(), Spared: true})
		return err
	}
	var spoken atomic.Bool
	var operation atomic.Value
	err := call(func(e authority.Exchange) {
		spoken.Store(true)
		operation.Store(e.Operation)
		if rec != nil {
			rec(e)
		}
	})
	switch {
	case errors.Is(err, context.Canceled), answered(err) && !spoken.Load():
		d.release(s) // we stopped asking, or nobody was asked
	default:
		d.report(s, err)
		told := Call{}
		told.Operation, _ = operation.Load().(string)
		if !answered(err) {
			told.Fault = authority.Describe(err)
		}
		d.called(s, told)
	}
	return err
}

// called tells of a call of the series' company.
func (d *Driver) called(s authority.Series, c Call) {
	if d.o.Called == nil || s.Company == "" {
		return
	}
	c.Authority, c.Environment, c.Company, c.At = d.Name(), s.Environment, s.Company, d.o.Now()
	d.o.Called(c)
}

// release ends a call that tells nothing about the authority.
func (d *Driver) release(s authority.Series) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.breaker(s.Environment).probing = false
}

func (d *Driver) breaker(e authority.Environment) *breaker {
	b := d.by[e]
	if b == nil {
		b = &breaker{state: State{Authority: d.Name(), Environment: e, Up: true, Since: d.o.Now()},
			failing: map[string]bool{}}
		d.by[e] = b
	}
	return b
}

// admit lets a call pass, or refuses it while the authority is down and another call
// is trying or none may yet.
func (d *Driver) admit(s authority.Series) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.breaker(s.Environment)
	if b.state.Up {
		return nil
	}
	now := d.o.Now()
	early := b.state.NextTry != nil && now.Before(*b.state.NextTry) && b.failing[s.Company]
	if b.probing || early {
		at := now.Add(d.o.Pause)
		if b.state.NextTry != nil && now.Before(*b.state.NextTry) {
			at = *b.state.NextTry
		}
		return &authority.Message{Err: authority.ErrNotSent, At: at,
			Text: "it has been down since " + b.state.Since.UTC().Format(time.RFC3339)}
	}
	b.probing = true
	return nil
}

func (d *Driver) report(s authority.Series, err error) {
	d.mu.Lock()
	b, now := d.breaker(s.Environment), d.o.Now()
	wasUp := b.state.Up
	b.probing = false
	changed, retry := false, false
	if answered(err) {
		b.state.LastSuccess = &now
		changed = b.ailing // with few calls the next news would come in hours
		b.failing = map[string]bool{}
		if !wasUp {
			b.state.Up, b.state.Since, b.state.NextTry, changed, retry = true, now, nil, true, true
		}
	} else {
		if now.Sub(b.noted) >= noteFailures || b.state.LastFailure == nil {
			changed = true
		}
		b.state.LastFailure, b.state.Fault = &now, authority.Describe(err)
		b.failing[s.Company] = true
		if !wasUp || len(b.failing) >= trip {
			next := now.Add(d.o.Pause)
			b.state.NextTry, changed = &next, true
			if wasUp {
				b.state.Up, b.state.Since = false, now
			}
			d.o.After(d.o.Pause, d.o.Retry)
		}
	}
	if now.Sub(b.noted) >= noteEvery {
		changed = true
	}
	if changed {
		b.noted, b.ailing = now, !answered(err)
	}
	state := b.state
	d.mu.Unlock()
	if changed {
		d.o.Changed(state)
	}
	if retry {
		d.o.Retry()
	}
}

// answered says that the authority is there and works: it answered, even if it refused.
func answered(err error) bool {
	var m *authority.Message
	return err == nil || errors.As(err, &m) && !m.Broken
}
