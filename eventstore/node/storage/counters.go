package storage

import "sync/atomic"

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
	Changes, Batches, Events, Syncs, CommitNanos atomic.Uint64
	Reads                                        atomic.Uint64 // calls, subscriptions included
	latency, batchSizes                          buckets
}

// LatencyHistogram is how long changes took to be answered, in seconds.
func (c *counters) LatencyHistogram() Histogram { return c.latency.histogram(&latencyBounds) }

// BatchSizeHistogram is how many changes transactions had.
func (c *counters) BatchSizeHistogram() Histogram { return c.batchSizes.histogram(&batchBounds) }
