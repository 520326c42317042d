package submission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"folio/authority"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// finish asks the authority what became of the open submission, before anything is
// sent again: domain page §2.5 step 4. It settles what is known; when nothing of it
// arrived, the same bytes are sent again under the same numbers.
func (t *turn) finish(ctx context.Context, d session, state numbering.State, open numbering.Submission) verdict {
	if at := t.about(open.Submission).askAt; t.Clock.Now().Before(at) {
		return deciding(at)
	}
	batch, err := t.openBatch(ctx, d, state, open)
	if err != nil {
		return failure(err)
	}
	j := jobOf(state, open.Submission, batch)
	a, err := t.ask(ctx, d, j)
	switch {
	case errors.Is(err, authority.ErrHidden):
		return t.denied(ctx, d, j, err)
	case err != nil:
		return away(err)
	case a.foreign != "" && (t.ranged && j.Voids == nil || !t.ranged && !j.Released):
		return t.hold(ctx, d, j, a.foreign)
	case t.ranged:
		return t.finishRanged(ctx, d, j, a)
	}
	return t.finishCounted(ctx, d, j, a.outcomes)
}

// finishCounted goes on with an open submission whose numbers the authority counts:
// outcomes are those of the documents that it knows, the first ones.
func (t *turn) finishCounted(ctx context.Context, d session, j job, outcomes []events.Outcome) verdict {
	if len(outcomes) == len(j.batch.Documents) {
		return t.settle(ctx, d, j, outcomes)
	}
	last, err := d.driver.Last(ctx, d.credential, d.authoritySeries(), d.calls.Record)
	if err != nil {
		return away(err)
	}
	next := j.First + int64(len(outcomes)) // the first number that was not found
	switch {
	case last.Number < j.state.Last:
		if v := t.askedAgain(last, j.state); v != nil {
			return *v
		}
		return t.hold(ctx, d, j, events.Because("the authority says that the last number is %d, but it accepted number %d "+
			"from us", last.Number, j.state.Last))
	case last.Number >= next:
		return because(waiting.AuthorityDisagree, fmt.Sprintf(
			"The authority says that number %d was the last one, and that it does not know number %d. It is asked again; "+
				"nothing is sent until it agrees with itself.", last.Number, next), false)
	case len(outcomes) > 0:
		return t.settle(ctx, d, j, append(outcomes, unprocessed(j.batch.Documents[len(outcomes):])...))
	case last.Number < j.First-1:
		return because(waiting.AuthorityDisagree, fmt.Sprintf(
			"The authority said that number %d was the last one and now says %d. It is asked again; nothing is sent until it "+
				"agrees with itself.", j.AuthorityLast, last.Number), false)
	}
	prepared, err := t.prepared(ctx, j.Submission)
	if err != nil {
		return failure(err)
	}
	return t.send(ctx, d, j, prepared)
}

// maxLower is how often in a row the authority may say that its last number is lower than one that it accepted from us.
const maxLower = 4

// askedAgain is a turn that asks once more for a last number that is lower than one that the authority accepted: a part
// of it that lags says so for a moment. Nil is for a number that is not, and for one that stays: the series is held for
// it.
func (t *turn) askedAgain(last authority.Last, state numbering.State) *verdict {
	if last.Number >= state.Last {
		t.lower = 0
		return nil
	}
	if t.lower++; t.lower >= maxLower {
		return nil
	}
	v := because(waiting.AuthorityDisagree, fmt.Sprintf("The authority says that number %d was the last one, and it "+
		"accepted number %d from us. It is asked again; nothing is sent until it agrees with itself.", last.Number,
		state.Last), false)
	return &v
}

// openBatch is the batch of an open submission, from the log.
func (t *turn) openBatch(ctx context.Context, d session, state numbering.State,
	open numbering.Submission) (authority.Batch, error) {
	states, err := t.loadAll(ctx, open.Invoices)
	if err != nil {
		return authority.Batch{}, err
	}
	if t.ranged {
		r, ok := state.RangeOf(open.SubmissionOpened, open.First)
		if !ok {
			return authority.Batch{}, fmt.Errorf("number %d of %s is in no range", open.First, t.series)
		}
		return t.rangedBatch(ctx, d, states, open.First, r)
	}
	return batchOf(d, states, open.First), nil
}

