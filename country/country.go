// Package country is the contract of a country's rules. Everything that only one
// country knows lives below it, in country/<cc>, and is pure: what is right depends
// on the arguments alone.
package country

import (
	"time"

	"folio/country/figures"
	"folio/events"
	"folio/fault"
)

// Bounds of what a caller may send as an amount or quantity: with them no sum of
// 1,000 lines leaves the 19 digits of money.Decimal.
const (
	MaxWholeDigits = 13
	MaxDecimals    = 6
	MaxItems       = 1000
)

// DocumentType is one kind of comprobante of Folio's catalogue.
type DocumentType struct {
	ID          int    // Folio's id_document_type
	Country     string // ISO 3166-1 alpha-2
	Code        int    // the authority's code
	InvoiceType string // Folio's name for it: FCA
	Name        string // official description
	Class       Class
	BatchLimit  int // documents that may share one call; 0: as many as the authority takes
}

// Class groups kinds for rules that every country shares.
type Class int

// The classes of document.
const (
	Invoice Class = iota
	DebitNote
	CreditNote
	Receipt
	Export
	DispatchGuide
)

// Catalogued is a code with what it means, as the catalogue endpoints show it.
type Catalogued struct {
	Code         string // what a caller writes
	OfficialCode string // what the authority is told
	Name         string
}

// Issuer is all that the rules may know about the company.
type Issuer struct {
	TaxIdentifier string
	Profile       events.IssuerProfile
	Fields        map[string]string // the country's own fields of the fiscal profile
}

// Checked is a document that the rules accept.
type Checked struct {
	Document events.Document // normalised: defaults, official codes, digits only
	Taxes    events.TaxInformation
}

// Config holds the figures that change by decree, not by release.
type Config struct {
	// Figures are those built in, with the operator's own over them.
	Figures figures.Table
	// ExchangeDifferenceNotes lets notes in local currency correct documents in another one,
	// where the country's rules have such notes (Argentina; unverified).
	ExchangeDifferenceNotes bool
}

// ProfileField is one member of the fiscal profile that a country knows.
type ProfileField struct {
	Name     string
	Required bool // an invoice waits for it
	Check    func(value string) error
}

// Rules are one country. Every method is pure; now is given where today matters.
type Rules interface {
	// Code is the ISO 3166-1 alpha-2 code.
	Code() string
	// Location is the time zone of the country's fiscal day.
	Location() *time.Location
	// Authority is the name of the driver that issues its documents: "arca".
	Authority() string
	// Currency is the ISO 4217 code of the local currency.
	Currency() string
	// IdentifierName is the official name of the tax identifier: "CUIT".
	IdentifierName() string
	// Identifier verifies the check digit of a tax identifier and returns its
	// canonical form; the error says what is wrong in words for the caller.
	Identifier(text string) (string, error)
	// DocumentTypes lists the kinds that can be issued, by id. The list is not to be changed.
	DocumentTypes() []DocumentType
	// DocumentType finds a kind by invoice_type or official code, as a caller
	// writes it ("FCA", "1", "001").
	DocumentType(text string) (DocumentType, bool)
	// Concepts, TaxTypes, GlobalTaxTypes, TaxConditions, IdentityDocuments, Units
	// and PaymentMethods are the country's catalogues.
	Catalogue() Catalogue
	// Check applies every rule that can be known before the authority is asked and
	// returns all violations at once, with paths as the caller wrote the fields
	// ("items[2].taxes[0].amount"). It fills defaults and official codes.
	Check(d events.Document, issuer Issuer, now time.Time, c Config) (Checked, []fault.Violation)
	// Calculate fills in what follows from the items of a document as the country rounds: rates
	// and amounts of the lines' taxes, amounts of taxes on the whole, and the totals. It looks at
	// invoice_type, currency, items, global_taxes, totals.discount and the header; the discount is
	// that of the whole document, the lines' among it. Check accepts what it makes. An error says
	// that nothing can be made of the items, which Check refuses.
	Calculate(d events.Document) (events.Document, error)
	// Examples are complete requests dated on a day: one of each document type, by its
	// invoice_type, and others that show how something is done.
	Examples(day time.Time) []Example
	// CreditForm is the credit note of a document, without its lines: type, header and what else
	// the country mirrors. False for a document that no credit note corrects.
	CreditForm(original events.Document, whole bool) (NoteForm, bool)
	// ProfileFields are the members of the fiscal profile that this country knows
	// beyond address, tax_condition and gross_income_number.
	ProfileFields() []ProfileField
	// Branches is what the country knows of establishments.
	Branches() Branches
	// CheckAddress verifies an address of the company itself, of its profile or of a branch:
	// "country" is left out or this country, and "region" is one of it.
	CheckAddress(a events.Address) []fault.Violation
	// Missing names what the company still lacks in its profile before it can issue every
	// type of document; see PerType.
	Missing(issuer Issuer) []string
	// QR is the text of the code that the printed document carries.
	QR(i Issued) string
	// Form is the printed document. It is a pure function of what the log holds.
	Form(i Issued) Form
}

