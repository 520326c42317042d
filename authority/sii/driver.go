package sii

import (
	"cmp"
	"context"
	"fmt"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/cl"
	"folio/events"
)

// Driver is the authority.Driver of SII, one client an environment.
type Driver struct {
	clients wire.Clients[*Client]
}

var _ authority.Driver = (*Driver)(nil)

// NewDriver makes a driver of the environments that have a client.
func NewDriver(clients wire.Clients[*Client]) *Driver { return &Driver{clients} }

// Name is "sii".
func (*Driver) Name() string { return "sii" }

// Can is new envelopes for documents that SII does not show.
func (d *Driver) Can() authority.Capabilities {
	return authority.Capabilities{Renewer: d, Exchanger: d}
}

func (d *Driver) talk(c authority.Credential, rec authority.Recorder) (talk, error) {
	client, err := d.clients.At("SII", c.Environment)
	if err != nil {
		return talk{}, err
	}
	who, err := identify(c)
	return talk{client, who, rec}, err
}

// Last logs in if need be. SII counts no folios: numbers come from the CAF, and one
// document goes in an envelope.
func (d *Driver) Last(ctx context.Context, c authority.Credential, s authority.Series,
	rec authority.Recorder) (authority.Last, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Last{}, err
	}
	if _, err := t.token(ctx, systemOf(cl.IsReceipt(s.OfficialCode)), wire.Ticket{}); err != nil {
		return authority.Last{}, err
	}
	return authority.Last{BatchLimit: 1}, nil
}

// Prepare stamps and signs the document and its envelope.
func (d *Driver) Prepare(_ context.Context, c authority.Credential, b authority.Batch) (authority.Prepared, error) {
	t, err := d.talk(c, nil)
	if err != nil {
		return authority.Prepared{}, err
	}
	doc, err := alone(b)
	if err != nil {
		return authority.Prepared{}, err
	}
	content, err := t.write(doc, b.SignedAt(t.now))
	if err != nil {
		return authority.Prepared{}, fmt.Errorf("write folio %d: %w", doc.Number, err)
	}
	return authority.Prepare(content), nil
}

// Renew puts the signed document in a new envelope, dated now and signed by the present
// holder of the certificate. SII takes a document once: in a second envelope it is refused
// as repeated (DTE-3-100), and Find tells the verdict on the first.
func (d *Driver) Renew(c authority.Credential, b authority.Batch, p authority.Prepared,
	_ int) (authority.Prepared, error) {
	t, err := d.talk(c, nil)
	if err != nil {
		return authority.Prepared{}, err
	}
	doc, err := alone(b)
	if err != nil {
		return authority.Prepared{}, err
	}
	signed := documentOf(p.Content)
	if signed == nil {
		return authority.Prepared{}, fmt.Errorf("what was sent of folio %d holds no document", doc.Number)
	}
	sender, err := t.sender(doc)
	if err != nil {
		return authority.Prepared{}, err
	}
	content, err := t.envelope(doc, sender, cl.FromLatin1(signed), t.now())
	if err != nil {
		return authority.Prepared{}, fmt.Errorf("write a new envelope for folio %d: %w", doc.Number, err)
	}
	return authority.Prepare(content), nil
}

func alone(b authority.Batch) (authority.Document, error) {
	if len(b.Documents) != 1 {
		return authority.Document{}, fmt.Errorf("an envelope holds one document, not %d", len(b.Documents))
	}
	return b.Documents[0], nil
}

// Send uploads the envelope once. SII decides later: the answer is that of a first
// question right after, or ErrPending.
func (d *Driver) Send(ctx context.Context, c authority.Credential, b authority.Batch, p authority.Prepared,
	rec authority.Recorder) (authority.Answer, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Answer{}, err
	}
	doc, err := alone(b)
	if err != nil {
		return authority.Answer{}, err
	}
	issuer, signer, err := numbered(doc)
	if err != nil {
		return authority.Answer{}, authority.NotSent(err)
	}
	code := doc.Document.OfficialCode
	kept := receipt{Folio: doc.Number, Hash: p.SHA256, Stamp: stampOf(p.Content), Signature: signatureOf(p.Content)}
	switch before := t.receiptOf(ctx, b.Series, doc, signer); before.Hash {
	case kept.Hash:
		kept.Track, kept.First, kept.Again = before.Track, before.First, before.Again
	default:
		kept.Again = before.Hash != ""
	}
	if err := t.keepReceipt(ctx, b.Series, kept); err != nil {
		return authority.Answer{}, authority.NotSent(err)
	}
	sender := senderOf(p.Content)
	track, err := t.upload(ctx, parcel{receipt: cl.IsReceipt(code), issuer: issuer, sender: sender,
		name: fmt.Sprintf("%s_T%dF%d.xml", issuer, code, doc.Number), content: p.Content})
	if err != nil {
		if signed, ok := stampedAt(kept.Stamp, doc); ok {
			err = t.replaced(sender, signed, err)
		}
		return authority.Answer{}, err
	}
	if track != "" {
		kept.First = cmp.Or(kept.First, kept.Track)
		kept.Track = track
		// Without it the document is asked for by its number; it is in all the same.
		if err := t.keepReceipt(context.WithoutCancel(ctx), b.Series, kept); err != nil {
			return authority.Answer{}, undecided("REC", err.Error())
		}
	}
	found, err := d.Find(ctx, c, b.Series, doc, rec)
	if err != nil || !found.Exists || found.Pending || !found.Same {
		return authority.Answer{}, &authority.Message{Code: "REC", Err: authority.ErrPending, Receipt: kept.Track,
			Text: "SII received the document under track id " + cmp.Or(kept.Track, "unknown")}
	}
	return authority.Answer{Outcomes: []events.Outcome{found.Outcome(doc)}}, nil
}

