package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
)

// sample is one slice of one contestant.
type sample struct {
	ops       int
	wall, cpu time.Duration // cpu is that of the processes under test, not of the load
	median    time.Duration // of the latencies, where they were taken
	p99, p999 time.Duration // of them, too
}

// rate is operations per second of wall time.
func (s sample) rate() float64 { return float64(s.ops) / s.wall.Seconds() }

// cost is microseconds of processor time per operation.
func (s sample) cost() float64 { return float64(s.cpu.Microseconds()) / float64(max(s.ops, 1)) }

func (s sample) latency() float64 { return float64(s.median.Microseconds()) }

// contestant works for a while and says what it did.
type contestant struct {
	name string
	run  func(ctx context.Context, d time.Duration) (sample, error)
}

// race warms every contestant and then gives each one slice a round, in an order
// drawn for each round, so that what disturbs the machine disturbs all of them.
func (b *bench) race(ctx context.Context, contestants ...contestant) (map[string][]sample, error) {
	order, out := rand.New(rand.NewPCG(1, 2)), map[string][]sample{}
	for _, c := range contestants {
		if _, err := c.run(ctx, b.slice/4); err != nil {
			return nil, fmt.Errorf("warm %s: %w", c.name, err)
		}
	}
	for range b.rounds {
		order.Shuffle(len(contestants), func(i, j int) {
			contestants[i], contestants[j] = contestants[j], contestants[i]
		})
		for _, c := range contestants {
			runtime.GC()
			s, err := c.run(ctx, b.slice)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			out[c.name] = append(out[c.name], s)
		}
	}
	return out, nil
}

// spread is a median with its quartiles.
type spread struct{ low, mid, high float64 }

func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	v := slices.Sorted(slices.Values(values))
	at := func(part float64) float64 {
		x := part * float64(len(v)-1)
		i := int(x)
		if i+1 == len(v) {
			return v[i]
		}
		return v[i] + (x-float64(i))*(v[i+1]-v[i])
	}
	return spread{at(0.25), at(0.5), at(0.75)}
}

// over is the spread of one figure.
func over(ss []sample, figure func(sample) float64) spread {
	values := make([]float64, len(ss))
	for i, s := range ss {
		values[i] = figure(s)
	}
	return spreadOf(values)
}

// ratio is the spread of a / b, each pair from one round.
func ratio(a, b []sample, figure func(sample) float64) spread {
	values := make([]float64, 0, len(a))
	for i := range min(len(a), len(b)) {
		if below := figure(b[i]); below > 0 {
			values = append(values, figure(a[i])/below)
		}
	}
	return spreadOf(values)
}
