package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// openRanged takes the next numbers of the company's own ranges (Chile, Uruguay). The
// documents are signed and stored before the append that takes their numbers, and only
// those bytes are ever sent: a number never leaves its invoice.
func (t *turn) openRanged(ctx context.Context, d session, state numbering.State) verdict {
	if err := t.gap(); err != nil {
		return failure(err)
	}
	head, stop := t.head(ctx, d, state)
	if stop != nil {
		return *stop
	}
	day := d.at.In(country.ZoneOf(d.rules, d.company.Issuer())).Format(time.DateOnly)
	current, ok := state.Current(day)
	if !ok {
		return noNumber(state, d.id)
	}
	last, stop := t.ready(ctx, d)
	if stop != nil {
		return *stop
	}
	queue := head
	if limit := int(min(int64(batchLimit(d, last)), current.Left(day))); limit > 1 {
		var err error
		if queue, _, err = t.queue(ctx, state, limit); err != nil {
			return failure(err)
		}
		if queue, stop = t.complete(ctx, d, queue); stop != nil {
			return *stop
		}
	}
	if len(queue) == 0 {
		return verdict{}
	}
	batch, prepared, err := t.sign(ctx, d, together(d.driver, queue), current)
	if err != nil {
		return t.unprepared(ctx, err)
	}
	if _, err := t.c.Files.StoreFile(ctx, prepared.Content); err != nil {
		return failure(fmt.Errorf("store what will be sent: %w", err))
	}
	submission := t.c.NewID()
	out, err := t.log.Numbering.Execute(ctx, t.series, numbering.OpenRanged{
		Submission: submission, Range: current.Range, First: current.Next, Invoices: invoicesOf(batch),
		SHA256: prepared.SHA256, Day: day, After: settledBefore(state),
	}, t.request(submission, "open"))
	if err != nil {
		return t.refusedOpen(err)
	}
	return t.waits(ctx, &t.about(submission).pause, d, t.send(ctx, d, jobOf(out.State, submission, batch), prepared))
}

// ready gets ready to send. Where documents may be handed over before the verdict, an authority
// that is away keeps none from being signed: that needs nothing of it.
func (t *turn) ready(ctx context.Context, d session) (authority.Last, *verdict) {
	last, err := d.driver.Last(ctx, d.credential, d.authoritySeries(), d.calls.Record)
	if err == nil {
		return last, nil
	}
	if v := away(err); !t.c.Handover || v.reason.Code != waiting.AuthorityDown {
		return last, &v
	}
	return authority.Last{}, nil
}

// head is the first document of the queue with its issuer complete, or why it waits.
func (t *turn) head(ctx context.Context, d session, state numbering.State) ([]invoice.Full, *verdict) {
	queue, _, err := t.queue(ctx, state, 1)
	if err != nil {
		v := failure(err)
		return nil, &v
	}
	if len(queue) == 0 {
		return nil, &verdict{} // the item was done already; look again
	}
	return t.complete(ctx, d, queue)
}

// sign signs what fits in one call of the head of the queue: half of it, and half of
// that, while the driver says that it is too large.
func (t *turn) sign(ctx context.Context, d session, queue []invoice.Full, current numbering.Range) (authority.Batch,
	authority.Prepared, error) {
	for {
		batch, err := t.rangedBatch(ctx, d, queue, current.Next, current)
		if err != nil {
			return batch, authority.Prepared{}, err
		}
		prepared, err := d.driver.Prepare(ctx, d.credential, batch)
		switch {
		case errors.Is(err, authority.ErrTooLarge) && len(queue) > 1:
			queue = queue[:len(queue)/2]
		case err != nil:
			return batch, prepared, fmt.Errorf("sign %d documents of %s: %w", len(queue), t.series, err)
		default:
			return batch, prepared, nil
		}
	}
}

// noNumber is why a series without a free number waits, for an upload.
func noNumber(state numbering.State, id numbering.Series) verdict {
	where := "POST /api/companies/" + id.Company + "/enumeration/upload"
	if len(state.Ranges) == 0 {
		return because(waiting.NoRange, "There is no numbering range of this document type for the environment "+
			id.Environment+": upload one with "+where+".", true)
	}
	return because(waiting.RangeExhausted, "All numbers of this document type are used up or have expired: upload the "+
		"next numbering file with "+where+".", true)
}

