// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListCertificatesQuery narrows ListCertificates; what is empty is left out.
type ListCertificatesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListCertificatesAnswer: see the operation that has it.
type ListCertificatesAnswer struct {
	// The records of this page.
	Data []CertificateRecord `json:"data"`
	// The `cursor` of the next page; null at the end, and where a list has none.
	NextCursor *string `json:"next_cursor"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
}

// CertificateRecord: Certificate is a certificate without its key.
type CertificateRecord struct {
	// Production or Testing.
	Environment string `json:"environment"`
	// SHA-256 of the certificate, hexadecimal.
	Fingerprint string `json:"fingerprint"`
	// The record's id.
	ID string `json:"id"`
	// Who issues; left out: the company.
	Issuer string `json:"issuer"`
	// Hexadecimal.
	SerialNumber string `json:"serial_number"`
	// Of the certificate.
	Subject string `json:"subject"`
	// When it was uploaded.
	UploadedAt string `json:"uploaded_at"`
	// RFC 3339 in UTC.
	ValidFrom string `json:"valid_from"`
	// RFC 3339 in UTC.
	ValidTo string `json:"valid_to"`
}

// UploadCertificateAnswer: see the operation that has it.
type UploadCertificateAnswer struct {
	// Production or Testing.
	Environment string `json:"environment"`
	// SHA-256 of the certificate, hexadecimal.
	Fingerprint string `json:"fingerprint"`
	// The record's id.
	ID string `json:"id"`
	// Who issues; left out: the company.
	Issuer string `json:"issuer"`
	// Hexadecimal.
	SerialNumber string `json:"serial_number"`
	// Of the certificate.
	Subject string `json:"subject"`
	// RFC 3339 in UTC.
	ValidFrom string `json:"valid_from"`
	// RFC 3339 in UTC.
	ValidTo string `json:"valid_to"`
	// What is odd, and was taken all the same.
	Warnings []string `json:"warnings"`
}
