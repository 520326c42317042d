package readapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/scope"
	"folio/strict"
)

func (a api) readCompany(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	m, err := a.onlyAt(r)
	if err != nil {
		return err
	}
	var s standing = standingNow{a}
	if !m.IsZero() {
		if c, s, err = a.companyAt(r.Context(), c.ID, m); err != nil {
			return err
		}
	}
	record, err := a.companyRecord(r.Context(), c, s)
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, record.Told(httpapi.Sayer(r)))
}

// company is the one that the path names, if the caller may see it.
func (a api) company(r *http.Request) (projections.Company, error) {
	id, err := httpapi.PathID(r, "id_company")
	if err != nil {
		return projections.Company{}, errNoCompany
	}
	if err := a.fresh(r, projections.Companies.Name()); err != nil {
		return projections.Company{}, err
	}
	c, err := a.Documents.GetCompany(r.Context(), id)
	if err != nil {
		return c, a.missing(r.Context(), err, errNoCompany, "company-"+id)
	}
	// A caller of one company may see that one, an account alone those that belong to it.
	p := httpapi.Caller(r.Context())
	switch m, member := c.Members[p.Account]; {
	case p.Company == c.ID, p.Company == "" && p.Account == c.Account:
		return c, nil
	case p.Company == "" && member && m.Until.IsZero():
		return c, httpapi.Refused(r, c.ID, httpapi.ErrNotOwner)
	}
	return c, errNoCompany
}

// standing is what a company's pending steps depend on beside the company.
type standing interface {
	// numbered says whether it has a numbering range.
	numbered(ctx context.Context, company string) (bool, error)
	// waits says whether an invoice of the type is Pending.
	waits(ctx context.Context, company, invoiceType string) (bool, error)
	clock() time.Time
}

// standingNow is that of the read models.
type standingNow struct{ a api }

func (s standingNow) numbered(ctx context.Context, company string) (bool, error) {
	ranges, err := s.a.Documents.ListEnumerations(ctx, company, engine.Page{Limit: 1})
	return ranges.Total > 0, err
}

func (s standingNow) waits(ctx context.Context, company, invoiceType string) (bool, error) {
	waiting, err := s.a.Documents.ListInvoices(ctx, waitingOf(company, invoiceType))
	return waiting.Total > 0, err
}

func (s standingNow) clock() time.Time { return s.a.Clock() }

func waitingOf(company, invoiceType string) projections.InvoiceQuery {
	return projections.InvoiceQuery{Company: company, Status: projections.StatusPending, InvoiceType: invoiceType,
		Page: engine.Page{Limit: 1}}
}

func (a api) companyRecord(ctx context.Context, c projections.Company, s standing) (resource.Company, error) {
	rules, ok := a.Countries.ByCode(c.Country)
	if !ok {
		return resource.Company{}, fmt.Errorf("company %s: no rules for country %q: %w", c.ID, c.Country, errHeld)
	}
	out := resource.Company{
		Company: c.ID, Country: c.Country, LegalName: c.LegalName, TaxIdentifier: c.TaxIdentifier,
		TaxIdentifierName: c.TaxIdentifierName, StartActivitiesDate: pointer(c.StartActivitiesDate), Currency: c.Currency,
		Certificates: make([]resource.Certificate, len(c.Certificates)), CreatedAt: c.CreatedAt,
	}
	issuer := country.Issuer{TaxIdentifier: c.TaxIdentifier, Profile: events.IssuerProfile{LegalName: c.LegalName,
		TaxIdentifier: c.TaxIdentifier, StartActivitiesDate: c.StartActivitiesDate}}
	if p := c.Profile; p != nil {
		record := resource.Profile(*p)
		out.FiscalProfile, issuer.Fields = &record, p.Fields
		issuer.Profile.TaxCondition, issuer.Profile.GrossIncomeNumber, issuer.Profile.Address = p.TaxCondition,
			p.GrossIncomeNumber, p.Address
	}
	if l := c.Logo; l != nil {
		out.Logo = &resource.Logo{Width: l.Width, Height: l.Height, SHA256: l.SHA256}
	}
	for n, x := range c.Certificates {
		out.Certificates[n] = resource.Certificate(x)
	}
	has := resource.Holding{Certificates: out.Certificates}
	if country.NumbersFromFiles(rules) {
		var err error
		if has.Numbered, err = s.numbered(ctx, c.ID); err != nil {
			return out, err
		}
	}
	for _, member := range rules.Missing(issuer) {
		for _, kind := range country.WaitFor(rules, member, issuer) {
			waiting, err := s.waits(ctx, c.ID, kind)
			if err != nil {
				return out, err
			}
			if waiting {
				has.Waiting = append(has.Waiting, kind)
			}
		}
	}
	out.PendingSteps = resource.PendingSteps(c.ID, rules, issuer, has, s.clock())
	return out, nil
}

