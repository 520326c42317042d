// Package writebehind is a cache of worklists that writes to the tables behind its users: what is changed through it
// is seen at once by whoever reads through it, and goes to the tables in one transaction with the checkpoint that it
// stands for, together with all that has gathered meanwhile. So a feed folds hundreds of events into one write, and
// nobody's work waits for it.
//
//	Put, Remove, Postpone ──▶ open ──Save, Seal──▶ sealed ──Run──▶ writing ──▶ tables
//	                           │                     │                │          │
//	Get, Due, InGroup, … ◀─────┴─────────────────────┴────────────────┴──────────┘
//	        ▲
//	        └── memory: short lists, whole, so that most reads meet no table
//
// What the process loses with its life is not in the tables, and neither is a checkpoint that stands for it: it is
// heard again. A change may be written before its checkpoint (Seal), never after it.
package writebehind

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"folio/events"
	"folio/tables"
)

// maxAhead is how many changes of items may wait for the tables, some hundred bytes each: a feed that is further ahead
// waits for them.
const maxAhead = 4096

// Config is what a cache is made of.
type Config struct {
	Store tables.Store
	// Apply writes a batch of worklists, with a checkpoint unless at is nil.
	Apply func(ctx context.Context, b tables.Batch, at *events.Position) error
	// Failed is told of every try to write, nil when it succeeded, and pauses after one that failed; when it says false
	// nothing is written any more.
	Failed func(ctx context.Context, err error) bool
}

// Cache is a tables.Store whose worklists are written behind. Before Begin its worklists refuse with ErrNotBegun.
type Cache struct {
	tables.Store
	c Config

	mu     sync.Mutex
	memory memory
	// What is not in the tables yet, the latest first: what Save and Seal have not handed over, what waits for the
	// writer, and what it writes.
	open, sealed, writing *layer
	// written is the highest guard that the tables may have: what is put with a later one replaces whatever is there.
	written  events.Position
	saved    events.Position   // the last checkpoint in the tables
	versions map[string]uint64 // of lists: it counts changes, and writes that were made
	moved    chan struct{}     // closed when something was taken or written
	news     chan struct{}

	ready atomic.Bool // Begin was called
}

// ErrNotBegun refuses whatever comes before Begin: what the tables hold is not known to be of a checkpoint yet.
var ErrNotBegun = errors.New("the write-behind cache is used before Begin: call Begin with the checkpoint of its tables")

// begun is ErrNotBegun before Begin.
func (c *Cache) begun() error {
	if !c.ready.Load() {
		return ErrNotBegun
	}
	return nil
}

// New makes a cache.
func New(c Config) *Cache { return &Cache{Store: c.Store, c: c} }

// Begin forgets everything: the tables are as of a checkpoint.
func (c *Cache) Begin(at events.Position) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory, c.open, c.sealed, c.writing = newMemory(), newLayer(), newLayer(), newLayer()
	c.written, c.saved, c.versions = at, at, map[string]uint64{}
	c.moved, c.news = make(chan struct{}), make(chan struct{}, 1)
	c.ready.Store(true)
}

// Evict forgets the lists that are held in memory.
func (c *Cache) Evict() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory = newMemory()
}

// Worklist implements tables.Store.
func (c *Cache) Worklist(name string) tables.Worklist {
	return worklist{c.Store.Worklist(name), c, name}
}

// Save hands over what was changed since the last call, with how far the log was folded for it. It waits while too
// much waits for the tables; the error is ctx's.
func (c *Cache) Save(ctx context.Context, at events.Position) error {
	if err := c.begun(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.await(ctx, func() bool { return c.sealed.size() < maxAhead }); err != nil {
		return err
	}
	c.open.checkpoint = &at
	c.seal()
	return nil
}

// Saved is the last checkpoint that the tables have, as of this cache: nothing before it is heard again.
func (c *Cache) Saved() events.Position {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// Seal is Save for changes that stand for no checkpoint. What a feed has changed since its last one goes along, so its
// events must be taken twice.
func (c *Cache) Seal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seal()
}

// seal is called with mu held.
func (c *Cache) seal() {
	c.sealed.add(c.open)
	c.open = newLayer()
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// await waits until something is so. It is called with mu held.
func (c *Cache) await(ctx context.Context, so func() bool) error {
	for !so() {
		moved := c.moved
		c.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
		}
		c.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Run writes until ctx ends.
func (c *Cache) Run(ctx context.Context) {
	for {
		select {
		case <-c.news:
		case <-ctx.Done():
			return
		}
		c.mu.Lock()
		c.writing, c.sealed = c.sealed, newLayer()
		some := c.writing
		c.move()
		c.mu.Unlock()
		if len(some.order) == 0 && some.checkpoint == nil {
			continue
		}
		for b := (tables.Batch{Work: some.changes()}); ; {
			err := c.c.Apply(ctx, b, some.checkpoint)
			if !c.c.Failed(ctx, err) {
				return
			}
			if err == nil {
				break
			}
		}
		c.mu.Lock()
		if at := some.latest(); c.written.Before(at) {
			c.written = at
		}
		if some.checkpoint != nil {
			c.saved = *some.checkpoint
		}
		for _, name := range some.order {
			c.versions[name]++
		}
		c.writing = newLayer()
		c.move()
		c.mu.Unlock()
	}
}

// move wakes those who await something. It is called with mu held.
func (c *Cache) move() {
	close(c.moved)
	c.moved = make(chan struct{})
}

// flush waits until all changes of some lists are in the tables; nil lists: of all.
func (c *Cache) flush(ctx context.Context, lists ...string) error {
	if err := c.begun(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	pending := func() bool {
		for _, l := range c.layers() {
			for _, name := range lists {
				if len(l.lists[name]) > 0 {
					return true
				}
			}
		}
		return false
	}
	if !pending() {
		return nil
	}
	c.seal()
	return c.await(ctx, func() bool { return !pending() })
}

// layers are those not in the tables, the oldest first. It is called with mu held.
func (c *Cache) layers() [3]*layer { return [3]*layer{c.writing, c.sealed, c.open} }

// Apply implements tables.Store: it writes at once, behind all that waits of the batch's lists.
func (c *Cache) Apply(ctx context.Context, b tables.Batch) error {
	names := make([]string, len(b.Work))
	at := events.Position{}
	for i, w := range b.Work {
		names[i] = w.Worklist
		for _, it := range w.Put {
			at = later(at, it.At)
		}
		for _, r := range w.Remove {
			at = later(at, r.At)
		}
	}
	if err := c.flush(ctx, names...); err != nil {
		return err
	}
	defer c.changed(at, names...)
	return c.Store.Apply(ctx, b)
}

// changed forgets lists that were changed in the tables, with a guard as late as at.
func (c *Cache) changed(at events.Position, lists ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written = later(c.written, at)
	for _, name := range lists {
		c.memory.forget(name)
		c.versions[name]++
	}
}

func later(a, b events.Position) events.Position {
	if a.Before(b) {
		return b
	}
	return a
}
