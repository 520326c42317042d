package company

import (
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

// UploadCertificate adds a certificate. The same certificate for the same
// environment again is refused while it is the newest, since it changes nothing.
type UploadCertificate struct{ Certificate events.CertificateUploaded }

// ErrSameCertificate says that the newest certificate is this one already.
var ErrSameCertificate = fault.New(fault.Conflict, "CERTIFICATE_ALREADY_UPLOADED",
	"This certificate is already the company's newest for the environment; nothing was changed.")

func (c UploadCertificate) decide(s State) ([]events.Event, error) {
	if !s.Exists() {
		return nil, ErrUnknown
	}
	if n := len(s.Certificates); n > 0 {
		newest := s.Certificates[n-1]
		if newest.Fingerprint == c.Certificate.Fingerprint && newest.Environment == c.Certificate.Environment {
			return nil, ErrSameCertificate
		}
	}
	return []events.Event{c.Certificate}, nil
}
