//go:build long

package node

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// A node is killed again and again while a group's consumer acknowledges, refuses and
// parks what it gets and somebody appends. In the end the consumer has had every event
// that was acknowledged to its writer: a checkpoint that runs ahead of the consumer, or a
// parked event that is lost, would leave one out.
func TestAKilledNodeLosesNothingOfAGroup(t *testing.T) {
	const rounds = 30
	dir, rng := t.TempDir(), rand.New(rand.NewPCG(11, rounds))
	g := &consumed{acked: map[uint64]int{}}
	for round := range rounds {
		c := spawn(t, dir)
		address := c.address(t)
		client := connect(t, address)
		if round == 0 {
			createGroup(t, client, "s", esdb.Start{},
				quick(func(s *esdb.PersistentSubscriptionSettings) { s.MaxRetryCount = 50 }))
		}
		sub := subscribeGroup(t, client, "s", 32)
		ctx, cancel := context.WithCancel(t.Context())
		var both sync.WaitGroup
		both.Go(func() { g.append(ctx, bareAt(t, address)) })
		both.Go(func() { g.consume(sub, rand.New(rand.NewPCG(13, uint64(round)))) })
		time.Sleep(time.Duration(50+rng.IntN(250)) * time.Millisecond)
		c.kill(t)
		cancel()
		_ = sub.Close()
		both.Wait()
	}
	c := spawn(t, dir)
	client := connect(t, c.address(t))
	if err := client.ReplayParkedMessages(t.Context(), "s", "g", esdb.ReplayParkedMessagesOptions{}); err != nil {
		t.Fatal(err)
	}
	sub := subscribeGroup(t, client, "s", 32)
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.consume(sub, nil)
	}()
	eventually(t, "every event heard", func() bool { return g.missing() == "" })
	_ = sub.Close()
	<-done
	if g.parked == 0 || g.written < 100 {
		t.Fatalf("%d events, %d parked: the test proves nothing", g.written, g.parked)
	}
	t.Logf("%d events in %d lives, %d parked, %d heard more than once", g.written, rounds, g.parked, g.again())
}

// consumed is what the writer and the consumer know.
type consumed struct {
	mu      sync.Mutex
	written int // revisions from 0 on, acknowledged to the writer
	acked   map[uint64]int
	parked  int
}

// append adds one event at a time to the stream until the node is gone. An append whose
// answer was lost is sent again by the next life and recognised by its id.
func (g *consumed) append(ctx context.Context, c streams.StreamsClient) {
	for ctx.Err() == nil {
		g.mu.Lock()
		n := g.written
		g.mu.Unlock()
		resp, err := appendBare(ctx, c, "s", n-1, events("E", "s", n, n+1))
		if err != nil || resp.GetSuccess() == nil {
			return
		}
		g.mu.Lock()
		g.written = n + 1
		g.mu.Unlock()
	}
}

// consume acknowledges most of what it gets; with chance it refuses some and parks some.
func (g *consumed) consume(sub *esdb.PersistentSubscription, chance *rand.Rand) {
	for {
		m := sub.Recv()
		if m.EventAppeared == nil {
			return
		}
		e := m.EventAppeared.Event
		roll := 99
		if chance != nil {
			roll = chance.IntN(100)
		}
		switch {
		case roll < 5:
			if sub.Nack("later", esdb.NackActionRetry, e) != nil {
				return
			}
		case roll < 10:
			if sub.Nack("not now", esdb.NackActionPark, e) != nil {
				return
			}
			g.mu.Lock()
			g.parked++
			g.mu.Unlock()
		default:
			if sub.Ack(e) != nil {
				return
			}
			g.mu.Lock()
			g.acked[originalNumber(e)]++
			g.mu.Unlock()
		}
	}
}

// originalNumber is the event's place in the stream, also for one that was parked.
func originalNumber(e *esdb.ResolvedEvent) uint64 {
	if e.Event != nil {
		return e.Event.EventNumber
	}
	return e.OriginalEvent().EventNumber
}

func (g *consumed) missing() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for n := range g.written {
		if g.acked[uint64(n)] == 0 {
			return fmt.Sprintf("event %d of %d", n, g.written)
		}
	}
	return ""
}

func (g *consumed) again() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, times := range g.acked {
		if times > 1 {
			n++
		}
	}
	return n
}
