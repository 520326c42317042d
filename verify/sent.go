package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"folio/authority"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/vault"
)

// Sending is what was known when a submission was opened.
type Sending struct {
	Series    numbering.Series
	Company   company.State
	Documents []authority.Document
	Range     numbering.Range // of the numbers; empty where they come from the authority
	Content   []byte          // what was sent
}

// Rebuilder writes what was sent once more, from the facts alone. ErrNotRebuilt: it cannot be, without a difference.
type Rebuilder interface {
	Rebuild(ctx context.Context, s Sending) ([]byte, error)
}

// ErrNotRebuilt: what a document was signed with is not there any more.
var ErrNotRebuilt = errors.New("what was sent cannot be written again")

// rebuild compares what was sent with what the facts of its invoices make.
func (r *run) rebuild(ctx context.Context, e events.Recorded, opened events.SubmissionOpened) error {
	if r.Sent == nil || e.Position.Before(r.renewed) {
		return nil
	}
	s, wrong, err := r.sending(ctx, e, opened)
	if err != nil {
		return err
	}
	if wrong != "" {
		return differs(e, "%s", wrong)
	}
	again, err := r.Sent.Rebuild(ctx, s)
	switch {
	case errors.Is(err, ErrNotRebuilt), errors.Is(err, vault.ErrNotFound):
		r.report.note("what was sent of %s revision %d was not written again: %v", e.Stream, e.Revision, err)
		return nil
	case err != nil:
		return differs(e, "what was sent cannot be written again from its invoices: %v", err)
	case authority.Prepare(again).SHA256 != opened.SHA256 && e.Position.Before(r.formed):
		r.report.note("what was sent of %s revision %d is as it was recorded, but an earlier version of Folio wrote it in "+
			"another form: it cannot be held against its invoices byte by byte (%s)", e.Stream, e.Revision,
			firstDifference(s.Content, again))
		return nil
	case authority.Prepare(again).SHA256 != opened.SHA256:
		return differs(e, "what was sent is not what its invoices say: %s", firstDifference(s.Content, again))
	}
	r.report.Submissions++
	return nil
}

// sending collects the facts that a submission was made of.
func (r *run) sending(ctx context.Context, e events.Recorded,
	opened events.SubmissionOpened) (s Sending, wrong string, err error) {
	if s.Series, err = numbering.ParseSeries(e.Stream[len("numbering-"):]); err != nil {
		return s, err.Error(), nil
	}
	if s.Content, err = r.Secrets.File(ctx, opened.SHA256); err != nil {
		return s, "", err
	}
	co, err := r.streams.present(ctx, r, company.Decider.Stream(s.Series.Company), e.Position)
	if err != nil {
		return s, "", err
	}
	s.Company = co.aggregate.(*companyLife).State
	series, err := r.streams.of(ctx, r, e.Stream, e.Revision)
	if err != nil {
		return s, "", err
	}
	s.Range, _ = series.aggregate.(*seriesLife).RangeOf(opened, opened.First)
	for i, id := range opened.Invoices {
		st, err := r.streams.present(ctx, r, invoice.Decider.Stream(id), e.Position)
		if err != nil {
			return s, "", err
		}
		full := st.aggregate.(*invoiceLife).Full
		if full.Created == nil {
			return s, fmt.Sprintf("invoice %s was never created", id), nil
		}
		d := full.Created
		s.Documents = append(s.Documents, authority.Document{Invoice: d.Invoice, Number: opened.First + int64(i),
			Document: d.Document,
			Taxes:    d.Taxes, Profile: d.Profile, Fields: s.Company.Profile.Fields})
	}
	return s, "", nil
}

// present is a stream as the log had it at a position.
func (s *streams) present(ctx context.Context, r *run, name string, at events.Position) (*stream, error) {
	if st, ok := s.kept.Get(name); ok {
		return st, nil
	}
	before := uint64(0)
	for e, err := range s.log.Read(ctx, name, 0) {
		if err != nil {
			return nil, troubled(err, e)
		}
		if at.Before(e.Position) {
			break
		}
		before = e.Revision + 1
	}
	return s.of(ctx, r, name, before)
}

// firstDifference shows where two texts part.
func firstDifference(was, now []byte) string {
	n := 0
	for n < min(len(was), len(now)) && was[n] == now[n] {
		n++
	}
	around := func(b []byte) string {
		return fmt.Sprintf("%.60q", bytes.ToValidUTF8(b[min(max(n-20, 0), len(b)):], []byte("?")))
	}
	return fmt.Sprintf("at byte %d it was %s and would be %s", n, around(was), around(now))
}
