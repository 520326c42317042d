package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"folio/commands/delivery"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
)

// reactions keep the worklists: each notes in the draft what its event changes.
func (p *Processor) reactions() []reactor.Reaction {
	return append(p.told(), []reactor.Reaction{
		reactor.Also[events.WebhookSubscribed](p.subscription),
		reactor.Also[events.WebhookChanged](p.subscription),
		reactor.Also[events.WebhookSecretRotated](p.subscription),
		reactor.Also[events.WebhookRemoved](p.removed),
		reactor.On(p.scheduledNow),
		reactor.On(p.resent),
		reactor.On(p.attempted),
		reactor.On(func(ctx context.Context, r events.Recorded, e events.DeliveryExhausted) error {
			return p.over(ctx, r, e.Company, e.Document)
		}),
		reactor.On(func(ctx context.Context, r events.Recorded, e events.DeliverySuperseded) error {
			return p.over(ctx, r, e.Company, e.Document)
		}),
		reactor.On(func(ctx context.Context, r events.Recorded, e events.DeliveryCancelled) error {
			return p.over(ctx, r, e.Company, e.Document)
		}),
		reactor.Also[events.ReplayStarted](p.replayStarted),
		reactor.Also[events.ReplayFinished](p.replayOver),
		reactor.Also[events.ReplayCancelled](p.replayOver),
	}...)
}

// subscription forgets what was known of a company's, and has its lane look again.
func (p *Processor) subscription(_ context.Context, r events.Recorded) error {
	company := events.Aggregate(r.Stream)
	p.subs.forget(company)
	return p.batch.news(company, r.Position)
}

func (p *Processor) removed(ctx context.Context, r events.Recorded) error {
	if err := p.subscription(ctx, r); err != nil {
		return err
	}
	return p.dismiss(ctx, events.Aggregate(r.Stream), r.Position)
}

func (p *Processor) replayStarted(ctx context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	defer p.replayer.Wake(id)
	return p.replays.Put(ctx, tables.Item{Key: id, At: r.Position, Order: r.Position})
}

func (p *Processor) replayOver(ctx context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	p.stopReplay(id)
	return p.replays.Remove(ctx, id, r.Position)
}

func (p *Processor) scheduledNow(ctx context.Context, r events.Recorded, e events.DeliveryScheduled) error {
	it := tables.Item{Key: events.Aggregate(r.Stream), Group: e.Document, Order: r.Position, At: r.Position, Due: e.Due}
	return p.owe(ctx, e.Company, it, plan{Webhook: e.Webhook, Series: 1})
}

// maxDismissed is how many deliveries are dismissed at once; the others are as their next
// attempt becomes due.
const maxDismissed = 1000

