package node

import (
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/uuid"
)

// runSubscription confirms, sends what is stored after the start, says that it caught up and goes on
// live. It ends with the call, with the node, or when the stream is tombstoned.
func (r *read) runSubscription() error {
	if err := r.node.admitSubscription(); err != nil {
		return err
	}
	defer r.node.subscriptions.Add(-1)
	source := r.stream
	if storage.IsIndex(source) {
		source = "" // any event may belong to it
	}
	l := r.node.store.Hub.Listen(source)
	defer r.node.store.Hub.Remove(l)
	if r.stream == "" {
		return r.subscribeAll(l)
	}
	return r.subscribeStream(l)
}

func (r *read) confirm() error {
	return r.call.Send(&streams.ReadResp{Content: &streams.ReadResp_Confirmation{
		Confirmation: &streams.ReadResp_SubscriptionConfirmation{SubscriptionId: uuid.NewString()}}})
}

// wait answers nil when the listener has news.
func (r *read) wait(l *storage.Listener) error {
	select {
	case <-l.Wake:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	case <-r.node.closing:
		return storage.ErrStopped
	case <-r.node.store.Failed:
		return r.node.store.StopReason()
	}
}

// subscribeStream and subscribeAll go between reading the database and following the hub; each arrival
// at the end is told with caught up. The cursor decides what is new, so nothing is sent twice.
func (r *read) subscribeStream(l *storage.Listener) error {
	end, err := r.node.store.StreamEnd(r.ctx, r.stream)
	if err != nil {
		return err
	}
	last := storage.Signed(r.from) // revision of the last event seen
	switch {
	case r.fromStart:
		last = -1
	case r.fromEnd:
		last = end.Last
	}
	if err := r.confirm(); err != nil {
		return err
	}
	for {
		if !r.fromEnd {
			if err := r.awaitStream(l); err != nil {
				return err
			}
		}
		if last, err = r.catchUpStream(last); err != nil {
			return err
		}
		if err := r.caughtUp(last, last >= 0); err != nil {
			return err
		}
		if last, err = r.followStream(l, last); err != nil {
			return err
		}
	}
}

// awaitStream waits while the stream is missing or soft-deleted. Nobody has caught up with a stream that is not
// there, unless they asked for its end. It comes before what is stored is sent: whoever looked in the other order
// would say "caught up" without the event with which the stream began in between.
func (r *read) awaitStream(l *storage.Listener) error {
	for {
		end, err := r.node.store.StreamEnd(r.ctx, r.stream)
		if err != nil || !end.Missing() {
			return err
		}
		if err := r.wait(l); err != nil {
			return err
		}
		r.node.store.Hub.Skip(l)
	}
}

// catchUpStream sends what is stored after revision last and answers the new last.
func (r *read) catchUpStream(last int64) (int64, error) {
	for {
		end, err := r.node.store.StreamEnd(r.ctx, r.stream)
		if err != nil {
			return last, err
		}
		from := max(last+1, end.Meta.First(end.Last))
		if from > end.Last {
			return last, nil
		}
		events, _, err := r.node.store.StreamPage(r.ctx,
			storage.Span{Stream: r.stream, Num: end.Num, From: from, To: end.Last, Step: 1, Limit: storage.PageEvents})
		if err != nil {
			return last, err
		}
		for i := range events {
			last = int64(events[i].Rev)
			if r.node.store.Expired(&end.Meta, &events[i]) {
				continue
			}
			if err := r.send(&events[i]); err != nil {
				return last, err
			}
		}
	}
}

// followIndex reads on at every event of the log. A view never ends, so neither does this.
func (r *read) followIndex(l *storage.Listener, last int64) (int64, error) {
	for {
		if err := r.wait(l); err != nil {
			return last, err
		}
		r.node.store.Hub.Skip(l)
		var err error
		if last, err = r.catchUpStream(last); err != nil {
			return last, err
		}
	}
}

// followStream sends new events until the subscription has fallen behind.
func (r *read) followStream(l *storage.Listener, last int64) (int64, error) {
	if storage.IsIndex(r.stream) {
		return r.followIndex(l, last)
	}
	for {
		if err := r.wait(l); err != nil {
			return last, err
		}
		events, behind := r.node.store.Hub.Take(l, storage.PageEvents)
		if behind {
			return last, nil
		}
		for i := range events {
			if int64(events[i].Rev) <= last {
				continue
			}
			last = int64(events[i].Rev)
			if err := r.send(&events[i]); err != nil {
				return last, err
			}
			if events[i].IsTombstone() {
				return last, storage.ErrStreamDeleted
			}
		}
	}
}

func (r *read) subscribeAll(l *storage.Listener) error {
	last := r.from // position of the last event considered
	switch {
	case r.fromEnd:
		last = r.node.store.Last.Load()
	case r.again && last > 0:
		last--
	}
	c := &checkpoints{read: r, last: last, resumed: last > 0}
	if err := r.confirm(); err != nil {
		return err
	}
	for {
		c.beginPast()
		if err := r.catchUpAll(c); err != nil {
			return err
		}
		c.beginLive()
		if err := r.caughtUp(int64(c.last), c.last > 0); err != nil {
			return err
		}
		if err := r.followAll(l, c); err != nil {
			return err
		}
	}
}

// catchUpAll reads to the end of the log, whatever was appended meanwhile.
func (r *read) catchUpAll(c *checkpoints) error {
	if err := r.passOver(c); err != nil {
		return err
	}
	after := uint64(0)
	for {
		if err := r.closing(); err != nil {
			return err
		}
		events, more, err := r.node.store.AllForward(r.ctx, c.last+1, after, storage.PageEvents)
		if err != nil {
			return err
		}
		for i := range events {
			if err := c.consider(&events[i]); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
		after = c.last
	}
}

// passOver goes to the end of the log at once when no stream has a name that the filter selects: who starts and looks
// for what is rarely there does not read all that was ever recorded.
func (r *read) passOver(c *checkpoints) error {
	prefixes := r.filter.StreamPrefixes()
	if len(prefixes) == 0 {
		return nil
	}
	found, upTo, err := r.node.store.StreamsBegin(r.ctx, prefixes)
	if err != nil || found || upTo <= c.last {
		return err
	}
	c.last, c.resumed = upTo, true
	return c.checkpoint(upTo, upTo)
}

// closing ends a long catch-up when the node closes.
func (r *read) closing() error {
	select {
	case <-r.node.closing:
		return storage.ErrStopped
	default:
		return nil
	}
}

func (r *read) followAll(l *storage.Listener, c *checkpoints) error {
	for {
		if err := r.wait(l); err != nil {
			return err
		}
		events, behind := r.node.store.Hub.Take(l, storage.PageEvents)
		if behind {
			return nil
		}
		for i := range events {
			if events[i].Pos <= c.last {
				continue
			}
			if err := c.consider(&events[i]); err != nil {
				return err
			}
		}
	}
}