// rangedBatch is a batch whose documents carry the numbering file of their numbers: a
// submission never goes over the end of its range.
func (t *turn) rangedBatch(ctx context.Context, d session, queue []invoice.Full, first int64,
	r numbering.Range) (authority.Batch, error) {
	b := batchOf(d, queue, first)
	file, err := t.c.Secrets.Open(ctx, r.Secret)
	if err != nil {
		return b, fmt.Errorf("open the numbering file %s: %w", r.Range, err)
	}
	opened := &authority.Range{ID: r.Range, Series: r.Series, File: file, From: r.From, To: r.To}
	for i := range b.Documents {
		b.Documents[i].Range = opened
	}
	return b, nil
}

// together cuts a queue before the first document that may not share a call with the
// ones ahead of it.
func together(d authority.Driver, queue []invoice.Full) []invoice.Full {
	g := d.Can().Grouper
	if g == nil {
		return queue
	}
	for i := 1; i < len(queue); i++ {
		if !g.Together(queue[0].Created.Document, queue[i].Created.Document) {
			return queue[:i]
		}
	}
	return queue
}

func invoicesOf(b authority.Batch) []string {
	return country.Collect(b.Documents, func(doc authority.Document) string { return doc.Invoice })
}

// finishRanged goes on with an open submission of a ranged series: what did not arrive
// at all is sent again as it was, and what arrived is waited for until every document
// has its verdict, which may come in parts. What the authority refused as a whole goes on
// document by document. With an operator's word that the numbers are
// given up, nothing is sent again: what the authority does not have is void.
func (t *turn) finishRanged(ctx context.Context, d session, j job, a asked) verdict {
	about := t.about(j.Submission.Submission)
	if j.Split {
		a = about.refusedAlone(a)
	}
	known := len(j.batch.Documents) - a.absent
	switch {
	case j.Split && j.Voids == nil && (a.pending || a.absent > 0):
		return t.sendAlone(ctx, d, j, a)
	case a.pending:
		return deciding(about.askAt)
	case j.Voids != nil:
		return t.settle(ctx, d, j, voided(a.outcomes, j.Voids.Reason))
	case a.absent == 0:
		return t.settle(ctx, d, j, a.outcomes)
	case known > 0:
		clear(about.found) // a driver that keeps what it sent may have let it go between two questions
		return because(waiting.AuthorityDisagree, fmt.Sprintf(
			"The authority knows %d of the %d documents that were sent together; it is asked again. If that does not end, "+
				"tell the operator of this service, who can look at the authority's records and give the numbers up.", known,
			len(j.batch.Documents)), false)
	}
	prepared, err := t.prepared(ctx, j.Submission)
	if err != nil {
		return failure(err)
	}
	if ok, err := t.mayGoOn(ctx, j.Submission.Submission); err != nil {
		return failure(err)
	} else if !ok {
		return verdict{} // the next turn sees why
	}
	return t.send(ctx, d, j, prepared)
}

// voided rejects the documents that the authority does not have, for the reason that an
// operator gave.
func voided(outcomes []events.Outcome, reason string) []events.Outcome {
	for i := range outcomes {
		o := &outcomes[i]
		if o.Result != events.NotProcessed {
			continue
		}
		o.Result = events.Rejected
		if len(o.Messages) == 0 {
			o.Messages = []events.AuthorityMessage{{Code: events.CodeVoided, Text: "The authority does not have it."}}
		}
		o.Messages[0].Text += " An operator of this service gave up its number: " + strings.TrimSuffix(reason, ".") +
			". Issue it again, under another number."
	}
	return outcomes
}

// deciding is the verdict while the authority has the documents and says nothing yet. It
// is not asked before at, when it said so.
func deciding(at time.Time) verdict {
	v := because(waiting.AuthorityDeciding, "The authority received the documents and has not decided yet; it is asked "+
		"again.", false)
	v.until = at
	return v
}
