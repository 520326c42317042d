package node

import (
	"github.com/google/uuid"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// runSubscription confirms, sends what is stored after the start, says that it caught up and goes on
// live. It ends with the call, with the node, or when the stream is tombstoned.
func (r *read) runSubscription() error {
	if err := r.node.admitSubscription(); err != nil {
		return err
	}
	defer r.node.subscriptions.Add(-1)
	source := r.stream
	if isIndex(source) {
		source = "" // any event may belong to it
	}
	l := r.node.store.hub.listen(source)
	defer r.node.store.hub.remove(l)
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
func (r *read) wait(l *listener) error {
	select {
	case <-l.wake:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	case <-r.node.closing:
		return errStopped
	case <-r.node.store.failed:
		return r.node.store.stopReason()
	}
}

// subscribeStream and subscribeAll go between reading the database and following the hub; each arrival
// at the end is told with caught up. The cursor decides what is new, so nothing is sent twice.
func (r *read) subscribeStream(l *listener) error {
	end, err := r.node.store.streamEnd(r.ctx, r.stream)
	if err != nil {
		return err
	}
	last := signed(r.from) // revision of the last event seen
	switch {
	case r.fromStart:
		last = -1
	case r.fromEnd:
		last = end.last
	}
	if err := r.confirm(); err != nil {
		return err
	}
	for {
		if last, err = r.catchUpStream(last); err != nil {
			return err
		}
		if !r.fromEnd {
			if last, err = r.awaitStream(l, last); err != nil {
				return err
			}
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
// there, unless they asked for its end.
func (r *read) awaitStream(l *listener, last int64) (int64, error) {
	for {
		end, err := r.node.store.streamEnd(r.ctx, r.stream)
		if err != nil || !end.missing() {
			return last, err
		}
		if err := r.wait(l); err != nil {
			return last, err
		}
		r.node.store.hub.skip(l)
		if last, err = r.catchUpStream(last); err != nil {
			return last, err
		}
	}
}

// catchUpStream sends what is stored after revision last and answers the new last.
func (r *read) catchUpStream(last int64) (int64, error) {
	for {
		end, err := r.node.store.streamEnd(r.ctx, r.stream)
		if err != nil {
			return last, err
		}
		from := max(last+1, end.meta.first(end.last))
		if from > end.last {
			return last, nil
		}
		events, _, err := r.node.store.streamPage(r.ctx, span{r.stream, end.num, from, end.last, 1, pageEvents})
		if err != nil {
			return last, err
		}
		for i := range events {
			last = int64(events[i].rev)
			if r.node.store.expired(&end.meta, &events[i]) {
				continue
			}
			if err := r.send(&events[i]); err != nil {
				return last, err
			}
		}
	}
}

// followIndex reads on at every event of the log. A view never ends, so neither does this.
func (r *read) followIndex(l *listener, last int64) (int64, error) {
	for {
		if err := r.wait(l); err != nil {
			return last, err
		}
		r.node.store.hub.skip(l)
		var err error
		if last, err = r.catchUpStream(last); err != nil {
			return last, err
		}
	}
}

// followStream sends new events until the subscription has fallen behind.
func (r *read) followStream(l *listener, last int64) (int64, error) {
	if isIndex(r.stream) {
		return r.followIndex(l, last)
	}
	for {
		if err := r.wait(l); err != nil {
			return last, err
		}
		events, behind := r.node.store.hub.take(l, pageEvents)
		if behind {
			return last, nil
		}
		for i := range events {
			if int64(events[i].rev) <= last {
				continue
			}
			last = int64(events[i].rev)
			if err := r.send(&events[i]); err != nil {
				return last, err
			}
			if events[i].isTombstone() {
				return last, errStreamDeleted
			}
		}
	}
}

func (r *read) subscribeAll(l *listener) error {
	last := r.from // position of the last event considered
	switch {
	case r.fromEnd:
		last = r.node.store.last.Load()
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
	after := uint64(0)
	for {
		if err := r.closing(); err != nil {
			return err
		}
		events, more, err := r.node.store.allForward(r.ctx, c.last+1, after, pageEvents)
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

// closing ends a long catch-up when the node closes.
func (r *read) closing() error {
	select {
	case <-r.node.closing:
		return errStopped
	default:
		return nil
	}
}

func (r *read) followAll(l *listener, c *checkpoints) error {
	for {
		if err := r.wait(l); err != nil {
			return err
		}
		events, behind := r.node.store.hub.take(l, pageEvents)
		if behind {
			return nil
		}
		for i := range events {
			if events[i].pos <= c.last {
				continue
			}
			if err := c.consider(&events[i]); err != nil {
				return err
			}
		}
	}
}
