package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"folio/eventstore"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables/sqlite"
)

// rebuiltEvents is how many events are rebuilt from in all, at least: a short log several times, a long one once.
const rebuiltEvents = 300_000

// wantedBeside is what a read may take while a projection is rebuilt, by what it takes alone.
const wantedBeside = 1.5

// measureRebuild rebuilds the invoices while their list is read, by turns with reading it alone.
func measureRebuild(ctx context.Context, b *bench) (err error) {
	s, err := b.longLog(ctx, b.events)
	if err != nil {
		return fmt.Errorf("seed the log: %w", err)
	}
	j, err := openJournal(ctx, filepath.Join(s.data, "log"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	id, err := storeID(ctx, j.log)
	if err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(b.dir, "rebuild.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	reader := projections.NewReader(store, nil)
	r, err := engine.NewRunner(engine.Options{Tables: store, Reads: reader.Reads, Source: newSource(j.log), Store: id,
		Owner: "bench", BatchLimit: eventstore.DefaultMaxBatch,
		Projections: []engine.Projection{projections.Invoices}})
	if err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(work) }()
	defer func() { stop(); err = errors.Join(err, <-ended) }()
	end, err := j.log.End(ctx)
	if err == nil {
		err = r.WaitFor(ctx, projections.Invoices.Name(), end)
	}
	if err != nil {
		return err
	}
	return b.rebuildRows(ctx, s, r, j.log, reader)
}

func (b *bench) rebuildRows(ctx context.Context, s *longLog, r *engine.Runner, l *eventstore.Log,
	reader *projections.Reader) error {
	var alone, beside, rebuilt, read []sample
	rebuilds := max(1, rebuiltEvents/b.events)
	list := listing{reader: reader, company: s.company}
	for range rebuilds {
		one, err := readWanted(ctx, l, projections.Invoices.Types())
		if err != nil {
			return err
		}
		read = append(read, one)
		quiet, err := list.read(ctx, func() bool { return false }, 3*time.Second)
		if err != nil {
			return err
		}
		served, err := r.Serving(ctx, projections.Invoices.Name())
		if err == nil {
			err = r.Rebuild(ctx, projections.Invoices.Name())
		}
		if err != nil {
			return err
		}
		began := time.Now()
		busy, err := list.read(ctx, func() bool {
			now, err := r.Serving(ctx, projections.Invoices.Name())
			return err != nil || now != served
		}, time.Hour)
		if err != nil {
			return err
		}
		alone, beside = append(alone, quiet), append(beside, busy)
		rebuilt = append(rebuilt, sample{ops: one.ops, wall: time.Since(began)})
	}
	slower := ratio(beside, alone, sample.latency)
	b.table.add(row{what: fmt.Sprintf("list, beside %d rebuilds", rebuilds),
		value: micro(over(beside, sample.latency).mid), beside: "list alone " + micro(over(alone, sample.latency).mid),
		ratio: slower, aim: atMost(slower.mid, wantedBeside, "<= 1.50"),
		why: fmt.Sprintf("The middle one of pages 1 to 100 of the list, one after the other; the largest heap was %d MiB.",
			list.heap>>20)})
	b.table.add(row{what: fmt.Sprintf("rebuild of %s events", thousands(int64(read[0].ops))),
		value: perSecond(over(rebuilt, sample.rate).mid), beside: "reading alone " + perSecond(over(read, sample.rate).mid),
		ratio: ratio(rebuilt, read, sample.rate), why: "Events a second while the list is read, until readers get the new " +
			"documents."})
	return nil
}

// listing reads the pages of a company's list.
type listing struct {
	reader  *projections.Reader
	company string
	heap    uint64 // the largest that was seen
}

// read goes on until it is over or the time is.
func (l *listing) read(ctx context.Context, over func() bool, within time.Duration) (out sample, err error) {
	var took []time.Duration
	began := time.Now()
	for n := 0; time.Since(began) < within && !over(); n++ {
		at := time.Now()
		page := engine.Page{Offset: n % 100 * perPage, Limit: perPage}
		if _, err := l.reader.ListInvoices(ctx, projections.InvoiceQuery{Company: l.company, Page: page}); err != nil {
			return out, err
		}
		took = append(took, time.Since(at))
		if n%100 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			l.heap = max(l.heap, m.HeapInuse)
		}
	}
	if len(took) == 0 {
		return out, errors.New("the list was not read")
	}
	slices.Sort(took)
	return sample{ops: len(took), wall: time.Since(began), median: took[len(took)/2]}, nil
}
