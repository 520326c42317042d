package writeapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"folio/commands"
	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/scope"
	"folio/strict"

	"github.com/oklog/ulid/v2"
)

func (a api) registerCompany(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	e, err := a.readCompany(body.Object())
	if err != nil {
		return err
	}
	e.Company, e.Account = newID(r), httpapi.Caller(r.Context()).Account
	var registered company.State
	if err := a.additions.Pass(r.Context(), e.Account, 1, func() error {
		if held, full, err := held(r, a.Holdings.Companies, e.Account, a.Holdings.MaxCompanies); err != nil || full {
			return orElse(err, fault.New(fault.Conflict, "TOO_MANY_COMPANIES", fmt.Sprintf(
				"The account has %d companies, the most that one may have: use another account, or ask the operator for more "+
					"(--max-companies).", held)))
		}
		out, err := a.log.Companies.ExecuteNew(r.Context(), e.Company,
			company.Register{Company: e}, request(r))
		if err == nil {
			a.shown(w, r, "companies", out.Position)
			registered = out.State
		}
		return err
	}); err != nil {
		return err
	}
	w.Header().Set("Location", "/api/companies/"+e.Company)
	warnings := saidTo(r, a.twins(r, e))
	rules, _ := a.Countries.ByCode(e.Country)
	at := httpapi.Started(r.Context())
	return httpapi.JSON(w, http.StatusCreated, resource.Company{
		Company: e.Company, Country: e.Country, LegalName: e.LegalName, TaxIdentifier: e.TaxIdentifier,
		TaxIdentifierName: e.TaxIdentifierName, StartActivitiesDate: pointer(e.StartActivitiesDate), Currency: e.Currency,
		Certificates: []resource.Certificate{}, CreatedAt: at.UTC(),
		PendingSteps: resource.PendingSteps(e.Company, rules, registered.Issuer(), resource.Holding{}, at),
		Warnings:     warnings,
	}.Told(httpapi.Sayer(r)))
}

// twins warns of the account's other companies with the same tax identifier, as far as they are
// shown. They are allowed: one taxpayer may keep two shops apart.
func (a api) twins(r *http.Request, e events.CompanyRegistered) (warnings []string) {
	ids, err := a.Index.FindCompanies(r.Context(), e.Account, e.Country, e.TaxIdentifier)
	if err != nil {
		httpapi.Log(r.Context()).Warn("a company's twins were not looked for", "company", e.Company, "error", err)
	}
	for _, id := range ids {
		if id != e.Company {
			warnings = append(warnings, fmt.Sprintf("Company %s of this account has the %s %s, too. To the "+
				"authority they are one taxpayer. If this one was sent twice by mistake, use one of the two only, and send an "+
				"Idempotency-Key next time.", id, e.TaxIdentifierName, e.TaxIdentifier))
		}
	}
	return warnings
}

// readCompany reads the create request. The country comes from the identifier's name
// and form, or from the optional member country, which must agree with them.
func (a api) readCompany(o strict.Object) (events.CompanyRegistered, error) {
	e := events.CompanyRegistered{
		LegalName:           o.String("legal_name", strict.Required, strict.MaxLen(200)),
		TaxIdentifierName:   o.String("tax_identifier_name", strict.Required, strict.MaxLen(20)),
		StartActivitiesDate: o.Date("start_activities_date"),
		Currency:            int(o.Int("id_currency", strict.Required, strict.Between(1, 999))),
	}
	identifier := o.StringOrInt("tax_identifier", strict.Required, strict.MaxLen(32))
	code := o.String("country", strict.MaxLen(2))
	refuseBlank(o, "legal_name", e.LegalName)
	if _, ok := country.CurrencyByID(e.Currency); e.Currency != 0 && !ok {
		o.Fail("id_currency", "UNKNOWN_CURRENCY", "Use an id of GET /api/currencies, such as 1 for ARS.")
	}
	if e.TaxIdentifierName != "" && identifier != "" {
		a.findCountry(o, &e, identifier, code)
	}
	return e, o.Done()
}

func (a api) findCountry(o strict.Object, e *events.CompanyRegistered, identifier, code string) {
	rules, canonical, named, err := a.Countries.ByIdentifier(e.TaxIdentifierName, identifier)
	switch {
	case len(named) == 0:
		o.Fail("tax_identifier_name", "UNKNOWN_IDENTIFIER_NAME",
			"Use one of "+strings.Join(a.Countries.IdentifierNames(), ", ")+".")
	case err != nil && rules == nil:
		o.Fail("tax_identifier", "BAD_TAX_IDENTIFIER", err.Error())
	case code != "" && !strings.EqualFold(code, rules.Code()):
		o.Fail("country", "OTHER_COUNTRY", fmt.Sprintf("This %s belongs to %s: leave country out or write %s.",
			rules.IdentifierName(), rules.Code(), rules.Code()))
	default:
		e.Country, e.TaxIdentifier, e.TaxIdentifierName = rules.Code(), canonical, rules.IdentifierName()
	}
}

