package resource

import (
	"slices"
	"strings"
	"time"

	"folio/country"
	"folio/events"
)

// Company is the company record.
type Company struct {
	Company             string         `json:"id_company"`
	Country             string         `json:"country"`
	LegalName           string         `json:"legal_name"`
	TaxIdentifier       string         `json:"tax_identifier"`
	TaxIdentifierName   string         `json:"tax_identifier_name"`
	StartActivitiesDate *string        `json:"start_activities_date"`
	Currency            int            `json:"id_currency"`
	FiscalProfile       *FiscalProfile `json:"fiscal_profile"`
	Logo                *Logo          `json:"logo"`
	Certificates        []Certificate  `json:"certificates"`
	PendingSteps        []Step         `json:"pending_steps"`
	CreatedAt           time.Time      `json:"created_at"`
	Warnings            []string       `json:"warnings,omitempty"` // in the answer to its creation
}

// Step is something that is still missing before the company can issue.
type Step struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Logo is the logo that documents carry from now on.
type Logo struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	SHA256 string `json:"sha256"`
}

// FiscalProfile are the members that every country shares, and those that only the
// company's country knows.
type FiscalProfile struct {
	Address           Address `json:"address"`
	TaxCondition      *string `json:"tax_condition"`
	GrossIncomeNumber *string `json:"gross_income_number"`
	Fields            Fields  `json:",embed"`
}

// Fields are the members that only one country knows. They stand beside the others, as
// they are sent.
type Fields map[string]string

// Profile is the record of a fiscal profile.
func Profile(p events.FiscalProfile) FiscalProfile {
	return FiscalProfile{Address(p.Address), text(p.TaxCondition), text(p.GrossIncomeNumber), p.Fields}
}

// Branch is one establishment of a company, as it is sent and read.
type Branch struct {
	Number              int     `json:"number"`
	Address             Address `json:"address"`
	StartActivitiesDate *string `json:"start_activities_date"` // null: the company's
	Fields              Fields  `json:",embed"`
}

// BranchOf is the record of an establishment.
func BranchOf(number int, b events.Branch) Branch {
	return Branch{number, Address(b.Address), text(b.StartActivitiesDate), b.Fields}
}

// Certificate is what may be shown of a certificate; never its key.
type Certificate struct {
	ID          string    `json:"id"`
	Environment string    `json:"environment"`
	ValidFrom   string    `json:"valid_from"`
	ValidTo     string    `json:"valid_to"`
	UploadedAt  time.Time `json:"uploaded_at"`
}

// Holding is what a company has besides its profile.
type Holding struct {
	Certificates []Certificate
	Numbered     bool     // a numbering range; not looked at where none is needed
	Waiting      []string // types of document, invoice_type, of which one is pending
}

// PendingSteps says what the company lacks at a time before it can issue. A member of the
// profile that only some types of document need is a step once one of these waits for it.
func PendingSteps(company string, r country.Rules, issuer country.Issuer, has Holding, at time.Time) []Step {
	steps := []Step{}
	for _, f := range r.Missing(issuer) {
		// Each text stands here as a whole, which is how its Spanish is found.
		switch some := country.WaitFor(r, f, issuer); {
		case some == nil:
			steps = append(steps, Step{"FISCAL_PROFILE_" + f,
				"Set " + f + " with PUT /api/companies/" + company + "/fiscal-profile."})
		case slices.ContainsFunc(some, func(t string) bool { return slices.Contains(has.Waiting, t) }):
			steps = append(steps, Step{"FISCAL_PROFILE_" + f, "Set " + f + " with PUT /api/companies/" + company +
				"/fiscal-profile. Only " + strings.Join(some, ", ") + " wait for it."})
		}
	}
	if !anyValid(has.Certificates, at) {
		steps = append(steps, Step{"CERTIFICATE",
			"Upload a certificate that is valid today with POST /api/companies/" + company + "/certificates."})
	}
	if country.NumbersFromFiles(r) && !has.Numbered {
		steps = append(steps, Step{"NUMBERING_RANGE", "Upload a numbering file of each document type that is to be issued " +
			"with POST /api/companies/" + company + "/enumeration/upload."})
	}
	return steps
}

// Told is the company with what it lacks in other words, such as those of the caller's language.
func (c Company) Told(said func(code, text string) string) Company {
	for n, s := range c.PendingSteps {
		c.PendingSteps[n].Message = said(s.Code, s.Message)
	}
	return c
}

func anyValid(certificates []Certificate, at time.Time) bool {
	for _, c := range certificates {
		from, err1 := time.Parse(time.RFC3339, c.ValidFrom)
		to, err2 := time.Parse(time.RFC3339, c.ValidTo)
		if err1 == nil && err2 == nil && !at.Before(from) && at.Before(to) {
			return true
		}
	}
	return false
}
