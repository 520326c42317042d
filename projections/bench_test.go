package projections_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
)

// replayEvents is how many events a replay benchmark folds: invoices with four each.
const replayEvents = 200_000

// longLog interleaves invoices of 20 companies as a busy day does: each is created,
// and 40 invoices later sent, numbered and accepted.
func longLog(total int) []events.Recorded {
	all := make([]given, 0, total)
	for i := 0; len(all) < total; i++ {
		all = append(all, created(fmt.Sprintf("C%02d", i%20), fmt.Sprintf("I%06d", i), 2))
		if i >= 40 {
			id := fmt.Sprintf("I%06d", i-40)
			all = append(all, started(id, int64(i)), numbered(id, int64(i)), accepted(id))
		}
	}
	return projectiontest.Log(all[:total]...)
}

// BenchmarkReplay reports events per second: in memory (the ceiling: decode, fold and
// encode) and into SQLite through the runner.
func BenchmarkReplay(b *testing.B) {
	log := longLog(replayEvents)
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			r := engine.NewReplay(projections.Invoices)
			for from := 0; from < len(log); from += 500 {
				if err := r.Fold(context.Background(), log[from:from+500]...); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(replayEvents*b.N)/b.Elapsed().Seconds(), "events/s")
	})
	b.Run("sqlite", func(b *testing.B) {
		for b.Loop() {
			src := batches{log: log}
			r, stop := start(b, options(openTables(b), src, "bench", projections.Invoices))
			if err := r.WaitFor(context.Background(), "invoices", log[len(log)-1].Position); err != nil {
				b.Fatal(err)
			}
			stop()
		}
		b.ReportMetric(float64(replayEvents*b.N)/b.Elapsed().Seconds(), "events/s")
	})
}

// batches hands a fixed log over in batches of 500.
type batches struct {
	engine.Streams // of which these benchmarks read nothing
	log            []events.Recorded
}

func (s batches) Head(context.Context) (events.Position, error) {
	return s.log[len(s.log)-1].Position, nil
}

func (s batches) Follow(ctx context.Context, after events.Position, _ []string,
	handle func(context.Context, engine.Batch) error) error {
	for from := 0; from < len(s.log); from += 500 {
		part := s.log[from : from+500]
		b := engine.Batch{Events: part, Position: part[len(part)-1].Position, CaughtUp: from+500 == len(s.log)}
		if !after.Before(b.Position) {
			continue
		}
		if err := handle(ctx, b); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// BenchmarkRead measures what the read API asks for, at 10,000 invoices of a company.
func BenchmarkRead(b *testing.B) {
	all := make([]given, 0, 10_000)
	for i := range 10_000 {
		all = append(all, created("C1", fmt.Sprintf("I%06d", i), 2))
	}
	log := projectiontest.Log(all...)
	store := openTables(b)
	o := options(store, batches{log: log}, "bench", projections.Invoices)
	o.Lease = 10 * time.Second
	r, _ := start(b, o)
	waitFor(b, r, "invoices", log[len(log)-1].Position)
	reader := projections.NewReader(store, nil)
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			if _, err := reader.GetInvoice(context.Background(), "I005000"); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, page := range []int{1, 100} {
		b.Run(fmt.Sprintf("page %d", page), func(b *testing.B) {
			for b.Loop() {
				l, err := reader.ListInvoices(context.Background(), projections.InvoiceQuery{Company: "C1",
					Page: engine.Page{Offset: (page - 1) * 100, Limit: 100}})
				if err != nil || len(l.Documents) != 100 {
					b.Fatal(len(l.Documents), err)
				}
			}
		})
	}
}