// prepared are the bytes that an open submission fixed.
func (t *turn) prepared(ctx context.Context, open numbering.Submission) (authority.Prepared, error) {
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

// maxMissed is how many look-ups of one turn may fail in a row: after them it is the
// authority that does not answer, and not one number.
const maxMissed = 2

// ask looks the open numbers up in order, up to the first that the authority does not
// know: it gives them out one after the other, nothing can lie behind it. In a ranged
// series they are ours, and it may come to know them in any order: all are asked about. A
// document of ours is accepted; another one under our number makes foreign the
// explanation, and ours was not processed.
//
// A look-up that fails does not end the turn, since a question changes nothing: the numbers
// behind it are asked about as well, so that the next turn has only this one left. The
// first failure is the answer then.
func (t *turn) ask(ctx context.Context, d session, j job) (asked, error) {
	var a asked
	var failed error
	missed := 0
	for _, doc := range j.batch.Documents {
		found, err := t.find(ctx, d, j.Submission.Submission, j.batch.Series, doc)
		if errors.Is(err, authority.ErrHidden) && j.Voids != nil {
			err = nil // an operator has looked: it is not there
		}
		if err != nil {
			failed = cmp.Or(failed, err)
			if missed++; missed == maxMissed || ctx.Err() != nil {
				break
			}
			continue
		}
		missed = 0
		if found.Pending {
			t.received(ctx, j.Submission.Submission, []string{doc.Invoice}, nil)
		}
		if !found.Exists && !t.ranged {
			break
		}
		a.add(doc, found, t.ranged)
	}
	return a, failed
}

// add takes in what the authority has under the number of a document.
func (a *asked) add(doc authority.Document, found authority.Found, ranged bool) {
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
			a.foreign = events.Because("number %d is held by a document that is not ours (%s), and whether ours was issued is "+
				"not certain: another system uses this point of sale", doc.Number, found.Difference)
		}
		if ranged {
			o.Messages = []events.AuthorityMessage{{Code: events.CodeNumberTaken,
				Text: "A document that is not ours has its number: " + found.Difference + "."}}
		}
	}
	a.outcomes = append(a.outcomes, o)
}

// hold stops the series until an operator has looked, and records the calls that led to
// it: the settlement that would tell of them may be far away. Its request is a new one each
// time: the same reason may come back after a release.
func (t *turn) hold(ctx context.Context, d session, j job, reason string) verdict {
	open := j.Submission.Submission
	kept, err := authority.Keep(ctx, t.c.Files, slices.Concat(ends(t.about(open).said()), ends(d.calls.All())))
	if err != nil {
		return failure(err)
	}
	_, err = t.log.Numbering.Execute(ctx, t.series,
		numbering.Hold{Submission: open, Reason: reason, Calls: kept}, t.request(open, "hold", t.c.NewID()))
	if err != nil && !errors.Is(err, numbering.ErrNotOpen) {
		return failure(err)
	}
	return verdict{} // the next turn says that it is held, or that another owner settled meanwhile
}

// maxRefusedNumbers bounds how often numbers are sent that the authority calls both
// the next ones and wrong.
const maxRefusedNumbers = 4

// wrongNumber is authority.ErrWrongNumber: another number or a later date was expected,
// and nothing of the call was processed.
//
//   - The number is taken: another system was faster. Ours goes on from its last one.
//   - The number is the next one: then the date is at fault if ours is earlier than
//     that of the last document, and only that invoice is rejected. A date is never
//     changed silently.
//   - Neither: send again later, and hold the series if that does not end.
func (t *turn) wrongNumber(ctx context.Context, d session, j job, refusal error) verdict {
	b := j.batch
	a, err := t.ask(ctx, d, j)
	if err != nil {
		return away(err)
	}
	if outcomes := a.outcomes; len(outcomes) > 0 {
		return t.settle(ctx, d, j, append(outcomes, unprocessed(b.Documents[len(outcomes):])...))
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
			reasons := authority.Reasons(refusal)
			dated := authority.DatedBefore(reasons[0].Code, ours, before.Number, found.Authorization.Date)
			rejected := events.Outcome{Invoice: first.Invoice, Number: first.Number, Result: events.Rejected,
				Messages: append(reasons, dated)}
			return t.settle(ctx, d, j, append([]events.Outcome{rejected}, unprocessed(b.Documents[1:])...))
		}
	}
	if t.refusedNumber >= maxRefusedNumbers {
		return t.hold(ctx, d, j, events.Because("the authority refused number %d %d times although it calls it the next one",
			first.Number, t.refusedNumber))
	}
	return because(waiting.AuthorityDisagree, fmt.Sprintf("The authority refuses number %d although it calls it the "+
		"next one; it is asked again.", first.Number), false)
}

// unprocessed are outcomes of documents that go back to the head of the queue.
func unprocessed(docs []authority.Document) []events.Outcome {
	return country.Collect(docs, func(doc authority.Document) events.Outcome {
		return events.Outcome{Invoice: doc.Invoice, Number: doc.Number, Result: events.NotProcessed}
	})
}