// Ranged is implemented by the rules of countries whose numbers come from files that
// the authority gives out: Chile's CAF, Uruguay's CAE. In other countries the authority's
// last number is the truth.
type Ranged interface {
	// ParseRange reads a numbering file as it was uploaded, ISO-8859-1 or UTF-8, and
	// verifies what can be verified without asking anybody: structure, the authority's
	// signature with the keys trusted, the key inside. Its fault has the path "file" and
	// says which check failed.
	ParseRange(file []byte, trust Trust) (RangeFile, error)
	// LastDay is the last day (YYYY-MM-DD, local) on which numbers of the range may be
	// used, "" when they do not expire.
	LastDay(r RangeFile) string
	// NoticeThreshold is how many numbers left make a first notice, by the specification's
	// table (quantity; the 20 percent are the same everywhere).
	NoticeThreshold(officialCode int) int64
}

// NumbersFromFiles says whether a country's rules are Ranged.
func NumbersFromFiles(r Rules) bool {
	_, ok := r.(Ranged)
	return ok
}

// Trust are the public keys and certificates that numbering files may be signed with,
// in PEM, besides the authority's published ones: those of the sandbox.
type Trust struct {
	PEM [][]byte
	// Unsigned lets a file pass whose signature cannot be verified for lack of the
	// authority's key; it is then said in RangeFile.Warnings.
	Unsigned bool
}

// RangeFile is what a numbering file says.
type RangeFile struct {
	TaxIdentifier string // canonical
	OfficialCode  int
	Series        string // Uruguay
	From, To      int64
	IssuedOn      string // YYYY-MM-DD
	ExpiresOn     string // YYYY-MM-DD, as the file says; "" when it does not
	Authorization string // Uruguay: number of the CAE; Chile: id of the key
	Environment   string // Testing or Production, of the authority's systems; "" when it does not say
	Warnings      []string
	// Profile are members of the fiscal profile as the company must have them to use the
	// file; "" for one that it must not have.
	Profile map[string]string
}

// Catalogue are the lists that a country's callers may look up.
type Catalogue struct {
	Concepts          []Catalogued
	TaxTypes          []Catalogued
	GlobalTaxTypes    []Catalogued
	TaxConditions     []Catalogued
	IdentityDocuments []Catalogued
	Units             []Catalogued
	PaymentMethods    []Catalogued
	Currencies        []Catalogued // ISO 4217 to the authority's code
	ItemCodes         []Catalogued
}

// Issued is a document with what the authority gave it.
type Issued struct {
	ID            string
	Document      events.Document
	Profile       events.IssuerProfile
	Taxes         events.TaxInformation
	BranchOffice  int
	Series        string // Uruguay: letter of the number's CAE
	Number        int64
	Authorization events.Authorization
	Observations  []events.AuthorityMessage
	Sandbox       bool // no fiscal value
	AcceptedAt    time.Time
}
