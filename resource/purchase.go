package resource

import (
	"strconv"
	"time"

	"folio/events"
	"folio/httpapi"
	"folio/money"
)

// Purchase is the record of a supplier's document.
type Purchase struct {
	ID            string         `json:"id"`
	Company       string         `json:"id_company"`
	InvoiceType   string         `json:"invoice_type"`
	OfficialCode  int            `json:"organization_code"`
	BranchOffice  int            `json:"branch_office"`
	Series        *string        `json:"series"`
	Number        int64          `json:"number"`
	Date          string         `json:"date"`
	Supplier      Party          `json:"supplier"`
	Currency      *string        `json:"currency"` // null when the code does not say it (Uruguay)
	Total         httpapi.Number `json:"total"`
	Authorization *string        `json:"authorization_code"`
	// consistent, signature_valid, authority_confirmed or authority_refused
	Verification string    `json:"verification"`
	Verified     string    `json:"verification_detail"` // in words
	Messages     []Message `json:"authority_messages"`  // what the authority said when it was asked
	Source       string    `json:"source"`              // json, qr or xml
	SHA256       string    `json:"document_sha256"`
	ReceivedAt   time.Time `json:"received_at"`
}

// Received is the record of the fact.
func Received(e events.PurchaseReceived, invoiceType string, at time.Time) Purchase {
	total, err := money.Parse(e.Total)
	if err != nil {
		total = money.Zero // cannot be: the fact was recorded from a decimal
	}
	return Purchase{
		ID: e.Purchase, Company: e.Company, InvoiceType: invoiceType, OfficialCode: e.OfficialCode,
		BranchOffice: e.BranchOffice,
		Series:       text(e.Series), Number: e.Number, Date: e.Date, Supplier: party(e.Supplier), Currency: text(e.Currency),
		Total:         number(total),
		Authorization: text(e.Authorization), Verification: e.Verification, Verified: e.Verified,
		Messages: Messages(e.Messages), Source: e.Source,
		SHA256: e.DocumentSHA256, ReceivedAt: at.UTC(),
	}
}

// PurchaseNoticed is the payload of REC.
type PurchaseNoticed struct {
	DocumentID   string         `json:"document_id"`
	Event        string         `json:"event"`
	Supplier     string         `json:"supplier_document_number"`
	InvoiceType  string         `json:"invoice_type"`
	Series       *string        `json:"series"` // the letter that belongs to the number; null where there is none
	Number       string         `json:"number"`
	Date         string         `json:"date"`
	Currency     *string        `json:"currency"`
	Total        httpapi.Number `json:"total"`
	Verification string         `json:"verification"`
	Attempt      int            `json:"attempt,omitzero"`
	CreatedAt    string         `json:"created_at"`
}

// PurchaseOf is the payload of REC for a purchase that was received at a time.
func PurchaseOf(e events.PurchaseReceived, at time.Time) PurchaseNoticed {
	r := Received(e, "", at)
	return PurchaseNoticed{DocumentID: r.ID, Event: "REC", Series: r.Series, Supplier: e.Supplier.DocumentNumber,
		InvoiceType: strconv.Itoa(e.OfficialCode),
		Number:      Number(e.BranchOffice, e.Number), Date: e.Date, Currency: r.Currency, Total: r.Total,
		Verification: e.Verification, CreatedAt: Instant(at)}
}

// CertificateNoticed is the payload of CER.
type CertificateNoticed struct {
	DocumentID     string `json:"document_id"` // the certificate's id
	Event          string `json:"event"`
	Subject        string `json:"subject"`
	SerialNumber   string `json:"serial_number"`
	Environment    string `json:"environment"`
	ExpirationDate string `json:"expiration_date"` // DD/MM/YYYY HH:MM:SS, local
	Days           int    `json:"days_before"`     // which of the seven notices
	Attempt        int    `json:"attempt,omitzero"`
	CreatedAt      string `json:"created_at"`
}

// NumberingNoticed is the payload of ENU.
type NumberingNoticed struct {
	DocumentID     string  `json:"document_id"` // the range's id_enumeration
	Event          string  `json:"event"`
	Kind           string  `json:"kind"` // quantity or expiry
	DocumentType   int     `json:"id_document_type"`
	Notice         *int    `json:"notice"`      // of quantity: 1 low, 2 at one, 3 at none
	Days           *int    `json:"days_before"` // of expiry: 7, 1, 0, -1
	Remaining      int64   `json:"remaining"`
	From           int64   `json:"from"`
	To             int64   `json:"to"`
	ExpirationDate *string `json:"expiration_date"` // DD/MM/YYYY HH:MM:SS, its last day
	Attempt        int     `json:"attempt,omitzero"`
	CreatedAt      string  `json:"created_at"`
}
