package delivery

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"folio/commands/delivery"
	"folio/commands/invoice"
	"folio/commands/webhook"
	"folio/country"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/resource"
	"folio/tables"
)

const causesList = "delivery_causes"

// cause is a fact that a company is told of if it had asked for its code when the fact was recorded.
type cause struct {
	company, code string
	document      string // an invoice, whose deliveries go in order; empty: they keep no order
	// payload is what the company is told; nil: nothing. It is asked for only when the company wants to know.
	payload func() (any, error)
}

// owes puts a cause on the list.
func (p *Processor) owes(ctx context.Context, r events.Recorded, c cause) error {
	sub, err := p.subs.at(ctx, c.company, r.Position)
	if err != nil || !sub.Hears(c.code) {
		return err
	}
	told, err := c.payload()
	if err != nil || told == nil {
		return err
	}
	s := delivery.Schedule{Delivery: r.ID, Company: sub.Company, Webhook: sub.Webhook, Code: c.code, Document: c.document,
		Due: r.Meta.At.UTC()}
	if s.Payload, err = json.Marshal(told); err != nil {
		return err
	}
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	p.batch.causes = true
	it := tables.Item{Key: r.ID, Group: cmp.Or(c.document, r.Stream), Order: r.Position, At: r.Position, Body: body}
	return p.causes.Put(ctx, it)
}

// told are the reactions to what companies are told of.
func (p *Processor) told() []reactor.Reaction {
	return []reactor.Reaction{
		changes(p, started),
		changes(p, accepted),
		changes(p, rejected),
		changes(p, refused),
		reactor.On(p.certificateExpires),
		reactor.On(p.numbersRunOut),
		reactor.On(p.purchaseReceived),
		reactor.On(p.outageOpened),
		reactor.On(p.outageClosed),
	}
}

// Told are the types of the events that companies are told of; Again says which of them are left out.
func Told() (types []string) {
	for _, r := range new(Processor).told() {
		types = append(types, r.Type())
	}
	return types
}

// changes is the reaction to an event that changes an invoice's status; tell adds what the event says.
func changes[E events.Event](p *Processor, tell func(E, *resource.StatusChanged)) reactor.Reaction {
	return reactor.On(func(ctx context.Context, r events.Recorded, e E) error {
		id := events.Aggregate(r.Stream)
		// What created the invoice never changes, so a state from memory does.
		s, _, err := p.log.Invoices.Cached(ctx, id)
		if err != nil {
			return err
		}
		if s.Status == invoice.None {
			return r.About(events.Unappliable, fmt.Errorf("invoice %s changed its status before it was created", id))
		}
		return p.owes(ctx, r, cause{s.Company, webhook.ISE, id, func() (any, error) {
			if again, err := Again(ctx, p.c.Streams, r); err != nil || again {
				return nil, err
			}
			if s.Submission == "" || s.Number == 0 { // the state in memory may be older than the event
				if s, _, err = p.log.Invoices.Load(ctx, id); err != nil {
					return nil, err
				}
			}
			out := resource.StatusChanged{DocumentID: s.Invoice, Event: webhook.ISE,
				ExternalReference: s.ExternalReference, CreatedAt: resource.Instant(r.Meta.At),
				Company: s.Company, Environment: s.Environment}
			out.Number = numberAt(r, s)
			tell(e, &out)
			return p.handedOver(ctx, s, out)
		}})
	})
}

// handedOver adds what to do about a rejected document that was given out before the verdict.
func (p *Processor) handedOver(ctx context.Context, s invoice.State, out resource.StatusChanged) (any, error) {
	if out.Status != string(invoice.Rejected) {
		return out, nil
	}
	s, _, err := p.log.Invoices.Load(ctx, s.Invoice) // another process may have handed it over
	if err != nil || !s.HandedOver {
		return out, err
	}
	co, _, err := p.log.Companies.Cached(ctx, s.Company)
	if err != nil {
		return nil, err
	}
	if rules, ok := p.Rules(co.Country); ok {
		if rules, ok := rules.(country.HandsOver); ok {
			out.HandedOver, out.NextStep = true, rules.RefusedAfter()
		}
	}
	return out, nil
}

