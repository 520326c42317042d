package delivery_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/google/uuid"

	"folio/clock"
	"folio/commands"
	commanddelivery "folio/commands/delivery"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/processors/reactor"
	"folio/tables/sqlite"
)

// receivers answer after a time that depends on the company, and note when each
// delivery was first called.
type receivers struct {
	mu    sync.Mutex
	first map[string]time.Time
	left  int
	done  chan struct{}
}

func (s *receivers) Post(_ context.Context, to string, header http.Header, _ []byte) outbound.Result {
	now := time.Now()
	takes := time.Duration(0)
	if to[0] == 'S' {
		takes = 900 * time.Millisecond
	}
	time.Sleep(takes)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.first[header.Get("webhook-id")]; !again {
		s.first[header.Get("webhook-id")] = now
		if to[0] == 'F' {
			if s.left--; s.left == 0 {
				close(s.done)
			}
		}
	}
	return outbound.Result{Ending: outbound.Delivered, Status: 200, Latency: takes}
}

type bench struct {
	x     *commands.Executor
	s     *receivers
	start func() (stop func())
}

// newBench makes the real log, the real tables and receivers without a network.
func newBench(b *testing.B, companies []string, fast int) *bench {
	b.Helper()
	n, err := node.Open(b.Context(), node.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	log, err := eventstore.Open(b.Context(), eventstore.Options{Address: n.Address()})
	if err != nil {
		b.Fatal(err)
	}
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "tables.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		log.Close()
		store.Close()
		n.Close(context.Background())
	})
	x := commands.NewExecutor(log, time.Now)
	x.Connected(true) // as the service is, whose executor follows the log
	for _, c := range companies {
		name, schema, data, err := events.Encode(events.WebhookSubscribed{Company: c, Webhook: 1, URL: c,
			Events: []string{"ISE"}, Secret: secret})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := log.Append(b.Context(), "webhook-"+c, eventstore.NoStream,
			eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema}}); err != nil {
			b.Fatal(err)
		}
	}
	s := &receivers{first: map[string]time.Time{}, left: fast, done: make(chan struct{})}
	p := delivery.New(reactor.Base{Executor: x, Source: log,
		Log: "log", Tables: store, Clock: clock.Real{}, Logger: slog.New(slog.DiscardHandler)},
		delivery.Config{Streams: log, Secrets: secrets{}, Sender: s})
	return &bench{x: x, s: s, start: func() func() {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- p.Run(ctx) }()
		return func() { cancel(); <-ended }
	}}
}

func (w *bench) owe(b *testing.B, companies []string, each int) map[string]time.Time {
	b.Helper()
	payload, at := json.RawMessage(fmt.Sprintf(`{"document_id":"x","fill":"%0400d"}`, 0)), map[string]time.Time{}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(64)
	for i := range each {
		for _, c := range companies {
			g.Go(func() error {
				id := fmt.Sprintf("%s-%d", c, i)
				mu.Lock()
				at[id] = time.Now()
				mu.Unlock()
				_, err := commands.Bind(w.x, commanddelivery.Decider).ExecuteNew(b.Context(), id, commanddelivery.Schedule{
					Delivery: id, Company: c, Webhook: 1, Code: "ISE", Payload: payload, Due: time.Now()},
					commands.Request{ID: uuid.New(), At: time.Now()})
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		b.Fatal(err)
	}
	return at
}

func names(kind string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%s%04d", kind, i))
	}
	return out
}

// How many deliveries a second go to receivers that answer at once, every attempt
// durable before the next step.
func BenchmarkDeliveries(b *testing.B) {
	companies := names("F", 200)
	each := max(1, b.N/len(companies))
	w := newBench(b, companies, each*len(companies))
	w.owe(b, companies, each)
	b.ResetTimer()
	defer w.start()()
	<-w.s.done
	b.StopTimer()
	b.ReportMetric(float64(each*len(companies))/b.Elapsed().Seconds(), "deliveries/s")
}

// How long the deliveries of 1,000 fast companies wait, alone and beside 1,000 whose
// receivers take 900 ms, at a pace that the log can keep up with.
func BenchmarkFairness(b *testing.B) {
	const rounds, each = 20, 25 // each: deliveries of either kind every quarter of a second
	for _, slow := range []int{0, 1000} {
		b.Run(fmt.Sprintf("slow=%d", slow), func(b *testing.B) {
			for b.Loop() {
				fast, slowOnes := names("F", 1000), names("S", slow)
				w := newBench(b, append(slices.Clone(fast), slowOnes...), rounds*each)
				stop := w.start()
				at := map[string]time.Time{}
				tick := time.NewTicker(time.Second / 4)
				for i := range rounds {
					<-tick.C
					from := i * each % len(fast)
					if slow > 0 {
						w.owe(b, slowOnes[from:from+each], 1)
					}
					for id, t := range w.owe(b, fast[from:from+each], 1) {
						at[id] = t
					}
				}
				tick.Stop()
				<-w.s.done
				stop()
				var waits []time.Duration
				for id, t := range at {
					waits = append(waits, w.s.first[id].Sub(t))
				}
				slices.Sort(waits)
				b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
				b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "p50-ms")
			}
		})
	}
}
