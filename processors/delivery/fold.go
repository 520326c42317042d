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
	return []reactor.Reaction{
		reactor.Also[events.SubmissionStarted](p.cause),
		reactor.Also[events.AuthorityAccepted](p.cause),
		reactor.Also[events.AuthorityRejected](p.cause),
		reactor.Also[events.InvoiceRefused](p.cause),
		reactor.Also[events.CertificateExpiryNoticed](p.noticed),
		reactor.Also[events.NumberingNoticed](p.noticed),
		reactor.Also[events.PurchaseReceived](p.noticed),
		reactor.Also[events.WebhookSubscribed](p.subscription),
		reactor.Also[events.WebhookChanged](p.subscription),
		reactor.Also[events.WebhookSecretRotated](p.subscription),
		reactor.Also[events.WebhookRemoved](p.removed),
		keyed(p, p.scheduledNow),
		keyed(p, p.resent),
		keyed(p, p.attempted),
		keyed(p, func(ctx context.Context, r events.Recorded, e events.DeliveryExhausted) error {
			return p.over(ctx, r, e.Company, e.Document)
		}),
		keyed(p, func(ctx context.Context, r events.Recorded, e events.DeliverySuperseded) error {
			return p.over(ctx, r, e.Company, e.Document)
		}),
		keyed(p, func(ctx context.Context, r events.Recorded, e events.DeliveryCancelled) error {
			return p.over(ctx, r, e.Company, e.Document)
		}),
		reactor.Also[events.ReplayStarted](p.replayStarted),
		reactor.Also[events.ReplayFinished](p.replayOver),
		reactor.Also[events.ReplayCancelled](p.replayOver),
	}
}

// keyed is reactor.On for an event that changes a delivery. One without a key cannot be kept, and the tables would
// refuse the whole draft with it, each time that it is written.
func keyed[E events.Event](p *Processor, fold func(context.Context, events.Recorded, E) error) reactor.Reaction {
	return reactor.On(func(ctx context.Context, r events.Recorded, e E) error {
		return errors.Join(fold(ctx, r, e), p.draft.fault())
	})
}

// subscription forgets what was known of a company's, and has its lane look again.
func (p *Processor) subscription(ctx context.Context, r events.Recorded) error {
	company := events.Aggregate(r.Stream)
	p.subs.forget(company)
	p.draft.news(company, r.Position)
	return p.study(ctx, company)
}

func (p *Processor) removed(ctx context.Context, r events.Recorded) error {
	if err := p.subscription(ctx, r); err != nil {
		return err
	}
	return p.dismiss(ctx, events.Aggregate(r.Stream), r.Position)
}

func (p *Processor) replayStarted(_ context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	p.draft.put(replaysList, tables.Item{Key: id, At: r.Position, Order: r.Position})
	p.startReplay(id, r.Position)
	return nil
}

func (p *Processor) replayOver(_ context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	p.stopReplay(id)
	p.draft.remove(replaysList, id, r.Position)
	return nil
}

func (p *Processor) scheduledNow(ctx context.Context, r events.Recorded, e events.DeliveryScheduled) error {
	it := tables.Item{Key: events.Aggregate(r.Stream), Order: r.Position, Due: e.Due}
	return p.owe(ctx, e.Company, e.Document, r.Position, it, wait{Webhook: e.Webhook, Series: 1})
}

// maxDismissed is how many deliveries are dismissed at once; the others are as their next
// attempt becomes due.
const maxDismissed = 1000

// dismiss lets no delivery of a subscription that is gone wait for its next attempt, which
// may be a day away: a turn at it cancels it. What was asked for since then, when the
// removal is heard again, keeps its time.
func (p *Processor) dismiss(ctx context.Context, company string, at events.Position) error {
	list, latest := listName(company), tables.Never.Add(-time.Microsecond)
	held, known := p.books.due(list, latest)
	if !known {
		written, err := p.written(ctx, company)
		if err != nil {
			return err
		}
		if held, err = written.Due(ctx, latest, maxDismissed); err != nil {
			return err
		}
	}
	now := p.Clock.Now()
	for _, it := range p.draft.over(list, held, func(tables.Item) bool { return true }) {
		if it.At.Before(at) && it.Due.After(now) && it.Due.Before(tables.Never) {
			it.Due = now
			p.draft.postpone(list, it)
			p.draft.released[company] = true
		}
	}
	return nil
}

// wait is the body of an item: which attempt it waits for, and until when.
type wait struct {
	Webhook  int64  `json:"h,omitempty"` // the subscription that it is owed to; 0 in items of earlier releases
	Series   int    `json:"s"`
	Attempts int    `json:"n"`            // made in the series
	Due      int64  `json:"due"`          // microseconds; the item itself says Never while it is held back
	By       string `json:"by,omitempty"` // the later delivery that arrived: this one is not sent any more
}

