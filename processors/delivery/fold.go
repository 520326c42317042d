package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"folio/events"
	"folio/tables"
)

// Types are the events that the worklists are folded from.
var Types = []string{
	events.Name[events.SubmissionStarted](),
	events.Name[events.AuthorityAccepted](),
	events.Name[events.AuthorityRejected](),
	events.Name[events.CertificateExpiryNoticed](),
	events.Name[events.NumberingNoticed](),
	events.Name[events.PurchaseReceived](),
	events.Name[events.WebhookSubscribed](),
	events.Name[events.WebhookChanged](),
	events.Name[events.WebhookSecretRotated](),
	events.Name[events.WebhookRemoved](),
	events.Name[events.DeliveryScheduled](),
	events.Name[events.DeliveryAttempted](),
	events.Name[events.DeliveryExhausted](),
	events.Name[events.DeliverySuperseded](),
	events.Name[events.DeliveryCancelled](),
	events.Name[events.DeliveryResent](),
	events.Name[events.ReplayStarted](),
	events.Name[events.ReplayFinished](),
	events.Name[events.ReplayCancelled](),
}

// aggregate is the id behind the category: "01J..." of "invoice-01J...".
func aggregate(stream string) string {
	_, id, _ := strings.Cut(stream, "-")
	return id
}

// fold keeps the worklists and wakes whoever has work now.
func (p *Processor) fold(ctx context.Context, r events.Recorded) error {
	id := aggregate(r.Stream)
	switch e := r.Event.(type) {
	case events.SubmissionStarted, events.AuthorityAccepted, events.AuthorityRejected:
		return p.cause(ctx, r)
	case events.CertificateExpiryNoticed, events.NumberingNoticed, events.PurchaseReceived:
		return p.noticed(ctx, r)
	case events.WebhookSubscribed, events.WebhookChanged, events.WebhookSecretRotated, events.WebhookRemoved:
		p.subs.forget(id)
		return p.change(ctx, id, "", r.Position, tables.WorklistChange{})
	case events.DeliveryScheduled:
		return p.owe(ctx, e.Company, e.Document, r.Position, tables.Item{Key: id, Due: e.Due}, wait{Series: 1})
	case events.DeliveryResent:
		return p.owe(ctx, e.Company, e.Document, r.Position, tables.Item{Key: id, Due: e.Due}, wait{Series: e.Series})
	case events.DeliveryAttempted:
		return p.attempted(ctx, id, r.Position, e)
	case events.DeliveryExhausted:
		return p.over(ctx, e.Company, e.Document, id, r.Position)
	case events.DeliverySuperseded:
		return p.over(ctx, e.Company, e.Document, id, r.Position)
	case events.DeliveryCancelled:
		return p.over(ctx, e.Company, e.Document, id, r.Position)
	case events.ReplayStarted:
		if err := p.replays.Put(ctx, tables.Item{Key: id, At: r.Position, Order: r.Position}); err != nil {
			return err
		}
		p.startReplay(id, r.Position)
	case events.ReplayFinished, events.ReplayCancelled:
		p.stopReplay(id)
		return p.replays.Remove(ctx, id, r.Position)
	}
	return nil
}

// wait is the body of an item: which attempt it waits for, and until when.
type wait struct {
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

// owe puts a delivery on its company's list, behind the earlier ones of its document.
func (p *Processor) owe(ctx context.Context, company, document string, at events.Position, it tables.Item, w wait) error {
	p.lists.Lock()
	defer p.lists.Unlock()
	it.Group, it.Order, it.At = document, at, at
	it, err := w.item(it)
	if err != nil {
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
		if o.Key != it.Key && o.Order.Before(at) && w.holds() {
			it.Due = tables.Never
		}
	}
	return p.changeLocked(ctx, company, at, tables.WorklistChange{Put: []tables.Item{it}}, nothing)
}

// attempted moves the item to its next time, or takes one that arrived off the list.
func (p *Processor) attempted(ctx context.Context, id string, at events.Position, e events.DeliveryAttempted) error {
	p.lists.Lock()
	defer p.lists.Unlock()
	defer p.heard(e.Company, id)
	if e.Delivered {
		return p.arrived(ctx, id, at, e)
	}
	it, err := p.list(e.Company).Get(ctx, id)
	if errors.Is(err, tables.ErrNotFound) {
		return p.changeLocked(ctx, e.Company, at, tables.WorklistChange{}, e.Document)
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
		it.Due = *e.Next
	}
	if it, err = w.item(it); err != nil {
		return err
	}
	release := e.Document
	if w.holds() {
		release = nothing
	}
	return p.changeLocked(ctx, e.Company, at, tables.WorklistChange{Put: []tables.Item{it}}, release)
}

// arrived takes a delivery off the list and marks the earlier ones of its document:
// sending them would take its news back.
func (p *Processor) arrived(ctx context.Context, id string, at events.Position, e events.DeliveryAttempted) error {
	c := tables.WorklistChange{Remove: []tables.Removal{{Key: id, At: at}}}
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
		w.By, o.Due, o.At = id, p.c.Clock.Now(), at
		if o, err = w.item(o); err != nil {
			return err
		}
		c.Put = append(c.Put, o)
	}
	release := e.Document
	if mine >= 0 && len(items) == 1 {
		release = nothing
	}
	return p.changeLocked(ctx, e.Company, at, c, release)
}

// over takes a delivery off its company's list.
func (p *Processor) over(ctx context.Context, company, document, id string, at events.Position) error {
	defer p.heard(company, id)
	return p.change(ctx, company, document, at, tables.WorklistChange{Remove: []tables.Removal{{Key: id, At: at}}})
}
