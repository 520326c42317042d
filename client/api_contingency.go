// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListContingencies: List the points of sale with a contingency. By number, with what is open.
func (c Client) ListContingencies(
	ctx context.Context, company string, query ListContingenciesQuery,
) (out ListContingenciesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/contingency", company)+encoded(query), nil, &out)
	return out, err
}

// ListCodes: List the codes of fortnights. The last first: what was issued, reported and is due
// by each.
func (c Client) ListCodes(
	ctx context.Context, company string, query ListCodesQuery,
) (out ListCodesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/contingency/codes", company)+encoded(query), nil, &out)
	return out, err
}

// ContingencyUse: Read the share of a month. Documents and hours of contingency of each point
// of sale in the company's present environment, with a warning from three per cent on.
func (c Client) ContingencyUse(
	ctx context.Context, company string, query ContingencyUseQuery,
) (out ContingencyUseAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/contingency/use", company)+encoded(query), nil, &out)
	return out, err
}

// ListWindows: List contingencies. The last opened first, with cause and evidence.
func (c Client) ListWindows(
	ctx context.Context, company string, query ListWindowsQuery,
) (out ListWindowsAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/contingency/windows", company)+encoded(query), nil, &out)
	return out, err
}

// ConfigureContingency: Set how a point of sale goes on while the authority is away. Argentina
// (CAEA). Off until it is set; the authority is asked whether it calls the point one for
// contingencies. Switching it off needs no contingency_point_of_sale.
func (c Client) ConfigureContingency(
	ctx context.Context, company, pointOfSale string, body ConfigureContingencyBody,
) (out Contingency, err error) {
	err = c.Do(ctx, "PUT",
		address("/api/companies/{}/contingency/{}", company, pointOfSale), body, &out)
	return out, err
}

// CloseContingency: Close a contingency. Documents wait for the authority again. What was
// issued is reported by itself.
func (c Client) CloseContingency(
	ctx context.Context, company, pointOfSale string, body CloseOutageBody,
) (out Contingency, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/contingency/{}/close", company, pointOfSale), body, &out)
	return out, err
}

// OpenContingency: Open a contingency by hand. From now on documents of the point that were
// never sent are issued by the code of the fortnight.
func (c Client) OpenContingency(
	ctx context.Context, company, pointOfSale string, body CloseOutageBody,
) (out Contingency, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/contingency/{}/open", company, pointOfSale), body, &out)
	return out, err
}
