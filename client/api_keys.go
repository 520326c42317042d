// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// IssueKey: Make an API key. The key is shown this once.
func (c Client) IssueKey(
	ctx context.Context, body IssueKeyBody,
) (out IssueKeyAnswer, err error) {
	err = c.Do(ctx, "POST",
		"/api/companies/apikey", body, &out)
	return out, err
}

// ListKeys: List API keys. Without their secrets.
func (c Client) ListKeys(
	ctx context.Context, company string, query ListKeysQuery,
) (out ListKeysAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/apikeys", company)+encoded(query), nil, &out)
	return out, err
}

// RevokeKey: Revoke an API key. It stops at once.
func (c Client) RevokeKey(
	ctx context.Context, company, keyID string,
) error {
	return c.Do(ctx, "DELETE",
		address("/api/companies/{}/apikeys/{}", company, keyID), nil, nil)
}

// RotateKey: Rotate an API key. The new key has the name, description and scopes of the old
// one, which goes on for `overlap_hours`.
func (c Client) RotateKey(
	ctx context.Context, company, keyID string, body RotateKeyBody,
) (out RotateKeyAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/apikeys/{}/rotate", company, keyID), body, &out)
	return out, err
}
