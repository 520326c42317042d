package mongodb

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/event"
	"go.mongodb.org/mongo-driver/mongo/description"

	"folio/fault"
)

// errAway ends calls at once while it is known that no server takes them.
var errAway = errors.New("no primary of MongoDB has been in reach for a while")

// primary is what the driver's own heartbeats, every two seconds, know of the server that takes
// commands. They go on while nobody asks, so that calls need not find out that it is back.
type primary struct {
	lost atomic.Int64 // since when there is none, in Unix nanoseconds; 0: there is one
}

func newPrimary() *primary {
	p := &primary{}
	p.lost.Store(time.Now().UnixNano())
	return p
}

// changed hears what the heartbeats find.
func (p *primary) changed(e *event.TopologyDescriptionChangedEvent) {
	for _, s := range e.NewDescription.Servers {
		switch s.Kind {
		case description.RSPrimary, description.Standalone, description.Mongos, description.LoadBalancer:
			p.lost.Store(0)
			return
		}
	}
	p.lost.CompareAndSwap(0, time.Now().UnixNano())
}

// away says that the server has been out of reach for longer than calls wait for it: an
// election or a restart of less is waited out.
func (p *primary) away() bool {
	lost := p.lost.Load()
	return lost != 0 && time.Since(time.Unix(0, lost)) > Patience
}

// within gives a call its deadline and explains how it failed.
func (p *primary) within(ctx context.Context, limit time.Duration, call func(context.Context) error) error {
	if p.away() {
		return fmt.Errorf("%w: %w", fault.StoreUnavailable, errAway)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := call(limited)
	if err != nil && ctx.Err() != nil { // the caller's own deadline, or they have gone
		return fmt.Errorf("%w: %w", context.Cause(ctx), fault.Unaddressed(err))
	}
	return Explain(err)
}