// numberAt is the number that an invoice had for good at an event, "" for none. One of a point of sale is final
// with acceptance, others from the submission on.
func numberAt(r events.Recorded, s invoice.State) string {
	early := r.Type == events.Name[events.SubmissionStarted]() && s.PointOfSale != 0
	if s.Number == 0 || early {
		return ""
	}
	return resource.Number(s.PointOfSale, s.Number)
}

func started(_ events.SubmissionStarted, out *resource.StatusChanged) {
	out.Status = string(invoice.InProcess)
}

func accepted(e events.AuthorityAccepted, out *resource.StatusChanged) {
	a := e.Authorization
	out.Status, out.AuthorizationType, out.AuthorizationCode = string(invoice.Accepted), a.Type, a.Code
	out.AuthorizationExpirationDate, out.AuthorizationQR = resource.ExpirationDate(a.ExpiresOn), a.QR
	out.NoFiscalValue = e.Sandbox
}

func rejected(e events.AuthorityRejected, out *resource.StatusChanged) {
	out.Status, out.ErrorMessage = string(invoice.Rejected), events.Words(e.Reasons)
}

func refused(e events.InvoiceRefused, out *resource.StatusChanged) {
	out.Status, out.ErrorMessage = string(invoice.Rejected), events.Words(e.Reasons)
}

// Again says whether r starts the submission of an invoice that is "In process" already: one that the authority did
// not process is sent again, and its status stays. Nobody is told of it. R needs type, stream and revision only.
func Again(ctx context.Context, log Streams, r events.Recorded) (bool, error) {
	if r.Type != events.Name[events.SubmissionStarted]() || r.Revision == 1 { // right after InvoiceCreated
		return false, nil
	}
	for e, err := range log.Read(ctx, r.Stream, 0) {
		switch {
		case err != nil:
			return false, err
		case e.Revision >= r.Revision:
			return false, nil
		case e.Type == r.Type:
			return true, nil
		}
	}
	return false, nil
}

// atOnce is how many causes become deliveries in one go, parallel of them at a time.
const (
	atOnce   = 256
	parallel = 16
)

// schedule turns some causes into deliveries.
func (p *Processor) schedule(ctx context.Context) lanes.Next {
	n, err := p.scheduleSome(ctx)
	switch {
	case err != nil:
		return lanes.Failed(err)
	case n == 0:
		return lanes.Asleep()
	}
	return lanes.Again()
}

// scheduleSome takes the oldest causes. Those of one document go in order, and the next
// round begins when this one is over.
func (p *Processor) scheduleSome(ctx context.Context) (int, error) {
	items, err := p.causes.Due(ctx, p.Clock.Now(), atOnce)
	if err != nil || len(items) == 0 {
		return 0, errors.Join(err, p.prune(ctx, p.causes))
	}
	var order []string
	documents := map[string][]tables.Item{}
	for _, it := range items {
		if _, ok := documents[it.Group]; !ok {
			order = append(order, it.Group)
		}
		documents[it.Group] = append(documents[it.Group], it)
	}
	var g errgroup.Group
	g.SetLimit(parallel)
	for _, document := range order {
		g.Go(func() error {
			for _, it := range documents[document] {
				if err := p.scheduleOne(ctx, it); err != nil {
					return err
				}
				if err := p.causes.Remove(ctx, it.Key, it.At); err != nil {
					return err
				}
			}
			return nil
		})
	}
	p.chores.Wake(settling)
	return len(items), g.Wait()
}

func (p *Processor) scheduleOne(ctx context.Context, it tables.Item) error {
	var c delivery.Schedule
	if err := json.Unmarshal(it.Body, &c); err != nil {
		return fmt.Errorf("read the cause %s: %w", it.Key, err)
	}
	q := p.request(c.Delivery, "schedule")
	if c.Document != "" {
		q.Correlation = c.Document
	}
	if _, err := p.log.Deliveries.ExecuteNew(ctx, c.Delivery, c, q); err != nil {
		return fmt.Errorf("schedule delivery %s: %w", c.Delivery, err)
	}
	return nil
}
