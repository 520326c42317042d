// Package flat has the log as three flat tables for analysts, in Apache Parquet: every event,
// every invoice and every line of an invoice. Amounts are decimals and days are dates, so
// that a tool can add them up and compare them without a conversion.
package flat

import (
	"time"
)

// Decimal is a Parquet DECIMAL of 38 digits: two's complement, big-endian.
type Decimal = [16]byte

// Decimals of the columns. The API takes at most six, so a product of two has twelve.
const (
	scale      = 6
	lineScale  = 12
	wholeWidth = 38
)

// Event is one event of the log, in its order.
type Event struct {
	ID        string    `parquet:"id" doc:"UUID"`
	Type      string    `parquet:"type,dict" doc:"name of the event: see events.md"`
	Schema    int32     `parquet:"schema" doc:"version of data: see /api/events/schemas/{type}/{schema}"`
	Time      time.Time `parquet:"time,timestamp(microsecond)" doc:"of the request that led to it"`
	Logged    time.Time `parquet:"logged_at,timestamp(microsecond)" doc:"by the log's clock"`
	Actor     string    `parquet:"actor,dict" doc:"account, key or processor"`
	Category  string    `parquet:"category,dict" doc:"what it happened to: invoice, company, purchase…"`
	Aggregate string    `parquet:"aggregate" doc:"which one; of an invoice, its invoice_id"`
	Revision  int64     `parquet:"revision" doc:"place in the stream category-aggregate, from 0"`
	Commit    int64     `parquet:"commit" doc:"place in the log"`
	Prepare   int64     `parquet:"prepare" doc:"likewise"`
	Data      []byte    `parquet:"data,json,zstd" doc:"as stored"`
}

// Invoice is one document as it stood at the end of the export, in the order of creation.
type Invoice struct {
	Invoice           string     `parquet:"invoice_id" doc:"as the API shows it"`
	Company           string     `parquet:"company,dict" doc:"its id"`
	Country           string     `parquet:"country,dict" doc:"ISO 3166-1 alpha-2"`
	Environment       string     `parquet:"environment,dict" doc:"Production, Testing; empty until the first certificate"`
	Status            string     `parquet:"status,dict" doc:"Pending, In process, Accepted, Rejected"`
	Sandbox           bool       `parquet:"sandbox" doc:"it has no fiscal value"`
	Type              string     `parquet:"invoice_type,dict" doc:"Folio's: FCA, FAC, EFA…"`
	OfficialCode      int32      `parquet:"official_code" doc:"the authority's code of that type"`
	Class             string     `parquet:"class,dict" doc:"invoice, debit_note, credit_note, receipt, export, dispatch_guide"`
	Side              string     `parquet:"side,dict" doc:"sale; purchase where the issuer buys; none where nothing is billed"`
	Sign              int32      `parquet:"sign" doc:"1 adds, -1 takes (a credit note), 0 bills nothing"`
	BranchOffice      int32      `parquet:"branch_office" doc:"point of sale; 0 where the country has none"`
	Series            string     `parquet:"series" doc:"letter of the number"`
	Number            *int64     `parquet:"number" doc:"null until it is final"`
	Date              int32      `parquet:"date,date" doc:"of the document, in the company's country"`
	Due               *int32     `parquet:"payment_due_date,date" doc:"likewise; null: none"`
	Created           time.Time  `parquet:"created_at,timestamp(microsecond)" doc:"UTC"`
	Decided           *time.Time `parquet:"decided_at,timestamp(microsecond)" doc:"UTC; when it was accepted or rejected"`
	Recipient         string     `parquet:"recipient_name" doc:"as it is printed"`
	RecipientType     string     `parquet:"recipient_document_type,dict" doc:"CUIT, RUT, CI…"`
	RecipientDocument string     `parquet:"recipient_document" doc:"empty: not identified"`
	Reference         string     `parquet:"external_reference" doc:"the caller's own"`
	Authorization     string     `parquet:"authorization" doc:"the authority's code: CAE, track id…"`
	Currency          string     `parquet:"currency,dict" doc:"ISO 4217"`
	Rate              Decimal    `parquet:"rate,decimal(6:38)" doc:"local currency for one unit; 0 until it is known"`
	Net               Decimal    `parquet:"net,decimal(6:38)" doc:"what is taxed, in currency, without a sign"`
	Exempt            Decimal    `parquet:"exempt,decimal(6:38)" doc:"likewise"`
	Untaxed           Decimal    `parquet:"untaxed,decimal(6:38)" doc:"likewise"`
	Tax               Decimal    `parquet:"tax,decimal(6:38)" doc:"VAT, likewise"`
	Other             Decimal    `parquet:"other,decimal(6:38)" doc:"other taxes, likewise"`
	Total             Decimal    `parquet:"total,decimal(6:38)" doc:"likewise"`
	LocalCurrency     string     `parquet:"local_currency,dict" doc:"ISO 4217"`
	LocalNet          Decimal    `parquet:"local_net,decimal(6:38)" doc:"what sums take: with its sign, in local_currency, rounded as the books are"`
	LocalExempt       Decimal    `parquet:"local_exempt,decimal(6:38)" doc:"likewise"`
	LocalUntaxed      Decimal    `parquet:"local_untaxed,decimal(6:38)" doc:"likewise"`
	LocalTax          Decimal    `parquet:"local_tax,decimal(6:38)" doc:"likewise"`
	LocalOther        Decimal    `parquet:"local_other,decimal(6:38)" doc:"likewise"`
	LocalTotal        Decimal    `parquet:"local_total,decimal(6:38)" doc:"likewise"`
}

// Line is one line of a document, behind the lines before it.
type Line struct {
	Invoice       string   `parquet:"invoice_id" doc:"joins invoices"`
	Company       string   `parquet:"company,dict" doc:"its id"`
	Date          int32    `parquet:"date,date" doc:"of the document"`
	Status        string   `parquet:"status,dict" doc:"of the document"`
	Sign          int32    `parquet:"sign" doc:"of the document"`
	Currency      string   `parquet:"currency,dict" doc:"of the document"`
	Line          int32    `parquet:"line" doc:"from 1"`
	CodeType      string   `parquet:"code_type,dict" doc:"sku…"`
	Code          string   `parquet:"code,dict" doc:"the issuer's code of the product"`
	Description   string   `parquet:"description,dict" doc:"as it is printed"`
	Quantity      Decimal  `parquet:"quantity,decimal(6:38)" doc:"in unit_of_measure"`
	UnitOfMeasure string   `parquet:"unit_of_measure,dict" doc:"as the caller gave it"`
	UnitPrice     Decimal  `parquet:"unit_price,decimal(6:38)" doc:"as the document has it: with VAT where its type has gross prices"`
	Discount      Decimal  `parquet:"discount,decimal(6:38)" doc:"on the whole line"`
	Amount        Decimal  `parquet:"amount,decimal(12:38)" doc:"quantity × unit_price − discount, exact; without a sign"`
	TaxTypes      string   `parquet:"tax_types,dict" doc:"iva21; several with + between them"`
	TaxRate       *Decimal `parquet:"tax_rate,decimal(6:38)" doc:"percent; null unless the line has one tax"`
	Tax           Decimal  `parquet:"tax,decimal(6:38)" doc:"of all its taxes"`
}
