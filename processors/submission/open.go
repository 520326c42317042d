package submission

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"folio/authority"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// parallel is how many invoices of one batch are loaded or copied at once. Appends that wait together share a commit of
// the log, so a batch of 250 costs four commits.
const parallel = 64

// open takes the head of the queue, gets ticket and last number, fixes what will be
// sent, and sends it.
func (t *turn) open(ctx context.Context, d session, state numbering.State) verdict {
	last, err := t.last(ctx, d, state)
	if err != nil {
		return away(err)
	}
	if v := t.askedAgain(last, state); v != nil {
		return *v
	}
	limit := batchLimit(d, last)
	if t.most > 0 {
		limit = min(limit, t.most)
	}
	if t.alone > 0 {
		limit, t.alone = 1, t.alone-1
	}
	queue, more, err := t.queue(ctx, state, limit)
	if err != nil {
		return failure(err)
	}
	if len(queue) == 0 {
		return verdict{} // the items were done already; look again
	}
	queue, stop := t.complete(ctx, d, queue)
	if stop != nil {
		return *stop
	}
	if queue, stop = t.price(ctx, d, queue); stop != nil {
		return *stop
	}
	batch := batchOf(d, together(d.driver, queue), last.Number+1)
	prepared, err := d.driver.Prepare(ctx, d.credential, batch)
	if err != nil {
		return t.unprepared(ctx, fmt.Errorf("prepare %d documents of %s: %w", len(batch.Documents), t.series, err))
	}
	if _, err := t.c.Files.StoreFile(ctx, prepared.Content); err != nil {
		return failure(fmt.Errorf("store what will be sent: %w", err))
	}
	submission := t.c.NewID()
	out, err := t.log.Numbering.Execute(ctx, t.series, numbering.OpenSubmission{
		Submission: submission, Invoices: invoicesOf(batch), SHA256: prepared.SHA256, AuthorityLast: last.Number,
		After: settledBefore(state),
	}, t.request(submission, "open"))
	if err != nil || out.State.Held != "" {
		return t.refusedOpen(err)
	}
	t.refusedNumber = 0
	for _, e := range out.Events {
		if f, ok := e.(events.ForeignNumbersNoticed); ok {
			t.Logger.Warn("another system used numbers of this series", "series", t.series, "from", f.From, "to", f.To)
		}
	}
	j := jobOf(out.State, submission, batch)
	j.more = more
	return t.send(ctx, d, j, prepared)
}

// refusedOpen is a turn whose submission did not open: the series changed meanwhile
// or was held by the attempt itself. The next turn sees why.
func (t *turn) refusedOpen(err error) verdict {
	if err != nil && !errors.Is(err, numbering.ErrOpen) && !errors.Is(err, numbering.ErrMoved) &&
		!errors.Is(err, numbering.ErrHeld) && !errors.Is(err, numbering.ErrContingencyPoint) {
		return failure(err)
	}
	return verdict{}
}

func settledBefore(s numbering.State) string {
	if s.Settled == nil {
		return ""
	}
	return s.Settled.Submission
}

func batchOf(d session, queue []invoice.Full, first int64) authority.Batch {
	b := authority.Batch{Series: d.authoritySeries(), At: d.at}
	for i, s := range queue {
		b.Documents = append(b.Documents, authority.Document{Invoice: s.Created.Invoice,
			Number: first + int64(i), Document: s.Created.Document, Taxes: s.Created.Taxes,
			Profile: s.Created.Profile, Fields: d.company.Profile.Fields})
	}
	return b
}

// job is an open submission in hand: the state of its series that a turn goes by, and its
// documents.
type job struct {
	numbering.Submission
	state numbering.State
	batch authority.Batch
	more  bool // documents are known to wait behind it
}

func jobOf(state numbering.State, submission string, batch authority.Batch) job {
	o, _ := state.Find(submission)
	for i := range batch.Documents {
		batch.Documents[i].Envelope = o.SHA256
	}
	return job{Submission: o, state: state, batch: batch}
}

