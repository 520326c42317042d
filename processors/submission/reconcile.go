package submission

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"folio/authority"
	"folio/commands"
	"folio/commands/numbering"
	"folio/events"
	"folio/waiting"
)

// finish asks the authority what became of the open submission, before anything is
// sent again: domain page §2.5 step 4. It settles what is known; when nothing of it
// arrived, the same bytes are sent again under the same numbers.
func (t *turn) finish(ctx context.Context, d desk, state numbering.State) verdict {
	if at := t.about(state.Open.Submission).askAt; t.c.Clock.Now().Before(at) {
		return deciding(at)
	}
	batch, err := t.openBatch(ctx, d, state)
	if err != nil {
		return failure(err)
	}
	a, err := t.ask(ctx, d, state, batch)
	if err != nil {
		return away(err)
	}
	if a.foreign != "" && (t.ranged && state.Voids == nil || !t.ranged && !state.Released) {
		return t.hold(ctx, d, state, a.foreign)
	}
	if t.ranged {
		return t.finishRanged(ctx, d, state, batch, a)
	}
	outcomes := a.outcomes
	if len(outcomes) == len(batch.Documents) {
		return t.settle(ctx, d, state, batch, outcomes)
	}
	last, err := d.driver.Last(ctx, d.credential, d.authoritySeries(), d.calls.Record)
	if err != nil {
		return away(err)
	}
	next := state.Open.First + int64(len(outcomes)) // the first number that was not found
	switch {
	case last.Number < state.Last:
		return t.hold(ctx, d, state, fmt.Sprintf("the authority says that the last number is %d, but it accepted number %d from us", last.Number, state.Last))
	case last.Number >= next:
		return wait(waiting.AuthorityDisagree, fmt.Sprintf(
			"The authority says that number %d was the last one, and that it does not know number %d. It is asked again; nothing is sent until it agrees with itself.", last.Number, next), false)
	case len(outcomes) > 0:
		return t.settle(ctx, d, state, batch, append(outcomes, unprocessed(batch.Documents[len(outcomes):])...))
	case last.Number < state.Open.First-1:
		return wait(waiting.AuthorityDisagree, fmt.Sprintf(
			"The authority said that number %d was the last one and now says %d. It is asked again; nothing is sent until it agrees with itself.", state.Open.AuthorityLast, last.Number), false)
	}
	prepared, err := t.prepared(ctx, state.Open)
	if err != nil {
		return failure(err)
	}
	return t.send(ctx, d, state, batch, prepared)
}

// openBatch is the batch of an open submission, from the log.
func (t *turn) openBatch(ctx context.Context, d desk, state numbering.State) (authority.Batch, error) {
	states, err := t.loadAll(ctx, state.Open.Invoices)
	if err != nil {
		return authority.Batch{}, err
	}
	if t.ranged {
		r, ok := state.RangeOf(state.Open, state.Open.First)
		if !ok {
			return authority.Batch{}, fmt.Errorf("number %d of %s is in no range", state.Open.First, t.series)
		}
		return t.rangedBatch(ctx, d, states, state.Open.First, r)
	}
	return batchOf(d, states, state.Open.First), nil
}

// prepared are the bytes that the open submission fixed.
func (t *turn) prepared(ctx context.Context, open *events.SubmissionOpened) (authority.Prepared, error) {
	content, err := t.c.Files.File(ctx, open.SHA256)
	if err != nil {
		return authority.Prepared{}, fmt.Errorf("what submission %s sends: %w", open.Submission, err)
	}
	return authority.Prepared{Content: content, SHA256: open.SHA256}, nil
}

// asked is what the authority knows of the documents of an open submission.
type asked struct {
	outcomes []events.Outcome // of those that it knows, in order; of a ranged series all
	foreign  string           // how a document under one of our numbers is not ours
	pending  bool             // some arrived and are not decided
	absent   int              // how many it does not know; of a ranged series alone
}

