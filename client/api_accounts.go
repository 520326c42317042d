// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ReadAccount: Who I am, and which companies I may work in
func (c Client) ReadAccount(ctx context.Context) (out ReadAccountAnswer, err error) {
	err = c.Do(ctx, "GET",
		"/api/account", nil, &out)
	return out, err
}

// ChangePassword: Change a password. The present password is the credential. Every token of the
// account stops; API keys go on.
func (c Client) ChangePassword(
	ctx context.Context, body ChangePasswordBody,
) error {
	return c.Do(ctx, "PUT",
		"/api/account/password", body, nil)
}

// ResetPassword: Set a password with a code. The code is the operator's (`folio account
// reset`), good once and for an hour. Every token of the account stops.
func (c Client) ResetPassword(
	ctx context.Context, body ResetPasswordBody,
) error {
	return c.Do(ctx, "POST",
		"/api/account/password-reset", body, nil)
}

// Logout: Log out. The token that the request comes with stops at once, everywhere. Other
// tokens of the account go on.
func (c Client) Logout(ctx context.Context) error {
	return c.Do(ctx, "POST",
		"/api/logout", nil, nil)
}
