package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"folio/commands/delivery"
	"folio/commands/invoice"
	"folio/commands/webhook"
	"folio/events"
	"folio/processors/lanes"
	"folio/resource"
	"folio/tables"
)

const causesList = "delivery_causes"

// cause puts a change of an invoice's status on the list, if its company had asked for
// it at that position of the log.
func (p *Processor) cause(ctx context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	// What created the invoice never changes, so a state from memory does.
	s, _, err := p.log.Invoices.Cached(ctx, id)
	if err != nil {
		return err
	}
	if s.Status == invoice.None {
		return r.About(events.Unappliable, fmt.Errorf("invoice %s changed its status before it was created", id))
	}
	sub, err := p.subs.at(ctx, s.Company, r.Position)
	if err != nil || !sub.Hears(webhook.ISE) {
		return err
	}
	if _, started := r.Event.(events.SubmissionStarted); started {
		if first, err := p.firstStart(ctx, r); err != nil || !first {
			return err
		}
	}
	payload, err := json.Marshal(statusChanged(s, r))
	if err != nil {
		return err
	}
	item, err := json.Marshal(delivery.Schedule{Delivery: r.ID, Company: sub.Company, Webhook: sub.Webhook,
		Code: webhook.ISE, Document: id, Payload: payload, Due: r.Meta.At.UTC()})
	if err != nil {
		return err
	}
	p.batch.causes = true
	return p.causes.Put(ctx, tables.Item{Key: r.ID, Group: id, Order: r.Position, At: r.Position, Body: item})
}

// firstStart says whether r made the invoice "In process": an invoice that the
// authority did not process is sent again, and its status stays.
func (p *Processor) firstStart(ctx context.Context, r events.Recorded) (bool, error) {
	if r.Revision == 1 { // right after InvoiceCreated
		return true, nil
	}
	for e, err := range p.c.Streams.Read(ctx, r.Stream, 0) {
		switch {
		case err != nil:
			return false, err
		case e.Revision >= r.Revision:
			return true, nil
		case e.Type == r.Type:
			return false, nil
		}
	}
	return true, nil
}

func statusChanged(s invoice.State, r events.Recorded) resource.StatusChanged {
	out := resource.StatusChanged{DocumentID: s.Invoice, Event: webhook.ISE,
		ExternalReference: s.ExternalReference, CreatedAt: resource.Instant(r.Meta.At)}
	switch e := r.Event.(type) {
	case events.SubmissionStarted:
		out.Status = string(invoice.InProcess)
	case events.AuthorityAccepted:
		a := e.Authorization
		out.Status, out.AuthorizationType, out.AuthorizationCode = string(invoice.Accepted), a.Type, a.Code
		out.AuthorizationExpirationDate, out.AuthorizationQR = resource.ExpirationDate(a.ExpiresOn), a.QR
	case events.AuthorityRejected:
		out.Status, out.ErrorMessage = string(invoice.Rejected), events.Words(e.Reasons)
	case events.InvoiceRefused:
		out.Status, out.ErrorMessage = string(invoice.Rejected), events.Words(e.Reasons)
	}
	return out
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
