package certificate_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/authority"
	"folio/certificate"
	"folio/commands/company"
	"folio/events"
)

// vault counts how often it was asked.
type vault struct {
	mu     sync.Mutex
	files  map[string][]byte
	opened int
}

func (v *vault) Open(_ context.Context, ref string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.opened++
	b, ok := v.files[ref]
	if !ok {
		return nil, errors.New("no such secret")
	}
	return b, nil
}

func opened(t *testing.T) certificate.Opened {
	t.Helper()
	o, err := certificate.Open(fixture(t, "new-aes256-sha256"), "secreto")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestUnsealGivesBackWhatWasSealed(t *testing.T) {
	o := opened(t)
	sealed, err := o.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, []byte("secreto")) {
		t.Error("the password of the file is kept")
	}
	cert, err := certificate.Unseal(sealed)
	if err != nil {
		t.Fatal(err)
	}
	if !cert.Leaf.Equal(o.Leaf()) || len(cert.Certificate) != len(o.Chain) {
		t.Errorf("leaf %s, %d certificates", cert.Leaf.Subject, len(cert.Certificate))
	}
	sum := sha256.Sum256([]byte("signed"))
	signature, err := cert.PrivateKey.(crypto.Signer).Sign(rand.Reader, sum[:], crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	if err := rsa.VerifyPKCS1v15(o.Leaf().PublicKey.(*rsa.PublicKey), crypto.SHA256, sum[:], signature); err != nil {
		t.Error(err)
	}
}

func TestUnsealRefusesWhatSealDidNotWrite(t *testing.T) {
	sealed, err := opened(t).Seal()
	if err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]string{
		"nothing":              "",
		"no JSON":              "key",
		"no chain":             `{"key":"AAAA","chain":[]}`,
		"no key":               `{"key":"AAAA","chain":["AAAA"]}`,
		"a broken certificate": strings.Replace(string(sealed), `"chain":["MII`, `"chain":["AII`, 1),
	} {
		_, err := certificate.Unseal([]byte(secret))
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if len(secret) > 3 && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error shows the secret", name)
		}
	}
}

func TestCredentialsOpenTheNewestValidCertificateOnce(t *testing.T) {
	sealed, err := opened(t).Seal()
	if err != nil {
		t.Fatal(err)
	}
	v := &vault{files: map[string][]byte{"old": sealed, "new": sealed, "testing": sealed}}
	uploaded := func(secret, environment, from, to string) events.Event {
		return events.CertificateUploaded{Certificate: secret, Environment: environment, Secret: secret,
			Fingerprint: "fp-" + secret,
			ValidFrom:   from + "T00:00:00Z", ValidTo: to + "T00:00:00Z"}
	}
	s := company.Decider.Fold(events.CompanyRegistered{Company: "C", TaxIdentifier: "30500010912"},
		uploaded("old", "Production", "2025-01-01", "2027-01-01"),
		uploaded("new", "Production", "2026-06-01", "2028-06-01"),
		uploaded("testing", "Testing", "2025-01-01", "2027-01-01"))
	c := certificate.NewCredentials(v)
	for _, want := range []struct {
		environment, at, fingerprint string
	}{
		{"Production", "2026-01-01", "fp-old"}, // the newer one is not valid yet
		{"Production", "2026-06-01", "fp-new"},
		{"Production", "2028-05-31", "fp-new"},
		{"Testing", "2026-12-31", "fp-testing"},
		{"Testing", "2027-01-01", ""}, // its first day without
		{"Production", "2024-12-31", ""},
		{"Homologation", "2026-01-01", ""},
	} {
		at, err := time.Parse(time.DateOnly, want.at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Open(context.Background(), s, want.environment, at)
		if (err != nil) != (want.fingerprint == "") || got.Fingerprint != want.fingerprint {
			t.Errorf("%+v: %q, %v", want, got.Fingerprint, err)
		}
		if err == nil && (got.TaxIdentifier != "30500010912" || got.Environment != authority.Environment(want.environment) ||
			got.Certificate.PrivateKey == nil) {
			t.Errorf("%+v: %+v", want, got)
		}
	}
	if v.opened != 3 {
		t.Errorf("the vault was asked %d times for 3 certificates", v.opened)
	}
}

func TestCredentialsSayWhichCertificateCannotBeOpened(t *testing.T) {
	s := company.Decider.Fold(events.CompanyRegistered{Company: "C"}, events.CertificateUploaded{Certificate: "01CERT",
		Environment: "Testing", Secret: "lost", ValidFrom: "2025-01-01T00:00:00Z", ValidTo: "2027-01-01T00:00:00Z"})
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, files := range map[string]map[string][]byte{"it is gone": {}, "it is spoilt": {"lost": []byte("{}")}} {
		_, err := certificate.NewCredentials(&vault{files: files}).Open(context.Background(), s, "Testing", at)
		if err == nil || !strings.Contains(err.Error(), "certificate 01CERT") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
