// Package papers makes what others see of an invoice: its record in JSON, its A4 document, its ticket and its signed
// XML. The API and exports answer with the same.
package papers

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/pdf"
	"folio/projections"
	"folio/resource"
)

// Files reads what was stored by its content.
type Files interface {
	File(ctx context.Context, sha256 string) ([]byte, error)
}

// Maker makes them by the rules of the invoice's country.
type Maker struct {
	Countries country.Registry
	Files     Files
}

// What making one takes in memory: PDF is a long document, an ordinary one takes a tenth; Envelope is what one
// document was sent in.
const (
	PDFMemory      = 32 << 20
	EnvelopeMemory = 16 << 20
)

// Rules are those of the invoice's country; 503 for one that this service does not serve.
func (m Maker) Rules(i projections.Invoice) (country.Rules, error) {
	if rules, ok := m.Countries.ByCode(i.Country); ok {
		return rules, nil
	}
	return nil, fault.New(fault.Unavailable, "COUNTRY_NOT_SERVED",
		"This service was started without the rules of "+i.Country+".")
}

// Record is the invoice as readers see it. Why it waits is no part of the document and left null.
func (m Maker) Record(i projections.Invoice) (resource.Invoice, error) {
	rules, err := m.Rules(i)
	if err != nil {
		return resource.Invoice{}, err
	}
	out := resource.Pending(events.InvoiceCreated{Invoice: i.ID, Company: i.Company, Country: i.Country,
		Environment: i.Environment, Document: i.Document, Profile: i.Profile, Taxes: i.Taxes}, i.CreatedAt, rules)
	out.Status = i.Status
	out.Rejection = resource.Messages(i.Rejection)
	if i.Number != 0 {
		number := resource.Number(i.BranchOffice, i.Number)
		out.Number, out.BranchOffice = &number, cmp.Or(i.BranchOffice, i.Document.Branch)
	}
	out.HeaderInfo = resource.Lettered(out.HeaderInfo, i.Letter)
	if i.Authorization != nil {
		out.Authorization = resource.Authorized(*i.Authorization, i.Observations)
		out.NoFiscalValue = i.Sandbox
	}
	if p := i.Report; p != nil {
		out.AuthorityReport = resource.Reported(p.State, p.DueBy, p.Messages)
	}
	if c := i.Cancellation; c != nil {
		out.CancellationDate = &c.Date
		if c.ReasonCode != "" {
			out.ReasonCode = &c.ReasonCode
		}
	}
	out.CreditedTotal, out.Balance = httpapi.Num(i.Notes.Credited()), httpapi.Num(i.Notes.Balance(i.Document.Totals.Total))
	out.Notes = resource.Notes(i.Notes)
	return out, nil
}

// Name is what files of the invoice are called, without an extension: letters, digits, '-' and '_'.
func (m Maker) Name(i projections.Invoice) (string, error) {
	rules, err := m.Rules(i)
	if err != nil {
		return "", err
	}
	return PlainName(rules.Form(i.Issued()).Name), nil
}

// PDF is the A4 document of an accepted invoice, the same bytes each time.
func (m Maker) PDF(ctx context.Context, i projections.Invoice) ([]byte, error) {
	return m.printed(ctx, i, pdf.Render)
}

// Ticket is the document of an accepted invoice for a roll of 80 mm, the same bytes each time. It has all that the A4
// document has.
func (m Maker) Ticket(ctx context.Context, i projections.Invoice) ([]byte, error) {
	return m.printed(ctx, i, pdf.Ticket)
}

// printed draws an accepted invoice.
func (m Maker) printed(
	ctx context.Context, i projections.Invoice, draw func(country.Form, []byte) ([]byte, error),
) ([]byte, error) {
	rules, err := m.Rules(i)
	if err != nil {
		return nil, err
	}
	return m.drawn(ctx, i, rules.Form(i.Issued()), draw)
}

func (m Maker) drawn(ctx context.Context, i projections.Invoice, form country.Form, draw Draw) (_ []byte, err error) {
	var logo []byte
	if form.Logo != "" {
		if logo, err = m.Files.File(ctx, form.Logo); err != nil {
			return nil, fmt.Errorf("logo of invoice %s: %w", i.ID, err)
		}
	}
	document, err := draw(form, logo)
	if err != nil {
		return nil, fmt.Errorf("render invoice %s: %w", i.ID, err)
	}
	return document, nil
}