// send tells the invoices that they are on their way, sends the batch once and
// settles what a definitive answer says. After any other answer the submission stays
// open, and the next turn asks before anything is sent again.
func (t *turn) send(ctx context.Context, d session, j job, p authority.Prepared) verdict {
	if err := t.copyStart(ctx, d.id, j); err != nil {
		return failure(err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	sent := &authority.Calls{}
	answer, err := d.driver.Send(ctx, d.credential, j.batch, p, sent.Record)
	switch d.calls.Add(sent.All()...); {
	case err == nil:
		defer t.askAhead(ctx, d, j)()
		return t.settle(ctx, d, j, answer.Outcomes)
	case errors.Is(err, authority.ErrPending):
		about := t.about(j.Submission.Submission)
		about.fail(sent.All())
		t.received(ctx, j.Submission.Submission, j.Invoices, err)
		return deciding(about.pending(err, t.Clock.Now()))
	case errors.Is(err, authority.ErrWrongNumber):
		t.refusedNumber++
		return t.wrongNumber(ctx, d, j, err)
	case errors.Is(err, authority.ErrSeries) && !t.ranged:
		if v := t.settle(ctx, d, j, unprocessed(j.batch.Documents)); v.cause != nil {
			return v
		}
		return away(err)
	case errors.Is(err, authority.ErrRefused) && len(j.batch.Documents) > 1 && !t.ranged:
		// No document is named: each is asked about alone, so that none is rejected
		// for its neighbour.
		if v := t.settle(ctx, d, j, unprocessed(j.batch.Documents)); v.cause != nil {
			return v
		}
		t.alone = len(j.batch.Documents)
		return verdict{}
	case errors.Is(err, authority.ErrRefused):
		return t.refused(ctx, d, j, p, err)
	}
	t.about(j.Submission.Submission).fail(sent.All())
	if errors.Is(err, authority.ErrHidden) {
		return t.denied(ctx, d, j, err)
	}
	return away(err)
}

// refuseAll is a refusal of the call as a whole, given to each of its documents: what
// is wrong (the issuer, the point of sale, the kind) is the same for all of them.
func refuseAll(b authority.Batch, err error) []events.Outcome {
	reasons := authority.Reasons(err)
	out := make([]events.Outcome, len(b.Documents))
	for i, doc := range b.Documents {
		out[i] = events.Outcome{Invoice: doc.Invoice, Number: doc.Number, Result: events.Rejected,
			Messages: reasons}
	}
	return out
}

// settle closes an open submission and copies the outcomes into the invoices.
func (t *turn) settle(ctx context.Context, d session, j job, outcomes []events.Outcome) verdict {
	ctx = context.WithoutCancel(ctx) // an answer in hand is recorded, whatever else ends
	setQR(d, j.state.Letter(j.SubmissionOpened), j.batch, outcomes)
	open := j.Submission.Submission
	kept, err := authority.Keep(ctx, t.c.Files, append(t.about(open).said(), d.calls.All()...))
	if err != nil {
		return failure(err)
	}
	said, err := digest(outcomes)
	if err != nil {
		return failure(err)
	}
	out, err := t.log.Numbering.Execute(ctx, t.series, numbering.SettleSubmission{
		Submission: open, After: settledBefore(j.state), Outcomes: outcomes, Calls: kept,
	}, t.request(open, "settle", said))
	switch {
	case errors.Is(err, numbering.ErrNotOpen) || errors.Is(err, numbering.ErrMoved):
		return verdict{} // another owner settled meanwhile: the next turn copies what it said
	case err != nil:
		return failure(err)
	}
	t.resize(outcomes)
	if err := t.completeCopies(ctx, d.id, out.State); err != nil {
		return failure(err)
	}
	if onlyUnprocessed(outcomes) {
		return because(waiting.AuthorityDown, "The authority did not process the documents; they are sent again under new "+
			"numbers.", false)
	}
	return verdict{}
}

// digest makes what is said part of the request's identity: the log takes a second
// append under the same event id for a repetition, and another owner's different word
// about the same submission is none.
func digest(outcomes []events.Outcome) (string, error) {
	body, err := json.Marshal(outcomes)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:]), err
}

// setQR adds the text of the printed code to what was accepted: it is the country's to
// know, and fixed from here on.
func setQR(d session, letter string, batch authority.Batch, outcomes []events.Outcome) {
	for i, o := range outcomes {
		if o.Authorization == nil || o.Authorization.QR != "" {
			continue
		}
		o.Authorization.QR = d.rules.QR(country.Issued{
			ID: o.Invoice, Document: batch.Documents[i].Document, Profile: batch.Documents[i].Profile,
			Taxes:        batch.Documents[i].Taxes,
			BranchOffice: d.id.BranchOffice, Series: letter, Number: o.Number, Authorization: *o.Authorization,
			Sandbox: o.Sandbox,
		})
	}
}

// onlyUnprocessed says that nothing was learnt, so that going on at once would ask the
// same again.
func onlyUnprocessed(outcomes []events.Outcome) bool {
	return !slices.ContainsFunc(outcomes, func(o events.Outcome) bool {
		return o.Result != events.NotProcessed || o.Found
	})
}
