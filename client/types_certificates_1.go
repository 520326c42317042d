// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListCertificatesQuery narrows ListCertificates; what is empty is left out.
type ListCertificatesQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListCertificatesAnswer: see the operation that has it.
type ListCertificatesAnswer struct {
	Data         []CertificateRecord `json:"data"`          // The records of this page.
	NextCursor   *string             `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64               `json:"page"`          // The number of the page, from 1.
	PerPage      int64               `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64               `json:"total_pages"`   // How many pages there are.
	TotalResults int64               `json:"total_results"` // How many records there are.
}

// CertificateRecord: Certificate is a certificate without its key.
type CertificateRecord struct {
	Environment  string `json:"environment"`   // Production or Testing.
	Fingerprint  string `json:"fingerprint"`   // SHA-256 of the certificate, hexadecimal.
	ID           string `json:"id"`            // The record's id.
	Issuer       string `json:"issuer"`        // Who issues; left out: the company.
	SerialNumber string `json:"serial_number"` // Hexadecimal.
	Subject      string `json:"subject"`       // Of the certificate.
	UploadedAt   string `json:"uploaded_at"`   // When it was uploaded.
	ValidFrom    string `json:"valid_from"`    // RFC 3339 in UTC.
	ValidTo      string `json:"valid_to"`      // RFC 3339 in UTC.
}

// UploadCertificateAnswer: see the operation that has it.
type UploadCertificateAnswer struct {
	Environment  string   `json:"environment"`   // Production or Testing.
	Fingerprint  string   `json:"fingerprint"`   // SHA-256 of the certificate, hexadecimal.
	ID           string   `json:"id"`            // The record's id.
	Issuer       string   `json:"issuer"`        // Who issues; left out: the company.
	SerialNumber string   `json:"serial_number"` // Hexadecimal.
	Subject      string   `json:"subject"`       // Of the certificate.
	ValidFrom    string   `json:"valid_from"`    // RFC 3339 in UTC.
	ValidTo      string   `json:"valid_to"`      // RFC 3339 in UTC.
	Warnings     []string `json:"warnings"`      // What is odd, and was taken all the same.
}
