package sandbox

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"strings"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

// Certificate says what a test certificate is to hold.
type Certificate struct {
	// Country is "ar", "cl" or "uy".
	Country string
	// TaxIdentifier of the holder, verified (Argentina: CUIT, Chile: RUT, Uruguay: RUT of twelve
	// digits; with or without dots and hyphens).
	TaxIdentifier string
	// Alias is the common name; "folio" when empty.
	Alias string
	// Password protects the file; it may be empty.
	Password string
	// Days from now until the certificate expires. Zero or less makes one that has
	// expired already (0: one minute ago; -3: three days ago). Two years is what
	// ARCA gives in homologation.
	Days int
}

// subjects writes the holder's name the way each authority does. For ARCA it is
// SERIALNUMBER=CUIT nnnnnnnnnnn, CN=alias (WSAA specification, section on certificates).
var subjects = map[string]func(id, alias string) (pkix.Name, error){
	"ar": func(id, alias string) (pkix.Name, error) {
		cuit, err := ParseCUIT(id)
		if err != nil {
			return pkix.Name{}, err
		}
		return pkix.Name{CommonName: alias, SerialNumber: fmt.Sprintf("CUIT %d", cuit)}, nil
	},
	// Chilean certificates are a person's: its RUT alone is the serial number.
	"cl": func(id, alias string) (pkix.Name, error) {
		rut, err := ParseRUT(id)
		if err != nil {
			return pkix.Name{}, err
		}
		return pkix.Name{CommonName: alias, SerialNumber: rut}, nil
	},
	// Uruguayan ones are the company's: RUC and its twelve digits, as DGI compares it with
	// RUCEmisor.
	"uy": func(id, alias string) (pkix.Name, error) {
		ruc, err := ParseRUC(id)
		if err != nil {
			return pkix.Name{}, err
		}
		return pkix.Name{CommonName: alias, SerialNumber: "RUC" + ruc}, nil
	},
}

// IssueCertificate makes a key and a certificate of this authority and packs them as
// a PKCS#12 file (PBES2, AES-256) with the authority's certificate as its chain.
func (ca *CA) IssueCertificate(c Certificate) (pfx []byte, err error) {
	key, cert, err := ca.Issue(c)
	if err != nil {
		return nil, err
	}
	pfx, err = pkcs12.Modern.Encode(key, cert, []*x509.Certificate{ca.cert}, c.Password)
	if err != nil {
		return nil, fmt.Errorf("pack certificate: %w", err)
	}
	return pfx, nil
}

// Issue is IssueCertificate without the packing.
func (ca *CA) Issue(c Certificate) (*rsa.PrivateKey, *x509.Certificate, error) {
	name, ok := subjects[strings.ToLower(c.Country)]
	if !ok {
		return nil, nil, fmt.Errorf("no sandbox certificates for country %q: ar, cl and uy are available", c.Country)
	}
	alias := c.Alias
	if alias == "" {
		alias = "folio"
	}
	subject, err := name(c.TaxIdentifier, alias)
	if err != nil {
		return nil, nil, err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, nil, fmt.Errorf("make key: %w", err)
	}
	serial, err := newSerial()
	if err != nil {
		return nil, nil, err
	}
	from, until := ca.validity(c.Days)
	template := &x509.Certificate{
		SerialNumber: serial, Subject: subject, NotBefore: from, NotAfter: until,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageEmailProtection},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, &key.PublicKey, ca.key)
	if err != nil {
		return nil, nil, fmt.Errorf("issue certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	return key, cert, err
}

// validity starts an hour back, so that a clock a little behind accepts it, and far
// enough back when it ends in the past.
func (ca *CA) validity(days int) (from, until time.Time) {
	now := ca.now().UTC().Truncate(time.Second)
	until = now.AddDate(0, 0, days)
	if days > 0 {
		return now.Add(-time.Hour), until
	}
	return until.AddDate(-2, 0, 0), until.Add(-time.Minute)
}
