package projections

import (
	"fmt"
	"slices"
	"time"

	"folio/country"
	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Status of an invoice as readers see it.
const (
	StatusPending   = "Pending"
	StatusInProcess = "In process"
	StatusAccepted  = "Accepted"
	StatusRejected  = "Rejected"
)

// Invoice is all that a read of an invoice needs.
type Invoice struct {
	engine.Place

	ID      string `json:"id"`
	Company string `json:"company"`
	Country string `json:"country"` // ISO 3166-1 alpha-2
	// Production or Testing; empty until the first certificate
	Environment string                `json:"environment,omitzero"`
	Status      string                `json:"status"`
	CreatedAt   time.Time             `json:"created_at"` // UTC
	Document    events.Document       `json:"document"`   // as given, with the defaults filled in
	Profile     events.IssuerProfile  `json:"profile"`
	Taxes       events.TaxInformation `json:"taxes"`

	// Submission is the last one that the invoice was sent in, and TriedNumber the
	// number it was sent under, which is not the invoice's until NumberAssigned.
	Submission  string `json:"submission,omitzero"`
	TriedNumber int64  `json:"tried_number,omitzero"`
	// Receipt is known where documents may be handed over before the verdict; HandedOver is of
	// the first print that was given out so.
	Receipt    *Receipt  `json:"receipt,omitzero"`
	HandedOver *Handover `json:"handed_over,omitzero"`

	// BranchOffice and Number are final; Number is 0 before.
	BranchOffice int    `json:"branch_office,omitzero"`
	Letter       string `json:"letter,omitzero"` // of the number's series, Uruguay
	Number       int64  `json:"number,omitzero"`

	Authorization *events.Authorization     `json:"authorization,omitzero"` // nil before acceptance
	Observations  []events.AuthorityMessage `json:"observations,omitzero"`
	AcceptedAt    time.Time                 `json:"accepted_at,omitzero"` // UTC
	Sandbox       bool                      `json:"sandbox,omitzero"`     // no fiscal value
	Report        *AuthorityReport          `json:"report,omitempty"`     // of one that was issued by contingency
	Rejection     []events.AuthorityMessage `json:"rejection,omitzero"`
	RejectedAt    time.Time                 `json:"rejected_at,omitzero"` // UTC
	Cancellation  *Cancellation             `json:"cancellation,omitzero"`
	Notes         events.Ledger             `json:"notes,omitzero"` // that correct it
	// Named are all notes that were reserved or counted here, whatever became of them.
	Named []string `json:"named,omitzero"`
}

// Receipt says that the authority has the document of the last submission.
type Receipt struct {
	At   time.Time `json:"at"` // UTC
	Code string    `json:"code,omitzero"`
}

// Handover is when a print was given out before the verdict, and why that was allowed.
type Handover struct {
	At    time.Time `json:"at"` // UTC
	Basis string    `json:"basis"`
}

// AuthorityReport is how far a document that was issued by contingency is reported.
type AuthorityReport struct {
	State    events.ReportState        `json:"state"`
	DueBy    string                    `json:"due_by"` // YYYY-MM-DD
	Messages []events.AuthorityMessage `json:"messages,omitzero"`
}

// note folds what became of a note that corrects the invoice.
func (i *Invoice) note(e events.Event, id string) {
	i.Notes = i.Notes.Evolve(e, i.Document.Totals.Total)
	if !slices.Contains(i.Named, id) {
		i.Named = append(i.Named, id)
	}
}

// Cancellation is the credit note with which nothing of the invoice was left.
type Cancellation struct {
	CreditNote string `json:"credit_note"` // its invoice id
	Date       string `json:"date"`        // YYYY-MM-DD
	ReasonCode string `json:"reason_code,omitzero"`
}

// ShownNumber is "0001-00000001", or "" while the number is not final. A point of sale
// of five digits keeps them.
func (i Invoice) ShownNumber() string {
	if i.Number == 0 {
		return ""
	}
	return fmt.Sprintf("%04d-%08d", i.BranchOffice, i.Number)
}

// Issued is what the printed form of an accepted invoice is made from.
func (i Invoice) Issued() country.Issued {
	out := country.Issued{ID: i.ID, Document: i.Document, Profile: i.Profile, Taxes: i.Taxes,
		BranchOffice: i.BranchOffice, Series: i.Letter, Number: i.Number, Observations: i.Observations,
		Sandbox: i.Sandbox, AcceptedAt: i.AcceptedAt}
	if i.Authorization != nil {
		out.Authorization = *i.Authorization
	}
	return out
}

// Series is the id of the document in Numbering that the invoice's number is of, or will be: one that was issued by
// contingency has another point of sale than it was made for.
func (i Invoice) Series() string {
	point := i.Document.BranchOffice
	if i.Number != 0 {
		point = i.BranchOffice
	}
	return SeriesID(i.Company, i.Environment, i.Document.OfficialCode, point)
}

// day is the date of "YYYY-MM-DD HH:MM:SS".
func day(text string) string { return text[:min(len(text), len("2006-01-02"))] }

// Invoices keeps each invoice, in the list of its company.
var Invoices = engine.Define("invoices", 4,
	engine.OfStream[Invoice]("invoice"),
	engine.On(engine.ByStream, func(d *Invoice, r events.Recorded, e events.InvoiceCreated) {
		d.ID, d.Company, d.Country, d.Environment = e.Invoice, e.Company, e.Country, e.Environment
		d.Status, d.CreatedAt = StatusPending, r.Meta.At.UTC()
		d.Document, d.Profile, d.Taxes = e.Document, e.Profile, e.Taxes
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.IssuerCompleted) {
		d.Profile = e.Profile
		d.Document.Complete(e)
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.RateTaken) {
		d.Document.Currency.Rate = e.Rate
	}),
	engine.On(engine.ByStream, func(d *Invoice, r events.Recorded, e events.InvoiceRefused) {
		d.Status, d.RejectedAt, d.Rejection = StatusRejected, r.Meta.At.UTC(), e.Reasons
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.SubmissionStarted) {
		if d.Submission != e.Submission {
			d.Receipt = nil
		}
		d.Status, d.Environment = StatusInProcess, e.Environment
		d.Submission, d.TriedNumber = e.Submission, e.Number
	}),
	engine.On(engine.ByStream, func(d *Invoice, r events.Recorded, e events.AuthorityReceived) {
		d.Receipt = &Receipt{At: r.Meta.At.UTC(), Code: e.Receipt}
	}),
	engine.On(engine.ByStream, func(d *Invoice, r events.Recorded, e events.InvoiceHandedOver) {
		if d.HandedOver == nil {
			d.HandedOver = &Handover{At: r.Meta.At.UTC(), Basis: e.Basis}
		}
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.NumberAssigned) {
		d.BranchOffice, d.Letter, d.Number = e.BranchOffice, e.Series, e.Number
	}),
	engine.On(engine.ByStream, func(d *Invoice, r events.Recorded, e events.AuthorityAccepted) {
		d.Status, d.Submission, d.AcceptedAt = StatusAccepted, e.Submission, r.Meta.At.UTC()
		d.Authorization, d.Observations, d.Sandbox = &e.Authorization, e.Observations, e.Sandbox
	}),
	engine.On(engine.ByStream, func(d *Invoice, r events.Recorded, e events.AuthorityRejected) {
		d.Status, d.Submission, d.RejectedAt = StatusRejected, e.Submission, r.Meta.At.UTC()
		d.Rejection = e.Reasons
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.AuthorityReportChanged) {
		d.Report = &AuthorityReport{State: e.State, DueBy: e.DueBy, Messages: e.Messages}
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.InvoiceCancelled) {
		d.Cancellation = &Cancellation{CreditNote: e.CreditNote, Date: e.Date, ReasonCode: e.ReasonCode}
		d.note(e, e.CreditNote)
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.NoteReserved) { d.note(e, e.Note) }),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.NoteCounted) {
		d.note(e, e.Note)
		if d.Notes.Balance(d.Document.Totals.Total).Sign() > 0 {
			d.Cancellation = nil
		}
	}),
	engine.On(engine.ByStream, func(d *Invoice, _ events.Recorded, e events.NoteReleased) { d.note(e, e.Note) }),
	engine.Listed[Invoice](func(_ events.Recorded, e events.InvoiceCreated) string { return e.Company }),
	engine.Attributes(func(d *Invoice) map[string]string {
		return map[string]string{
			"environment":        d.Environment,
			"status":             d.Status,
			"invoice_type":       d.Document.Type,
			"date":               day(d.Document.Date),
			"external_reference": d.Document.ExternalReference,
			"number":             d.ShownNumber(),
			"recipient_document": d.Document.Recipient.DocumentNumber,
			"updated":            factID(d.At),
		}
	},
		tables.Attribute{Name: "environment"},
		tables.Attribute{Name: "status", Indexed: true, Fold: true},
		tables.Attribute{Name: "invoice_type", Fold: true},
		tables.Attribute{Name: "date", Indexed: true},
		tables.Attribute{Name: "external_reference", Indexed: true, Fold: true},
		tables.Attribute{Name: "number", Indexed: true},
		tables.Attribute{Name: "recipient_document", Indexed: true, Fold: true},
		tables.Attribute{Name: "updated", Indexed: true},
	),
)
