package arca

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/ar"
	"folio/events"
)

// Driver is the authority.Driver of ARCA, one client an environment.
type Driver struct {
	clients wire.Clients[*Client]

	mu     sync.Mutex
	limits map[authority.Environment]limit
}

var _ authority.Driver = (*Driver)(nil)

// limit is how many vouchers a request may carry, and until when that is believed.
type limit struct {
	vouchers int
	until    time.Time
}

// limitLife is how long RegXReq is believed; it has not changed in years.
const limitLife = time.Hour

// NewDriver makes a driver of the environments that have a client.
func NewDriver(clients wire.Clients[*Client]) *Driver {
	return &Driver{clients: clients, limits: map[authority.Environment]limit{}}
}

// Name is "arca".
func (*Driver) Name() string { return "arca" }

// Can is ARCA's exchange rates, questions about vouchers that others issued (WSCDC), and codes
// that are given in advance (CAEA).
func (d *Driver) Can() authority.Capabilities {
	return authority.Capabilities{Quoter: d, Verifier: d, Contingency: d}
}

// conversation is a session that remembers how the service announced itself.
type conversation struct {
	*Session
	mu       sync.Mutex
	ambiente string
}

// noValue says that the service is not ARCA's production: its documents have no fiscal
// value.
func (c *conversation) noValue() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !Production.Announces(c.ambiente)
}

// announced is what is known of the service that authorized a document.
type announced interface {
	noValue() bool
	extra() map[string]string
}

// extra is what the printed form needs to know of a document without fiscal value: that
// ARCA's homologation authorized it and no simulator.
func (c *conversation) extra() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ambiente != "" && Homologation.Announces(c.ambiente) {
		return map[string]string{ar.Ambiente: ar.Homologation}
	}
	return nil
}

func (d *Driver) talk(c authority.Credential, rec authority.Recorder) (*conversation, error) {
	client, err := d.clients.At("ARCA", c.Environment)
	if err != nil {
		return nil, err
	}
	cuit, err := strconv.ParseInt(c.TaxIdentifier, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: the company's CUIT is not a number", authority.ErrCredential)
	}
	leaf, key, err := wire.Signer(c)
	if err != nil {
		return nil, err
	}
	out := &conversation{}
	out.Session = client.Session(Credential{Certificate: leaf, Key: key, AskAgain: c.AskAgain}, cuit, func(e Exchange) {
		out.mu.Lock()
		if e.Ambiente != "" {
			out.ambiente = e.Ambiente
		}
		out.mu.Unlock()
		if rec != nil {
			rec(e.Exchange)
		}
	})
	return out, nil
}

// Last logs in if need be and asks FECompUltimoAutorizado, or FEXGetLast_CMP.
func (d *Driver) Last(ctx context.Context, c authority.Credential, s authority.Series,
	rec authority.Recorder) (authority.Last, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Last{}, err
	}
	if isExport(s.OfficialCode) {
		return d.lastExport(ctx, t, s)
	}
	number, err := t.Last(ctx, s.BranchOffice, s.OfficialCode)
	if err != nil {
		return authority.Last{}, translate(err)
	}
	n, err := d.limit(ctx, c.Environment, t)
	if err != nil {
		return authority.Last{}, translate(err)
	}
	return authority.Last{Number: number, BatchLimit: n}, nil
}

func (d *Driver) limit(ctx context.Context, e authority.Environment, t *conversation) (int, error) {
	now := d.clients[e].now()
	d.mu.Lock()
	known := d.limits[e]
	d.mu.Unlock()
	if now.Before(known.until) {
		return known.vouchers, nil
	}
	n, err := t.Limit(ctx)
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	d.limits[e] = limit{max(n, 1), now.Add(limitLife)}
	d.mu.Unlock()
	return max(n, 1), nil
}

// unlearn forgets the limit of a request when ARCA says that it is lower now.
func (d *Driver) unlearn(e authority.Environment, err error) {
	var refused *Refused
	if errors.As(err, &refused) && refused.Has(codeTooMany) {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.limits, e)
	}
}

// Prepare writes FeCAEReq, or Cmp for an export; neither holds credentials.
func (d *Driver) Prepare(_ context.Context, _ authority.Credential, b authority.Batch) (authority.Prepared, error) {
	if isExport(b.Series.OfficialCode) {
		return prepareExport(b)
	}
	r, err := vouchers(b)
	if err != nil {
		return authority.Prepared{}, err
	}
	content, err := r.XML()
	if err != nil {
		return authority.Prepared{}, fmt.Errorf("write FeCAEReq: %w", err)
	}
	return authority.Prepare(content), nil
}

