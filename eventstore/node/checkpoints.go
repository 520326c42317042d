package node

import (
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// checkpoints tells a filtered subscription how far it has got when nothing matches for long: every window of
// events considered, matching or not. They are those of the server. In the past one says where its window
// began, so it lags by one: the first is 0/0, and the later ones lack the prepare position, unless an event of
// the window matched. The last window of the past, which is not full, has none: the position may stay up to a
// window behind when the subscription has caught up. From then on a checkpoint has both positions and is
// that of the event just considered.
type checkpoints struct {
	*read
	last       uint64 // position of the last event considered
	resumed    bool   // there was something before the first window
	past       bool
	considered uint64 // of the present window
	began      uint64 // of the past: position of the first event of the window, 0 at the start of the log
	matched    uint64 // of the past: position of the last event of the window that matched
	due        bool   // of the past: the window is full, and its checkpoint waits for the event after it
}

func (c *checkpoints) beginPast() { c.past, c.considered, c.due = true, 0, false }

func (c *checkpoints) beginLive() { c.past, c.considered = false, 0 }

// consider sends the event if it matches, and the checkpoint that is due.
func (c *checkpoints) consider(event *storage.Record) error {
	ok, err := c.filter.Matches(event)
	if err != nil {
		return err
	}
	if err := c.pastWindow(event); err != nil {
		return err
	}
	c.last = event.Pos
	if ok && !storage.Hidden(event) {
		c.matched = event.Pos
		if err := c.send(event); err != nil {
			return err
		}
	}
	if c.filter == nil {
		return nil
	}
	if c.considered++; c.considered < c.filter.Every {
		return nil
	}
	c.considered = 0
	if c.due = c.past; c.due {
		return nil
	}
	return c.checkpoint(event.Pos, event.Pos)
}

// pastWindow begins a window with event, and tells of the one before it, which then was not the last.
func (c *checkpoints) pastWindow(event *storage.Record) error {
	if c.filter == nil || !c.past || c.considered > 0 {
		return nil
	}
	due, began, matched := c.due, c.began, c.matched
	c.due, c.matched, c.began = false, 0, event.Pos
	if !c.resumed {
		c.began, c.resumed = 0, true
	}
	switch {
	case !due:
		return nil
	case matched > 0:
		return c.checkpoint(matched, matched)
	}
	return c.checkpoint(began, 0)
}

func (c *checkpoints) checkpoint(commit, prepare uint64) error {
	return c.call.Send(&streams.ReadResp{Content: &streams.ReadResp_Checkpoint_{
		Checkpoint: &streams.ReadResp_Checkpoint{CommitPosition: commit, PreparePosition: prepare}}})
}
