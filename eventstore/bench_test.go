package eventstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
)

// sized is an event of about 500 bytes, as an invoice's usually are.
func sized(name string) eventstore.Pending {
	p := pending("Happened", name)
	p.Data = json.RawMessage(fmt.Sprintf(`{"name":%q,"fill":%q}`, name, strings.Repeat("x", 400)))
	return p
}

// BenchmarkAppend is durable appends of one event, each to a stream of its own, at 1,
// 16 and 64 callers: through a Log, and through the client alone as the ceiling.
func BenchmarkAppend(b *testing.B) {
	for _, callers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("log/callers=%d", callers), func(b *testing.B) {
			l := openAt(b, newEmbedded(b).Address())
			appends(b, callers, func(name string) error {
				_, err := l.Append(b.Context(), name, eventstore.NoStream, sized(name))
				return err
			})
		})
		b.Run(fmt.Sprintf("client/callers=%d", callers), func(b *testing.B) {
			config, err := esdb.ParseConnectionString("esdb://localhost?tls=false")
			if err != nil {
				b.Fatal(err)
			}
			config.Address, config.Logger = newEmbedded(b).Address(), nil
			c, err := esdb.NewClient(config)
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			appends(b, callers, func(name string) error {
				p := sized(name)
				_, err := c.AppendToStream(b.Context(), name, esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}},
					esdb.EventData{EventID: p.ID, EventType: p.Type, ContentType: esdb.ContentTypeJson, Data: p.Data})
				return err
			})
		})
	}
}

func appends(b *testing.B, callers int, one func(name string) error) {
	run := uuid.NewString()
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := one(fmt.Sprint(run, "-", n)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
}

// history appends n events, a thousand to a stream.
func history(b *testing.B, l *eventstore.Log, n int) {
	b.Helper()
	for s := range n / 1000 {
		ps := make([]eventstore.Pending, 1000)
		for i := range ps {
			ps[i] = sized(fmt.Sprint(s, ".", i))
		}
		if _, err := l.Append(b.Context(), fmt.Sprint("past-", s), eventstore.NoStream, ps...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFollow is the catching up of one follower over 20,000 events.
func BenchmarkFollow(b *testing.B) {
	const n = 20_000
	l := openAt(b, newEmbedded(b).Address())
	history(b, l, n)
	done := errors.New("done")
	for name, f := range map[string]eventstore.Filter{"everything": {}, "by type": {Types: []string{"Happened"}}} {
		b.Run(name, func(b *testing.B) {
			batches := 0
			for b.Loop() {
				got := 0
				err := l.Follow(b.Context(), events.Position{}, f, eventstore.FollowOptions{},
					func(_ context.Context, batch eventstore.Batch) error {
						batches++
						if got += len(batch.Events); got >= n {
							return done
						}
						return nil
					})
				if err != done {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(n*b.N)/float64(batches), "events/batch")
		})
	}
}

// BenchmarkRead is one stream of ten events, and the whole log.
func BenchmarkRead(b *testing.B) {
	const n = 20_000
	l := openAt(b, newEmbedded(b).Address())
	history(b, l, n)
	ps := make([]eventstore.Pending, 10)
	for i := range ps {
		ps[i] = sized(fmt.Sprint("ten.", i))
	}
	if _, err := l.Append(b.Context(), "ten", eventstore.NoStream, ps...); err != nil {
		b.Fatal(err)
	}
	b.Run("stream of ten", func(b *testing.B) {
		for b.Loop() {
			if out, err := collect(l.Read(b.Context(), "ten", 0)); err != nil || len(out) != 10 {
				b.Fatal(len(out), err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if out, err := collect(l.All(b.Context(), events.Position{}, eventstore.Filter{})); err != nil || len(out) != n+10 {
				b.Fatal(len(out), err)
			}
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "events/s")
	})
}

// BenchmarkLive is the time from the answer of an append to its event in a follower.
func BenchmarkLive(b *testing.B) {
	l := openAt(b, newEmbedded(b).Address())
	heard := make(chan uint64, 64)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go l.Follow(ctx, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{},
		func(_ context.Context, batch eventstore.Batch) error {
			for _, r := range batch.Events {
				heard <- r.Revision
			}
			return nil
		})
	var lag time.Duration
	next := int64(-1)
	for b.Loop() {
		if _, err := l.Append(ctx, "live", next, sized(fmt.Sprint("live.", next))); err != nil {
			b.Fatal(err)
		}
		answered := time.Now()
		next++
		if r := <-heard; r != uint64(next) {
			b.Fatalf("heard %d, want %d", r, next)
		}
		lag += time.Since(answered)
	}
	b.ReportMetric(float64(lag.Microseconds())/float64(b.N), "µs-after-answer")
}
