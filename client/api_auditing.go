// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// CompanyEvents: The facts about a company, in their order
func (c Client) CompanyEvents(
	ctx context.Context, company string, query CompanyEventsQuery,
) (out CompanyEventsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/events", company)+encoded(query), nil, &out)
	return out, err
}

// SeriesEvents: The facts about a numbering series, in their order
func (c Client) SeriesEvents(
	ctx context.Context, company, series string, query SeriesEventsQuery,
) (out SeriesEventsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/numbering/{}/events", company, series)+encoded(query), nil, &out)
	return out, err
}

// ReadGaps: Which numbers are missing, and why
func (c Client) ReadGaps(
	ctx context.Context, company, series string, query ReadGapsQuery,
) (out GapReport, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/numbering/{}/gaps", company, series)+encoded(query), nil, &out)
	return out, err
}

// ReadLedger: The life of each number of a series. With `format=csv` as a whole.
func (c Client) ReadLedger(
	ctx context.Context, company, series string, query ReadLedgerQuery,
) (out ReadLedgerAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/numbering/{}/ledger", company, series)+encoded(query), nil, &out)
	return out, err
}

// ReadPurchaseCalls: The exchanges with the authority about a supplier's document
func (c Client) ReadPurchaseCalls(
	ctx context.Context, company, purchaseID string,
) (out ReadPurchaseCallsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/purchases/{}/calls", company, purchaseID), nil, &out)
	return out, err
}

// ReadPurchaseCallsSha256: What was said in one of these exchanges
func (c Client) ReadPurchaseCallsSha256(
	ctx context.Context, company, purchaseID, sha256 string,
) (out ReadPurchaseCallsSha256Answer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/purchases/{}/calls/{}", company, purchaseID, sha256), nil, &out)
	return out, err
}

// PurchaseEvents: The facts about a supplier's document
func (c Client) PurchaseEvents(
	ctx context.Context, company, purchaseID string, query PurchaseEventsQuery,
) (out PurchaseEventsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/purchases/{}/events", company, purchaseID)+encoded(query), nil, &out)
	return out, err
}

// WebhookEvents: The facts about the subscription
func (c Client) WebhookEvents(
	ctx context.Context, company, webhook string, query WebhookEventsQuery,
) (out WebhookEventsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks/{}/events", company, webhook)+encoded(query), nil, &out)
	return out, err
}

// EventSchemas: The shapes of the facts, each with its versions
func (c Client) EventSchemas(ctx context.Context) (out map[string]json.RawMessage, err error) {
	err = c.Do(ctx, "GET",
		"/api/events/schemas", nil, &out)
	return out, err
}

// EventSchema: The JSON Schema of a fact
func (c Client) EventSchema(
	ctx context.Context, name, version string,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		address("/api/events/schemas/{}/{}", name, version), nil, &out)
	return out, err
}

// ListExports: List the company's exports. The newest first.
func (c Client) ListExports(ctx context.Context) (out ListExportsAnswer, err error) {
	err = c.Do(ctx, "GET",
		"/api/exports", nil, &out)
	return out, err
}

// StartExport: Export what the log has of the company. In the background: a ZIP with documents,
// facts and their proofs, which `folio verify-export` holds against the log's key. 429 while
// the company has as many exports as it may have.
func (c Client) StartExport(
	ctx context.Context, query StartExportQuery,
) (out Export, err error) {
	err = c.Do(ctx, "POST",
		"/api/exports"+encoded(query), nil, &out)
	return out, err
}

// RemoveExport: Remove an export. One that is being made ends.
func (c Client) RemoveExport(
	ctx context.Context, exportID string,
) error {
	return c.Do(ctx, "DELETE",
		address("/api/exports/{}", exportID), nil, nil)
}

// ReadExport: Read an export. With its progress.
func (c Client) ReadExport(
	ctx context.Context, exportID string,
) (out Export, err error) {
	err = c.Do(ctx, "GET",
		address("/api/exports/{}", exportID), nil, &out)
	return out, err
}

// DownloadExport: Download an export. Takes `Range`. 409 until it is done.
func (c Client) DownloadExport(
	ctx context.Context, exportID string,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		address("/api/exports/{}/download", exportID), nil, &out)
	return out, err
}

// ReadFeed: Every fact of the company, followed. Ask again with `after`; with `wait` the answer
// waits for the next fact.
func (c Client) ReadFeed(
	ctx context.Context, query ReadFeedQuery,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		"/api/feed"+encoded(query), nil, &out)
	return out, err
}

// ReadInvoiceCalls: The exchanges with the authority about an invoice
func (c Client) ReadInvoiceCalls(
	ctx context.Context, invoiceID string,
) (out ReadInvoiceCallsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/calls", invoiceID), nil, &out)
	return out, err
}

// ReadInvoiceCallsSha256: What was said in one of these exchanges
func (c Client) ReadInvoiceCallsSha256(
	ctx context.Context, invoiceID, sha256 string,
) (out ReadInvoiceCallsSha256Answer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/calls/{}", invoiceID, sha256), nil, &out)
	return out, err
}

// InvoiceEvents: The facts about an invoice, in their order
func (c Client) InvoiceEvents(
	ctx context.Context, invoiceID string, query InvoiceEventsQuery,
) (out InvoiceEventsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/events", invoiceID)+encoded(query), nil, &out)
	return out, err
}

// ExplainInvoice: Why an invoice has this number and state
func (c Client) ExplainInvoice(
	ctx context.Context, invoiceID string, query ExplainInvoiceQuery,
) (out Explanation, err error) {
	err = c.Do(ctx, "GET",
		address("/api/invoices/{}/explain", invoiceID)+encoded(query), nil, &out)
	return out, err
}
