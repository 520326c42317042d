package main

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// paced sends rate requests a second, whatever becomes of them, as callers who know nothing of each other do. The
// latency of each counts from the moment at which it should have been sent: one slow answer makes all that wait behind
// it late, and a closed loop would not see that.
func (w wire) paced(rate float64) func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (sample, error) {
		conns, err := w.dial(ctx)
		defer func() {
			for _, c := range conns {
				c.Close()
			}
		}()
		if err != nil {
			return sample{}, err
		}
		latencies, errs := make([][]time.Duration, w.clients), make([]error, w.clients)
		var next atomic.Int64
		var all sync.WaitGroup
		started, count := time.Now(), int64(rate*d.Seconds())
		for i, c := range conns {
			all.Go(func() {
				r := bufio.NewReaderSize(c, 64<<10)
				for n := next.Add(1) - 1; n < count && ctx.Err() == nil; n = next.Add(1) - 1 {
					intended := started.Add(time.Duration(float64(n) / rate * float64(time.Second)))
					time.Sleep(time.Until(intended))
					if _, errs[i] = c.Write(w.request(i, int(n))); errs[i] == nil {
						errs[i] = w.answer(r)
					}
					if errs[i] != nil {
						return
					}
					latencies[i] = append(latencies[i], time.Since(intended))
				}
			})
		}
		all.Wait()
		s := sample{wall: time.Since(started)}
		s.judge(slices.Concat(latencies...))
		return s, errors.Join(append(errs, ctx.Err())...)
	}
}
