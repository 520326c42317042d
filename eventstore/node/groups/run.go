package groups

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"folio/eventstore/node/group"
	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"
)

// Group runs one persistent subscription: it reads its source for the group's bookkeeping, and stores
// checkpoints and parked messages.
type Group struct {
	host
	Config   Config
	filter   *protocol.Filter
	listener *storage.Listener
	wake     chan struct{}
	Gone     chan struct{} // closed when the group is deleted, updated or restarted
	ended    chan struct{} // closed when run has returned

	mu      sync.Mutex
	group   *group.Group
	parks   []group.Park // to be stored by run
	parked  parkedStream
	next    uint64 // the next place to read
	after   uint64 // of $all: the position read last, 0 when not known
	unread  bool   // whether the source may have more
	savedAt time.Time
	trouble string // the last error, of run alone
}

// open makes a group ready to run, where its checkpoint or its configuration says.
func (s *Groups) open(ctx context.Context, c Config) (*Group, error) {
	g := &Group{host: s.host, Config: c, wake: make(chan struct{}, 1), Gone: make(chan struct{}),
		ended:  make(chan struct{}),
		unread: true, savedAt: time.Now()}
	var err error
	if g.filter, err = c.Filter.filter(); err != nil {
		return nil, err
	}
	done, some, err := g.loadCheckpoint(ctx)
	if err != nil {
		return nil, err
	}
	if !some {
		first, _, err := c.start()
		if err != nil {
			return nil, err
		}
		if some = first > 0; some {
			done = first - 1
		}
	}
	if some {
		g.next = done + 1
	}
	g.group = group.New(c.Settings, done, some)
	source := c.Stream
	if source == WholeLog || storage.IsIndex(source) {
		source = ""
	}
	g.listener = s.store.Hub.Listen(source)
	return g, nil
}

// run works until the group is gone or the node closes.
func (g *Group) run() {
	defer close(g.ended)
	defer g.store.Hub.Remove(g.listener)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		more, err := g.step(ctx)
		wait := g.pause()
		switch {
		case err != nil:
			wait = time.Second
			if err.Error() != g.trouble {
				g.log.Error("a persistent subscription cannot go on, and tries again", "stream", g.Config.Stream,
					"group", g.Config.Group, "error", err)
			}
		case more:
			wait = 0
		}
		if g.trouble = ""; err != nil {
			g.trouble = err.Error()
		}
		timer.Reset(wait)
		if !g.wait(ctx, timer, err == nil) {
			return
		}
	}
}

// wait answers false when the group is at its end. In trouble only time wakes it.
func (g *Group) wait(ctx context.Context, timer *time.Timer, well bool) bool {
	wake, news := g.wake, g.listener.Wake
	if !well {
		wake, news = nil, nil
	}
	select {
	case <-g.Gone:
		return false
	case <-g.store.Failed:
		return false
	case <-g.closing:
		g.finish(ctx)
		return false
	case <-wake:
	case <-news:
		g.store.Hub.Skip(g.listener)
		g.mu.Lock()
		g.unread = true
		g.mu.Unlock()
	case <-timer.C:
	}
	return true
}

// step reads what there is room for, hands it out and stores what must be. It answers whether to go on at once.
func (g *Group) step(ctx context.Context) (more bool, err error) {
	if more, err = g.fill(ctx); err != nil {
		return false, err
	}
	now := time.Now()
	g.mu.Lock()
	g.parks = append(g.parks, g.group.Expire(now)...)
	g.group.Dispatch(now)
	timed := now.Sub(g.savedAt) >= g.Config.CheckpointAfter
	g.mu.Unlock()
	if err := g.storeParks(ctx); err != nil {
		return false, err
	}
	return more, g.saveCheckpoint(ctx, timed, false)
}

