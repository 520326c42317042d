// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// Authorities: How each authority was last seen. With a key, `outage` names the outage that is
// open for its company. With a token, `outages` are those that are open for companies of its
// account, and `outages_open` is how many.
func (c Client) Authorities(ctx context.Context) (out AuthoritiesAnswer, err error) {
	err = c.Do(ctx, "GET",
		"/api/authority", nil, &out)
	return out, err
}

// Catalogue: The codes that a country's documents take. Concepts, tax types, conditions,
// documents, units, payment methods, currencies, item codes.
func (c Client) Catalogue(ctx context.Context, country string) (out map[string]json.RawMessage, err error) {
	err = c.Do(ctx, "GET",
		address("/api/catalogues/{}", country), nil, &out)
	return out, err
}

// OfficialRate: The authority's exchange rate. Argentina: for a document of `date`, today
// unless given.
func (c Client) OfficialRate(
	ctx context.Context, country string, query OfficialRateQuery,
) (out OfficialRateAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/catalogues/{}/rate", country)+encoded(query), nil, &out)
	return out, err
}

// Currencies: The currencies that `id_currency` names
func (c Client) Currencies(ctx context.Context) (out []Currency, err error) {
	err = c.Do(ctx, "GET",
		"/api/currencies", nil, &out)
	return out, err
}

// DocumentTypes: The document types that can be issued
func (c Client) DocumentTypes(
	ctx context.Context, query DocumentTypesQuery,
) (out []DocumentType, err error) {
	err = c.Do(ctx, "GET",
		"/api/document-types"+encoded(query), nil, &out)
	return out, err
}

// ListModels: How far the read models are. `lag_seconds` is the age of the oldest event that
// one lacks. They are the service's, and no company's.
func (c Client) ListModels(ctx context.Context) (out ListModelsAnswer, err error) {
	err = c.Do(ctx, "GET",
		"/api/projections", nil, &out)
	return out, err
}
