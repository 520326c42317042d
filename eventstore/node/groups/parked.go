package groups

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"folio/eventstore/node/group"
	"folio/eventstore/node/storage"
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
func (g *Group) park(parks []group.Park) {
	g.parks = append(g.parks, parks...)
}

// storeParks stores messages among the parked ones. What cannot be stored is tried again.
func (g *Group) storeParks(ctx context.Context) error {
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

func (g *Group) storePark(ctx context.Context, p *group.Park) error {
	m := p.Value.(*Delivery)
	original := m.Event
	if m.Link != nil {
		original = m.Link
	}
	meta, err := json.Marshal(map[string]any{"added": g.store.Now().UTC(), "reason": p.Reason,
		"subscriptionEventNumber": p.At})
	if err != nil {
		return err
	}
	return g.store.AppendOwn(ctx, g.Config.parkedStream(), storage.Record{Kind: []byte(storage.LinkType), Meta: meta,
		Data: []byte(strconv.FormatUint(original.Rev, 10) + "@" + string(original.Stream))})
}

// Replay has parked messages delivered again, up to revision stopAt of the parked stream, or all.
func (g *Group) Replay(ctx context.Context, stopAt int64) error {
	end, err := g.store.StreamEnd(ctx, g.Config.parkedStream())
	if errors.Is(err, storage.ErrStreamDeleted) || err == nil && end.Missing() {
		return nil
	}
	if err != nil {
		return err
	}
	stop := end.Last + 1
	if stopAt >= 0 {
		stop = min(stop, stopAt)
	}
	g.mu.Lock()
	if first := end.Meta.First(end.Last); g.parked.next < first {
		g.parked.next, g.parked.trimmed = first, first
	}
	g.parked.stop = max(g.parked.stop, stop)
	g.mu.Unlock()
	g.Poke()
	return nil
}

// fillReplay reads the next parked messages. Those whose event is gone are done.
func (g *Group) fillReplay(ctx context.Context, room int) error {
	g.mu.Lock()
	from, to := g.parked.next, g.parked.stop-1
	g.mu.Unlock()
	end, err := g.store.StreamEnd(ctx, g.Config.parkedStream())
	if err != nil {
		return err
	}
	links, _, err := g.store.StreamPage(ctx,
		storage.Span{Stream: g.Config.parkedStream(), Num: end.Num, From: from, To: min(to, end.Last), Step: 1, Limit: room})
	if err != nil {
		return err
	}
	for i := range links {
		event, isLink, err := g.store.Target(ctx, &links[i])
		if err != nil {
			return err
		}
		if !isLink {
			event = &links[i]
		}
		var again group.Message
		if event != nil {
			if again, err = g.message(ctx, event); err != nil {
				return err
			}
			again.Parked = int64(links[i].Rev)
		}
		g.mu.Lock()
		if event != nil {
			g.group.Replay(again)
		}
		g.parked.next = int64(links[i].Rev) + 1
		g.mu.Unlock()
	}
	return nil
}

// trimParked truncates the parked stream before the first message whose replay is not done.
func (g *Group) trimParked(ctx context.Context) error {
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
	if err := g.store.AppendOwn(ctx, storage.MetadataPrefix+g.Config.parkedStream(),
		storage.Record{Kind: []byte(storage.MetadataType), JSON: true, Data: data}); err != nil {
		return fmt.Errorf("truncate the parked messages: %w", err)
	}
	g.mu.Lock()
	g.parked.trimmed = target
	g.mu.Unlock()
	return nil
}

// ParkedCount is how many parked messages nobody has asked to be replayed.
func (g *Group) ParkedCount(ctx context.Context) (int64, error) {
	end, err := g.store.StreamEnd(ctx, g.Config.parkedStream())
	if errors.Is(err, storage.ErrStreamDeleted) || err == nil && end.Missing() {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(0, end.Last+1-max(end.Meta.First(end.Last), g.parked.next, g.parked.stop)), nil
}
