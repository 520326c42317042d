package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables/sqlite"
)

// replays are made at most, as many as begin in replayTime; each takes seconds.
const (
	replays    = 3
	replayTime = 45 * time.Second
)

// measureReplay folds the whole past into the invoice projection, beside reading it
// alone and beside folding in memory alone.
func measureReplay(ctx context.Context, b *bench) (err error) {
	s, err := b.seeded(ctx)
	if err != nil {
		return err
	}
	j, err := openJournal(ctx, filepath.Join(s.data, "log"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	part, err := head(ctx, j.log, min(s.events, 20_000))
	if err != nil {
		return err
	}
	got, began := map[string][]sample{}, time.Now()
	for i := 0; i < replays && (i == 0 || time.Since(began) < replayTime); i++ {
		for _, c := range []contestant{
			{"read", func(ctx context.Context, _ time.Duration) (sample, error) {
				return readWanted(ctx, j.log, projections.Invoices.Types())
			}},
			{"pass", func(ctx context.Context, _ time.Duration) (sample, error) {
				one, err := readWanted(ctx, j.log, []string{"CompanyRegistered"})
				one.ops = s.events
				return one, err
			}},
			{"memory", func(ctx context.Context, _ time.Duration) (sample, error) { return foldInMemory(ctx, part) }},
			{"whole", func(ctx context.Context, _ time.Duration) (sample, error) { return b.foldIntoSQLite(ctx, s, j.log, i) }},
		} {
			one, err := c.run(ctx, 0)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			got[c.name] = append(got[c.name], one)
		}
	}
	whole, read, folded := got["whole"], got["read"], got["memory"]
	seconds := over(whole, func(s sample) float64 { return float64(s.wall.Microseconds()) }).mid
	b.table.add(row{what: fmt.Sprintf("replay of %s events", thousands(int64(s.events))),
		value: perSecond(over(whole, sample.rate).mid),
		cpu:   micro(over(whole, sample.cost).mid), beside: "decode and fold " + perSecond(over(folded, sample.rate).mid),
		ratio: ratio(whole, folded, sample.rate),
		why: fmt.Sprintf("From the node through the client into SQLite, %s in all; folding in memory alone costs %s an "+
			"event.", micro(seconds), micro(over(folded, sample.cost).mid))})
	passed := got["pass"]
	b.table.add(row{what: "", beside: "reading " + perSecond(over(read, sample.rate).mid),
		ratio: ratio(whole, read, sample.rate),
		why: "The same events through the same subscription without a fold; " + micro(over(read, sample.cost).mid) +
			" an event."})
	b.table.add(row{what: "the log passed over", value: perSecond(over(passed, sample.rate).mid),
		cpu:    micro(over(passed, sample.cost).mid),
		beside: "reading", ratio: ratio(passed, read, sample.rate),
		why: "What a projection of other events costs that has to catch up: it hears of every position and keeps nothing."})
	return nil
}

// head is the beginning of the log in memory.
func head(ctx context.Context, l *eventstore.Log, n int) ([]events.Recorded, error) {
	out := make([]events.Recorded, 0, n)
	for r, err := range l.All(ctx, events.Position{}, eventstore.Filter{Types: projections.Invoices.Types()}) {
		if err != nil {
			return nil, err
		}
		if out = append(out, r); len(out) == n {
			break
		}
	}
	return out, nil
}

var errAll = errors.New("all is read")

// readWanted follows the log as a projection does, up to the present.
func readWanted(ctx context.Context, l *eventstore.Log, types []string) (s sample, err error) {
	before, started := ownCPU(), time.Now()
	err = newSource(l).Follow(ctx, events.Position{}, types, func(_ context.Context, b engine.Batch) error {
		if s.ops += len(b.Events); b.CaughtUp {
			return errAll
		}
		return nil
	})
	s.wall, s.cpu = time.Since(started), ownCPU()-before
	if errors.Is(err, errAll) {
		err = nil
	}
	return s, err
}

func foldInMemory(ctx context.Context, log []events.Recorded) (sample, error) {
	before, started := ownCPU(), time.Now()
	r := engine.NewReplay(projections.Invoices)
	for from := 0; from < len(log); from += eventstore.DefaultMaxBatch {
		if err := r.Fold(ctx, log[from:min(from+eventstore.DefaultMaxBatch, len(log))]...); err != nil {
			return sample{}, err
		}
	}
	return sample{ops: len(log), wall: time.Since(started), cpu: ownCPU() - before}, nil
}

// foldIntoSQLite runs the projection to the end of the log. The first time it fills
// the read model of the data folder, for the parts that read it.
func (b *bench) foldIntoSQLite(ctx context.Context, s *past, l *eventstore.Log, n int) (out sample, err error) {
	file := filepath.Join(s.data, "tables.db")
	if s.current {
		file = filepath.Join(b.dir, fmt.Sprintf("replay-%d.db", n))
		defer func() { err = errors.Join(err, os.Remove(file)) }()
	}
	store, err := sqlite.Open(ctx, file)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	r, err := engine.NewRunner(engine.Options{Tables: store, Source: newSource(l), Store: s.store,
		Owner: fmt.Sprint("bench ", n), BatchLimit: eventstore.DefaultMaxBatch,
		Projections: []engine.Projection{projections.Invoices}})
	if err != nil {
		return out, err
	}
	end, err := l.End(ctx)
	if err != nil {
		return out, err
	}
	work, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	before, started := ownCPU(), time.Now()
	go func() { ended <- r.Run(work) }()
	err = r.WaitFor(ctx, projections.Invoices.Name(), end)
	out = sample{ops: s.events, wall: time.Since(started), cpu: ownCPU() - before}
	stop()
	s.current = true
	return out, errors.Join(err, <-ended)
}

// source is the log as the service's projections read it.
type source struct {
	log    *eventstore.Log
	reader *fanout.Reader
}

// newSource reads for one follower, so it keeps the beginning for no others, which takes a second.
func newSource(l *eventstore.Log) source {
	return source{l, fanout.New(l, fanout.Options{Gather: time.Millisecond})}
}

// Read implements engine.Source.
func (s source) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return s.log.Read(ctx, stream, from)
}

// Head implements engine.Source.
func (s source) Head(ctx context.Context) (events.Position, error) { return s.log.End(ctx) }

// Follow implements engine.Source.
func (s source) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	return s.reader.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, engine.Batch(b)) })
}
