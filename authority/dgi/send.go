package dgi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/authority"
	"folio/country/uy"
	"folio/events"
)

// Send sends the envelope once. DGI decides later: the answer is that of a first question
// where it may be asked at once, or ErrPending with the earliest time in Message.At. That
// DGI has the envelope already is an answer too. E-Tickets that are reported daily are
// accepted without a call: they are signed and kept (CFE25, table E).
func (d *Driver) Send(ctx context.Context, c authority.Credential, b authority.Batch, p authority.Prepared,
	rec authority.Recorder) (authority.Answer, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Answer{}, err
	}
	alone, err := reportOnly(b)
	if err != nil {
		return authority.Answer{}, authority.NotSent(err)
	}
	documents, err := signedIn(p.Content, b)
	if err != nil {
		return authority.Answer{}, authority.NotSent(err)
	}
	if alone {
		return t.stored(c, b, documents)
	}
	if err := t.begin(ctx, b, p, documents); err != nil {
		return authority.Answer{}, authority.NotSent(err)
	}
	a, err := t.call(ctx, sendEnvelope, string(p.Content))
	err = t.received(ctx, b, p, a, err)
	if !errors.Is(err, authority.ErrPending) {
		return authority.Answer{}, err
	}
	return t.outcomes(ctx, c, b, err)
}

// stored are the outcomes of documents that are not sent.
func (t talk) stored(c authority.Credential, b authority.Batch, documents []signed) (authority.Answer, error) {
	var out authority.Answer
	for i, doc := range b.Documents {
		cae, err := caeOf(doc)
		if err != nil {
			return authority.Answer{}, authority.NotSent(err)
		}
		given := documents[i].authorization(cae, "")
		out.Outcomes = append(out.Outcomes, events.Outcome{Invoice: doc.Invoice, Number: doc.Number, Result: events.Accepted,
			Authorization: &given, Sandbox: !t.fiscal(c)})
	}
	return out, nil
}

func (s signed) authorization(cae uy.CAE, receiver string) events.Authorization {
	return uy.Authorization(cae, uy.Signed{RUC: cae.RUC, Type: s.Type, Series: s.Series, Number: s.Number,
		Amount: s.Amount,
		At:     s.At, Hash: s.Hash, IDReceptor: receiver})
}

// begin keeps what is about to be sent, with what was learnt when it was sent before.
func (t talk) begin(ctx context.Context, b authority.Batch, p authority.Prepared, documents []signed) error {
	f := t.enter(ctx, b.Series)
	defer f.Unlock()
	if f.which(func(r *receipt) bool { return r.SHA256 == p.SHA256 }) != nil {
		return nil
	}
	r := receipt{SHA256: p.SHA256, Envelope: inside(envelopeInside, p.Content)}
	for i, doc := range b.Documents {
		r.Documents = append(r.Documents, kept{signed: documents[i], Invoice: doc.Invoice})
	}
	f.begin(r)
	return t.keep(ctx, f)
}

// received reads the answer to an envelope. It is ErrPending when the envelope is there.
func (t talk) received(ctx context.Context, b authority.Batch, p authority.Prepared, a answer, err error) error {
	var m *authority.Message
	if errors.As(err, &m) && m.Code == codeDuplicateEnvelope {
		return authority.Said(m.Code, m.Text, authority.ErrPending)
	}
	if err != nil {
		return err
	}
	switch state := strings.TrimSpace(a.Detail.State); state {
	case "AS":
		f := t.enter(ctx, b.Series)
		defer f.Unlock()
		var err error
		if r := f.which(func(r *receipt) bool { return r.SHA256 == p.SHA256 }); r != nil {
			r.received(a.Cover.Receiver, a.Detail.Ask, false)
			err = t.keep(ctx, f)
		}
		if err != nil {
			// Without it the documents are asked for by their numbers; they are in all the same.
			return authority.Said(state, err.Error(), authority.ErrPending)
		}
		return &authority.Message{Code: state, Text: "DGI received the envelope", Err: authority.ErrPending,
			Receipt: strings.TrimSpace(a.Cover.Receiver)}
	case "BS":
		return t.replaced(p, refusedEnvelope(a.Detail.Reasons, len(b.Documents)))
	default:
		return authority.Said(state, fmt.Sprintf("DGI answered the envelope with the state %.10q, which is not known", state),
			nil)
	}
}

// replaced makes a refused certificate definitive for documents that were signed with one
// that the company does not use any more: they cannot be signed again under their numbers.
func (t talk) replaced(p authority.Prepared, err error) error {
	var m *authority.Message
	if errors.As(err, &m) && errors.Is(err, authority.ErrCredential) &&
		inside(certificateInside, p.Content) != t.inBase64() {
		return authority.Said(m.Code, m.Text+". The document was signed with a certificate that the company has replaced "+
			"since: issue it again", authority.ErrRefused)
	}
	return err
}

// outcomes are the verdicts on the documents of an envelope that is there, if all are
// known; pending otherwise. An envelope that DGI calls a repetition and whose documents it
// does not show is ambiguous: they may come to light later.
func (t talk) outcomes(ctx context.Context, c authority.Credential, b authority.Batch,
	pending error) (authority.Answer, error) {
	var out authority.Answer
	var m *authority.Message
	repeated := errors.As(pending, &m) && (m.Code == codeDuplicateEnvelope || m.Code == codeRepeated)
	for _, doc := range b.Documents {
		f, err := t.find(ctx, c, b.Series, doc)
		switch {
		case errors.Is(err, authority.ErrPending):
			return authority.Answer{}, err
		case err == nil && !f.Exists && repeated:
			return authority.Answer{}, authority.Said(m.Code, "DGI says that it has the envelope, and does not show its "+
				"documents", authority.ErrHidden)
		case err != nil || !f.Exists || f.Pending || !f.Same:
			return authority.Answer{}, pending
		}
		out.Outcomes = append(out.Outcomes, f.Outcome(doc))
	}
	return out, nil
}
