// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListCompanies: List the account's companies
func (c Client) ListCompanies(
	ctx context.Context, query ListCompaniesQuery,
) (out ListCompaniesAnswer, err error) {
	err = c.Do(ctx, "GET",
		"/api/companies"+encoded(query), nil, &out)
	return out, err
}

// RegisterCompany: Make a company. Its country follows from the tax identifier, whose check
// digit is verified.
func (c Client) RegisterCompany(
	ctx context.Context, body RegisterCompanyBody,
) (out Company, err error) {
	err = c.Do(ctx, "POST",
		"/api/companies", body, &out)
	return out, err
}

// ReadCompany: Read a company. `pending_steps` says what is missing before it can issue. With
// `at`: as it was then.
func (c Client) ReadCompany(
	ctx context.Context, company string, query ReadCompanyQuery,
) (out Company, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}", company)+encoded(query), nil, &out)
	return out, err
}

// ListAccess: What auditors and keys that only read have read, and what they were refused
func (c Client) ListAccess(
	ctx context.Context, company string, query ListAccessQuery,
) (out ListAccessAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/access-log", company)+encoded(query), nil, &out)
	return out, err
}

// ListBranches: List branches. By number.
func (c Client) ListBranches(
	ctx context.Context, company string, query ListBranchesQuery,
) (out ListBranchesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/branches", company)+encoded(query), nil, &out)
	return out, err
}

// ReadBranch: Read a branch
func (c Client) ReadBranch(
	ctx context.Context, company, number string,
) (out Branch, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/branches/{}", company, number), nil, &out)
	return out, err
}

// SetBranch: Set or replace a branch. A branch is an establishment: in Argentina a point of
// sale, in Chile and Uruguay the authority's number of it.
func (c Client) SetBranch(
	ctx context.Context, company, number string, body SetBranchBody,
) (out Branch, err error) {
	err = c.Do(ctx, "PUT",
		address("/api/companies/{}/branches/{}", company, number), body, &out)
	return out, err
}

// ReadProfile: Read the fiscal profile. What it answers may be sent again.
func (c Client) ReadProfile(
	ctx context.Context, company string,
) (out FiscalProfile, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/fiscal-profile", company), nil, &out)
	return out, err
}

// SetProfile: Replace the fiscal profile. The members of the country stand beside `address`.
func (c Client) SetProfile(
	ctx context.Context, company string, body SetProfileBody,
) (out FiscalProfile, err error) {
	err = c.Do(ctx, "PUT",
		address("/api/companies/{}/fiscal-profile", company), body, &out)
	return out, err
}

// UploadLogo: Upload the logo. PNG or JPEG, 512 KiB at most. Documents carry it from now on.
func (c Client) UploadLogo(
	ctx context.Context, company string, body Form,
) (out Logo, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/logo", company), body, &out)
	return out, err
}

// ListMembers: List the accounts that may work in the company
func (c Client) ListMembers(
	ctx context.Context, company string,
) (out []Member, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/members", company), nil, &out)
	return out, err
}

// GrantAccess: Let another account look at the company, or issue for it
func (c Client) GrantAccess(
	ctx context.Context, company string, body GrantAccessBody,
) (out GrantAccessAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/members", company), body, &out)
	return out, err
}

// WithdrawAccess: Withdraw that. It stops at once.
func (c Client) WithdrawAccess(
	ctx context.Context, company, account string,
) error {
	return c.Do(ctx, "DELETE",
		address("/api/companies/{}/members/{}", company, account), nil, nil)
}

// ListOutages: List when the authority was away for the company. The last one first.
func (c Client) ListOutages(
	ctx context.Context, company string, query ListOutagesQuery,
) (out ListOutagesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/outages", company)+encoded(query), nil, &out)
	return out, err
}

// OpenOutage: Say that the authority is away for the company. It stays so until somebody closes
// it. 409 while one is open.
func (c Client) OpenOutage(
	ctx context.Context, company string, body OpenOutageBody,
) (out Outage, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/outages", company), body, &out)
	return out, err
}

// CloseOutage: Say that an outage is over. 409 when it is not open. Calls that fail from then
// on may open another one.
func (c Client) CloseOutage(
	ctx context.Context, company, outage string, body CloseOutageBody,
) (out OutageEnd, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/outages/{}/close", company, outage), body, &out)
	return out, err
}
