package company

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"folio/events"
	"folio/fault"
)

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
	if _, known := s.uploads[c.Certificate.Certificate]; known && !s.HasCertificate(c.Certificate.Certificate) {
		return nil, ErrRemoved
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

// ErrRemoved refuses the newest certificate again when another one took its place and it was removed at the same
// moment.
var ErrRemoved = fault.New(fault.Conflict, "CERTIFICATE_REMOVED",
	"This certificate was removed at the same moment: look at the list, and upload it again if it is to sign.")

// ErrTooMany refuses a certificate of a company that has as many as one may have.
var ErrTooMany = fault.New(fault.Conflict, "TOO_MANY_CERTIFICATES",
	"The company has as many certificates as one may have.")

func tooMany(most int) error {
	return fault.New(ErrTooMany.Code, ErrTooMany.Constant, fmt.Sprintf(
		"The company has %d certificates that have not expired, the most that one may have: the newest valid one is used. "+
			"Remove those that are used no more with DELETE /api/companies/{id_company}/certificates/{id_certificate}, or "+
			"ask the operator for more (--max-certificates).", most))
}

// upload is when a certificate came, and where the vault keeps its key.
type upload struct {
	at     time.Time
	secret string
}

func (s State) uploadsWith(e events.CertificateUploaded) map[string]upload {
	all := maps.Clone(s.uploads)
	if all == nil {
		all = map[string]upload{}
	}
	all[e.Certificate] = upload{s.recorded, e.Secret}
	return all
}

// HasCertificate says that the company has a certificate, and did not remove it.
func (s State) HasCertificate(id string) bool {
	return slices.ContainsFunc(s.Certificates, func(e events.CertificateUploaded) bool { return e.Certificate == id })
}

// SecretOf is where the vault keeps, or kept, the key of a certificate of the company; empty for one that it never had.
func (s State) SecretOf(certificate string) string { return s.uploads[certificate].secret }

// RemoveCertificate takes a certificate away; one that was removed before is nothing new. The company's newest one says
// which environment its documents belong to, so that one stays, and so does the one that signs for this environment at
// At. One of a submission that is open stays until that is settled, and the last one of its environment until nothing
// of the environment is open: what was sent is asked about with it.
type RemoveCertificate struct {
	Certificate string
	Open        []Opened
	At          time.Time
}

// Opened is a submission of the company that is open.
type Opened struct {
	Environment string
	At          time.Time // when it was opened
}

func (c RemoveCertificate) decide(s State) ([]events.Event, error) {
	if !s.Exists() {
		return nil, ErrUnknown
	}
	i := slices.IndexFunc(s.Certificates, func(e events.CertificateUploaded) bool {
		return e.Certificate == c.Certificate
	})
	if _, known := s.uploads[c.Certificate]; !known {
		return nil, ErrNoCertificate
	}
	if i < 0 {
		return nil, nil
	}
	e := s.Certificates[i]
	if err := c.used(s, e.Environment); err != nil {
		return nil, err
	}
	return []events.Event{events.CertificateRemoved{Certificate: e.Certificate, Environment: e.Environment,
		Secret: e.Secret}}, nil
}

// used refuses what the certificate, which is of the environment, is needed for.
func (c RemoveCertificate) used(s State, environment string) error {
	newest := s.Certificates[len(s.Certificates)-1].Certificate
	present, signs := s.Certificate(environment, c.At)
	signs = signs && present.Certificate == c.Certificate
	if newest == c.Certificate || signs && environment == s.Environment() {
		return fault.New(ErrInUse.Code, ErrInUse.Constant, fmt.Sprintf("The company's %s documents are signed with this "+
			"certificate, and its newest one says which environment they belong to: upload the one that takes its place first, "+
			"valid from today on.", environment))
	}
	rest := s
	rest.Certificates = s.without(c.Certificate)
	_, another := rest.Certificate(environment, c.At)
	for _, o := range c.Open {
		if o.Environment != environment {
			continue
		}
		if signed, _ := s.asOf(o.At).Certificate(environment, o.At); signed.Certificate == c.Certificate {
			return fault.New(ErrInUse.Code, ErrInUse.Constant, "A submission that is open was signed with this certificate: "+
				"remove it once the authority has decided. GET /api/companies/{id_company}/numbering shows what is open.")
		}
		if !another {
			return fault.New(ErrInUse.Code, ErrInUse.Constant,
				fmt.Sprintf("A submission of the environment %s is open, and this "+
					"is the last certificate to ask the authority about it with: remove it once the authority has decided, or upload "+
					"another one first.", environment))
		}
	}
	return nil
}

// without are the certificates but one.
func (s State) without(certificate string) []events.CertificateUploaded {
	return slices.DeleteFunc(slices.Clone(s.Certificates),
		func(e events.CertificateUploaded) bool { return e.Certificate == certificate })
}

// asOf has the certificates that had come at a time.
func (s State) asOf(at time.Time) State {
	s.Certificates = slices.DeleteFunc(slices.Clone(s.Certificates),
		func(e events.CertificateUploaded) bool { return s.uploads[e.Certificate].at.After(at) })
	return s
}

// ErrNoCertificate refuses what is asked of a certificate that never was.
var ErrNoCertificate = fault.New(fault.NotFound, "CERTIFICATE_NOT_FOUND",
	"The company has no such certificate: list them with GET /api/companies/{id_company}/certificates.")

// ErrInUse refuses the removal of a certificate that is needed.
var ErrInUse = fault.New(fault.Conflict, "CERTIFICATE_IN_USE", "This certificate is in use.")