// Send calls FECAESolicitar once, or FEXAuthorize for an export.
func (d *Driver) Send(ctx context.Context, c authority.Credential, b authority.Batch, p authority.Prepared,
	rec authority.Recorder) (authority.Answer, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Answer{}, err
	}
	if isExport(b.Series.OfficialCode) {
		return d.sendExport(ctx, t, b, p.Content)
	}
	r, err := vouchers(b)
	if err != nil {
		return authority.Answer{}, err
	}
	answer, err := t.Authorize(ctx, r, p.Content)
	if err != nil {
		d.unlearn(c.Environment, err)
		return authority.Answer{}, translate(err)
	}
	return outcomes(b, answer, t)
}

// outcomes are the verdicts in the order of the batch. A 10016 of numbering about the
// first document, and what the answer does not say, is an error: ask Find.
func outcomes(b authority.Batch, a Authorization, by announced) (authority.Answer, error) {
	if len(a.Verdicts) != len(b.Documents) {
		return authority.Answer{}, fmt.Errorf("the answer is about %d documents of %d", len(a.Verdicts), len(b.Documents))
	}
	out := authority.Answer{Outcomes: make([]events.Outcome, len(a.Verdicts))}
	for i, v := range a.Verdicts {
		o := events.Outcome{Invoice: b.Documents[i].Invoice, Number: b.Documents[i].Number, Messages: messages(v.Messages)}
		switch v.Decision {
		case Accepted:
			o.Result, o.Sandbox = events.Accepted, by.noValue()
			o.Authorization = &events.Authorization{Type: "CAE", Code: v.CAE, ExpiresOn: isoDate(v.Expires),
				Date:      isoDate(v.Date),
				Processed: a.Processed, Extra: by.extra()}
		case Rejected:
			o.Result = events.Rejected
		case NotProcessed:
			o.Result = events.NotProcessed
		case OutOfStep:
			if i == 0 {
				return authority.Answer{}, &authority.Message{Code: strconv.Itoa(CodeOutOfStep), Text: words(a.Errors),
					Err: authority.ErrWrongNumber}
			}
			o.Result, o.Messages = behind(b, i, o.Messages)
		default:
			return authority.Answer{}, fmt.Errorf("the answer does not say what became of number %d", o.Number)
		}
		out.Outcomes[i] = o
	}
	return out, nil
}

// behind judges a document that was refused with 10016 right after one that the same
// answer accepts: its number is right, so a date earlier than that one's is the fault
// and its own. Without one the refusal says nothing, and the document is sent again.
func behind(b authority.Batch, i int, reasons []events.AuthorityMessage) (events.Result, []events.AuthorityMessage) {
	ours, before := isoDate(plainDate(b.Documents[i].Document.Date)), isoDate(plainDate(b.Documents[i-1].Document.Date))
	if ours < before {
		return events.Rejected, append(reasons,
			authority.DatedBefore(strconv.Itoa(CodeOutOfStep), ours, b.Documents[i-1].Number, before))
	}
	return events.NotProcessed, nil
}

// Find calls FECompConsultar, or FEXGetCMP for an export, and compares every field that identifies the document.
func (d *Driver) Find(ctx context.Context, c authority.Credential, s authority.Series, doc authority.Document,
	rec authority.Recorder) (authority.Found, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Found{}, err
	}
	if isExport(s.OfficialCode) {
		return d.findExport(ctx, t, s, doc)
	}
	held, exists, err := t.Find(ctx, s.BranchOffice, s.OfficialCode, doc.Number)
	if err != nil {
		return authority.Found{}, translate(err)
	}
	if !exists {
		return authority.Found{}, nil
	}
	ours, err := voucher(doc)
	if err != nil {
		return authority.Found{}, err
	}
	return found(held, held.Differences(ours), t), nil
}

// Ping calls FEDummy.
func (d *Driver) Ping(ctx context.Context, e authority.Environment) error {
	client, err := d.clients.At("ARCA", e)
	if err != nil {
		return err
	}
	s, err := client.Dummy(ctx)
	if err != nil {
		return translate(err)
	}
	if !s.OK() {
		return fmt.Errorf("ARCA reports AppServer %s, DbServer %s, AuthServer %s", s.AppServer, s.DbServer, s.AuthServer)
	}
	return nil
}
