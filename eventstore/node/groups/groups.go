// Package groups runs the persistent subscriptions of a node: it stores their definitions,
// checkpoints and parked messages in the log, and reads their sources for package group, which
// decides what each subscriber gets.
package groups

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sort"
	"sync"

	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"google.golang.org/grpc/codes"
)

// Groups are the persistent subscriptions of a node. Changes are made one at a time, and stored before
// they count.
type Groups struct {
	host
	mu   sync.RWMutex
	live map[groupKey]*Group
	work sync.WaitGroup
}

// host is what groups have of the node that they run in.
type host struct {
	store   *storage.Store
	log     *slog.Logger
	closing <-chan struct{} // closed when the node closes
}

// New are the groups of a node: load starts those that are stored.
func New(store *storage.Store, log *slog.Logger, closing <-chan struct{}) *Groups {
	return &Groups{host: host{store, log, closing}, live: map[groupKey]*Group{}}
}

// Wait returns when every group has ended, after the node began to close.
func (s *Groups) Wait() { s.work.Wait() }

type groupKey struct{ stream, name string }

// Load starts every stored persistent subscription.
func (s *Groups) Load(ctx context.Context) error {
	configs, err := LoadGroups(ctx, s.store)
	if err != nil {
		return err
	}
	for _, c := range configs {
		if err := s.start(ctx, c); err != nil {
			return fmt.Errorf("start persistent subscription %s::%s: %w", c.Stream, c.Group, err)
		}
	}
	return nil
}

func (s *Groups) start(ctx context.Context, c Config) error {
	g, err := s.open(ctx, c)
	if err != nil {
		return err
	}
	s.live[groupKey{c.Stream, c.Group}] = g
	s.work.Go(g.run)
	return nil
}

// stop ends a group; its consumers are dropped.
func (s *Groups) stop(key groupKey) {
	g := s.live[key]
	delete(s.live, key)
	close(g.Gone)
	<-g.ended
}

func (s *Groups) Find(stream, name string) (*Group, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if g := s.live[groupKey{stream, name}]; g != nil {
		return g, nil
	}
	return nil, groupMissing(stream, name)
}

// configs are all definitions, in the order of their names, with one left out and one put in.
func (s *Groups) configs(without *groupKey, with *Config) (out []Config) {
	for key, g := range s.live {
		if without == nil || key != *without {
			out = append(out, g.Config)
		}
	}
	if with != nil {
		out = append(out, *with)
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Stream < out[j].Stream || out[i].Stream == out[j].Stream && out[i].Group < out[j].Group
	})
	return out
}

// Create stores a group and starts it.
func (s *Groups) Create(ctx context.Context, c Config) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live[groupKey{c.Stream, c.Group}] != nil {
		return groupExists(c.Stream, c.Group)
	}
	if len(s.live) >= maxGroups {
		return &protocol.Refusal{Code: codes.ResourceExhausted, Message: fmt.Sprintf(
			"The node has %d persistent subscriptions already: delete one first.", maxGroups)}
	}
	// A crash may have left them behind by a group of the same name that was being deleted.
	if err := s.forget(ctx, &c); err != nil {
		return err
	}
	if err := s.fixEnd(ctx, &c); err != nil {
		return err
	}
	if err := saveGroups(ctx, s.store, s.configs(nil, &c)); err != nil {
		return err
	}
	return s.start(ctx, c)
}

// fixEnd stores the present end as the place of a group that begins at the end: what is appended from now on,
// while nobody listens, is for it.
func (s *Groups) fixEnd(ctx context.Context, c *Config) error {
	if _, end, _ := c.start(); !end {
		return nil
	}
	at, some, err := s.End(ctx, c.Stream)
	if err != nil || !some {
		return err
	}
	return (&Group{host: s.host, Config: *c}).storeCheckpoint(ctx, at)
}

// End is the place of the last event of a source.
func (s *Groups) End(ctx context.Context, source string) (uint64, bool, error) {
	if source == WholeLog {
		last := s.store.Last.Load()
		return last, last > 0, nil
	}
	e, err := s.store.StreamEnd(ctx, source)
	if errors.Is(err, storage.ErrStreamDeleted) || e.Last < 0 {
		return 0, false, nil
	}
	return uint64(e.Last), true, err
}

// Update drops the group's consumers and goes on with the new settings: from its checkpoint, or from the new
// start when it has none.
func (s *Groups) Update(ctx context.Context, c Config) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := groupKey{c.Stream, c.Group}
	old := s.live[key]
	if old == nil {
		return groupMissing(c.Stream, c.Group)
	}
	c.Filter = old.Config.Filter
	if err := saveGroups(ctx, s.store, s.configs(&key, &c)); err != nil {
		return err
	}
	s.stop(key)
	old.finish(ctx)
	if _, some, err := old.loadCheckpoint(ctx); err != nil {
		return err
	} else if !some {
		if err := s.fixEnd(ctx, &c); err != nil {
			return err
		}
	}
	return s.start(ctx, c)
}

// Remove forgets a group with its checkpoint and its parked messages.
func (s *Groups) Remove(ctx context.Context, stream, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := groupKey{stream, name}
	g := s.live[key]
	if g == nil {
		return groupMissing(stream, name)
	}
	if err := saveGroups(ctx, s.store, s.configs(&key, nil)); err != nil {
		return err
	}
	s.stop(key)
	return s.forget(ctx, &g.Config)
}

// forget hides the checkpoint and the parked messages of a group.
func (s *Groups) forget(ctx context.Context, c *Config) error {
	for _, own := range []string{c.checkpointStream(), c.parkedStream()} {
		end, err := s.store.StreamEnd(ctx, own)
		if errors.Is(err, storage.ErrStreamDeleted) || err == nil && end.Missing() {
			continue
		}
		if err == nil {
			err = s.store.Submit(ctx, &storage.Change{Kind: storage.SoftDelete, Stream: own,
				Expected: storage.ExpectAny}).Err
		}
		if err != nil {
			return fmt.Errorf("forget how far a persistent subscription was: %w", err)
		}
	}
	return nil
}

// Restart drops every consumer and reads everything anew.
func (s *Groups) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, g := range s.live {
		s.stop(key)
		g.finish(ctx)
	}
	return s.Load(ctx)
}

// List answers the groups of one source, or all when source is empty.
func (s *Groups) List(source string) (out []*Group) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, c := range s.configs(nil, nil) {
		if source == "" || c.Stream == source {
			out = append(out, s.live[groupKey{c.Stream, c.Group}])
		}
	}
	return out
}

func (s *Groups) Count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.live)
}
