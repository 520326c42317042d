package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
)

// journal is a node with a client of its own, in this process as in the service.
type journal struct {
	node *node.Node
	log  *eventstore.Log
}

func openJournal(ctx context.Context, dir string) (*journal, error) {
	n, err := node.Open(ctx, node.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	l, err := eventstore.Open(ctx, eventstore.Options{Address: n.Address()})
	if err != nil {
		return nil, errors.Join(err, n.Close(ctx))
	}
	return &journal{n, l}, nil
}

func (j *journal) close(ctx context.Context) error {
	return errors.Join(j.log.Close(), j.node.Close(context.WithoutCancel(ctx)))
}

// appends is a contestant: so many callers, each appending events of this kind to new
// streams and waiting until each is on disk.
func (j *journal) appends(callers int, like eventstore.Pending) func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (sample, error) {
		latencies, errs := make([][]time.Duration, callers), make([]error, callers)
		var wait sync.WaitGroup
		before, started := ownCPU(), time.Now()
		for i := range callers {
			wait.Go(func() {
				for time.Since(started) < d && errs[i] == nil {
					p, began := like, time.Now()
					p.ID = uuid.New()
					_, errs[i] = j.log.Append(ctx, "invoice-"+p.ID.String(), eventstore.NoStream, p)
					latencies[i] = append(latencies[i], time.Since(began))
				}
			})
		}
		wait.Wait()
		all := slices.Sorted(slices.Values(slices.Concat(latencies...)))
		return sample{ops: len(all), wall: time.Since(started), cpu: ownCPU() - before, median: all[len(all)/2]},
			errors.Join(errs...)
	}
}

// syncs is the floor of every durable write: one block, then one sync of the data.
func syncs(dir string, size int) func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (s sample, err error) {
		f, err := os.Create(filepath.Join(dir, "syncs"))
		if err != nil {
			return s, err
		}
		defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
		block := bytes.Repeat([]byte{7}, size)
		before, started := ownCPU(), time.Now()
		for ; time.Since(started) < d && ctx.Err() == nil; s.ops++ {
			if _, err := f.Write(block); err != nil {
				return s, err
			}
			if err := datasync(f); err != nil {
				return s, err
			}
		}
		s.wall, s.cpu = time.Since(started), ownCPU()-before
		s.median = s.wall / time.Duration(max(s.ops, 1))
		return s, ctx.Err()
	}
}

// delays appends one event at a time and measures from its start to its arrival.
func (j *journal) delays(ctx context.Context,
	like eventstore.Pending) func(context.Context, time.Duration) (sample, error) {
	heard, stream, next := make(chan uint64, 64), "live-"+uuid.NewString(), eventstore.NoStream
	go func() {
		// It ends with ctx; a wait for what it did not deliver ends with ctx too.
		_ = j.log.Follow(ctx, events.Position{}, eventstore.Filter{Streams: []string{stream}}, eventstore.FollowOptions{},
			func(ctx context.Context, b eventstore.Batch) error {
				for _, r := range b.Events {
					select {
					case heard <- r.Revision:
					case <-ctx.Done():
					}
				}
				return nil
			})
	}()
	return func(ctx context.Context, d time.Duration) (sample, error) {
		var took []time.Duration
		before, started := ownCPU(), time.Now()
		for time.Since(started) < d {
			p, began := like, time.Now()
			p.ID = uuid.New()
			if _, err := j.log.Append(ctx, stream, next, p); err != nil {
				return sample{}, err
			}
			next++
			select {
			case r := <-heard:
				if r != uint64(next) {
					return sample{}, fmt.Errorf("event %d arrived instead of %d", r, next)
				}
			case <-ctx.Done():
				return sample{}, ctx.Err()
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		return sample{ops: len(took), wall: time.Since(started), cpu: ownCPU() - before, median: took[len(took)/2]}, nil
	}
}
