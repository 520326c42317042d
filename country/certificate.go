package country

// PersonalCertificates is implemented by the rules of countries where the certificate
// belongs to the person who signs and never to the company: whose identifier it bears
// says nothing about the company.
type PersonalCertificates interface {
	// HasPersonalCertificates is true where it is so.
	HasPersonalCertificates() bool
}
