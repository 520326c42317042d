package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"folio/clock"
	"folio/commands"
	scheduled "folio/commands/delivery"
	"folio/events"
	"folio/eventstore"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/processors/reactor"
	"folio/tables"
	"folio/tables/sqlite"
)

const (
	fastCompanies = 1000
	slowCompanies = 1000
	slowReceiver  = 900 * time.Millisecond
)

// hooks is the delivery processor with its log, its tables and real receivers on the
// loopback interface, all in this process.
type hooks struct {
	*journal
	tables    tables.Store
	executor  *commands.Executor
	client    *outbound.Client
	receivers []*http.Server
	url       map[byte]string // of the fast (F) and the slow (S) receiver, and of more fast ones (T)
	processor *delivery.Processor

	mu       sync.Mutex
	arrived  map[string]time.Time // at the fast receiver, by webhook-id: when it was called first
	recorded chan struct{}        // an attempt is in the log
}

// openSecrets are kept under themselves.
type openSecrets struct{}

// Open implements reactor.Secrets.
func (openSecrets) Open(_ context.Context, ref string) ([]byte, error) { return []byte(ref), nil }

func openHooks(ctx context.Context, dir string) (h *hooks, err error) {
	h = &hooks{url: map[byte]string{}, arrived: map[string]time.Time{}, recorded: make(chan struct{}, 1<<16)}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close(ctx))
		}
	}()
	if h.journal, err = openJournal(ctx, filepath.Join(dir, "deliveries")); err != nil {
		return h, err
	}
	if h.tables, err = sqlite.Open(ctx, filepath.Join(dir, "deliveries.db")); err != nil {
		return h, err
	}
	for kind, takes := range map[byte]time.Duration{'F': 0, 'S': slowReceiver, 'T': 0} {
		if err := h.receive(kind, takes); err != nil {
			return h, err
		}
	}
	h.client = outbound.New(outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	h.executor = commands.NewExecutor(h.log, time.Now)
	h.executor.Connected(true) // as the service is, whose executor follows the log
	h.processor = delivery.New(reactor.Base{
		Executor: h.executor, Source: h.log,
		Log: "bench", Tables: h.tables, Clock: clock.Real{}, Logger: slog.New(slog.DiscardHandler),
	}, delivery.Config{Streams: h.log, Secrets: openSecrets{}, Sender: h.client})
	var g errgroup.Group
	g.SetLimit(mostClients)
	for _, c := range slices.Concat(companies('F', fastCompanies), companies('S', slowCompanies),
		companies('T', slowCompanies)) {
		g.Go(func() error { return h.subscribe(ctx, c) })
	}
	return h, g.Wait()
}

func companies(kind byte, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%c%04d", kind, i)
	}
	return out
}

// receive starts a receiver that answers 200 after a while.
func (h *hooks) receive(kind byte, takes time.Duration) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		now, id := time.Now(), r.Header.Get("webhook-id")
		h.mu.Lock()
		if _, again := h.arrived[id]; !again && kind == 'F' {
			h.arrived[id] = now
		}
		h.mu.Unlock()
		_ = rest(r.Context(), takes) // a caller that left needs no answer
	})}
	h.receivers, h.url[kind] = append(h.receivers, s), "http://"+l.Addr().String()+"/"
	go func() { _ = s.Serve(l) }() // until close
	return nil
}

func (h *hooks) subscribe(ctx context.Context, company string) error {
	name, schema, data, err := events.Encode(events.WebhookSubscribed{Company: company, Webhook: 1,
		URL:    h.url[company[0]] + company,
		Events: []string{"ISE"}, Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
	if err != nil {
		return err
	}
	_, err = h.log.Append(ctx, "webhook-"+company, eventstore.NoStream,
		eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema, At: time.Now()}})
	return err
}

func (h *hooks) close(ctx context.Context) (err error) {
	for _, s := range h.receivers {
		err = errors.Join(err, s.Close())
	}
	if h.client != nil {
		h.client.Close()
	}
	if h.tables != nil {
		err = errors.Join(err, h.tables.Close())
	}
	if h.journal != nil {
		err = errors.Join(err, h.journal.close(ctx))
	}
	return err
}

// start runs the processor, and counts what it records from now on, until stop.
func (h *hooks) start(ctx context.Context) (stop func() error, err error) {
	end, err := h.log.End(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var g errgroup.Group
	g.Go(func() error { return h.processor.Run(ctx) })
	g.Go(func() error {
		attempts := eventstore.Filter{Types: []string{events.Name[events.DeliveryAttempted]()}}
		return h.log.Follow(ctx, end, attempts, eventstore.FollowOptions{},
			func(_ context.Context, b eventstore.Batch) error {
				for range b.Events {
					h.recorded <- struct{}{}
				}
				return nil
			})
	})
	return func() error {
		cancel()
		if err := g.Wait(); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}, nil
}

// heard waits until n more attempts are in the log.
func (h *hooks) heard(ctx context.Context, n int) error {
	for range n {
		select {
		case <-h.recorded:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// owed is a delivery that is scheduled, and when that was durable.
type owed struct {
	id string
	at time.Time
}

// owe schedules a delivery of about 600 bytes to a company.
func (h *hooks) owe(ctx context.Context, company string) (owed, error) {
	id := uuid.New()
	payload := json.RawMessage(`{"document_id":"01KJQ8M7Z0V5T3C2R1P0N9M8L7","event":"ISE","fill":"` +
		strings.Repeat("0", 400) + `"}`)
	_, err := commands.Bind(h.executor, scheduled.Decider).ExecuteNew(ctx, id.String(),
		scheduled.Schedule{Delivery: id.String(),
			Company: company, Webhook: 1, Code: "ISE", Payload: payload, Due: time.Now()},
		commands.Request{ID: id, At: time.Now()})
	return owed{id.String(), time.Now()}, err
}

// oweAll schedules a delivery to each company.
func (h *hooks) oweAll(ctx context.Context, companies []string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(mostClients)
	for _, company := range companies {
		g.Go(func() error {
			_, err := h.owe(ctx, company)
			return err
		})
	}
	return g.Wait()
}
