package submission

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// price gives the documents of a queue that left their exchange rate to the authority the
// authority's own, each by a fact of its own, before any of them has a number. An attempt
// asks anew, since the day of the rate may have moved; the same rate is no new fact. It
// returns those that have a rate, up to the first that has none; the verdict is why that
// one waits when it is the head of the queue.
func (t *turn) price(ctx context.Context, d session, queue []invoice.Full) ([]invoice.Full, *verdict) {
	known := map[authority.Question]authority.Quotation{}
	for i, s := range queue {
		document := s.First().Document
		if !country.LeavesRate(d.rules, document) {
			continue
		}
		question := authority.Question{Currency: document.Currency.Code, Date: document.Date[:len(time.DateOnly)],
			OfficialCode: document.OfficialCode}
		rate, ok := known[question]
		if !ok {
			var err error
			if rate, err = t.quote(ctx, d, question); err != nil {
				if i > 0 {
					return queue[:i], nil // its own turn says why
				}
				v := unquoted(question, err)
				return nil, &v
			}
			known[question] = rate
		}
		id := s.Created.Invoice
		out, err := t.log.Documents.Execute(ctx, id,
			invoice.TakeRate{Rate: events.RateTaken{Rate: rate.Rate, Date: rate.Date}},
			t.request(id, "rate "+rate.Rate.String()+" of "+rate.Date))
		if err != nil {
			v := failure(fmt.Errorf("price invoice %s: %w", id, err))
			return nil, &v
		}
		queue[i] = out.State
	}
	return queue, nil
}

func (t *turn) quote(ctx context.Context, d session, q authority.Question) (authority.Quotation, error) {
	quoter := d.driver.Can().Quoter
	if quoter == nil {
		return authority.Quotation{}, authority.ErrNoQuotation
	}
	return quoter.Quote(ctx, d.credential, q, d.calls.Record)
}

// unquoted is the verdict on a document whose rate could not be had.
func unquoted(q authority.Question, err error) verdict {
	if !errors.Is(err, authority.ErrNoQuotation) {
		return away(err)
	}
	v := because(waiting.NoRate, fmt.Sprintf(
		"The authority has no exchange rate of %s for a document of %s yet. It is asked again; or issue the document anew "+
			"with the rate in currency.exchange_rate.", q.Currency, q.Date), false)
	v.cause = err
	return v
}
