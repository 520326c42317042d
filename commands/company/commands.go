package company

import (
	"fmt"
	"reflect"

	"folio/events"
	"folio/fault"
)

// Register makes the company. The country's rules have checked its identifier.
type Register struct{ Company events.CompanyRegistered }

func (c Register) decide(s State) ([]events.Event, error) {
	if s.Exists() {
		return nil, fault.New(fault.Conflict, "COMPANY_ALREADY_EXISTS", "This company id is taken.")
	}
	return []events.Event{c.Company}, nil
}

// Move puts the company under another account, which must exist. Its API keys go on:
// whoever moves it from somebody not trusted any more revokes them too.
type Move struct{ Account string }

func (c Move) decide(s State) ([]events.Event, error) {
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case s.Account == c.Account:
		return nil, nil
	}
	return []events.Event{events.CompanyMoved{Account: c.Account}}, nil
}

// SetFiscalProfile replaces the fiscal profile; the same one again is nothing new.
type SetFiscalProfile struct{ Profile events.FiscalProfile }

func (c SetFiscalProfile) decide(s State) ([]events.Event, error) {
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case reflect.DeepEqual(s.Profile, c.Profile):
		return nil, nil
	}
	return []events.Event{events.FiscalProfileSet{Profile: c.Profile}}, nil
}

// MaxBranches is how many establishments a company may have here. Folio's bound: all of
// them are held with the company.
const MaxBranches = 1000

// SetBranch says what the establishment of a number is; the same again is nothing new. The
// country's rules have checked it.
type SetBranch struct {
	Number int
	Branch events.Branch
}

func (c SetBranch) decide(s State) ([]events.Event, error) {
	known, again := s.Branches[c.Number]
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case again && reflect.DeepEqual(known, c.Branch):
		return nil, nil
	case !again && len(s.Branches) >= MaxBranches:
		return nil, fault.New(fault.Conflict, "TOO_MANY_BRANCHES",
			fmt.Sprintf("The company has %d branches, the most that one may have: set one that is there anew.", len(s.Branches)))
	}
	return []events.Event{events.BranchSet{Number: c.Number, Branch: c.Branch}}, nil
}

// UploadLogo changes the logo of the documents to come; the same one again is
// nothing new.
type UploadLogo struct{ Logo events.LogoUploaded }

func (c UploadLogo) decide(s State) ([]events.Event, error) {
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case s.Logo == c.Logo:
		return nil, nil
	}
	return []events.Event{c.Logo}, nil
}
