// Package group is the bookkeeping of one persistent subscription: which message goes to which consumer,
// what was acknowledged, what is tried again, what is parked, and how far everything is done. It has no
// clock and does no I/O: the caller brings messages and times, carries deliveries out and parks messages.
//
// Delivery is at least once and unordered between consumers. A Group is for one goroutine at a time.
package group

import (
	"slices"
	"time"
)

// Message is one event on its way through a group.
type Message struct {
	At          uint64   // its place in the source: a revision, or a position in $all
	ID          [16]byte // what consumers name it by; a link's own where it came by one
	Stream      string   // what Pinned keeps together
	Correlation string   // what PinnedByCorrelation keeps together
	Retries     int
	Parked      int64 // its revision in the parked stream when it is replayed from there, otherwise -1
	Size        int   // bytes it holds in memory
	Value       any   // the caller's own
}

func (m *Message) replayed() bool { return m.Parked >= 0 }

// Park is a message that the caller must store among the parked ones, then report with Done.
type Park struct {
	Message
	Reason string
}

// Group is the state of one persistent subscription while its node runs.
type Group struct {
	settings  Settings
	assign    assigner
	consumers []*Consumer
	waiting   []Message // never tried
	retrying  []Message // served first
	flying    int
	bytes     int
	progress  progress
	total     int64
}

// New makes a group that is done up to and including place done; nothing is done when some is false.
func New(s Settings, done uint64, some bool) *Group {
	return &Group{settings: s, assign: newAssigner(s.Strategy),
		progress: progress{considered: done, some: some, saved: done, savedSome: some}}
}

// maxBytes bounds what the events that a group holds take in memory.
const maxBytes = 8 << 20

// Room is how many more messages the group wants now: none without consumers.
func (g *Group) Room() int {
	if len(g.consumers) == 0 || g.bytes >= maxBytes {
		return 0
	}
	return max(0, g.settings.HistoryBufferSize-len(g.waiting)-len(g.retrying)-g.flying)
}

// Offer adds a message of the source. Messages come in the order of their places.
func (g *Group) Offer(m Message) {
	m.Parked = -1
	g.progress.begin(m.At)
	g.bytes += m.Size
	g.waiting = append(g.waiting, m)
}

// Replay adds a message that had been parked.
func (g *Group) Replay(m Message) {
	m.Retries = 0
	g.bytes += m.Size
	g.retrying = append(g.retrying, m)
}

// Skip notes a place of the source that holds nothing for this group, such as an event that its filter
// leaves out.
func (g *Group) Skip(at uint64) { g.progress.skip(at) }

// Pass notes a place that is not worth a checkpoint either: checkpoints themselves are events, and must
// not ask for more of them.
func (g *Group) Pass(at uint64) { g.progress.pass(at) }

// Dispatch hands waiting messages to consumers that have room, and answers how many.
func (g *Group) Dispatch(now time.Time) (sent int) {
	for _, queue := range []*[]Message{&g.retrying, &g.waiting} {
		kept := (*queue)[:0]
		for i, m := range *queue {
			c := g.assign.pick(g.consumers, &m)
			if c == nil {
				kept = append(kept, m)
				if g.full() || !g.assign.selective() {
					kept = append(kept, (*queue)[i+1:]...)
					break
				}
				continue
			}
			c.take(m, g.settings.deadline(now))
			g.flying++
			g.total++
			sent++
		}
		clear((*queue)[len(kept):])
		*queue = kept
	}
	return sent
}

func (g *Group) full() bool {
	return !slices.ContainsFunc(g.consumers, func(c *Consumer) bool { return c.room() > 0 })
}

// Done ends a message for good: it was acknowledged, skipped, or is stored among the parked ones.
func (g *Group) Done(m *Message) {
	g.bytes -= m.Size
	if !m.replayed() {
		g.progress.end(m.At)
	}
}

// again puts a message back, or answers that it has been tried often enough.
func (g *Group) again(m Message, reason string) []Park {
	if m.Retries >= g.settings.MaxRetryCount {
		return []Park{{m, reason}}
	}
	m.Retries++
	g.retrying = append(g.retrying, m)
	return nil
}

// Retry puts back a message that could not be parked.
func (g *Group) Retry(m Message) { g.retrying = append(g.retrying, m) }

// Outstanding visits every message that is not done, except those being parked.
func (g *Group) Outstanding(visit func(*Message)) {
	for _, queue := range [][]Message{g.retrying, g.waiting} {
		for i := range queue {
			visit(&queue[i])
		}
	}
	for _, c := range g.consumers {
		c.each(visit)
	}
}