func (w wait) item(it tables.Item) (tables.Item, error) {
	w.Due = tables.Micros(it.Due)
	var err error
	it.Body, err = json.Marshal(w)
	return it, err
}

func waitOf(it tables.Item) (w wait, err error) {
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
func (w wait) holds() bool { return w.Attempts < patience && w.By == "" }

// maxDocument is how many deliveries of one document are looked at together.
const maxDocument = 1000

// resent puts a delivery where it was among those of its document: behind a later one that
// is still owed, it would take that one's news back.
func (p *Processor) resent(ctx context.Context, r events.Recorded, e events.DeliveryResent) error {
	id, at := events.Aggregate(r.Stream), r.Position
	if err := p.study(ctx, e.Company); err != nil {
		return err
	}
	it, err := p.item(ctx, e.Company, id)
	if errors.Is(err, tables.ErrNotFound) {
		it.Order, err = p.scheduled(ctx, id, at)
	}
	if err != nil {
		return err
	}
	return p.owe(ctx, e.Company, e.Document, at, tables.Item{Key: id, Order: it.Order, Due: e.Due}, wait{Webhook: e.Webhook, Series: e.Series})
}

// scheduled is where a delivery was scheduled; otherwise where the log does not tell.
func (p *Processor) scheduled(ctx context.Context, id string, otherwise events.Position) (events.Position, error) {
	for first, err := range p.c.Streams.Read(ctx, delivery.Decider.Stream(id), 0) {
		return first.Position, err
	}
	return otherwise, nil
}

// owe puts a delivery on its company's list, behind the earlier ones of its document.
func (p *Processor) owe(ctx context.Context, company, document string, at events.Position, it tables.Item, w wait) error {
	it.Group, it.At = document, at
	it, err := w.item(it)
	if err != nil {
		return err
	}
	if err := p.study(ctx, company); err != nil {
		return err
	}
	earlier, err := p.document(ctx, company, document)
	if err != nil {
		return err
	}
	for _, o := range earlier {
		w, err := waitOf(o)
		if err != nil {
			return err
		}
		if o.Key != it.Key && o.Order.Before(it.Order) && w.holds() {
			it.Due = tables.Never
		}
	}
	p.draft.put(listName(company), it)
	p.draft.news(company, at)
	return nil
}

// attempted moves the item to its next time, or takes one that arrived off the list.
func (p *Processor) attempted(ctx context.Context, r events.Recorded, e events.DeliveryAttempted) error {
	id, at := events.Aggregate(r.Stream), r.Position
	if err := p.study(ctx, e.Company); err != nil {
		return err
	}
	if e.Delivered {
		return p.arrived(ctx, id, at, e)
	}
	it, err := p.item(ctx, e.Company, id)
	if errors.Is(err, tables.ErrNotFound) {
		return p.settled(ctx, e.Company, e.Document, id, at)
	}
	if err != nil {
		return err
	}
	w, err := waitOf(it)
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
	p.draft.put(listName(e.Company), it)
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

// arrived takes a delivery off the list and marks the earlier ones of its document:
// sending them would take its news back.
func (p *Processor) arrived(ctx context.Context, id string, at events.Position, e events.DeliveryAttempted) error {
	items, err := p.document(ctx, e.Company, e.Document)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(items, func(it tables.Item) bool { return it.Key == id })
	for _, o := range items[:max(mine, 0)] {
		w, err := waitOf(o)
		if err != nil {
			return err
		}
		w.By, o.Due, o.At = id, p.Clock.Now(), at
		if o, err = w.item(o); err != nil {
			return err
		}
		p.draft.put(listName(e.Company), o)
	}
	p.draft.remove(listName(e.Company), id, at)
	release := e.Document
	if mine >= 0 && len(items) == 1 {
		release = nothing
	}
	return p.settled(ctx, e.Company, release, id, at)
}

// over takes a delivery off its company's list.
func (p *Processor) over(ctx context.Context, r events.Recorded, company, document string) error {
	id, at := events.Aggregate(r.Stream), r.Position
	if err := p.study(ctx, company); err != nil {
		return err
	}
	p.draft.remove(listName(company), id, at)
	return p.settled(ctx, company, document, id, at)
}

// settled lets go of what nothing holds back any more, and tells the lane that had taken
// the delivery.
func (p *Processor) settled(ctx context.Context, company, release, id string, at events.Position) error {
	if err := p.release(ctx, company, release); err != nil {
		return err
	}
	p.draft.heard = append(p.draft.heard, taken{company, id})
	p.draft.news(company, at)
	return nil
}
