package dgi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"folio/authority"
	"folio/authority/xmlsign"
	"folio/country/uy"
	"folio/events"
)

// Find asks for the envelope with the token of its receipt, and for the document by its
// number where there is none: the reply was lost, or nothing was sent. An e-Ticket that is
// reported daily is never at DGI, so that it is sent again, which makes no call.
//
// A document that DGI has in another envelope than ours is another system's.
func (d *Driver) Find(ctx context.Context, c authority.Credential, s authority.Series, doc authority.Document,
	rec authority.Recorder) (authority.Found, error) {
	t, err := d.talk(c, rec)
	if err != nil || uy.ReportOnly(doc.Document) {
		return authority.Found{}, err
	}
	return t.find(ctx, c, s, doc)
}

func (t talk) find(ctx context.Context, c authority.Credential, s authority.Series,
	doc authority.Document) (authority.Found, error) {
	cae, err := caeOf(doc)
	if err != nil {
		return authority.Found{}, err
	}
	judged := func(r *receipt, i int) authority.Found { return t.judge(c, cae, *r, r.Documents[i]) }
	kept := t.enter(ctx, s)
	defer kept.Unlock()
	r, i := kept.about(doc)
	if r == nil {
		return t.unsent(ctx, c, kept, cae, doc)
	}
	if r.Documents[i].State == "" {
		f, err := t.ask(ctx, kept, r, i)
		if err == nil && r.Documents[i].doubled() {
			return t.earlier(ctx, kept, doc, r, judged)
		}
		switch {
		case err == nil && r.Documents[i].Foreign != "":
			return authority.Found{Exists: true, Difference: r.Documents[i].Foreign}, nil
		case err != nil || r.Documents[i].State == "":
			return f, err
		}
	}
	if r.Documents[i].doubled() {
		return t.earlier(ctx, kept, doc, r, judged)
	}
	return judged(r, i), nil
}

// doubled says that DGI rejected a document because its number exists already (E02).
func (k kept) doubled() bool {
	return k.State == "BE" && slices.ContainsFunc(k.Said, func(m events.AuthorityMessage) bool { return m.Code == "E02" })
}

// earlier is DGI's word on a document that it calls a double: that on the same document in
// an envelope which this one replaced, where it came in there after all. Otherwise the
// number is another document's, as it says.
func (t talk) earlier(ctx context.Context, f *folder, doc authority.Document, r *receipt,
	judged func(*receipt, int) authority.Found) (authority.Found, error) {
	before := f.which(func(o *receipt) bool { return o != r && o.of(doc) >= 0 })
	if before == nil {
		return judged(r, r.of(doc)), nil
	}
	at := before.of(doc)
	if before.Documents[at].State == "" {
		k := before.Documents[at]
		a, err := t.underNumber(ctx, k.Type, k.Series, k.Number)
		switch sender := strings.TrimSpace(a.Sender); {
		case errors.Is(err, authority.ErrPending), err == nil && (a.absent() || sender == r.Envelope):
			return pending, nil // it has the number, and does not say whose it is
		case err != nil:
			return authority.Found{}, err
		case sender != before.Envelope:
			return judged(r, r.of(doc)), nil
		}
		if found, err := t.byNumber(ctx, f, before, at); err != nil || before.Documents[at].State == "" {
			return found, err
		}
	}
	return judged(before, at), nil
}

// judge puts DGI's verdict in the terms of the contract. A rejected number is burnt and
// reported as annulled, except for E02 and E09, where it is another document's (MSG19).
func (t talk) judge(c authority.Credential, cae uy.CAE, r receipt, k kept) authority.Found {
	f := authority.Found{Exists: true, Same: true, Observations: k.Said, Sandbox: !t.fiscal(c)}
	if k.State == "BE" {
		f.Rejected = true
		return f
	}
	f.Authorization = k.authorization(cae, r.Receiver)
	return f
}

var pending = authority.Found{Exists: true, Pending: true, Same: true}

// ask gets DGI's word on the i-th document of an envelope into its receipt. While there
// is none, it returns what that means.
func (t talk) ask(ctx context.Context, f *folder, r *receipt, i int) (authority.Found, error) {
	number := r.Documents[i].Number
	if t.now().Before(r.NotBefore) {
		return authority.Found{}, &authority.Message{Code: "AS", Text: "DGI received the envelope and decides later",
			Err: authority.ErrPending, At: r.NotBefore, Receipt: r.Receiver}
	}
	if f.serve(*r, number) {
		return pending, nil
	}
	if r.Receiver == "" || r.Token == "" {
		return t.byNumber(ctx, f, r, i)
	}
	err := t.verdicts(ctx, f, r, number)
	var m *authority.Message
	switch {
	case errors.As(err, &m) && badTokens[m.Code]:
		return t.byNumber(ctx, f, r, i)
	case errors.Is(err, authority.ErrPending):
		return pending, nil
	}
	return pending, err
}