// ask looks the open numbers up in order, up to the first that the authority does not
// know: it gives them out one after the other, nothing can lie behind it. In a ranged
// series they are ours, and it may come to know them in any order: all are asked about. A
// document of ours is accepted; another one under our number makes foreign the
// explanation, and ours was not processed.
func (t *turn) ask(ctx context.Context, d desk, state numbering.State, b authority.Batch) (asked, error) {
	var a asked
	for _, doc := range b.Documents {
		found, err := t.find(ctx, d, state.Open.Submission, b.Series, doc)
		if errors.Is(err, authority.ErrHidden) && state.Voids != nil {
			err = nil // an operator has looked: it is not there
		}
		if err != nil {
			return asked{}, err
		}
		if !found.Exists && !t.ranged {
			return a, nil
		}
		o := events.Outcome{Invoice: doc.Invoice, Number: doc.Number, Result: events.NotProcessed, Found: found.Exists}
		switch {
		case !found.Exists:
			a.absent++
		case found.Pending:
			a.pending = true
		case found.Same:
			o = found.Outcome(doc)
			o.Found = true
		default:
			if a.foreign == "" {
				a.foreign = fmt.Sprintf("number %d is held by a document that is not ours (%s), and whether ours was issued is not certain: another system uses this point of sale", doc.Number, found.Difference)
			}
			if t.ranged {
				o.Messages = []events.AuthorityMessage{{Code: events.CodeNumberTaken, Text: "A document that is not ours has its number: " + found.Difference + "."}}
			}
		}
		a.outcomes = append(a.outcomes, o)
	}
	return a, nil
}

// hold stops the series until an operator has looked, and records the calls that led to
// it: the settlement that would tell of them may be far away. Its request is a new one each
// time: the same reason may come back after a release.
func (t *turn) hold(ctx context.Context, d desk, state numbering.State, reason string) verdict {
	open := state.Open.Submission
	kept, err := authority.Keep(ctx, t.c.Files, slices.Concat(ends(t.about(open).said()), ends(d.calls.All())))
	if err != nil {
		return failure(err)
	}
	_, err = commands.Execute(ctx, t.c.Executor, numbering.Decider, t.series,
		numbering.Command(numbering.Hold{Submission: open, Reason: reason, Calls: kept}), t.request(open, "hold", t.c.NewID()))
	if err != nil && !errors.Is(err, numbering.ErrNotOpen) {
		return failure(err)
	}
	return verdict{} // the next turn says that it is held, or that another owner settled meanwhile
}

// maxRefusedNumbers bounds how often numbers are sent that the authority calls both
// the next ones and wrong.
const maxRefusedNumbers = 4

// wrongNumber is Argentina's 10016: another number or a later date was expected, and
// nothing of the call was processed.
//
//   - The number is taken: another system was faster. Ours goes on from its last one.
//   - The number is the next one: then the date is at fault if ours is earlier than
//     that of the last document (WSFEv1 manual, code 10016), and only that invoice is
//     rejected. A date is never changed silently.
//   - Neither: send again later, and hold the series if that does not end.
func (t *turn) wrongNumber(ctx context.Context, d desk, state numbering.State, b authority.Batch, refusal error) verdict {
	a, err := t.ask(ctx, d, state, b)
	if err != nil {
		return away(err)
	}
	if outcomes := a.outcomes; len(outcomes) > 0 {
		return t.settle(ctx, d, state, b, append(outcomes, unprocessed(b.Documents[len(outcomes):])...))
	}
	first := b.Documents[0]
	if first.Number > 1 {
		before := first
		before.Number--
		found, err := d.driver.Find(ctx, d.credential, b.Series, before, d.calls.Record)
		if err != nil {
			return away(err)
		}
		ours := first.Document.Date[:len("2006-01-02")]
		if found.Exists && ours < found.Authorization.Date {
			rejected := events.Outcome{Invoice: first.Invoice, Number: first.Number, Result: events.Rejected,
				Messages: append(authority.Reasons(refusal), authority.DatedBefore("10016", ours, before.Number, found.Authorization.Date))}
			return t.settle(ctx, d, state, b, append([]events.Outcome{rejected}, unprocessed(b.Documents[1:])...))
		}
	}
	if t.refusedNumber >= maxRefusedNumbers {
		return t.hold(ctx, d, state, fmt.Sprintf("the authority refused number %d %d times although it calls it the next one", first.Number, t.refusedNumber))
	}
	return wait(waiting.AuthorityDisagree, fmt.Sprintf("The authority refuses number %d although it calls it the next one; it is asked again.", first.Number), false)
}

// unprocessed are outcomes of documents that go back to the head of the queue.
func unprocessed(docs []authority.Document) []events.Outcome {
	out := make([]events.Outcome, len(docs))
	for i, doc := range docs {
		out[i] = events.Outcome{Invoice: doc.Invoice, Number: doc.Number, Result: events.NotProcessed}
	}
	return out
}
