package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"folio/eventstore/node/group"
)

// parkedStream is how far the parked messages of a group have been read again. The messages are links in
// a stream of their own, which is truncated when their replay is done.
type parkedStream struct {
	next, stop int64 // revisions still to be replayed: next up to, not including, stop
	trimmed    int64 // replayed and done below this revision, and stored as such
}

func (p *parkedStream) replaying() bool { return p.next < p.stop }
func (p *parkedStream) open() bool      { return p.trimmed < p.next }

// park queues messages for run to store.
func (g *liveGroup) park(parks []group.Park) {
	g.parks = append(g.parks, parks...)
}

// storeParks stores messages among the parked ones. What cannot be stored is tried again.
func (g *liveGroup) storeParks(ctx context.Context) error {
	for {
		g.mu.Lock()
		if len(g.parks) == 0 {
			g.mu.Unlock()
			return nil
		}
		p := g.parks[0]
		g.mu.Unlock()
		if err := g.storePark(ctx, &p); err != nil {
			return fmt.Errorf("park a message: %w", err)
		}
		g.mu.Lock()
		g.parks = g.parks[1:]
		g.group.Done(&p.Message)
		g.mu.Unlock()
	}
}

func (g *liveGroup) storePark(ctx context.Context, p *group.Park) error {
	m := p.Value.(*eventMessage)
	original := m.event
	if m.link != nil {
		original = m.link
	}
	meta, err := json.Marshal(map[string]any{"added": g.node.store.now().UTC(), "reason": p.Reason,
		"subscriptionEventNumber": p.At})
	if err != nil {
		return err
	}
	return g.node.store.appendOwn(ctx, g.config.parkedStream(), record{kind: []byte(linkType), meta: meta,
		data: []byte(strconv.FormatUint(original.rev, 10) + "@" + string(original.stream))})
}

// replay has parked messages delivered again, up to revision stopAt of the parked stream, or all.
func (g *liveGroup) replay(ctx context.Context, stopAt int64) error {
	end, err := g.node.store.streamEnd(ctx, g.config.parkedStream())
	if errors.Is(err, errStreamDeleted) || err == nil && end.missing() {
		return nil
	}
	if err != nil {
		return err
	}
	stop := end.last + 1
	if stopAt >= 0 {
		stop = min(stop, stopAt)
	}
	g.mu.Lock()
	if first := end.meta.first(end.last); g.parked.next < first {
		g.parked.next, g.parked.trimmed = first, first
	}
	g.parked.stop = max(g.parked.stop, stop)
	g.mu.Unlock()
	g.poke()
	return nil
}

// fillReplay reads the next parked messages. Those whose event is gone are done.
func (g *liveGroup) fillReplay(ctx context.Context, room int) error {
	g.mu.Lock()
	from, to := g.parked.next, g.parked.stop-1
	g.mu.Unlock()
	end, err := g.node.store.streamEnd(ctx, g.config.parkedStream())
	if err != nil {
		return err
	}
	links, _, err := g.node.store.streamPage(ctx, span{g.config.parkedStream(), end.num, from, min(to, end.last), 1, room})
	if err != nil {
		return err
	}
	for i := range links {
		m := eventMessage{event: &links[i]}
		if err := (&read{node: g.node, ctx: ctx}).resolve(&m); err != nil {
			return err
		}
		var again group.Message
		if m.event != nil {
			if again, err = g.message(ctx, m.event); err != nil {
				return err
			}
			again.Parked = int64(links[i].rev)
		}
		g.mu.Lock()
		if m.event != nil {
			g.group.Replay(again)
		}
		g.parked.next = int64(links[i].rev) + 1
		g.mu.Unlock()
	}
	return nil
}

// trimParked truncates the parked stream before the first message whose replay is not done.
func (g *liveGroup) trimParked(ctx context.Context) error {
	g.mu.Lock()
	target, trimmed := g.parked.next, g.parked.trimmed
	lower := func(m *group.Message) {
		if m.Parked >= 0 {
			target = min(target, m.Parked)
		}
	}
	g.group.Outstanding(lower)
	for i := range g.parks {
		lower(&g.parks[i].Message)
	}
	g.mu.Unlock()
	if target <= trimmed {
		return nil
	}
	data := fmt.Appendf(nil, `{"$tb":%d}`, target)
	if err := g.node.store.appendOwn(ctx, metadataPrefix+g.config.parkedStream(),
		record{kind: []byte(metadataType), json: true, data: data}); err != nil {
		return fmt.Errorf("truncate the parked messages: %w", err)
	}
	g.mu.Lock()
	g.parked.trimmed = target
	g.mu.Unlock()
	return nil
}

// parkedCount is how many parked messages nobody has asked to be replayed.
func (g *liveGroup) parkedCount(ctx context.Context) (int64, error) {
	end, err := g.node.store.streamEnd(ctx, g.config.parkedStream())
	if errors.Is(err, errStreamDeleted) || err == nil && end.missing() {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(0, end.last+1-max(end.meta.first(end.last), g.parked.next, g.parked.stop)), nil
}
