package groups

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"folio/eventstore/node/group"
	"folio/eventstore/node/storage"
)

// fill reads parked messages that are being replayed, then the source, as far as the group has room. It
// answers whether there is more.
func (g *Group) fill(ctx context.Context) (more bool, err error) {
	g.mu.Lock()
	room, replaying, unread, next, after := g.group.Room(), g.parked.replaying(), g.unread, g.next, g.after
	g.mu.Unlock()
	room = min(room, storage.PageEvents)
	switch {
	case room == 0:
		return false, nil
	case replaying:
		return true, g.fillReplay(ctx, room)
	case !unread:
		return false, nil
	}
	// Cleared before the read: whoever appends from here on sets it again.
	g.mu.Lock()
	g.unread = false
	g.mu.Unlock()
	var events []storage.Record
	if g.Config.Stream == WholeLog {
		events, more, err = g.store.AllForward(ctx, next, after, room)
	} else {
		events, more, err = g.streamEvents(ctx, next, room)
	}
	if err == nil {
		err = g.offer(ctx, events)
	}
	if more || err != nil {
		g.mu.Lock()
		g.unread = true
		g.mu.Unlock()
	}
	return more, err
}

// streamEvents reads what the stream's metadata lets readers see. A tombstoned stream has no more.
func (g *Group) streamEvents(ctx context.Context, next uint64, room int) ([]storage.Record, bool, error) {
	end, err := g.store.StreamEnd(ctx, g.Config.Stream)
	if errors.Is(err, storage.ErrStreamDeleted) {
		return nil, false, nil
	}
	from := max(storage.Signed(next), end.Meta.First(end.Last))
	if err != nil || end.Missing() || from > end.Last {
		return nil, false, err
	}
	events, more, err := g.store.StreamPage(ctx,
		storage.Span{Stream: g.Config.Stream, Num: end.Num, From: from, To: end.Last, Step: 1, Limit: room})
	for i := range events {
		if g.store.Expired(&end.Meta, &events[i]) {
			events[i].Kind = nil // offer skips it
		}
	}
	return events, more, err
}

// offer hands events of the source to the group, each with its target where it is a link.
func (g *Group) offer(ctx context.Context, events []storage.Record) error {
	for i := range events {
		e := &events[i]
		all := g.Config.Stream == WholeLog
		ok := len(e.Kind) > 0 && (all || !e.IsTombstone())
		if all {
			matches, err := g.filter.Matches(e)
			if err != nil {
				return err
			}
			ok = matches && !storage.Hidden(e)
		}
		var m group.Message
		if ok {
			var err error
			if m, err = g.message(ctx, e); err != nil {
				return err
			}
		}
		g.mu.Lock()
		at := g.place(e)
		switch {
		case ok:
			g.group.Offer(m)
		case all && storage.Hidden(e):
			g.group.Pass(at)
		default:
			g.group.Skip(at)
		}
		g.next, g.after = at+1, e.Pos
		g.mu.Unlock()
	}
	return nil
}

func (g *Group) place(e *storage.Record) uint64 {
	if g.Config.Stream == WholeLog {
		return e.Pos
	}
	return e.Rev
}

// Delivery is what a message of a group carries: an event, or a link with the event that it names,
// nil when that is gone.
type Delivery struct{ Event, Link *storage.Record }

func (g *Group) message(ctx context.Context, e *storage.Record) (group.Message, error) {
	m := &Delivery{Event: e}
	if g.Config.ResolveLinks && string(e.Kind) == storage.LinkType {
		target, isLink, err := g.store.Target(ctx, e)
		if err != nil {
			return group.Message{}, err
		}
		if isLink {
			m.Link, m.Event = e, target
		}
	}
	out := group.Message{At: g.place(e), ID: e.ID, Stream: string(e.Stream), Parked: -1, Size: storage.MemoryOf(e),
		Value: m}
	subject := e
	if m.Link != nil && m.Event != nil {
		subject = m.Event
		out.Size += storage.MemoryOf(subject)
	}
	switch g.Config.Strategy {
	case group.Pinned:
		out.Stream = string(subject.Stream)
		if _, target, ok := bytes.Cut(e.Data, []byte("@")); ok && string(e.Kind) == storage.LinkType {
			out.Stream = string(target)
		}
	case group.PinnedByCorrelation:
		var meta struct {
			Correlation string `json:"$correlationId"`
		}
		if json.Unmarshal(subject.Meta, &meta) == nil {
			out.Correlation = meta.Correlation
		}
	}
	return out, nil
}
