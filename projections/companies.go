package projections

import (
	"slices"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Company is a company with what decides whether it can issue.
type Company struct {
	engine.Place

	ID                  string                `json:"id"`
	Account             string                `json:"account"`
	Country             string                `json:"country"` // ISO 3166-1 alpha-2
	LegalName           string                `json:"legal_name"`
	TaxIdentifier       string                `json:"tax_identifier"`
	TaxIdentifierName   string                `json:"tax_identifier_name"`
	StartActivitiesDate string                `json:"start_activities_date,omitzero"` // YYYY-MM-DD
	Currency            int                   `json:"currency"`                       // id of Folio's catalogue
	CreatedAt           time.Time             `json:"created_at"`                     // UTC
	Profile             *events.FiscalProfile `json:"profile,omitzero"`               // nil until it is set
	Branches            map[int]events.Branch `json:"branches,omitzero"`              // by number
	// by point of sale in ordinary times
	Contingencies map[int]events.Contingency `json:"contingencies,omitempty"`
	Logo          *Logo                      `json:"logo,omitzero"`
	Certificates  []CompanyCertificate       `json:"certificates,omitzero"` // in force, in the order of upload
	First         string                     `json:"first,omitzero"`        // environment of a first one that was removed
	Members       map[string]Member          `json:"members,omitempty"`     // by account, those of the past too
}

// Member is another account that may, or might, do something in the company.
type Member struct {
	Email string    `json:"email"`
	Role  string    `json:"role"`           // issuer or auditor
	Since time.Time `json:"since"`          // UTC
	Until time.Time `json:"until,omitzero"` // UTC; zero while it may
}

// Logo is the company's present logo.
type Logo struct {
	SHA256 string `json:"sha256"` // file of the vault
	Width  int    `json:"width"`  // pixels
	Height int    `json:"height"`
}

// CompanyCertificate is what a company's pending steps need to know of a certificate.
type CompanyCertificate struct {
	ID          string    `json:"id"`
	Environment string    `json:"environment"` // Production or Testing
	ValidFrom   string    `json:"valid_from"`  // RFC 3339
	ValidTo     string    `json:"valid_to"`
	UploadedAt  time.Time `json:"uploaded_at"` // UTC
}

// Environment is that of the newest certificate: invoices made now belong to it. Empty without a certificate.
func (c Company) Environment() string {
	if len(c.Certificates) == 0 {
		return ""
	}
	return c.Certificates[len(c.Certificates)-1].Environment
}

// FirstEnvironment is that of the first certificate: invoices made before there was one belong to it.
func (c Company) FirstEnvironment() string {
	if c.First != "" || len(c.Certificates) == 0 {
		return c.First
	}
	return c.Certificates[0].Environment
}

// everyCompany is the list of all companies. Theirs cannot be a list for each account: a
// company may move to another account, and a document never leaves its list.
const everyCompany = "all"

// Companies keeps each company, with the account that it belongs to.
var Companies = engine.Define("companies", 4,
	engine.OfStream[Company]("company"),
	engine.On(engine.ByStream, func(d *Company, r events.Recorded, e events.CompanyRegistered) {
		d.ID, d.Account, d.Country, d.LegalName = e.Company, e.Account, e.Country, e.LegalName
		d.TaxIdentifier, d.TaxIdentifierName = e.TaxIdentifier, e.TaxIdentifierName
		d.StartActivitiesDate, d.Currency, d.CreatedAt = e.StartActivitiesDate, e.Currency, r.Meta.At.UTC()
	}),
	engine.On(engine.ByStream, func(d *Company, _ events.Recorded, e events.CompanyMoved) {
		d.Account = e.Account
	}),
	engine.On(engine.ByStream, func(d *Company, r events.Recorded, e events.AccessGranted) {
		if d.Members == nil {
			d.Members = map[string]Member{}
		}
		d.Members[e.Account] = Member{Email: e.Email, Role: e.Role, Since: r.Meta.At.UTC()}
	}),
	engine.On(engine.ByStream, func(d *Company, r events.Recorded, e events.AccessWithdrawn) {
		if m, ok := d.Members[e.Account]; ok {
			m.Until = r.Meta.At.UTC()
			d.Members[e.Account] = m
		}
	}),
	engine.On(engine.ByStream, func(d *Company, _ events.Recorded, e events.FiscalProfileSet) {
		d.Profile = &e.Profile
	}),
	engine.On(engine.ByStream, func(d *Company, _ events.Recorded, e events.BranchSet) {
		if d.Branches == nil {
			d.Branches = map[int]events.Branch{}
		}
		d.Branches[e.Number] = e.Branch
	}),
	engine.On(engine.ByStream, func(d *Company, _ events.Recorded, e events.ContingencyConfigured) {
		if d.Contingencies == nil {
			d.Contingencies = map[int]events.Contingency{}
		}
		d.Contingencies[e.PointOfSale] = e.Contingency
	}),
	engine.On(engine.ByStream, func(d *Company, _ events.Recorded, e events.LogoUploaded) {
		d.Logo = &Logo{SHA256: e.SHA256, Width: e.Width, Height: e.Height}
	}),
	engine.On(engine.ByStream, func(d *Company, r events.Recorded, e events.CertificateUploaded) {
		d.Certificates = append(d.Certificates, CompanyCertificate{ID: e.Certificate, Environment: e.Environment,
			ValidFrom: e.ValidFrom, ValidTo: e.ValidTo, UploadedAt: r.Meta.At.UTC()})
	}),
	engine.On(engine.ByStream, func(d *Company, _ events.Recorded, e events.CertificateRemoved) {
		d.First = d.FirstEnvironment()
		d.Certificates = slices.DeleteFunc(d.Certificates, func(c CompanyCertificate) bool { return c.ID == e.Certificate })
	}),
	engine.Listed[Company](func(events.Recorded, events.CompanyRegistered) string { return everyCompany }),
	engine.Attributes(func(d *Company) map[string]string {
		return map[string]string{"account": d.Account}
	}, tables.Attribute{Name: "account"}),
)
