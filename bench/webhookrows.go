package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"folio/events"
	"folio/eventstore"
)

const (
	deliveryRate = 1500
	deliveryFair = 1.3
	hooksMemory  = 600e6
	garbage      = 300 // as the program sets it for itself
)

// measureWebhooks is the delivery processor over its own log, with receivers on the
// loopback interface in this process.
func measureWebhooks(ctx context.Context, b *bench) (err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	h, err := openHooks(ctx, b.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close(ctx)) }()
	peak, stop := watchMemory(os.Getpid())
	defer stop()
	like, err := attemptEvent()
	if err != nil {
		return err
	}
	got, err := b.race(ctx, contestant{"appends", h.appends(mostClients, like)}, contestant{"deliveries", h.deliveries(b)})
	if err != nil {
		return err
	}
	rate := over(got["deliveries"], sample.rate).mid
	b.table.add(row{what: "deliveries, every attempt durable", value: perSecond(rate),
		cpu:    micro(over(got["deliveries"], sample.cost).mid),
		beside: fmt.Sprintf("%d appenders %s", mostClients, perSecond(over(got["appends"], sample.rate).mid)),
		ratio:  ratio(got["deliveries"], got["appends"], sample.rate), aim: atLeast(rate, deliveryRate, ">= 1,500/s"),
		why: fmt.Sprintf("To %d receivers that answer at once over real HTTP, from a cold start of the processor until "+
			"the last attempt is on disk; the receivers share the cores.", fastCompanies)})
	if err := b.fairness(ctx, h); err != nil {
		return err
	}
	m := peak()
	b.table.add(row{what: "memory under all of it", value: megabytes(m.resident),
		beside: "of it not file pages " + megabytes(m.anonymous),
		aim:    atMost(float64(m.anonymous), hooksMemory, "< 600 MB"),
		why: "Highest RSS of the whole program: log, tables, processor and receivers of 3,000 companies, while four " +
			"thousand deliveries are under way at once."})
	return nil
}

// attemptEvent is a recorded attempt, for the ceiling.
func attemptEvent() (p eventstore.Pending, err error) {
	at := time.Now()
	name, schema, data, err := events.Encode(events.DeliveryAttempted{Company: "F0001",
		Document: "01KJQ8M7Z0V5T3C2R1P0N9M8L7",
		Series:   1, Attempt: 1, URL: "http://127.0.0.1:40000/F0001", Started: at, Milliseconds: 12, Status: 200,
		Outcome: "delivered", Delivered: true})
	if err != nil {
		return p, err
	}
	return eventstore.Pending{Type: name, Data: json.RawMessage(data), Meta: events.Meta{Schema: schema, At: at}}, nil
}

// deliveries is a contestant: it works off what is owed to the fast companies. How much
// that is does not depend on the time it is given.
func (h *hooks) deliveries(b *bench) func(context.Context, time.Duration) (sample, error) {
	each := 4
	if b.quick {
		each = 1
	}
	return func(ctx context.Context, _ time.Duration) (sample, error) {
		for range each {
			if err := h.oweAll(ctx, companies('F', fastCompanies)); err != nil {
				return sample{}, err
			}
		}
		before, started := ownCPU(), time.Now()
		stop, err := h.start(ctx)
		if err != nil {
			return sample{}, err
		}
		err = h.heard(ctx, each*fastCompanies)
		s := sample{ops: each * fastCompanies, wall: time.Since(started), cpu: ownCPU() - before}
		return s, errors.Join(err, stop())
	}
}

// pacedRate is how many deliveries of either kind come in a second.
const pacedRate = 100

