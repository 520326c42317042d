package writeapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"folio/commands/company"
	"folio/events"
	"folio/httpapi"
	"folio/strict"
)

// certificateMemory is what opening a .pfx file takes; its password is stretched.
const certificateMemory = 4 << 20

// environments are the values of the specification's field, in the form they are kept.
var environments = map[string]string{"production": "Production", "testing": "Testing"}

// dateSlack is how far typed dates may be from those of the certificate: they are
// local days, the certificate's are instants.
const dateSlack = 24 * time.Hour

func (a api) uploadCertificate(w http.ResponseWriter, r *http.Request) error {
	form, err := httpapi.ReadForm(w, r, httpapi.MaxCertificate+httpapi.FormOverhead)
	if err != nil {
		return err
	}
	from, to := form.Date("from_date", strict.Required), form.Date("expiration_date", strict.Required)
	password := form.Text("password", strict.MaxLen(256))
	environment := environments[strings.ToLower(form.Text("environment", strict.Required, strict.MaxLen(20)))]
	file := form.File("certificate", strict.Required)
	if environment == "" && form.Has("environment") {
		form.Fail("environment", "NOT_ALLOWED", "Write Production or Testing.")
	}
	if len(file.Data) > httpapi.MaxCertificate {
		form.Fail("certificate", "TOO_LARGE", "A certificate file may have 64 KiB.")
	}
	if err := form.Done(); err != nil {
		return err
	}
	now := httpapi.Started(r.Context())
	var cert Certificate
	if err := a.work(r.Context(), certificateMemory, func() (err error) {
		cert, err = a.Certificate(file.Data, password, now)
		return err
	}); err != nil {
		return err
	}
	checkDates(form, cert, from, to, now)
	if err := form.Done(); err != nil {
		return err
	}
	return a.recordCertificate(w, r, cert, environment)
}

// checkDates compares what was typed with the X.509, which is the truth.
func checkDates(form *strict.Form, cert Certificate, from, to string, now time.Time) {
	for _, d := range []struct {
		name, typed string
		truth       time.Time
	}{{"from_date", from, cert.ValidFrom}, {"expiration_date", to, cert.ValidTo}} {
		day, err := time.Parse(time.DateOnly, d.typed)
		if err != nil {
			continue
		}
		truth := d.truth.UTC().Truncate(24 * time.Hour)
		if diff := day.Sub(truth); diff > dateSlack || diff < -dateSlack {
			form.Fail(d.name, "DATE_DIFFERS", "The certificate itself says "+truth.Format(time.DateOnly)+
				": write that date, or upload the right file.")
		}
	}
	if !now.Before(cert.ValidTo) {
		form.Fail("certificate", "CERTIFICATE_EXPIRED",
			"The certificate expired on "+cert.ValidTo.UTC().Format(time.DateOnly)+": upload one that is valid.")
	}
}

func (a api) recordCertificate(w http.ResponseWriter, r *http.Request, cert Certificate, environment string) error {
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	warnings := saidTo(r, a.warningsOf(cert, environment, s, rules, httpapi.Started(r.Context())))
	id := newID(r)
	e := events.CertificateUploaded{
		Certificate: id, Environment: environment, SerialNumber: cert.SerialNumber, Subject: cert.Subject,
		Issuer:        cert.Issuer,
		TaxIdentifier: cert.TaxIdentifier, ValidFrom: cert.ValidFrom.UTC().Format(time.RFC3339),
		ValidTo:     cert.ValidTo.UTC().Format(time.RFC3339),
		Fingerprint: cert.Fingerprint, Secret: "company/" + s.Company + "/certificate/" + id,
	}
	if known, again := s.Repeats(e); again {
		e = known // its key is sealed anew where it was: a vault that lost it has it again
	}
	upload := company.UploadCertificate{Certificate: e, Most: a.Holdings.MaxCertificates, At: httpapi.Started(r.Context())}
	if _, err := company.Decider.Decide(upload, s); err != nil { // what is refused leaves no secret behind
		return err
	}
	if err := a.Vault.Seal(r.Context(), e.Secret, cert.Sealed); err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), s.Company, upload, request(r))
	if err != nil {
		return errors.Join(err, a.unseal(r.Context(), s.Company, e))
	}
	status := http.StatusCreated
	if len(out.Events) == 0 {
		status, e = http.StatusOK, out.State.Certificates[len(out.State.Certificates)-1]
	}
	a.shown(w, r, "certificates", out.Position)
	a.shown(w, r, "companies", out.Position)
	return httpapi.JSON(w, status, struct {
		ID           string   `json:"id"`
		SerialNumber string   `json:"serial_number"`
		Subject      string   `json:"subject"`
		Issuer       string   `json:"issuer"`
		ValidFrom    string   `json:"valid_from"`
		ValidTo      string   `json:"valid_to"`
		Environment  string   `json:"environment"`
		Fingerprint  string   `json:"fingerprint"`
		Warnings     []string `json:"warnings"`
	}{e.Certificate, e.SerialNumber, e.Subject, e.Issuer, e.ValidFrom, e.ValidTo, e.Environment, e.Fingerprint, warnings})
}

// unseal takes the key of an upload that was refused out of the vault, where another request removed its certificate
// after it was found there.
func (a api) unseal(ctx context.Context, id string, e events.CertificateUploaded) error {
	s, found, err := a.log.Companies.Load(ctx, id)
	if err != nil || !found || s.SecretOf(e.Certificate) == "" || s.HasCertificate(e.Certificate) {
		return err
	}
	return a.Vault.Delete(ctx, e.Secret)
}

// removeCertificate answers once the key has left the vault. What is interrupted between the fact and that is finished
// by a repeat, or by the processor of notices.
func (a api) removeCertificate(w http.ResponseWriter, r *http.Request) error {
	id, err := httpapi.PathID(r, "id_certificate")
	if err != nil {
		return company.ErrNoCertificate
	}
	remove := company.RemoveCertificate{Certificate: id, At: httpapi.Started(r.Context())}
	co := httpapi.Caller(r.Context()).Company
	if remove.Open, err = a.openSubmissions(r.Context(), co); err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), co, remove, request(r))
	if err != nil {
		return err
	}
	if err := a.Vault.Delete(r.Context(), out.State.SecretOf(id)); err != nil {
		return err
	}
	a.shown(w, r, "certificates", out.Position)
	a.shown(w, r, "companies", out.Position)
	httpapi.NoContent(w)
	return nil
}

// openSubmissions are those of a company at the end of the log.
func (a api) openSubmissions(ctx context.Context, id string) (open []company.Opened, err error) {
	end, err := a.Webhooks.End(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.Shown.WaitFor(ctx, "numbering", end); err != nil {
		return nil, httpapi.ErrNotReached
	}
	found, err := a.Index.FindOpen(ctx, id)
	for environment, times := range found {
		for _, at := range times {
			open = append(open, company.Opened{Environment: environment, At: at})
		}
	}
	return open, err
}