func (a api) listCompanies(w http.ResponseWriter, r *http.Request) error {
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.Companies, func(ctx context.Context, p engine.Page) (engine.List[projections.Company], error) {
			return a.Documents.ListCompanies(ctx, httpapi.Caller(ctx).Account, p)
		}, func(c projections.Company) (resource.Company, error) {
			record, err := a.companyRecord(r.Context(), c, standingNow{a})
			return record.Told(httpapi.Sayer(r)), err
		}))
}

// key is an API key as it may be shown.
type key struct {
	KeyID       string     `json:"key_id"`
	Prefix      string     `json:"prefix"` // how the key begins, with its id
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Environment *string    `json:"environment"` // of the company when the key was made
	Scopes      []string   `json:"scopes"`
	CreatedAt   time.Time  `json:"created_at"`
	ExpiresAt   *time.Time `json:"expires_at"`   // null: never
	ReplacedBy  *string    `json:"replaced_by"`  // id of the key that took its place
	LastUsedOn  *string    `json:"last_used_on"` // YYYY-MM-DD, UTC
}

func (a api) listKeys(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.APIKeys, func(ctx context.Context, p engine.Page) (engine.List[projections.APIKey], error) {
			return a.Documents.ListAPIKeys(ctx, c.ID, p)
		}, func(k projections.APIKey) (key, error) {
			day, err := a.Keys.LastUsed(r.Context(), k.ID)
			scopes := k.Scopes
			if len(scopes) == 0 { // of the model's versions before there were scopes
				scopes = scope.All.Names()
			}
			out := key{KeyID: k.ID, Prefix: a.Keys.Prefix(k.Environment) + k.ID, Name: k.Name, Description: k.Description,
				Environment: pointer(k.Environment), Scopes: scopes, CreatedAt: k.CreatedAt, ReplacedBy: pointer(k.ReplacedBy),
				LastUsedOn: pointer(day)}
			if !k.ExpiresAt.IsZero() {
				out.ExpiresAt = &k.ExpiresAt
			}
			return out, err
		}))
}

func (a api) listCertificates(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.Certificates, func(ctx context.Context,
			p engine.Page) (engine.List[projections.Certificate], error) {
			return a.Documents.ListCertificates(ctx, c.ID, p)
		}, sure(func(x projections.Certificate) certificate {
			return certificate{x.ID, x.SerialNumber, x.Subject, x.Issuer, x.ValidFrom, x.ValidTo, x.Environment, x.Fingerprint,
				x.UploadedAt}
		})))
}

// certificate is a certificate without its key.
type certificate struct {
	ID           string    `json:"id"`
	SerialNumber string    `json:"serial_number"`
	Subject      string    `json:"subject"`
	Issuer       string    `json:"issuer"`
	ValidFrom    string    `json:"valid_from"`
	ValidTo      string    `json:"valid_to"`
	Environment  string    `json:"environment"`
	Fingerprint  string    `json:"fingerprint"`
	UploadedAt   time.Time `json:"uploaded_at"`
}

func (a api) readProfile(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	var p events.FiscalProfile
	if c.Profile != nil {
		p = *c.Profile
	}
	return httpapi.JSON(w, http.StatusOK, resource.Profile(p))
}

func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }
