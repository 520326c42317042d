package projections

import (
	"context"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Membership is what an account was given in companies that are not its own.
type Membership struct {
	engine.Place

	Account   string           `json:"account"`
	Companies map[string]Given `json:"companies,omitempty"`
}

// Given is a role in one company.
type Given struct {
	Role  string    `json:"role"`  // issuer or auditor
	Since time.Time `json:"since"` // UTC
}

// Memberships keeps, for each account, the companies that it was given.
var Memberships = engine.Define("memberships", 1,
	engine.On(func(_ events.Recorded, e events.AccessGranted) string { return e.Account },
		func(d *Membership, r events.Recorded, e events.AccessGranted) {
			if d.Companies == nil {
				d.Companies = map[string]Given{}
			}
			d.Account = e.Account
			d.Companies[companyOf(r)] = Given{Role: e.Role, Since: r.Meta.At.UTC()}
		}),
	engine.On(func(_ events.Recorded, e events.AccessWithdrawn) string { return e.Account },
		func(d *Membership, r events.Recorded, e events.AccessWithdrawn) { delete(d.Companies, companyOf(r)) }),
)

// AccessLine is one thing that an auditor or a key that only reads has read, or was refused.
type AccessLine struct {
	engine.Place

	ID      string    `json:"id"` // of the event
	Company string    `json:"company"`
	Account string    `json:"account,omitzero"` // the auditor
	Key     string    `json:"key,omitzero"`     // or the public id of the key
	At      time.Time `json:"at"`               // UTC
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Query   string    `json:"query,omitzero"`
	Request string    `json:"request"` // X-Request-Id
	Refused string    `json:"refused,omitzero"`
}

// AccessLog keeps what auditors and keys that only read have read or were refused, in the list of the company.
var AccessLog = engine.Define("access_log", 3,
	engine.On(func(r events.Recorded, _ events.CompanyRead) string { return r.ID },
		func(d *AccessLine, r events.Recorded, e events.CompanyRead) {
			d.ID, d.Company, d.Account, d.Key, d.At = r.ID, e.Company, e.Account, e.Key, r.Meta.At.UTC()
			d.Method, d.Path, d.Query, d.Request = e.Method, e.Path, e.Query, r.Meta.Correlation
			d.Refused = e.Refused
		}),
	engine.Listed[AccessLine](func(_ events.Recorded, e events.CompanyRead) string { return e.Company }),
	engine.Attributes(func(d *AccessLine) map[string]string {
		return map[string]string{"account": d.Account, "key": d.Key}
	}, tables.Attribute{Name: "account", Indexed: true}, tables.Attribute{Name: "key", Indexed: true}),
)

// ListAccess reads what auditors and keys that only read have read of a company, the newest first; of one account or
// one key, unless that is empty.
func (r *Reader) ListAccess(ctx context.Context, company, account, key string,
	page engine.Page) (engine.List[AccessLine], error) {
	for name, value := range map[string]string{"account": account, "key": key} {
		if value != "" {
			page.Filters = append(page.Filters, equal(name, value)...)
		}
	}
	return engine.Find[AccessLine](ctx, r, AccessLog, company, page)
}
