package node

import (
	"sync/atomic"
	"time"
)

// Stats say what a node has done since it was opened.
type Stats struct {
	Appends       uint64        // changes answered, refused ones included
	Events        uint64        // events written
	Batches       uint64        // transactions; Appends/Batches is how well commits are shared
	Fsyncs        uint64        // commits that reached the disk
	CommitTime    time.Duration // spent in commits
	Latency       Histogram     // seconds from a change's arrival to its answer
	BatchSizes    Histogram     // changes of one transaction
	LastPosition  uint64        // of the newest event
	Subscriptions int           // live now, subscribers of groups included
	Groups        int           // persistent subscriptions
	Lag           time.Duration // how long the slowest live subscription has not taken an event that waits for it
}

// Histogram counts values: Counts[i] is how many were at most Bounds[i] and above the bound before; the last
// count is of those above every bound.
type Histogram struct {
	Bounds []float64
	Counts []uint64
	Sum    float64
}

var (
	latencyBounds = [...]float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5}
	batchBounds   = [...]float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
)

// buckets is a Histogram that is being counted; sum is in millionths.
type buckets struct {
	counts [len(latencyBounds) + 1]atomic.Uint64
	sum    atomic.Uint64
}

func (b *buckets) add(bounds *[len(latencyBounds)]float64, value float64) {
	i := 0
	for i < len(bounds) && value > bounds[i] {
		i++
	}
	b.counts[i].Add(1)
	b.sum.Add(uint64(value * 1e6))
}

func (b *buckets) histogram(bounds *[len(latencyBounds)]float64) Histogram {
	h := Histogram{Bounds: bounds[:], Counts: make([]uint64, len(b.counts)), Sum: float64(b.sum.Load()) / 1e6}
	for i := range b.counts {
		h.Counts[i] = b.counts[i].Load()
	}
	return h
}

// counters are read by Stats while the writer counts.
type counters struct {
	changes, batches, events, syncs, commitNanos atomic.Uint64
	latency, batchSizes                          buckets
}

// Stats answers what the node has done. It costs nothing worth saving.
func (n *Node) Stats() Stats {
	c := &n.store.stats
	return Stats{Appends: c.changes.Load(), Events: c.events.Load(), Batches: c.batches.Load(), Fsyncs: c.syncs.Load(),
		CommitTime: time.Duration(c.commitNanos.Load()), Latency: c.latency.histogram(&latencyBounds),
		BatchSizes:   c.batchSizes.histogram(&batchBounds),
		LastPosition: n.store.last.Load(), Subscriptions: int(n.subscriptions.Load()), Groups: n.groups.count(),
		Lag: n.store.hub.lag(time.Now())}
}
