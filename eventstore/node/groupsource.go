package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"folio/eventstore/node/group"
)

// fill reads parked messages that are being replayed, then the source, as far as the group has room. It
// answers whether there is more.
func (g *liveGroup) fill(ctx context.Context) (more bool, err error) {
	g.mu.Lock()
	room, replaying, unread, next, after := g.group.Room(), g.parked.replaying(), g.unread, g.next, g.after
	g.mu.Unlock()
	room = min(room, pageEvents)
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
	var events []record
	if g.config.Stream == wholeLog {
		events, more, err = g.node.store.allForward(ctx, next, after, room)
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
func (g *liveGroup) streamEvents(ctx context.Context, next uint64, room int) ([]record, bool, error) {
	end, err := g.node.store.streamEnd(ctx, g.config.Stream)
	if errors.Is(err, errStreamDeleted) {
		return nil, false, nil
	}
	from := max(signed(next), end.meta.first(end.last))
	if err != nil || end.missing() || from > end.last {
		return nil, false, err
	}
	events, more, err := g.node.store.streamPage(ctx, span{g.config.Stream, end.num, from, end.last, 1, room})
	for i := range events {
		if g.node.store.expired(&end.meta, &events[i]) {
			events[i].kind = nil // offer skips it
		}
	}
	return events, more, err
}

// offer hands events of the source to the group, each with its target where it is a link.
func (g *liveGroup) offer(ctx context.Context, events []record) error {
	for i := range events {
		e := &events[i]
		all := g.config.Stream == wholeLog
		ok := len(e.kind) > 0 && (all || !e.isTombstone())
		if all {
			matches, err := g.filter.matches(e)
			if err != nil {
				return err
			}
			ok = matches && !hidden(e)
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
		case all && hidden(e):
			g.group.Pass(at)
		default:
			g.group.Skip(at)
		}
		g.next, g.after = at+1, e.pos
		g.mu.Unlock()
	}
	return nil
}

func (g *liveGroup) place(e *record) uint64 {
	if g.config.Stream == wholeLog {
		return e.pos
	}
	return e.rev
}

func (g *liveGroup) message(ctx context.Context, e *record) (group.Message, error) {
	m := &eventMessage{event: e}
	if g.config.ResolveLinks && string(e.kind) == linkType {
		if err := (&read{node: g.node, ctx: ctx}).resolve(m); err != nil {
			return group.Message{}, err
		}
	}
	out := group.Message{At: g.place(e), ID: e.id, Stream: string(e.stream), Parked: -1, Size: memory(e), Value: m}
	subject := e
	if m.link != nil && m.event != nil {
		subject = m.event
		out.Size += memory(subject)
	}
	switch g.config.Strategy {
	case group.Pinned:
		out.Stream = string(subject.stream)
		if _, target, ok := bytes.Cut(e.data, []byte("@")); ok && string(e.kind) == linkType {
			out.Stream = string(target)
		}
	case group.PinnedByCorrelation:
		var meta struct {
			Correlation string `json:"$correlationId"`
		}
		if json.Unmarshal(subject.meta, &meta) == nil {
			out.Correlation = meta.Correlation
		}
	}
	return out, nil
}
