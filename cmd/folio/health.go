package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"folio/events"
	"folio/eventstore"
)

const (
	// callBudget is how long one request may wait for the log and its read model in all.
	callBudget = 10 * time.Second
	// examineEvery is how often the stores beside the log are looked at, and examineWithin how
	// long they may take to answer.
	examineEvery  = 2 * time.Second
	examineWithin = 3 * time.Second
	// leastDisk is the free space below which the data folder counts as full: nothing must be
	// accepted that may not be finished.
	leastDisk = 64 << 20
)

// wellbeing is what readyz knows of the stores beside the log.
type wellbeing struct {
	mu     sync.Mutex
	faults map[string]error // by part: "tables", "vault", "disk"
}

// note keeps what is wrong with a part, nil when nothing is; it says whether that changed.
func (w *wellbeing) note(part string, err error) (changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.faults == nil {
		w.faults = map[string]error{}
	}
	changed = (w.faults[part] == nil) != (err == nil)
	w.faults[part] = err
	return changed
}

func (w *wellbeing) fault(part string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.faults[part]
}

// examine looks at the stores until ctx ends. One line tells each change.
func (s *service) examine(ctx context.Context) error {
	tick := time.NewTicker(examineEvery)
	defer tick.Stop()
	parts := map[string]func(context.Context) error{"tables": s.askTables, "vault": s.vault.Probe, "disk": s.askDisk}
	for {
		for part, ask := range parts {
			within, cancel := context.WithTimeout(ctx, examineWithin)
			err := ask(within)
			cancel()
			if ctx.Err() != nil {
				return nil
			}
			if !s.well.note(part, err) {
				continue
			}
			if err != nil {
				s.logger.Warn("a store is away", "store", part, "error", err)
			} else {
				s.logger.Info("a store is back", "store", part)
				s.wakeAll()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// nothing is a name that no feed has. Forgetting it changes nothing, and takes what every write takes: SQLite's lock,
// the majority of MongoDB.
const nothing = "readyz"

// askTables tries to read and to write.
func (s *service) askTables(ctx context.Context) error {
	if _, err := s.tables.Checkpoints(ctx); err != nil {
		return err
	}
	return s.tables.ResetCheckpoint(ctx, nothing)
}

func (s *service) askDisk(context.Context) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(s.flags.Data, &disk); err != nil {
		return fmt.Errorf("look at the disk of %s: %w", s.flags.Data, err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < leastDisk {
		return fmt.Errorf("%d MiB are free on the disk of %s, at least %d are needed: make room", free>>20, s.flags.Data,
			leastDisk>>20)
	}
	return nil
}

// expectTables makes sure that the log has all that the read models and worklists were made
// from: an older copy of it would number and submit again what is done.
func (s *stores) expectTables(ctx context.Context) error {
	at, err := s.saved(ctx)
	if err != nil {
		return err
	}
	err = s.log.Expect(ctx, s.id, at)
	if errors.Is(err, eventstore.ErrReplaced) {
		return fmt.Errorf("the read models hold more than the event log: give Folio the newer log; if the older one is to "+
			"go on, "+
			"run `folio projections rebuild --all` first, and see docs/operating.md about numbers that were given out: %w", err)
	}
	return err
}

// saved is the highest position that any feed has saved for this log.
func (s *stores) saved(ctx context.Context) (at events.Position, err error) {
	known, err := s.tables.Checkpoints(ctx)
	if err != nil {
		return at, fmt.Errorf("read how far the read models came: %w", err)
	}
	for _, c := range known {
		if c.Store == s.id && at.Before(c.At) {
			at = c.At
		}
	}
	return at, nil
}

// wakeAll has feeds, series and deliveries that wait try now: what they waited for is back.
func (s *service) wakeAll() {
	s.runner.Wake()
	for _, p := range s.processors {
		p.WakeAll()
	}
}

// whenBack wakes who waits for the log each time that it is back, until ctx ends.
func (s *service) whenBack(ctx context.Context) error {
	for well := true; ; {
		changed := s.log.HealthChanged()
		now := s.log.Health().Appends()
		if now && !well {
			s.wakeAll()
		}
		well = now
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}
