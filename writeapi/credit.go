package writeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"
)

// wish is what a caller says of a credit note.
type wish struct {
	country.Credit
	date, due, reason, reasonCode, reference string
	header                                   json.RawMessage
}

func readWish(o strict.Object) (w wish) {
	if o.Has("amount") {
		sum := amount(o, "amount", strict.Positive)
		w.Amount = &sum
	}
	o.Array("items", func(_ int, item strict.Object) {
		x := country.CreditedItem{Item: int(item.Int("item", strict.Required, strict.Between(0, country.MaxItems-1)))}
		if item.Has("quantity") {
			quantity := amount(item, "quantity", strict.Positive)
			x.Quantity = &quantity
		}
		w.Items = append(w.Items, x)
	}, strict.MinItems(1), strict.MaxItems(country.MaxItems))
	if o.Has("amount") && o.Has("items") {
		o.Fail("amount", "CREDIT_AMBIGUOUS", "Name items or an amount, not both; without either the note takes the whole.")
	}
	var ends lines
	w.date, w.due = o.DateTime("invoice_date", strict.DateAlone), o.Date("payment_due_date")
	w.reason = ends.read(o, "reason", strict.MaxLen(2000))
	w.reasonCode = o.StringOrInt("reason_code", strict.MaxLen(20))
	w.reference = o.String("external_reference", strict.MaxLen(200))
	w.header = readInfo(o, "additional_header_info")
	return w
}

// creditNote issues the credit note of an invoice: the whole of it, some items or an amount.
// It is a create whose body the service writes; nothing is checked or stored otherwise.
func (a api) creditNote(w http.ResponseWriter, r *http.Request) error {
	key, err := httpapi.IdempotencyKey(r)
	if err != nil {
		return err
	}
	id, err := httpapi.PathID(r, "invoice_id")
	if err != nil {
		return err
	}
	body, err := httpapi.ReadOptionalJSON(w, r)
	if body == nil && err == nil {
		body, err = strict.Parse([]byte("{}"))
	}
	if err != nil {
		return err
	}
	c, err := a.creation(r, body)
	if err != nil {
		return err
	}
	c.key, c.route = key, "POST /api/invoices/"+id+"/credit-note"
	c.draft = func(ctx context.Context) (events.Document, int, error, error) { return c.credited(ctx, id) }
	return c.answer(w, r)
}

// credited is the draft of the credit note of an invoice.
func (c *creation) credited(ctx context.Context, id string) (d events.Document, branch int, shapes, failed error) {
	o := c.body.Object()
	wanted := readWish(o)
	if err := o.Done(); err != nil {
		return d, 0, nil, err
	}
	s, err := c.original(ctx, id)
	if err != nil {
		return d, 0, nil, err
	}
	original := s.Created.Document
	whole := wanted.IsWhole(original)
	form, ok := c.rules.CreditForm(original, whole)
	if !ok {
		return d, 0, nil, country.NotCreditable(original.Type)
	}
	ref := events.Reference{Invoice: id}
	if code, message := c.named(ctx, &ref); code != "" {
		return d, 0, nil, fault.New(fault.Conflict, code, message)
	}
	if c.away != nil {
		return d, 0, nil, c.away
	}
	form.Note = c.mirrored(form.Note, original, wanted)
	wanted.Text = "Crédito parcial de " + resource.Number(s.PointOfSale, s.Number)
	wanted.Zero = wanted.reasonCode == country.CorrectsText
	wanted.Fits = func(note events.Document) bool { return c.fits(note) }
	note, violations := wanted.Fill(c.rules, original, form)
	if len(violations) > 0 {
		return d, 0, nil, fault.Violated(violations)
	}
	ref.ReasonCode = wanted.reasonCode
	if ref.ReasonCode == "" && form.Reasoned {
		ref.ReasonCode = country.CorrectsAmount
		if whole && note.Totals.Total.Equal(original.Totals.Total) {
			ref.ReasonCode = country.Cancels
		}
	}
	note.BillingReference = []events.Reference{ref}
	if c.rules.Branches().PointOfSale {
		return note, 0, nil, nil
	}
	return note, original.Branch, nil, nil
}

// original is the invoice that a note is made of.
func (c *creation) original(ctx context.Context, id string) (invoice.Full, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return invoice.Full{}, invoice.ErrUnknown
	}
	s, found, err := c.log.Documents.Load(ctx, id)
	switch {
	case err != nil:
		return s, fmt.Errorf("look up what the note corrects: %w", err)
	case !found || s.Company != c.company.Company || s.Created == nil:
		return s, invoice.ErrUnknown
	}
	return s, nil
}

// mirrored is the note with what it has from the document, from the caller and from the clock.
func (c *creation) mirrored(note, original events.Document, wanted wish) events.Document {
	note.Date = wanted.date
	if note.Date == "" {
		issuer := c.company.IssuerAt(original.Branch, c.rules.Branches())
		note.Date = c.at.In(country.ZoneOf(c.rules, issuer)).Format(time.DateTime)
	}
	if day := note.Date[:len(time.DateOnly)]; note.PaymentDueDate != "" && note.PaymentDueDate < day {
		note.PaymentDueDate = day
	}
	if wanted.due != "" {
		note.PaymentDueDate = wanted.due
	}
	note.Observations, note.ExternalReference = wanted.reason, wanted.reference
	note.BranchOffice, note.Currency = original.BranchOffice, original.Currency
	note.Issuer = events.Party{LegalName: c.company.LegalName, DocumentType: c.company.TaxIdentifierName,
		DocumentNumber: c.company.TaxIdentifier}
	if note.Recipient == (events.Party{}) {
		note.Recipient = original.Recipient
	}
	var own map[string]json.RawMessage
	if json.Unmarshal(wanted.header, &own) == nil {
		for _, name := range slices.Sorted(maps.Keys(own)) {
			note.HeaderInfo = country.SetMember(note.HeaderInfo, name, own[name])
		}
	}
	return note
}

// fits says that the rules have nothing against the sums of a note.
func (c *creation) fits(note events.Document) bool {
	issuer, _ := establish(&note, 0, c.company, c.rules.Branches())
	_, violations := c.rules.Check(note, issuer, c.at, c.Rules)
	return len(ofSums(violations)) == 0
}
