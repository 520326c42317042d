// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListCertificates: List certificates
func (c Client) ListCertificates(
	ctx context.Context, company string, query ListCertificatesQuery,
) (out ListCertificatesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/certificates", company)+encoded(query), nil, &out)
	return out, err
}

// UploadCertificate: Upload a certificate. A .pfx file with its password. 200 with the same
// record when it is the newest one already.
func (c Client) UploadCertificate(
	ctx context.Context, company string, body Form,
) (out UploadCertificateAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/certificates", company), body, &out)
	return out, err
}

// RemoveCertificate: Remove a certificate. It signs no more, and its private key is forgotten.
// Not the newest one, the one that signs today, or one that a submission that is open needs.
func (c Client) RemoveCertificate(
	ctx context.Context, company, certificate string,
) error {
	return c.Do(ctx, "DELETE",
		address("/api/companies/{}/certificates/{}", company, certificate), nil, nil)
}
