package submission

import (
	"context"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/waiting"
)

// openRanged takes the next numbers of the company's own ranges (Chile, Uruguay). The
// documents are signed and stored before the append that takes their numbers, and only
// those bytes are ever sent: a number never leaves its invoice.
func (t *turn) openRanged(ctx context.Context, d desk, state numbering.State) verdict {
	day := t.c.Clock.Now().In(d.rules.Location()).Format(time.DateOnly)
	current, ok := state.Current(day)
	if !ok {
		return noNumber(state, d.id)
	}
	last, err := d.driver.Last(ctx, d.credential, d.authoritySeries(), d.calls.record)
	if err != nil {
		return away(err)
	}
	queue, err := t.queue(ctx, int(min(int64(batchLimit(d, last)), current.Left(day))))
	if err != nil {
		return failure(err)
	}
	if len(queue) == 0 {
		return verdict{}
	}
	batch, err := t.rangedBatch(ctx, d, queue, current.Next, state)
	if err != nil {
		return failure(err)
	}
	prepared, err := d.driver.Prepare(ctx, d.credential, batch)
	if err != nil {
		return failure(fmt.Errorf("sign %d documents of %s: %w", len(queue), t.series, err))
	}
	if _, err := t.c.Files.StoreFile(ctx, prepared.Content); err != nil {
		return failure(fmt.Errorf("store what will be sent: %w", err))
	}
	submission := t.c.NewID()
	out, err := commands.Execute(ctx, t.c.Executor, numbering.Decider, t.series, numbering.Command(numbering.OpenRanged{
		Submission: submission, First: current.Next, Invoices: invoicesOf(batch), SHA256: prepared.SHA256, Day: day, After: settledBefore(state),
	}), t.request(submission, "open"))
	if err != nil {
		return t.refusedOpen(err)
	}
	return t.send(ctx, d, out.State, batch, prepared)
}

// noNumber is why a series without a free number waits, for an upload.
func noNumber(state numbering.State, id numbering.Series) verdict {
	where := "POST /api/companies/" + id.Company + "/enumeration/upload"
	if len(state.Ranges) == 0 {
		return wait(waiting.NoRange, "There is no numbering range of this document type: upload one with "+where+".", true)
	}
	return wait(waiting.RangeExhausted, "All numbers of this document type are used up or have expired: upload the next numbering file with "+where+".", true)
}

// rangedBatch is a batch whose documents carry the numbering file of their number.
func (t *turn) rangedBatch(ctx context.Context, d desk, queue []invoice.State, first int64, state numbering.State) (authority.Batch, error) {
	b := batchOf(d, queue, first)
	opened := map[string]*authority.Range{}
	for i := range b.Documents {
		r, ok := state.RangeOf(b.Documents[i].Number)
		if !ok {
			return b, fmt.Errorf("number %d of %s is in no range", b.Documents[i].Number, t.series)
		}
		if opened[r.Range] == nil {
			file, err := t.c.Secrets.Open(ctx, r.Secret)
			if err != nil {
				return b, fmt.Errorf("open the numbering file %s: %w", r.Range, err)
			}
			opened[r.Range] = &authority.Range{ID: r.Range, File: file, From: r.From, To: r.To}
		}
		b.Documents[i].Range = opened[r.Range]
	}
	return b, nil
}

func invoicesOf(b authority.Batch) []string {
	ids := make([]string, len(b.Documents))
	for i, doc := range b.Documents {
		ids[i] = doc.Invoice
	}
	return ids
}

// finishRanged goes on with an open submission of a ranged series: whatever did not
// arrive is sent again as it was, and what arrived is waited for.
func (t *turn) finishRanged(ctx context.Context, d desk, state numbering.State, batch authority.Batch, a asked) verdict {
	switch {
	case a.pending:
		return deciding()
	case len(a.outcomes) == len(batch.Documents):
		return t.settle(ctx, d, state, batch, a.outcomes)
	case len(a.outcomes) > 0:
		return wait(waiting.AuthorityDisagree, fmt.Sprintf(
			"The authority knows %d of the %d documents that were sent together; it is asked again.", len(a.outcomes), len(batch.Documents)), false)
	}
	prepared, err := t.prepared(ctx, state.Open)
	if err != nil {
		return failure(err)
	}
	return t.send(ctx, d, state, batch, prepared)
}

// deciding is the verdict while the authority has the documents and says nothing yet.
func deciding() verdict {
	return wait(waiting.AuthorityDeciding, "The authority received the documents and has not decided yet; it is asked again.", false)
}
