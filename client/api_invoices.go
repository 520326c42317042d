// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListInvoices: List invoices. Newest first. Walk by `cursor`, or by `page`. With
// `updated_since` in the order of changes: a walk by `cursor` neither skips a change nor shows
// one twice.
func (c Client) ListInvoices(
	ctx context.Context, query ListInvoicesQuery,
) (out ListInvoicesAnswer, err error) {
	err = c.Do(ctx, "GET",
		"/api/invoices"+encoded(query), nil, &out)
	return out, err
}

// CreateInvoice: Issue an invoice. The answer is the whole record, `Pending`. With an
// `Idempotency-Key` there is one invoice a key, also across restarts.
func (c Client) CreateInvoice(
	ctx context.Context, body CreateInvoiceBody,
) (out Invoice, err error) {
	err = c.Do(ctx, "POST",
		"/api/invoices", body, &out)
	return out, err
}

// CreateBatch: Issue up to 1,000 invoices. The body is JSON lines, up to 32 MiB: each a
// create's body with its `idempotency_key`, up to 256 KiB. Each is answered with a line as soon
// as it is done, in their order, and counts against the rate limit: the next one waits until
// that allows it. What is wrong with a row is that row's answer. Where the answer breaks off,
// send the same rows again: each has one effect. What is not issued when the caller goes is
// left.
func (c Client) CreateBatch(ctx context.Context, body Form) (out []byte, err error) {
	err = c.Do(ctx, "POST",
		"/api/invoices/batch", body, &out)
	return out, err
}

// CalculateInvoice: Let the service do the sums. Of a create's body it takes the items, and
// answers with the members that follow from them, as the country rounds: put them into the
// create. `totals.discount` is that of the whole document, the lines' among it; left out, it is
// the lines'. What else is there is passed over.
func (c Client) CalculateInvoice(
	ctx context.Context, body CalculateInvoiceBody,
) (out Calculated, err error) {
	err = c.Do(ctx, "POST",
		"/api/invoices/calculate", body, &out)
	return out, err
}

// PreviewInvoice: Draw an invoice without issuing it. The PDF of a valid create, marked as a
// preview on each page, without number, code or anything of the authority. Nothing is stored.
func (c Client) PreviewInvoice(
	ctx context.Context, body CreateInvoiceBody,
) (out []byte, err error) {
	err = c.Do(ctx, "POST",
		"/api/invoices/preview", body, &out)
	return out, err
}

// ValidateInvoice: Check an invoice without issuing it. It finds what a create would find, all
// faults at once, and stores nothing. `warnings` say why the invoice would wait.
func (c Client) ValidateInvoice(
	ctx context.Context, body CreateInvoiceBody,
) (out Validated, err error) {
	err = c.Do(ctx, "POST",
		"/api/invoices/validate", body, &out)
	return out, err
}

// ReadInvoice: Read an invoice. With `at`: as it was then.
func (c Client) ReadInvoice(
	ctx context.Context, invoiceID string, query ReadInvoiceQuery,
) (out Invoice, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}", invoiceID)+encoded(query), nil, &out)
	return out, err
}

// CreditNote: Issue the credit note of an invoice. Of the whole, of some items, or of an amount
// of its total; type, taxes, currency, rate, branch and recipient are the invoice's. The answer
// is the note's record, as a create's. With an `Idempotency-Key` there is one note a key.
func (c Client) CreditNote(
	ctx context.Context, invoiceID string, body CreditNoteBody,
) (out Invoice, err error) {
	err = c.Do(ctx, "POST",
		address("/api/invoices/{}/credit-note", invoiceID), body, &out)
	return out, err
}

// DownloadPDF: Download the PDF. The same bytes each time; 409 before acceptance.
func (c Client) DownloadPDF(
	ctx context.Context, invoiceID string, query DownloadPDFQuery,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/download-pdf/A4", invoiceID)+encoded(query), nil, &out)
	return out, err
}

// DownloadTicket: Download the ticket. The document for a roll of 80 mm, of which 72 mm are
// printed, in black: all that the A4 document has. The same bytes each time; 409 before
// acceptance.
func (c Client) DownloadTicket(
	ctx context.Context, invoiceID string, query DownloadTicketQuery,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/download-pdf/ticket", invoiceID)+encoded(query), nil, &out)
	return out, err
}

// DownloadXML: Download the signed document. Chile and Uruguay; 409 before it is signed, 404 in
// Argentina.
func (c Client) DownloadXML(
	ctx context.Context, invoiceID string,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/download-xml", invoiceID), nil, &out)
	return out, err
}

// EmailInvoice: Send an accepted invoice by e-mail. To one address, by the operator's mail
// server: the PDF and, to companies in Chile and Uruguay, the signed file that they receive
// electronically. It is queued and tried again where that is of use; what came of it is in `GET
// /api/invoices/{invoice_id}/emails`.
func (c Client) EmailInvoice(
	ctx context.Context, invoiceID string, body EmailInvoiceBody,
) (out EmailInvoiceAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/invoices/{}/email", invoiceID), body, &out)
	return out, err
}

// ListEmails: Tell what became of an invoice's e-mails. `Sent` says that the operator's mail
// server took the message; whether it arrived is not known.
func (c Client) ListEmails(
	ctx context.Context, invoiceID string,
) (out ListEmailsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/emails", invoiceID), nil, &out)
	return out, err
}

// ProcessInvoice: Take a waiting invoice up now. Asking again at once changes nothing.
func (c Client) ProcessInvoice(
	ctx context.Context, invoiceID string,
) (out ProcessInvoiceAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/invoices/{}/process", invoiceID), nil, &out)
	return out, err
}
