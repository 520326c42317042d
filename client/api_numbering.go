// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListDailyReports: List the daily reports to the authority. Uruguay; empty elsewhere. The last
// sent first.
func (c Client) ListDailyReports(
	ctx context.Context, company string, query ListDailyReportsQuery,
) (out ListDailyReportsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/daily-reports", company)+encoded(query), nil, &out)
	return out, err
}

// ListEnumerations: List numbering ranges
func (c Client) ListEnumerations(
	ctx context.Context, company string, query ListEnumerationsQuery,
) (out ListEnumerationsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/enumeration", company)+encoded(query), nil, &out)
	return out, err
}

// UploadEnumeration: Upload a numbering file. CAF in Chile, CAE in Uruguay. 200 with the same
// record when it was uploaded before.
func (c Client) UploadEnumeration(
	ctx context.Context, company string, body Form,
) (out Enumeration, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/enumeration/upload", company), body, &out)
	return out, err
}

// ConfigureEnumeration: Set the first number to use. Once per document type, before the first
// number is used.
func (c Client) ConfigureEnumeration(
	ctx context.Context, company, enumeration string, body ConfigureEnumerationBody,
) (out Enumeration, err error) {
	err = c.Do(ctx, "PUT",
		address("/api/companies/{}/enumeration/{}/config", company, enumeration), body, &out)
	return out, err
}

// ListSeries: List numbering series
func (c Client) ListSeries(
	ctx context.Context, company string, query ListSeriesQuery,
) (out ListSeriesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/numbering", company)+encoded(query), nil, &out)
	return out, err
}