// company is the caller's company, with its country's rules.
func (a api) company(ctx context.Context) (company.State, country.Rules, error) {
	s, found, err := a.log.Companies.Cached(ctx, httpapi.Caller(ctx).Company)
	if err != nil {
		return s, nil, err
	}
	if !found {
		return s, nil, company.ErrUnknown
	}
	rules, ok := a.Countries.ByCode(s.Country)
	if !ok {
		// Its stream is not Folio's any more, or of a later version.
		return s, nil, fmt.Errorf("company %s: no rules for country %q: %w", s.Company, s.Country, commands.Held())
	}
	return s, rules, nil
}

// ownCompany is a company that the calling account made. One in which it has another role, or may not be an owner
// anywhere, is refused, another one is not found, and
// what cannot be the id of one is not looked for: it would become a stream's name.
func (a api) ownCompany(r *http.Request, id string) (company.State, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return company.State{}, company.ErrUnknown
	}
	s, found, err := a.log.Companies.Cached(r.Context(), id)
	who := httpapi.Caller(r.Context())
	switch role := s.Role(who.Account); {
	case err != nil:
	case !found || role == "":
		err = company.ErrUnknown
	case !who.Scopes.Has(scope.Manage):
		err = httpapi.Refused(r, id, httpapi.MissingScope(scope.Manage))
	case role != scope.Owner:
		err = httpapi.Refused(r, id, httpapi.ErrNotOwner)
	}
	return s, err
}

func (a api) setProfile(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	p, err := readProfile(body.Object(), rules)
	if err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), s.Company,
		company.SetFiscalProfile{Profile: p}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "companies", out.Position)
	return httpapi.JSON(w, http.StatusOK, resource.Profile(out.State.Profile))
}

func readProfile(o strict.Object, rules country.Rules) (events.FiscalProfile, error) {
	address := o.Object("address")
	p := events.FiscalProfile{
		Address:           readAddress(address),
		TaxCondition:      o.String("tax_condition", strict.MaxLen(60)),
		GrossIncomeNumber: o.String("gross_income_number", strict.MaxLen(40)),
	}
	checkOwn(address, p.Address, rules)
	refuseBlank(o, "gross_income_number", p.GrossIncomeNumber)
	conditions := rules.Catalogue().TaxConditions
	if len(conditions) == 0 {
		refuseBlank(o, "tax_condition", p.TaxCondition)
	} else if p.TaxCondition != "" {
		i := slices.IndexFunc(conditions, func(c country.Catalogued) bool {
			return strings.EqualFold(c.Code, p.TaxCondition) || c.OfficialCode == p.TaxCondition
		})
		if i < 0 {
			o.Fail("tax_condition", "UNKNOWN_TAX_CONDITION",
				"Use one of GET /api/catalogues/"+rules.Code()+", such as "+conditions[0].Code+".")
		} else {
			p.TaxCondition = conditions[i].Code
		}
	}
	p.Fields = readFields(o, rules.ProfileFields())
	return p, o.Done()
}

// refuseBlank refuses a text of which nothing is seen, and says whether it did. Where a field is needed such a text
// counts as none (country.MissingFields): taken, it would stand in the profile while documents wait for it.
func refuseBlank(o strict.Object, name, text string) bool {
	blank := text != "" && country.Blank(text)
	if blank {
		o.Fail(name, "BLANK", "nothing of it can be read: write it out, or leave it out")
	}
	return blank
}

// checkOwn refuses an address that the company cannot have: its documents will state it.
func checkOwn(o strict.Object, a events.Address, rules country.Rules) {
	refuseBlank(o, "address", a.Address)
	refuseBlank(o, "phone", a.Phone)
	for _, v := range rules.CheckAddress(a) {
		o.Fail(v.Path, v.Code, v.Message)
	}
}

// readFields reads the members that only the country knows; nil for none.
func readFields(o strict.Object, known []country.ProfileField) map[string]string {
	var fields map[string]string
	for _, f := range known {
		value := o.StringOrInt(f.Name, strict.MaxLen(200))
		if value == "" {
			continue
		}
		if !refuseBlank(o, f.Name, value) && f.Check != nil {
			if err := f.Check(value); err != nil {
				o.Fail(f.Name, "BAD_VALUE", err.Error())
			}
		}
		if fields == nil {
			fields = map[string]string{}
		}
		fields[f.Name] = value
	}
	return fields
}

func readAddress(o strict.Object) events.Address {
	return events.Address{
		Country: o.String("country", strict.MaxLen(2)),
		Region:  o.String("region", strict.MaxLen(6)),
		Address: o.String("address", strict.MaxLen(300)),
		Phone:   o.String("phone", strict.MaxLen(50)),
	}
}

func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
