package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"folio/commands/invoice"
	"folio/events"
	"folio/eventstore"
	"folio/past"
)

// maxFound is how many invoices one number or reference may lead to.
const maxFound = 100

// invoices shows every invoice with the number or the external reference, found in the log:
// no read model is needed.
func (c *historyCmd) invoices(ctx context.Context, s *stores, w window) error {
	ids, err := c.find(ctx, s.log)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return fmt.Errorf("no invoice has this number or reference in this log: compare it, and --data with the service's")
	}
	for i, id := range ids {
		if !c.JSON && i > 0 {
			fmt.Println()
		}
		if !c.JSON {
			fmt.Printf("Invoice %s\n", id)
		}
		if err := c.invoice(ctx, s, w, id); err != nil {
			return err
		}
	}
	return nil
}

// find reads the creations and numbers of all invoices.
func (c *historyCmd) find(ctx context.Context, log *eventstore.Log) (ids []string, err error) {
	wanted, err := c.wanted()
	if err != nil {
		return nil, err
	}
	types := []string{events.Name[events.InvoiceCreated](), events.Name[events.NumberAssigned]()}
	for r, err := range log.All(ctx, events.Position{}, eventstore.Filter{Types: types}) {
		if err != nil {
			return nil, fmt.Errorf("look for the invoice: %w", err)
		}
		opened, err := events.Open(r)
		if err != nil || !wanted(opened.Event) {
			continue // what cannot be read has no number that could be compared
		}
		id := strings.TrimPrefix(r.Stream, invoice.Decider.Stream(""))
		own, err := c.ofCompany(ctx, log, opened, id)
		if err != nil {
			return nil, err
		}
		if own {
			ids = append(ids, id)
		}
		if len(ids) > maxFound {
			return nil, fmt.Errorf("more than %d invoices have it: name the company too, with --company", maxFound)
		}
	}
	return ids, nil
}

// wanted tells the events that name what is looked for.
func (c *historyCmd) wanted() (func(events.Event) bool, error) {
	if c.Reference != "" {
		return func(e events.Event) bool {
			created, ok := e.(events.InvoiceCreated)
			return ok && strings.EqualFold(created.Document.ExternalReference, c.Reference)
		}, nil
	}
	point, number, cut := strings.Cut(c.Number, "-")
	if !cut {
		point, number = "", c.Number
	}
	n, err := strconv.ParseInt(number, 10, 64)
	branch := -1
	if err == nil && cut {
		branch, err = strconv.Atoi(point)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is no number of an invoice: write 0001-00000007, or 7", c.Number)
	}
	return func(e events.Event) bool {
		assigned, ok := e.(events.NumberAssigned)
		return ok && assigned.Number == n && (branch < 0 || assigned.BranchOffice == branch)
	}, nil
}

// ofCompany says whether an invoice is of the company that was named, if one was.
func (c *historyCmd) ofCompany(ctx context.Context, log *eventstore.Log, r events.Recorded, id string) (bool, error) {
	if c.Company == "" {
		return true, nil
	}
	if e, ok := r.Event.(events.InvoiceCreated); ok {
		return e.Company == c.Company, nil
	}
	for first, err := range (storedLog{log}).Read(ctx, invoice.Decider.Stream(id), 0) {
		if err != nil {
			return false, err
		}
		if e, ok := first.Event.(events.InvoiceCreated); ok {
			return e.Company == c.Company, nil
		}
	}
	return false, nil
}

// factsOf yields the facts of a company, or of everybody, from the beginning of a period.
func factsOf(ctx context.Context, log *eventstore.Log, company string, w window) past.Facts {
	return func(yield func(events.Recorded, error) bool) {
		own := map[string]bool{} // streams that are the company's and do not say so in their name
		for r, err := range log.All(ctx, events.Position{}, eventstore.Filter{}) {
			switch {
			case err != nil:
				yield(r, err)
				return
			case events.KinshipOf(r) == events.Foreign || company != "" && !isOf(company, r, own) ||
				!w.from.IsZero() && !w.has(r) && w.to.Holds(r):
				continue
			}
			if opened, err := events.Open(r); err == nil {
				r = opened
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// isOf says whether a fact is a company's: its stream's name says so, or the first fact of
// the stream that names a company.
func isOf(company string, r events.Recorded, own map[string]bool) bool {
	_, id, _ := strings.Cut(r.Stream, "-")
	if id == company || strings.HasPrefix(id, company+"-") || own[r.Stream] {
		return true
	}
	var named struct {
		Company string `json:"company"`
	}
	if json.Unmarshal(r.Raw, &named) != nil || named.Company != company {
		return false
	}
	own[r.Stream] = true
	return true
}
