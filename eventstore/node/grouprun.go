package node

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"folio/eventstore/node/group"
)

// liveGroup runs one persistent subscription: it reads its source for the group's bookkeeping, and stores
// checkpoints and parked messages.
type liveGroup struct {
	node     *Node
	config   groupConfig
	filter   *filter
	listener *listener
	wake     chan struct{}
	gone     chan struct{} // closed when the group is deleted, updated or restarted
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

// openGroup makes a group ready to run, where its checkpoint or its configuration says.
func (n *Node) openGroup(ctx context.Context, c groupConfig) (*liveGroup, error) {
	g := &liveGroup{node: n, config: c, wake: make(chan struct{}, 1), gone: make(chan struct{}),
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
	if source == wholeLog || isIndex(source) {
		source = ""
	}
	g.listener = n.store.hub.listen(source)
	return g, nil
}

// run works until the group is gone or the node closes.
func (g *liveGroup) run() {
	defer close(g.ended)
	defer g.node.store.hub.remove(g.listener)
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
				g.node.options.Logger.Error("a persistent subscription cannot go on, and tries again", "stream", g.config.Stream,
					"group", g.config.Group, "error", err)
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
func (g *liveGroup) wait(ctx context.Context, timer *time.Timer, well bool) bool {
	wake, news := g.wake, g.listener.wake
	if !well {
		wake, news = nil, nil
	}
	select {
	case <-g.gone:
		return false
	case <-g.node.store.failed:
		return false
	case <-g.node.closing:
		g.finish(ctx)
		return false
	case <-wake:
	case <-news:
		g.node.store.hub.skip(g.listener)
		g.mu.Lock()
		g.unread = true
		g.mu.Unlock()
	case <-timer.C:
	}
	return true
}

// step reads what there is room for, hands it out and stores what must be. It answers whether to go on at once.
func (g *liveGroup) step(ctx context.Context) (more bool, err error) {
	if more, err = g.fill(ctx); err != nil {
		return false, err
	}
	now := time.Now()
	g.mu.Lock()
	g.parks = append(g.parks, g.group.Expire(now)...)
	g.group.Dispatch(now)
	timed := now.Sub(g.savedAt) >= g.config.CheckpointAfter
	g.mu.Unlock()
	if err := g.storeParks(ctx); err != nil {
		return false, err
	}
	return more, g.saveCheckpoint(ctx, timed, false)
}

// finish saves everything that is done, so that a restart repeats only what was on its way.
func (g *liveGroup) finish(ctx context.Context) {
	err := errors.Join(g.storeParks(ctx), g.saveCheckpoint(ctx, true, true))
	if err != nil && !errors.Is(err, errStopped) {
		g.node.options.Logger.Warn("a persistent subscription could not save how far it is", "stream", g.config.Stream,
			"group", g.config.Group, "error", err)
	}
}

// pause is how long nothing will happen by itself.
func (g *liveGroup) pause() time.Duration {
	const least = 10 * time.Millisecond
	g.mu.Lock()
	defer g.mu.Unlock()
	next := time.Hour
	if d := g.group.Deadline(); !d.IsZero() {
		next = min(next, time.Until(d))
	}
	if _, due := g.group.Checkpoint(true, false); due || g.parked.open() {
		next = min(next, g.config.CheckpointAfter-time.Since(g.savedAt))
	}
	return max(next, least)
}

// poke makes run look at the group again.
func (g *liveGroup) poke() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

func (g *liveGroup) loadCheckpoint(ctx context.Context) (uint64, bool, error) {
	r, found, err := g.node.store.newest(ctx, g.config.checkpointStream())
	if err != nil || !found {
		return 0, false, err
	}
	var text string
	if json.Unmarshal(r.data, &text) != nil {
		text = string(r.data) // the server's older checkpoints are plain numbers
	}
	c := groupConfig{Stream: g.config.Stream, StartFrom: text}
	at, end, err := c.start()
	if err != nil || end {
		return 0, false, nil // unreadable: from the beginning again, which costs repetitions and loses nothing
	}
	return at, true, nil
}

// saveCheckpoint stores how far everything is done when that is due, and forgets parked messages that
// were replayed.
func (g *liveGroup) saveCheckpoint(ctx context.Context, timed, closing bool) error {
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

func (g *liveGroup) storeCheckpoint(ctx context.Context, at uint64) error {
	data, err := json.Marshal(startText(g.config.Stream, at, false))
	if err != nil {
		return err
	}
	return g.node.store.appendOwn(ctx, g.config.checkpointStream(),
		record{kind: []byte("$SubscriptionCheckpoint"), json: true, data: data})
}
