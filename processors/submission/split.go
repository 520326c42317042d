package submission

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"folio/authority"
	"folio/commands/numbering"
	"folio/events"
)

// refused is a refusal of the call as a whole: of the document in it, or of documents that
// go alone from here on where the driver has it so, since only one may be at fault.
func (t *turn) refused(ctx context.Context, d session, j job, p authority.Prepared, refusal error) verdict {
	if len(j.batch.Documents) > 1 && t.ranged {
		switch _, err := parts(d.driver, j.batch, p); {
		case err == nil:
			return t.split(ctx, d, j, refusal)
		case !errors.Is(err, errors.ErrUnsupported):
			return failure(fmt.Errorf("split submission %s: %w", j.Submission.Submission, err))
		}
	}
	return t.settle(ctx, d, j, refuseAll(j.batch, refusal))
}

// parts are what the documents of a batch are sent as, each alone: they follow from the
// bytes that their submission fixed.
func parts(d authority.Driver, b authority.Batch, p authority.Prepared) ([]authority.Prepared, error) {
	splitter := d.Can().Splitter
	if splitter == nil {
		return nil, errors.ErrUnsupported
	}
	out, err := splitter.Split(b, p)
	if err == nil && len(out) != len(b.Documents) {
		err = fmt.Errorf("%d parts of %d documents", len(out), len(b.Documents))
	}
	return out, err
}

// split records that the authority refused an open submission as a whole. Without that
// fact a part of what was sent together is never sent again.
func (t *turn) split(ctx context.Context, d session, j job, refusal error) verdict {
	ctx = context.WithoutCancel(ctx) // an answer in hand is recorded, whatever else ends
	open := j.Submission.Submission
	kept, err := authority.Keep(ctx, t.c.Files, append(t.about(open).said(), d.calls.All()...))
	if err != nil {
		return failure(err)
	}
	_, err = t.log.Numbering.Execute(ctx, t.series, numbering.SplitSubmission{
		Submission: open, Messages: authority.Reasons(refusal), Calls: kept,
	}, t.request(open, "split"))
	if err != nil && !errors.Is(err, numbering.ErrNotOpen) {
		return failure(err)
	}
	t.about(open).failed = nil
	return verdict{} // the next turn asks about each document, and sends it alone
}

// refusedAlone completes what the authority knows by the documents that it refused alone
// and therefore does not have.
func (l *learnt) refusedAlone(a asked) asked {
	for i, o := range a.outcomes {
		if refused, ok := l.refused[o.Number]; ok && absent(o) {
			a.outcomes[i] = refused
			a.absent--
		}
	}
	return a
}

// absent says of what was asked about that the authority does not know it.
func absent(o events.Outcome) bool { return o.Result == events.NotProcessed && !o.Found }

// sendAlone sends each document that the authority does not have in a call of its own,
// and settles once every document has its outcome.
func (t *turn) sendAlone(ctx context.Context, d session, j job, a asked) verdict {
	var stop *verdict
	l := t.about(j.Submission.Submission)
	var calls map[int64][]authority.Exchange
	if a.absent > 0 {
		whole, err := t.prepared(ctx, j.Submission)
		if err != nil {
			return failure(err)
		}
		alone, err := parts(d.driver, j.batch, whole)
		if err != nil {
			return failure(fmt.Errorf("split submission %s: %w", j.Submission.Submission, err))
		}
		calls, stop = t.sendEach(ctx, d, j, alone, &a)
	}
	if stop == nil && !a.pending {
		return t.settle(ctx, d, j, a.outcomes)
	}
	maps.Copy(l.alone, calls)
	if stop != nil {
		l.askAt = time.Time{} // others are still to be sent
		return *stop
	}
	v := deciding(l.askAt)
	v.reason.Text = fmt.Sprintf("The authority refused %d documents that were sent together, so each was sent alone, "+
		"to find out which one is at fault. It refused %d of them and has not decided on all others yet; it is asked again.",
		len(j.batch.Documents), len(l.refused))
	return v
}

// sendEach sends what is absent, one after the other, and completes what is known of it. It
// returns the calls by number, and why it could not come to an end. What the authority says that it has, and does not
// show, keeps no other document back, and is sent again only when a person asks for it.
func (t *turn) sendEach(ctx context.Context, d session, j job, parts []authority.Prepared,
	a *asked) (calls map[int64][]authority.Exchange, stop *verdict) {
	calls = map[int64][]authority.Exchange{}
	l := t.about(j.Submission.Submission)
	for _, i := range l.inTurn(a.outcomes) {
		switch ok, err := t.mayGoOn(ctx, j.Submission.Submission); {
		case err != nil:
			v := failure(err)
			return calls, &v
		case !ok:
			return calls, &verdict{} // the next turn sees why
		}
		doc := j.batch.Documents[i]
		if hidden := l.hidden[doc.Number]; hidden != nil && !t.asked {
			v := away(hidden)
			stop = &v
			continue
		}
		o, said, err := t.sendOne(ctx, d, l, authority.Batch{Series: j.batch.Series, Documents: []authority.Document{doc}},
			parts[i])
		calls[doc.Number] = said
		switch {
		case errors.Is(err, authority.ErrPending):
			a.pending = true
		case errors.Is(err, authority.ErrHidden):
			l.hidden[doc.Number] = err
			v := away(err)
			stop = &v
		case err != nil:
			v := away(err)
			return calls, &v
		default:
			a.outcomes[i] = o
			t.progress = true
		}
	}
	return calls, stop
}

// inTurn are the places of the documents that are absent. What was sent before goes last:
// one that the authority cannot cope with holds up no other.
func (l *learnt) inTurn(outcomes []events.Outcome) []int {
	var fresh, again []int
	for i, o := range outcomes {
		_, sent := l.alone[o.Number]
		switch {
		case absent(o) && sent:
			again = append(again, i)
		case absent(o):
			fresh = append(fresh, i)
		}
	}
	return append(fresh, again...)
}

// mayGoOn says that a submission is still open and that nobody holds its series or gives
// its numbers up meanwhile: calls take their time.
func (t *turn) mayGoOn(ctx context.Context, submission string) (bool, error) {
	s, _, err := t.log.Numbering.Load(ctx, t.series)
	o, open := s.Find(submission)
	return err == nil && open && s.Held == "" && o.Voids == nil, err
}

// sendOne sends one document alone, once, and gives the calls that were made. A refusal is
// its outcome.
func (t *turn) sendOne(ctx context.Context, d session, l *learnt, b authority.Batch,
	p authority.Prepared) (events.Outcome, []authority.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var calls authority.Calls
	answer, err := d.driver.Send(ctx, d.credential, b, p, calls.Record)
	said := calls.All()
	d.calls.Add(said...)
	switch {
	case errors.Is(err, authority.ErrPending):
		l.pending(err, t.Clock.Now())
	case errors.Is(err, authority.ErrRefused):
		o := refuseAll(b, err)[0]
		l.refused[o.Number] = o
		return o, said, nil
	}
	if err != nil {
		return events.Outcome{}, said, err
	}
	return answer.Outcomes[0], said, nil
}