// verdicts asks for an envelope with its token.
func (t talk) verdicts(ctx context.Context, f *folder, r *receipt, number int64) error {
	a, err := t.call(ctx, askEnvelope, `<ConsultaCFE xmlns="`+namespaceDGI+`"><IdReceptor>`+xmlsign.Escape(r.Receiver)+
		`</IdReceptor><Token>`+
		xmlsign.Escape(r.Token)+`</Token></ConsultaCFE>`)
	if errors.Is(err, authority.ErrPending) {
		f.answer(*r, number)
	}
	if err != nil {
		return err
	}
	if sender := strings.TrimSpace(a.Cover.Sender); sender != "" && sender != r.Envelope {
		return fmt.Errorf("%s: %w: it is about envelope %.12s, not %s", askEnvelope.name, errNoAnswer, sender, r.Envelope)
	}
	r.decide(a.Details)
	f.answer(*r, number)
	return t.keep(ctx, f)
}

// byNumber asks what DGI has under a document's number, which tells its envelope as well.
func (t talk) byNumber(ctx context.Context, f *folder, r *receipt, i int) (authority.Found, error) {
	k := &r.Documents[i]
	a, err := t.underNumber(ctx, k.Type, k.Series, k.Number)
	switch {
	case errors.Is(err, authority.ErrPending):
		return pending, nil
	case err != nil || a.absent():
		return authority.Found{}, err
	case strings.TrimSpace(a.Sender) == r.Envelope:
	case strings.TrimSpace(a.Sender) == strconv.FormatInt(aloneID(k.Type, k.Series, k.Number), 10):
		return authority.Found{}, nil // as with unsent
	default:
		return foreign(a), nil
	}
	r.received(a.Receiver, a.Ask, true)
	decided := slices.Contains(decisions, strings.TrimSpace(a.State))
	if decided && r.Token != "" {
		// The answer about the envelope says whether the document is ours, and why it is rejected.
		if err := t.keep(ctx, f); err != nil || t.now().Before(r.NotBefore) {
			return pending, err
		}
		return pending, t.verdicts(ctx, f, r, k.Number)
	}
	if decided {
		k.State = strings.TrimSpace(a.State)
		if k.State == "BE" {
			k.Said = []events.AuthorityMessage{{Code: k.State, Text: "DGI rejected the document"}}
		}
	}
	return pending, t.keep(ctx, f)
}

// underNumber is what DGI has under a number.
func (t talk) underNumber(ctx context.Context, code int, series string, number int64) (answer, error) {
	return t.call(ctx, askByNumber, `<dgi:Cfeid><dgi:TipoCFE>`+strconv.Itoa(code)+`</dgi:TipoCFE><dgi:Serie>`+
		xmlsign.Escape(series)+
		`</dgi:Serie><dgi:Nro>`+strconv.FormatInt(number, 10)+`</dgi:Nro></dgi:Cfeid>`)
}

// absent says that DGI has nothing under a number: there is no envelope that it came in.
// That DGI says it like this is unverified; an envelope without a state is not decided.
func (a answer) absent() bool { return strings.Trim(strings.TrimSpace(a.Receiver), "0") == "" }

func foreign(a answer) authority.Found {
	return authority.Found{Exists: true, Difference: fmt.Sprintf("it came in envelope %.12s of another system",
		strings.TrimSpace(a.Sender))}
}

// unsent asks whether a number is taken whose document was not sent from here, as far as
// is known. What came in an envelope of ours is called absent: the same bytes are then
// sent again, DGI says that it has that envelope, and its documents are known again.
func (t talk) unsent(ctx context.Context, c authority.Credential, f *folder, cae uy.CAE,
	doc authority.Document) (authority.Found, error) {
	a, err := t.underNumber(ctx, cae.Type, cae.Series, doc.Number)
	if err != nil || a.absent() {
		return authority.Found{}, err
	}
	sender := strings.TrimSpace(a.Sender)
	id, err := strconv.ParseInt(sender, 10, 64)
	switch {
	case err != nil || !ourEnvelope(id, cae.Type, cae.Series, doc.Number):
		return foreign(a), nil
	}
	r := f.which(func(r *receipt) bool { return r.Envelope == sender })
	switch {
	case r == nil:
		return authority.Found{}, nil
	case r.of(doc) < 0:
		return authority.Found{Exists: true, Difference: "it is another invoice's"}, nil
	}
	// An envelope that another one was to replace came in after all: it is asked for.
	i := r.of(doc)
	found, err := t.byNumber(ctx, f, r, i)
	if err != nil || r.Documents[i].State == "" {
		return found, err
	}
	return t.judge(c, cae, *r, r.Documents[i]), nil
}
