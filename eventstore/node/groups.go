package node

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"

	"google.golang.org/grpc/codes"
)

// groups are the persistent subscriptions of a node. Changes are made one at a time, and stored before
// they count.
type groups struct {
	node *Node
	mu   sync.RWMutex
	live map[groupKey]*liveGroup
	work sync.WaitGroup
}

type groupKey struct{ stream, name string }

// load starts every stored persistent subscription.
func (s *groups) load(ctx context.Context) error {
	configs, err := s.node.store.loadGroups(ctx)
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

func (s *groups) start(ctx context.Context, c groupConfig) error {
	g, err := s.node.openGroup(ctx, c)
	if err != nil {
		return err
	}
	s.live[groupKey{c.Stream, c.Group}] = g
	s.work.Go(g.run)
	return nil
}

// stop ends a group; its consumers are dropped.
func (s *groups) stop(key groupKey) {
	g := s.live[key]
	delete(s.live, key)
	close(g.gone)
	<-g.ended
}

func (s *groups) find(stream, name string) (*liveGroup, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if g := s.live[groupKey{stream, name}]; g != nil {
		return g, nil
	}
	return nil, groupMissing(stream, name)
}

// configs are all definitions, in the order of their names, with one left out and one put in.
func (s *groups) configs(without *groupKey, with *groupConfig) (out []groupConfig) {
	for key, g := range s.live {
		if without == nil || key != *without {
			out = append(out, g.config)
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

// create stores a group and starts it.
func (s *groups) create(ctx context.Context, c groupConfig) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live[groupKey{c.Stream, c.Group}] != nil {
		return groupExists(c.Stream, c.Group)
	}
	if len(s.live) >= maxGroups {
		return &refusal{code: codes.ResourceExhausted, message: fmt.Sprintf("The node has %d persistent subscriptions "+
			"already: delete one first.", maxGroups)}
	}
	// A crash may have left them behind by a group of the same name that was being deleted.
	if err := s.forget(ctx, &c); err != nil {
		return err
	}
	if err := s.fixEnd(ctx, &c); err != nil {
		return err
	}
	if err := s.node.store.saveGroups(ctx, s.configs(nil, &c)); err != nil {
		return err
	}
	return s.start(ctx, c)
}

// fixEnd stores the present end as the place of a group that begins at the end: what is appended from now on,
// while nobody listens, is for it.
func (s *groups) fixEnd(ctx context.Context, c *groupConfig) error {
	if _, end, _ := c.start(); !end {
		return nil
	}
	at, some, err := s.end(ctx, c.Stream)
	if err != nil || !some {
		return err
	}
	return (&liveGroup{node: s.node, config: *c}).storeCheckpoint(ctx, at)
}

// end is the place of the last event of a source.
func (s *groups) end(ctx context.Context, source string) (uint64, bool, error) {
	if source == wholeLog {
		last := s.node.store.last.Load()
		return last, last > 0, nil
	}
	e, err := s.node.store.streamEnd(ctx, source)
	if errors.Is(err, errStreamDeleted) || e.last < 0 {
		return 0, false, nil
	}
	return uint64(e.last), true, err
}

// update drops the group's consumers and goes on with the new settings: from its checkpoint, or from the new
// start when it has none.
func (s *groups) update(ctx context.Context, c groupConfig) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := groupKey{c.Stream, c.Group}
	old := s.live[key]
	if old == nil {
		return groupMissing(c.Stream, c.Group)
	}
	c.Filter = old.config.Filter
	if err := s.node.store.saveGroups(ctx, s.configs(&key, &c)); err != nil {
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

// remove forgets a group with its checkpoint and its parked messages.
func (s *groups) remove(ctx context.Context, stream, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := groupKey{stream, name}
	g := s.live[key]
	if g == nil {
		return groupMissing(stream, name)
	}
	if err := s.node.store.saveGroups(ctx, s.configs(&key, nil)); err != nil {
		return err
	}
	s.stop(key)
	return s.forget(ctx, &g.config)
}

// forget hides the checkpoint and the parked messages of a group.
func (s *groups) forget(ctx context.Context, c *groupConfig) error {
	for _, own := range []string{c.checkpointStream(), c.parkedStream()} {
		end, err := s.node.store.streamEnd(ctx, own)
		if errors.Is(err, errStreamDeleted) || err == nil && end.missing() {
			continue
		}
		if err == nil {
			err = s.node.store.submit(ctx, &change{kind: softDelete, stream: own, expected: expectAny}).err
		}
		if err != nil {
			return fmt.Errorf("forget how far a persistent subscription was: %w", err)
		}
	}
	return nil
}

// restart drops every consumer and reads everything anew.
func (s *groups) restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, g := range s.live {
		s.stop(key)
		g.finish(ctx)
	}
	return s.load(ctx)
}

// list answers the groups of one source, or all when source is empty.
func (s *groups) list(source string) (out []*liveGroup) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, c := range s.configs(nil, nil) {
		if source == "" || c.Stream == source {
			out = append(out, s.live[groupKey{c.Stream, c.Group}])
		}
	}
	return out
}

func (s *groups) count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.live)
}