// finish saves everything that is done, so that a restart repeats only what was on its way.
func (g *Group) finish(ctx context.Context) {
	err := errors.Join(g.storeParks(ctx), g.saveCheckpoint(ctx, true, true))
	if err != nil && !errors.Is(err, storage.ErrStopped) {
		g.log.Warn("a persistent subscription could not save how far it is", "stream", g.Config.Stream,
			"group", g.Config.Group, "error", err)
	}
}

// pause is how long nothing will happen by itself.
func (g *Group) pause() time.Duration {
	const least = 10 * time.Millisecond
	g.mu.Lock()
	defer g.mu.Unlock()
	next := time.Hour
	if d := g.group.Deadline(); !d.IsZero() {
		next = min(next, time.Until(d))
	}
	if _, due := g.group.Checkpoint(true, false); due || g.parked.open() {
		next = min(next, g.Config.CheckpointAfter-time.Since(g.savedAt))
	}
	return max(next, least)
}

// Poke makes run look at the group again.
func (g *Group) Poke() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

func (g *Group) loadCheckpoint(ctx context.Context) (uint64, bool, error) {
	r, found, err := g.store.Newest(ctx, g.Config.checkpointStream())
	if err != nil || !found {
		return 0, false, err
	}
	var text string
	if json.Unmarshal(r.Data, &text) != nil {
		text = string(r.Data) // the server's older checkpoints are plain numbers
	}
	c := Config{Stream: g.Config.Stream, StartFrom: text}
	at, end, err := c.start()
	if err != nil || end {
		return 0, false, nil // unreadable: from the beginning again, which costs repetitions and loses nothing
	}
	return at, true, nil
}

// saveCheckpoint stores how far everything is done when that is due, and forgets parked messages that
// were replayed.
func (g *Group) saveCheckpoint(ctx context.Context, timed, closing bool) error {
	g.mu.Lock()
	at, due := g.group.Checkpoint(timed, closing)
	if timed {
		g.savedAt = time.Now()
	}
	g.mu.Unlock()
	if due {
		if err := g.storeCheckpoint(ctx, at); err != nil {
			return err
		}
		g.mu.Lock()
		g.group.Saved(at)
		g.mu.Unlock()
	}
	if timed {
		return g.trimParked(ctx)
	}
	return nil
}

func (g *Group) storeCheckpoint(ctx context.Context, at uint64) error {
	data, err := json.Marshal(StartText(g.Config.Stream, at, false))
	if err != nil {
		return err
	}
	return g.store.AppendOwn(ctx, g.Config.checkpointStream(),
		storage.Record{Kind: []byte("$SubscriptionCheckpoint"), JSON: true, Data: data})
}

// Join connects a subscriber that has room for size messages.
func (g *Group) Join(name string, size int) (*group.Consumer, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, err := g.group.Join(name, size)
	if err != nil {
		return nil, groupFull(g.Config.Stream, g.Config.Group)
	}
	return c, nil
}

// Leave gives what a subscriber holds to the others.
func (g *Group) Leave(c *group.Consumer) {
	g.mu.Lock()
	g.park(g.group.Leave(c))
	g.mu.Unlock()
	g.Poke()
}

// Take are the messages that wait for a subscriber.
func (g *Group) Take(c *group.Consumer) []group.Message {
	g.mu.Lock()
	defer g.mu.Unlock()
	return c.Take()
}

// Ack says that a subscriber is done with messages.
func (g *Group) Ack(c *group.Consumer, ids [][16]byte) {
	g.mu.Lock()
	g.group.Ack(c, ids...)
	g.mu.Unlock()
	g.Poke()
}

// Nack says that a subscriber cannot handle messages, and what to do with them.
func (g *Group) Nack(c *group.Consumer, action group.Action, reason string, ids [][16]byte) {
	g.mu.Lock()
	g.park(g.group.Nack(c, action, reason, ids...))
	g.mu.Unlock()
	g.Poke()
}

// Report is how the group stands.
func (g *Group) Report() group.Report {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.group.Report()
}

// Dropped is what subscribers hear of a group that is gone.
func (g *Group) Dropped() error { return groupDropped(g.Config.Stream, g.Config.Group) }
