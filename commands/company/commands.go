package company

import (
	"fmt"
	"reflect"
	"time"

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

// UploadCertificate adds a certificate. The newest one again, for the same environment,
// is nothing new: Repeats names it. A company has Most certificates at a time; those that
// have expired at At do not count, and 0 is no bound.
type UploadCertificate struct {
	Certificate events.CertificateUploaded
	Most        int
	At          time.Time
}

// Repeats is the certificate that an upload of e repeats: the company's newest one.
func (s State) Repeats(e events.CertificateUploaded) (events.CertificateUploaded, bool) {
	if n := len(s.Certificates); n > 0 {
		newest := s.Certificates[n-1]
		return newest, newest.Fingerprint == e.Fingerprint && newest.Environment == e.Environment
	}
	return events.CertificateUploaded{}, false
}

func (c UploadCertificate) decide(s State) ([]events.Event, error) {
	if !s.Exists() {
		return nil, ErrUnknown
	}
	if _, again := s.Repeats(c.Certificate); again {
		return nil, nil
	}
	if c.Most > 0 && s.unexpired(c.At) >= c.Most {
		return nil, tooMany(c.Most)
	}
	return []events.Event{c.Certificate}, nil
}

// unexpired counts the certificates that have not expired. An end that cannot be read
// counts as one still to come.
func (s State) unexpired(at time.Time) (n int) {
	for _, c := range s.Certificates {
		if end, err := time.Parse(time.RFC3339, c.ValidTo); err != nil || at.Before(end) {
			n++
		}
	}
	return n
}

// ErrTooMany refuses a certificate of a company that has as many as one may have.
var ErrTooMany = fault.New(fault.Conflict, "TOO_MANY_CERTIFICATES",
	"The company has as many certificates as one may have.")

func tooMany(most int) error {
	return fault.New(ErrTooMany.Code, ErrTooMany.Constant, fmt.Sprintf(
		"The company has %d certificates that have not expired, the most that one may have: the newest valid one is used. "+
			"Wait until one expires, or ask the operator for more (--max-certificates).", most))
}
