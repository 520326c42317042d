// Package notices tells companies in time that a certificate expires or that numbers
// run out: it decides from the log which notice is owed on which day of the company's
// own time zone, and records it as a fact, once each. Delivering it to a callback URL
// is the delivery processor's business.
package notices

import (
	"context"
	"errors"
	"time"

	"folio/commands/aggregates"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "notices"

// Processor is the notices processor.
type Processor struct {
	*reactor.Reactor
	log   aggregates.Log
	keys  Keys
	items *reactor.Items
}

// Keys forgets what the vault keeps under a reference; what is not there is no error.
type Keys interface {
	Delete(ctx context.Context, ref string) error
}

// New makes the processor. Nothing is given before the worklist is as new as the log was at
// the start: a new certificate may have ended the notices of an old one. Keys are those of certificates: those of
// removed ones are forgotten.
func New(b reactor.Base, keys Keys) *Processor {
	p := &Processor{log: aggregates.In(b.Executor), keys: keys}
	p.Reactor = b.New(Name,
		reactor.On(p.certificate),
		reactor.On(p.removed),
		reactor.On(p.uploaded),
		reactor.Also[events.NumberingStartConfigured](p.counted),
		reactor.Also[events.SubmissionOpened](p.counted),
		reactor.Also[events.SeriesReleased](p.counted),
	)
	p.items = p.Items("notices are not given", p.give)
	p.Live(p.items.Life())
	return p
}

// groupAtOnce is how many items of a group are read at a time.
const groupAtOnce = 100

// give looks at one thing, records the notice that it owes and says when to look again.
func (p *Processor) give(ctx context.Context, it tables.Item) (time.Time, error) {
	next, more, err := p.look(ctx, it)
	if err != nil || !more {
		return time.Time{}, err
	}
	return next, nil
}

var errUnknown = errors.New("the log does not know what the worklist speaks of")
