package projections

import (
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Certificate is what may be shown of a certificate.
type Certificate struct {
	engine.Place

	ID            string    `json:"id"`
	Company       string    `json:"company"`
	Environment   string    `json:"environment"` // Production or Testing
	SerialNumber  string    `json:"serial_number"`
	Subject       string    `json:"subject"`
	Issuer        string    `json:"issuer"`
	TaxIdentifier string    `json:"tax_identifier,omitzero"` // of the subject
	ValidFrom     string    `json:"valid_from"`              // RFC 3339
	ValidTo       string    `json:"valid_to"`
	Fingerprint   string    `json:"fingerprint"`         // SHA-256 of the DER
	UploadedAt    time.Time `json:"uploaded_at"`         // UTC
	RemovedAt     time.Time `json:"removed_at,omitzero"` // UTC
}

// companyOf is the company whose stream holds r.
func companyOf(r events.Recorded) string {
	return events.Aggregate(r.Stream)
}

// Certificates keeps each certificate, in the list of its company.
var Certificates = engine.Define("certificates", 2,
	engine.On(func(_ events.Recorded, e events.CertificateUploaded) string { return e.Certificate },
		func(d *Certificate, r events.Recorded, e events.CertificateUploaded) {
			d.ID, d.Company, d.Environment = e.Certificate, companyOf(r), e.Environment
			d.SerialNumber, d.Subject, d.Issuer, d.TaxIdentifier = e.SerialNumber, e.Subject, e.Issuer, e.TaxIdentifier
			d.ValidFrom, d.ValidTo, d.Fingerprint = e.ValidFrom, e.ValidTo, e.Fingerprint
			d.UploadedAt = r.Meta.At.UTC()
		}),
	engine.On(func(_ events.Recorded, e events.CertificateRemoved) string { return e.Certificate },
		func(d *Certificate, r events.Recorded, _ events.CertificateRemoved) { d.RemovedAt = r.Meta.At.UTC() }),
	engine.Listed[Certificate](func(r events.Recorded, _ events.CertificateUploaded) string { return companyOf(r) }),
	engine.Attributes(func(d *Certificate) map[string]string {
		state := "live"
		if !d.RemovedAt.IsZero() {
			state = "removed"
		}
		return map[string]string{"environment": d.Environment, "state": state}
	}, tables.Attribute{Name: "environment"}, tables.Attribute{Name: "state"}),
)
