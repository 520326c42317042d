package projections_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/eventstore/node"
	"folio/projections"
	"folio/projections/engine"

	"github.com/google/uuid"
)

// counted is a log that counts what is read of it.
type counted struct {
	*eventstore.Log
	events atomic.Int64
}

func (c *counted) Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	return c.Log.Follow(ctx, after, f, o, func(ctx context.Context, b eventstore.Batch) error {
		c.events.Add(int64(len(b.Events)))
		return handle(ctx, b)
	})
}

// shared is the log as a service gives it to its projections.
type shared struct {
	*counted
	*fanout.Reader
}

func (s shared) Head(ctx context.Context) (events.Position, error) { return s.End(ctx) }

func (s shared) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	of, each := eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1}
	return s.Reader.Follow(ctx, after, of, each, func(ctx context.Context, b eventstore.Batch) error {
		return handle(ctx, engine.Batch(b))
	})
}

func openNode(t *testing.T) *counted {
	t.Helper()
	dir, err := os.MkdirTemp("", "folio-node-")
	if err != nil {
		t.Fatal(err)
	}
	n, err := node.Open(t.Context(), node.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: n.Address()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		if err := n.Close(context.Background()); err != nil {
			t.Error(err)
		}
		os.RemoveAll(dir)
	})
	return &counted{Log: l}
}

func (c *counted) register(t *testing.T, company string) events.Position {
	t.Helper()
	name, schema, data, err := events.Encode(events.CompanyRegistered{Company: company, Account: "A", LegalName: company})
	if err != nil {
		t.Fatal(err)
	}
	e := eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema, At: time.Unix(0, 0)}}
	a, err := c.Append(t.Context(), "company-"+company, eventstore.NoStream, e)
	if err != nil {
		t.Fatal(err)
	}
	return a.Position
}

// All read models are built, and built anew, with one pass of the log each time, and a live
// event is one message, however many read models there are.
func TestTheLogIsReadOnceForAllReadModels(t *testing.T) {
	const past = 6_000 // more than a pass keeps
	l := openNode(t)
	var end events.Position
	for i := range past {
		end = l.register(t, fmt.Sprint("C", i))
	}
	o := options(openTables(t), shared{l, fanout.New(l, fanout.Options{})}, "p", projections.All...)
	o.Lease, o.Retire = 3*time.Second, time.Millisecond
	for _, p := range o.Projections {
		o.Source.(shared).Want(p.Types()...)
	}
	r, _ := start(t, o)
	all := func(at events.Position) {
		t.Helper()
		for _, p := range o.Projections {
			waitFor(t, r, p.Name(), at)
		}
	}
	all(end)
	read := l.events.Load()
	for tries := 0; read > past && tries < 5; tries++ { // a loaded machine may start them further apart than a pass waits
		read = l.rebuilt(t, o, r)
	}
	if read > past {
		t.Errorf("%d events were read to build all read models, want %d", read, past)
	}
	read = l.rebuilt(t, o, r)
	for tries := 0; read > past && tries < 5; tries++ {
		read = l.rebuilt(t, o, r)
	}
	if read > past { // fewer, if they meet the present before its end
		t.Errorf("%d events were read to build all read models anew, want %d", read, past)
	}
	messages := int64(0)
	for tries := 0; messages != 1 && tries < 5; tries++ { // one that is behind may read by itself for a while
		l.events.Store(0)
		all(l.register(t, fmt.Sprint("live", tries)))
		messages = l.events.Load()
	}
	if messages != 1 {
		t.Errorf("a live event was %d messages, want 1", messages)
	}
}

// rebuilt builds all read models anew and gives the number of events that were read for it.
func (c *counted) rebuilt(t *testing.T, o engine.Options, r *engine.Runner) int64 {
	t.Helper()
	c.events.Store(0)
	if err := engine.Rebuild(t.Context(), o.Tables, o.Store, o.Projections...); err != nil {
		t.Fatal(err)
	}
	for _, p := range o.Projections {
		awaitStatus(t, r, p.Name(), func(s engine.Status) bool {
			built, err := engine.Built(t.Context(), o.Tables, p)
			return err == nil && built && s.Condition == engine.Folding && !s.Rebuilding && s.CaughtUp
		})
	}
	return c.events.Load()
}