// fairness measures how long the fast companies' deliveries wait, in turns alone, beside
// a thousand whose receivers take 900 ms, and beside a thousand more that are fast.
func (b *bench) fairness(ctx context.Context, h *hooks) (err error) {
	stop, err := h.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	kinds := []byte{0, 'S', 'T'} // who is there besides
	var rounds []map[byte][]float64
	for round := range min(b.rounds, 5) + 1 {
		got := map[byte][]float64{}
		for n := range kinds {
			kind := kinds[(round+n)%len(kinds)]
			if got[kind], err = b.waits(ctx, h, kind, round); err != nil {
				return err
			}
		}
		if round > 0 { // the first warms
			rounds = append(rounds, got)
		}
	}
	alone, slow, more := beside(rounds, 0), beside(rounds, 'S'), beside(rounds, 'T')
	without := "without them " + micro(alone.p99)
	b.table.add(row{what: "p99 of fast beside slow ones", value: micro(slow.p99), beside: without,
		ratio: slow.ratio, aim: atMost(slow.ratio.mid, deliveryFair, "<= 1.3x"),
		why: fmt.Sprintf("From the durable fact to the call, over all rounds. %d/s at random moments to %d fast "+
			"companies, and as many to %d whose receivers take %s.",
			pacedRate, fastCompanies, slowCompanies, slowReceiver)})
	b.table.add(row{what: "p99 of fast beside more fast ones", value: micro(more.p99), beside: without, ratio: more.ratio,
		why: "The control: as many deliveries more, to receivers that answer at once. What the row above has beyond it is " +
			"due to slowness, the rest to a machine that is short of time."})
	return nil
}

// neighbours is how long the fast ones waited beside others.
type neighbours struct {
	p99   float64 // of all rounds together, in microseconds
	ratio spread  // to what it was alone: of all rounds together, and the quartiles of single ones
}

func beside(rounds []map[byte][]float64, kind byte) neighbours {
	var all, alone, ratios []float64
	for _, r := range rounds {
		all, alone = append(all, r[kind]...), append(alone, r[0]...)
		ratios = append(ratios, percentile99(r[kind])/percentile99(r[0]))
	}
	c := neighbours{percentile99(all), spreadOf(ratios)}
	c.ratio.mid = c.p99 / percentile99(alone)
	return c
}

// percentile99 sorts them.
func percentile99(waits []float64) float64 {
	slices.Sort(waits)
	return waits[len(waits)*99/100]
}

// arrival is a delivery that becomes due, so long after the start.
type arrival struct {
	company string
	after   time.Duration
}

// arrivals spreads one delivery of each company over the time that the rate wants, at
// random: real ones keep no time with each other, and a receiver's answers must not
// come in step with what becomes due.
func arrivals(companies []string, seed uint64) []arrival {
	random := rand.New(rand.NewPCG(seed, 99))
	span := time.Duration(len(companies)) * time.Second / pacedRate
	out := make([]arrival, len(companies))
	for i, company := range companies {
		out[i] = arrival{company, time.Duration(random.Int64N(int64(span)))}
	}
	return out
}

// waits is how long each of the fast ones waits, in microseconds, with companies of
// another kind besides, 0 for none.
func (b *bench) waits(ctx context.Context, h *hooks, besides byte, round int) ([]float64, error) {
	n := fastCompanies // every company once
	if b.quick {
		n /= 2
	}
	due := arrivals(companies('F', n), uint64(2*round))
	if besides != 0 {
		due = append(due, arrivals(companies(besides, n), uint64(2*round+1))...)
	}
	runtime.GC() // each begins alike
	known, g, started := make([]owed, len(due)), errgroup.Group{}, time.Now()
	for i, a := range due {
		g.Go(func() (err error) {
			if err = rest(ctx, time.Until(started.Add(a.after))); err == nil {
				known[i], err = h.owe(ctx, a.company)
			}
			return err
		})
	}
	if err := errors.Join(g.Wait(), h.heard(ctx, len(due))); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	defer clear(h.arrived)
	var waits []float64
	for _, o := range known {
		if arrived, ours := h.arrived[o.id]; ours {
			waits = append(waits, float64(arrived.Sub(o.at).Microseconds()))
		}
	}
	return waits, nil
}