// dismiss makes the deliveries of a removed subscription due at once, since their next
// attempt may be a day away: their turn cancels them. A delivery that was asked for after
// the removal keeps its time, also when the removal is heard again.
func (p *Processor) dismiss(ctx context.Context, company string, at events.Position) error {
	list := p.list(company)
	held, err := list.Due(ctx, tables.Never, maxDismissed)
	if err != nil {
		return err
	}
	now := p.Clock.Now()
	for _, it := range held {
		if it.At.Before(at) && it.Due.After(now) {
			p.batch.released[company] = true
			if err := list.Postpone(ctx, it.Key, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// plan is the body of an item: which attempt it waits for, and until when.
type plan struct {
	Webhook  int64  `json:"h,omitempty"` // the subscription that it is owed to; 0 in items of earlier releases
	Series   int    `json:"s"`
	Attempts int    `json:"n"`            // made in the series
	Due      int64  `json:"due"`          // microseconds; the item itself says Never while it is held back
	By       string `json:"by,omitempty"` // the later delivery that arrived: this one is not sent any more
}

func (w plan) item(it tables.Item) (tables.Item, error) {
	w.Due = tables.Micros(it.Due)
	var err error
	it.Body, err = json.Marshal(w)
	return it, err
}

func planOf(it tables.Item) (w plan, err error) {
	if err = json.Unmarshal(it.Body, &w); err != nil {
		err = fmt.Errorf("read the item of delivery %s: %w", it.Key, err)
	}
	return w, err
}

// patience is how many attempts of an earlier delivery the later ones of its document
// wait for: those at once, after 5 and after 60 seconds. A receiver that hiccups gets
// everything in order; one that is away for longer is not kept from the newest status
// by the old one's next attempt.
const patience = 3

// holds says whether an item holds back the later ones of its document.
func (w plan) holds() bool { return w.Attempts < patience && w.By == "" }

// maxDocument is how many deliveries of one document are looked at together.
const maxDocument = 1000

// resent puts a delivery where it was among those of its document: behind a later one that
// is still owed, it would take that one's news back.
func (p *Processor) resent(ctx context.Context, r events.Recorded, e events.DeliveryResent) error {
	id, at := events.Aggregate(r.Stream), r.Position
	it, err := p.list(e.Company).Get(ctx, id)
	if errors.Is(err, tables.ErrNotFound) {
		it.Order, err = p.scheduled(ctx, id, at)
	}
	if err != nil {
		return err
	}
	return p.owe(ctx, e.Company, tables.Item{Key: id, Group: e.Document, Order: it.Order, At: at, Due: e.Due},
		plan{Webhook: e.Webhook, Series: e.Series})
}

// scheduled is where a delivery was scheduled; otherwise where the log does not tell.
func (p *Processor) scheduled(ctx context.Context, id string, otherwise events.Position) (events.Position, error) {
	for first, err := range p.c.Streams.Read(ctx, delivery.Decider.Stream(id), 0) {
		return first.Position, err
	}
	return otherwise, nil
}

// owe puts a delivery on its company's list, behind the earlier ones of its document, which is its group.
func (p *Processor) owe(ctx context.Context, company string, it tables.Item, w plan) error {
	it, err := w.item(it)
	if err != nil {
		return err
	}
	earlier, err := p.document(ctx, company, it.Group)
	if err != nil {
		return err
	}
	for _, o := range earlier {
		w, err := planOf(o)
		if err != nil {
			return err
		}
		if o.Key != it.Key && o.Order.Before(it.Order) && w.holds() {
			it.Due = tables.Never
		}
	}
	if err := p.batch.news(company, it.At); err != nil {
		return err
	}
	return p.list(company).Put(ctx, it)
}

// attempted moves the item to its next time, or takes one that arrived off the list.
func (p *Processor) attempted(ctx context.Context, r events.Recorded, e events.DeliveryAttempted) error {
	id, at := events.Aggregate(r.Stream), r.Position
	if e.Delivered {
		return p.arrived(ctx, id, at, e)
	}
	it, err := p.list(e.Company).Get(ctx, id)
	if errors.Is(err, tables.ErrNotFound) {
		return p.settled(ctx, e.Company, e.Document, id, at)
	}
	if err != nil {
		return err
	}
	w, err := planOf(it)
	if err != nil {
		return err
	}
	it.At, it.Due, w.Series, w.Attempts = at, tables.Never, e.Series, e.Attempt
	if e.Next != nil {
		if it.Due, err = p.next(ctx, e.Company, w.Webhook, *e.Next); err != nil {
			return err
		}
	}
	if it, err = w.item(it); err != nil {
		return err
	}
	if err := p.list(e.Company).Put(ctx, it); err != nil {
		return err
	}
	release := e.Document
	if w.holds() {
		release = nothing
	}
	return p.settled(ctx, e.Company, release, id, at)
}

// next is when the turn after an attempt is due: at once, to cancel the delivery, when its
// subscription went away during the call.
func (p *Processor) next(ctx context.Context, company string, hook int64, due time.Time) (time.Time, error) {
	sub, err := p.subs.now(ctx, company)
	if err == nil && hook != 0 && sub.Webhook != hook {
		due = p.Clock.Now()
	}
	return due, err
}

// arrived takes a delivery off the list and marks the earlier ones of its document as
// superseded: sending them would take the receiver back to an older status.
func (p *Processor) arrived(ctx context.Context, id string, at events.Position, e events.DeliveryAttempted) error {
	items, err := p.document(ctx, e.Company, e.Document)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(items, func(it tables.Item) bool { return it.Key == id })
	for _, o := range items[:max(mine, 0)] {
		w, err := planOf(o)
		if err != nil {
			return err
		}
		w.By, o.Due, o.At = id, p.Clock.Now(), at
		if o, err = w.item(o); err != nil {
			return err
		}
		if err := p.list(e.Company).Put(ctx, o); err != nil {
			return err
		}
	}
	if err := p.list(e.Company).Remove(ctx, id, at); err != nil {
		return err
	}
	release := e.Document
	if mine >= 0 && len(items) == 1 {
		release = nothing
	}
	return p.settled(ctx, e.Company, release, id, at)
}

// over takes a delivery off its company's list.
func (p *Processor) over(ctx context.Context, r events.Recorded, company, document string) error {
	id, at := events.Aggregate(r.Stream), r.Position
	if err := p.list(company).Remove(ctx, id, at); err != nil {
		return err
	}
	return p.settled(ctx, company, document, id, at)
}

// settled releases the deliveries that waited for this one, and tells the lane that took
// it.
func (p *Processor) settled(ctx context.Context, company, release, id string, at events.Position) error {
	if err := p.release(ctx, company, release); err != nil {
		return err
	}
	if err := p.batch.news(company, at); err != nil {
		return err
	}
	p.batch.heard = append(p.batch.heard, heard{company, id})
	return nil
}

// nothing marks a fact that lets go of no delivery.
const nothing = ""

// document lists the deliveries owed about one document, in order. There are none about nothing.
func (p *Processor) document(ctx context.Context, company, document string) ([]tables.Item, error) {
	if document == "" {
		return nil, nil
	}
	return p.list(company).InGroup(ctx, document, maxDocument)
}

// release gives the deliveries of a document their own due time, up to the first one that
// holds back the later ones.
func (p *Processor) release(ctx context.Context, company, document string) error {
	items, err := p.document(ctx, company, document)
	if err != nil {
		return err
	}
	for _, it := range items {
		w, err := planOf(it)
		if err != nil {
			return err
		}
		if own := tables.FromMicros(w.Due); it.Due.Equal(tables.Never) && own.Before(tables.Never) {
			p.batch.released[company] = true
			if err := p.list(company).Postpone(ctx, it.Key, own); err != nil {
				return err
			}
		}
		if w.holds() {
			break
		}
	}
	return nil
}
