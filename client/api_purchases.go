// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListPurchases: List suppliers' documents
func (c Client) ListPurchases(
	ctx context.Context, company string, query ListPurchasesQuery,
) (out ListPurchasesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/purchases", company)+encoded(query), nil, &out)
	return out, err
}

// ReceivePurchase: Take a supplier's document in. As the text of its code, as XML, or by its
// fields. 200 when it was taken in before.
func (c Client) ReceivePurchase(
	ctx context.Context, company string, body ReceivePurchaseBody,
) (out Purchase, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/purchases", company), body, &out)
	return out, err
}

// ReadPurchase: Read a supplier's document
func (c Client) ReadPurchase(
	ctx context.Context, company, purchaseID string,
) (out Purchase, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/purchases/{}", company, purchaseID), nil, &out)
	return out, err
}
