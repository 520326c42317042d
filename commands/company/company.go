// Package company decides what may happen to one company.
package company

import (
	"slices"
	"time"

	"folio/commands"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/scope"
)

// State is the company as later decisions, and the making of invoices, need it.
type State struct {
	events.CompanyRegistered
	Profile  events.FiscalProfile
	Branches map[int]events.Branch // by number; never changed, only replaced
	// Contingencies are by the point of sale in ordinary times; never changed, only replaced
	Contingencies map[int]events.Contingency
	// ContingencyPoints are all that were ever named in one, ascending: what was issued at a point is reported and told
	// after the company named another one, too. Never changed, only replaced.
	ContingencyPoints []int
	Logo              events.LogoUploaded
	Certificates      []events.CertificateUploaded // in order of upload, without those that were removed

	members    map[string]membership // by account; see Role and Since
	conditions []condition           // that the profile has had, in order; see On
	recorded   time.Time             // of the event that is folded
	// renamed is when a setting took another contingency point, by the earlier one: the last time of each. Never changed,
	// only replaced.
	renamed map[int]time.Time
	// uploads are all certificates that ever were, by id. Never changed, only replaced.
	uploads map[string]upload
	first   string // environment of the first certificate, once that one was removed
}

// Exists says that the company was registered.
func (s State) Exists() bool { return s.Company != "" }

// Environment is that of the newest certificate: invoices made now belong to it.
// Empty without a certificate.
func (s State) Environment() string {
	if len(s.Certificates) == 0 {
		return ""
	}
	return s.Certificates[len(s.Certificates)-1].Environment
}

// FirstEnvironment is that of the first certificate: invoices made before there was
// one belong to it.
func (s State) FirstEnvironment() string {
	if s.first != "" {
		return s.first
	}
	if len(s.Certificates) == 0 {
		return ""
	}
	return s.Certificates[0].Environment
}

// Certificate is the newest one of the environment that is valid at the time.
func (s State) Certificate(environment string, at time.Time) (events.CertificateUploaded, bool) {
	for _, c := range slices.Backward(s.Certificates) {
		from, errFrom := time.Parse(time.RFC3339, c.ValidFrom)
		to, errTo := time.Parse(time.RFC3339, c.ValidTo)
		if c.Environment == environment && errFrom == nil && errTo == nil && !at.Before(from) && at.Before(to) {
			return c, true
		}
	}
	return events.CertificateUploaded{}, false
}

// IssuerProfile is what a document made now freezes about its issuer.
func (s State) IssuerProfile() events.IssuerProfile {
	return events.IssuerProfile{
		LegalName: s.LegalName, TaxIdentifier: s.TaxIdentifier, StartActivitiesDate: s.StartActivitiesDate,
		TaxCondition: s.Profile.TaxCondition, GrossIncomeNumber: s.Profile.GrossIncomeNumber,
		Address: s.Profile.Address, Logo: s.Logo.SHA256,
	}
}

// Issuer is the company to the rules of its country.
func (s State) Issuer() country.Issuer {
	return country.Issuer{TaxIdentifier: s.TaxIdentifier, Profile: s.IssuerProfile(), Fields: s.Profile.Fields}
}

// IssuerAt is the company as documents of the branch state it; as its own profile does for
// a number that is no branch.
func (s State) IssuerAt(number int, known country.Branches) country.Issuer {
	if b, ok := s.Branches[number]; ok {
		return s.Issuer().At(number, b, known)
	}
	return s.Issuer()
}

// Command is anything a company can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a company.
var Decider = commands.Decider[State, Command]{
	Category: "company",
	Decide:   Command.decide,
	Evolve:   evolve,
	Dated:    dated,
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.CompanyRegistered: // once: a later one is not of this program
		if s.Company == "" {
			s.CompanyRegistered = e
		}
	case events.CompanyMoved:
		s.Account = e.Account
	case events.AccessGranted:
		s.members = s.member(e.Account, scope.Role(e.Role))
	case events.AccessWithdrawn:
		s.members = s.member(e.Account, "")
	case events.FiscalProfileSet:
		s.Profile = e.Profile
		s.conditions = conditioned(s.conditions, condition{e.Profile.TaxCondition, s.recorded})
	case events.BranchSet:
		branches := map[int]events.Branch{e.Number: e.Branch}
		for number, b := range s.Branches {
			if number != e.Number {
				branches[number] = b
			}
		}
		s.Branches = branches
	case events.ContingencyConfigured:
		s.renamed = s.renamedBy(e)
		s.Contingencies, s.ContingencyPoints = s.configured(e), s.pointsWith(e.Contingency.PointOfSale)
	case events.LogoUploaded:
		s.Logo = e
	case events.CertificateUploaded:
		s.Certificates, s.uploads = append(slices.Clip(s.Certificates), e), s.uploadsWith(e)
	case events.CertificateRemoved:
		s.first = s.FirstEnvironment()
		s.Certificates = s.without(e.Certificate)
	}
	return s
}

// ErrUnknown refuses what is asked of a company that never was.
var ErrUnknown = fault.New(fault.NotFound, "COMPANY_NOT_FOUND",
	"There is no such company among yours: list them with GET /api/companies.")