// Draw makes pages of a form and a logo.
type Draw func(country.Form, []byte) ([]byte, error)

// Unjudged is what the print of a document without a verdict is made of.
type Unjudged struct {
	Sent  string // SHA-256 of what was signed
	Basis country.Basis
	Trial bool // no fiscal value
	Draw  Draw // A4 or Ticket
}

// A4 and Ticket are the two papers.
var (
	A4   Draw = pdf.Render
	Roll Draw = pdf.Ticket
)

// BeforeVerdict is the print of a document that is signed and has no verdict, and says so on its face.
func (m Maker) BeforeVerdict(ctx context.Context, i projections.Invoice, u Unjudged) ([]byte, error) {
	rules, err := m.Rules(i)
	if err != nil {
		return nil, err
	}
	given, ok := rules.(country.HandsOver)
	if !ok {
		return nil, fmt.Errorf("documents of %s are not handed over before the verdict", i.Country)
	}
	signed, err := m.XML(ctx, i, u.Sent)
	if err != nil {
		return nil, err
	}
	provisional, err := given.Provisional(signed.Content)
	if err != nil {
		return nil, fmt.Errorf("invoice %s as it was signed: %w", i.ID, err)
	}
	i.Authorization, i.Sandbox, i.AcceptedAt = &provisional, u.Trial, i.CreatedAt
	form := rules.Form(i.Issued())
	form.Legends = append([]string{given.BeforeVerdict(u.Basis)}, form.Legends...)
	return m.drawn(ctx, i, form, u.Draw)
}

// previewed says on a preview what it is: in the language of the document, whatever that of the caller.
const previewed = "VISTA PREVIA: no es un documento fiscal, no fue emitido ni autorizado."

// Preview is the A4 document that an invoice would be, which was not issued. Nothing of an authorization is on it: no
// number, code, stamp or words of the authority; and each page says what it is.
func (m Maker) Preview(ctx context.Context, e events.InvoiceCreated, at time.Time) ([]byte, error) {
	i := projections.Invoice{Country: e.Country}
	rules, err := m.Rules(i)
	if err != nil {
		return nil, err
	}
	form := rules.Form(country.Issued{Document: e.Document, Profile: e.Profile, Taxes: e.Taxes,
		BranchOffice: e.Document.BranchOffice, Sandbox: true, AcceptedAt: at})
	form.QR, form.Stamp, form.Stamped, form.Authorization, form.Authority, form.Second = "", "", nil, nil, "", nil
	form.Watermark, form.Copy, form.Title = "VISTA PREVIA", "VISTA PREVIA", "Vista previa"
	form.Legends = append([]string{previewed}, form.Legends...)
	if form.Frames != nil {
		frames := *form.Frames
		frames.Below, frames.Verify, frames.Expires = "", nil, nil
		form.Frames = &frames
	}
	var logo []byte
	if form.Logo != "" {
		if logo, err = m.Files.File(ctx, form.Logo); err != nil {
			return nil, fmt.Errorf("logo of a preview: %w", err)
		}
	}
	document, err := pdf.Render(form, logo)
	if err != nil {
		return nil, fmt.Errorf("render a preview: %w", err)
	}
	return document, nil
}

// Signs says whether invoices of the country are signed XML files.
func (m Maker) Signs(i projections.Invoice) (bool, error) {
	rules, err := m.Rules(i)
	_, signs := rules.(country.Signed)
	return signs, err
}

// XML is the signed document of an invoice that has its number, out of what was sent, which is the file of a hash.
func (m Maker) XML(ctx context.Context, i projections.Invoice, sent string) (d country.SignedFile, err error) {
	rules, err := m.Rules(i)
	if err != nil {
		return d, err
	}
	signed, ok := rules.(country.Signed)
	if !ok {
		return d, fmt.Errorf("invoices of %s are not signed files", i.Country)
	}
	content, err := m.Files.File(ctx, sent)
	if err != nil {
		return d, fmt.Errorf("what submission %s sent: %w", i.Submission, err)
	}
	if d, err = signed.SignedDocument(content, i.Number); err != nil {
		return d, fmt.Errorf("signed document of invoice %s: %w", i.ID, err)
	}
	return d, nil
}

// PlainName keeps letters, digits, '-' and '_', so that no name needs quoting.
func PlainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}
