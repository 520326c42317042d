package delivery

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"folio/commands/delivery"
	"folio/commands/webhook"
	"folio/events"
	"folio/outbound"
	"folio/tables"
)

// slowAnswer is from when on a receiver counts as slow.
const slowAnswer = outbound.Limit / 2

// attempt does what is next with a delivery. news says that the feed will bring what
// came of it. The connection is given back as soon as the call is over.
//
// A call that has begun is finished and recorded even when ctx ends: its bounds are its
// own, and it would be made again otherwise.
func (p *Processor) attempt(ctx context.Context, company string, it tables.Item, leave func()) (news bool, err error) {
	defer func() {
		if leave != nil {
			leave()
		}
	}()
	id := it.Key
	w, err := planOf(it)
	if err != nil {
		return false, err
	}
	series, number := strconv.Itoa(w.Series), strconv.Itoa(w.Attempts+1)
	if w.By != "" {
		return p.record(ctx, id, delivery.Supersede{By: w.By, Series: w.Series}, "supersede", series)
	}
	s, sub, err := p.current(ctx, company, id, w)
	if err != nil {
		return false, err
	}
	switch {
	case s.Status != delivery.Pending || s.Series != w.Series || s.Attempts != w.Attempts:
		p.sleep(ctx, behind)
		return false, nil
	case !sub.Exists() || sub.Webhook != s.Webhook:
		return p.record(ctx, id, delivery.Cancel{Reason: "the subscription was deleted", Series: w.Series}, "cancel", series)
	case sub.Status == webhook.Paused:
		return false, nil
	}
	e, err := p.send(context.WithoutCancel(ctx), id, s, sub)
	leave()
	leave = nil
	if err != nil {
		return false, err
	}
	return p.record(ctx, id, delivery.RecordAttempt{Attempt: e}, "attempt", series, number)
}

// current is the delivery by the log, and the company's subscription. A state from
// memory will do unless it disagrees with the list.
func (p *Processor) current(ctx context.Context, company, id string, w plan) (s delivery.State, sub webhook.State,
	err error) {
	if s, _, err = p.log.Deliveries.Cached(ctx, id); err != nil {
		return s, sub, err
	}
	if s.Status != delivery.Pending || s.Series != w.Series || s.Attempts != w.Attempts {
		if s, _, err = p.log.Deliveries.Load(ctx, id); err != nil {
			return s, sub, err
		}
	}
	sub, err = p.subs.now(ctx, company)
	return s, sub, err
}

// behind is how long a delivery waits for its list to hear its latest fact.
const behind = 50 * time.Millisecond

// send makes the call.
func (p *Processor) send(ctx context.Context, id string, s delivery.State, sub webhook.State) (events.DeliveryAttempted,
	error) {
	now := p.Clock.Now().UTC()
	e := events.DeliveryAttempted{Series: s.Series, Attempt: s.Attempts + 1, URL: sub.URL, Started: now}
	content, err := body(s.Payload, e.Attempt)
	if err != nil {
		return e, err
	}
	header, err := p.headers(ctx, id, sub, now, content)
	if err != nil {
		return e, err
	}
	r := p.c.Sender.Post(ctx, sub.URL, header, content)
	p.connections.judge(sub.Company, r.Ending == outbound.Timeout || r.Latency > slowAnswer)
	if p.c.Observe != nil {
		p.c.Observe(s.Code, r)
	}
	e.Milliseconds, e.Status, e.Outcome, e.Fault = r.Latency.Milliseconds(), r.Status, string(r.Ending), r.Fault
	e.Delivered = r.Ending == outbound.Delivered
	e.Body = strings.ToValidUTF8(string(r.Body), "\uFFFD")
	return e, nil
}

// recordTimeout bounds one try to record a fact after ctx has ended.
const recordTimeout = 5 * time.Second

// record puts what happened into the log, again and again while the log is away: the
// call was made and cannot be unmade. It gives up only when the process ends.
func (p *Processor) record(ctx context.Context, id string, c delivery.Command, step ...string) (news bool, err error) {
	q := p.request(id, step...)
	for {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
		out, err := p.log.Deliveries.Execute(within, id, c, q)
		cancel()
		if err == nil {
			return len(out.Events) > 0, nil
		}
		if ctx.Err() != nil {
			return false, fmt.Errorf("record delivery %s: %w", id, err)
		}
		p.Logger.Warn("what came of a delivery is not recorded yet, trying again", "delivery", id, "error", err)
		p.sleep(ctx, failurePause)
	}
}