func undecided(code, text string) error { return authority.Said(code, text, authority.ErrPending) }

// Find asks for the envelope by its track id, and for the document where that does not
// settle it: without a track id, and when the envelope was a repetition of one whose
// answer was lost.
func (d *Driver) Find(ctx context.Context, c authority.Credential, s authority.Series, doc authority.Document,
	rec authority.Recorder) (authority.Found, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Found{}, err
	}
	issuer, signer, err := numbered(doc)
	if err != nil {
		return authority.Found{}, err
	}
	kept := t.receiptOf(ctx, s, doc, signer).of(doc)
	word, err := t.ask(ctx, s, doc, issuer, &kept)
	if err != nil {
		return authority.Found{}, err
	}
	return judge(c, signer.CAF, kept, word), nil
}

// ask is SII's word on a document. A track id that was lost and found is kept.
func (t talk) ask(ctx context.Context, series authority.Series, doc authority.Document, issuer string,
	kept *receipt) (state, error) {
	if kept.Track == "" {
		it, err := t.documentState(ctx, doc, issuer)
		if err != nil || it.verdict != absent {
			return it, err
		}
		track, there := t.lostTrack(ctx, doc, issuer, *kept)
		switch {
		case track == "" && there:
			return state{verdict: waiting, code: "REC"}, nil
		case track == "":
			return it, nil
		}
		kept.Track, kept.Hash = track, cmp.Or(kept.Hash, doc.Envelope)
		if err := t.keepReceipt(ctx, series, *kept); err != nil {
			return state{}, err
		}
	}
	s, err := t.envelopeState(ctx, doc, issuer, kept.Track)
	if err != nil || s.verdict == waiting && !s.uncounted || s.verdict == accepted ||
		s.verdict == refused && s.code != "EPR" {
		return s, err
	}
	// The document itself decides: it may have come in with an earlier upload of the
	// same bytes, of which this envelope is then a repetition.
	it, err := t.documentState(ctx, doc, issuer)
	if err != nil {
		return state{}, err
	}
	switch {
	case it.verdict == accepted || it.verdict == other || s.uncounted && it.verdict == refused:
		return it, nil
	case s.uncounted:
		return s, nil
	case s.verdict == repeated && it.verdict == absent:
		return t.firstState(ctx, doc, issuer, *kept, s.code)
	case s.verdict == absent:
		return it, nil
	case kept.Again && (s.repeats() || it.repeats()):
		// The document came in with an envelope that this one was to replace, and is decided there.
		return state{verdict: waiting, code: s.code, said: it.said}, nil
	}
	return state{verdict: refused, code: s.code, said: append(s.said, it.said...)}, nil
}

// firstState is SII's word on the upload that it calls another one a repetition of: it is
// under way, or was refused as a whole. Where its track id is lost, the document is asked
// for by its signature, which may tell it.
func (t talk) firstState(ctx context.Context, doc authority.Document, issuer string, kept receipt,
	code string) (state, error) {
	track, there := kept.First, false
	if track == "" {
		track, there = t.lostTrack(ctx, doc, issuer, kept)
	}
	if track != "" && track != kept.Track {
		if s, err := t.envelopeState(ctx, doc, issuer, track); err != nil || s.verdict == waiting || s.verdict == accepted ||
			s.verdict == refused {
			return s, err
		}
	}
	if there {
		return state{verdict: waiting, code: "REC"}, nil
	}
	return state{}, authority.Said(code, "SII says that it has had the envelope before, and does not show its document",
		authority.ErrHidden)
}

// judge puts SII's word in the terms of the contract. An accepted document whose stamp
// is not kept is called absent: the same bytes are then sent again, which SII refuses
// as a repetition, and their stamp is kept.
func judge(c authority.Credential, caf cl.CAF, kept receipt, s state) authority.Found {
	f := authority.Found{Exists: true, Same: true, Observations: s.said, Sandbox: c.Environment != authority.Production ||
		!published(caf)}
	switch s.verdict {
	case accepted:
		if len(kept.Stamp) == 0 {
			return authority.Found{}
		}
		f.Authorization = cl.Authorization(caf, kept.Stamp, kept.Track, s.code)
	case refused:
		f.Rejected = true
	case other:
		f.Same, f.Difference = false, "recipient, date or amount"
	case absent:
		return authority.Found{}
	default:
		return authority.Found{Exists: true, Pending: true, Same: true}
	}
	return f
}

// productionKey is the IDK of CAFs that count.
const productionKey = 300

func published(caf cl.CAF) bool { return caf.KeyID == productionKey }

// Ping asks for a seed, which needs no token.
func (d *Driver) Ping(ctx context.Context, e authority.Environment) error {
	client, ok := d.clients[e]
	if !ok {
		return fmt.Errorf("%w: no address of SII for the environment %s", authority.ErrNotSent, e)
	}
	_, err := client.seed(ctx, documents)
	return err
}
