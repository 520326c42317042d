package sandbox

import (
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

// Holder writes a tax identifier, with or without dots and hyphens, as the serial number of
// a certificate's subject, and refuses one whose check digit is wrong.
type Holder func(taxIdentifier string) (serialNumber string, err error)

// Certificate says what a test certificate is to hold.
type Certificate struct {
	// Holder is how the authority names the holder.
	Holder Holder
	// TaxIdentifier of the holder, as Holder takes it.
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
	holder, err := c.Holder(c.TaxIdentifier)
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
		SerialNumber: serial, Subject: pkix.Name{CommonName: cmp.Or(c.Alias, "folio"), SerialNumber: holder}, NotBefore: from,
		NotAfter:    until,
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
