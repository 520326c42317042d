// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// ReadProjection: The company's documents of a projection. Each attribute of the projection is
// a parameter too, also with `from_` and `to_` before it for a range.
func (c Client) ReadProjection(
	ctx context.Context, name string, query ReadProjectionQuery,
) (out json.RawMessage, err error) {
	err = c.Do(ctx, "GET",
		address("/api/projections/{}", name)+encoded(query), nil, &out)
	return out, err
}

// PurchaseBook: The book of purchases of a month
func (c Client) PurchaseBook(
	ctx context.Context, query PurchaseBookQuery,
) (out PurchaseMonth, err error) {
	err = c.Do(ctx, "GET",
		"/api/reports/purchase-book"+encoded(query), nil, &out)
	return out, err
}

// Receivables: What each customer was billed and credited
func (c Client) Receivables(
	ctx context.Context, query ReceivablesQuery,
) (out PagedReceivable, err error) {
	err = c.Do(ctx, "GET",
		"/api/reports/receivables"+encoded(query), nil, &out)
	return out, err
}

// VatBook: The book of sales of a month. Its sums by type and rate, and its documents; with
// `format=csv` as a table.
func (c Client) VatBook(
	ctx context.Context, query VatBookQuery,
) (out VatMonth, err error) {
	err = c.Do(ctx, "GET",
		"/api/reports/vat-book"+encoded(query), nil, &out)
	return out, err
}

// VatBookFile: The book of sales as a file that the authority takes
func (c Client) VatBookFile(
	ctx context.Context, file string, query VatBookFileQuery,
) (out []byte, err error) {
	err = c.Do(ctx, "GET",
		address("/api/reports/vat-book/{}", file)+encoded(query), nil, &out)
	return out, err
}
