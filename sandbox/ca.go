// Package sandbox runs the sandboxed authorities: Open starts those that it is given behind
// one handler. It also makes the test material that they trust: a certificate authority
// per data folder, and the certificates that it issues.
//
// Nothing that it makes is worth anything outside of the folder it was made in.
package sandbox

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// File is the name of the authority's file in its folder: private key and
// certificate as PEM, mode 0600.
const File = "sandbox-ca.pem"

// CA is the certificate authority of one data folder.
type CA struct {
	cert *x509.Certificate
	key  *rsa.PrivateKey
	now  func() time.Time
}

// OpenCA opens the authority kept in dir, or makes it. Several processes may do so
// at once: all end up with the same one. now gives the dates of what it issues.
func OpenCA(dir string, now func() time.Time) (*CA, error) {
	return OpenNamed(dir, File, pkix.Name{CommonName: "Folio Sandbox, sin valor fiscal",
		Organization: []string{"Folio Sandbox"}}, now)
}

// OpenNamed opens the authority kept under a file name of its own in dir, or makes it
// under this name: DGI's sandbox signs with another key than that of certificates.
func OpenNamed(dir, file string, subject pkix.Name, now func() time.Time) (*CA, error) {
	path := filepath.Join(dir, file)
	if ca, err := loadCA(path, now); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return ca, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of the sandbox authority: %w", err)
	}
	text, err := newCA(subject, now())
	if err != nil {
		return nil, err
	}
	if err := writeOnce(path, text); err != nil {
		return nil, fmt.Errorf("keep sandbox authority: %w", err)
	}
	return loadCA(path, now)
}

// Certificate is the authority's own certificate.
func (ca *CA) Certificate() *x509.Certificate { return ca.cert }

// Pool trusts what this authority issued, and nothing else.
func (ca *CA) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	return pool
}

// Trusts wants a certificate that this authority issued, for whatever use, and that holds
// at a time.
func (ca *CA) Trusts(c *x509.Certificate, at time.Time) error {
	_, err := c.Verify(x509.VerifyOptions{Roots: ca.Pool(), CurrentTime: at,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
	return err
}

// Signer is the key with which the sandbox signs its own answers (tickets).
func (ca *CA) Signer() *rsa.PrivateKey { return ca.key }

// newCA makes a key and a certificate that holds for thirty years on both sides
// of now, so that certificates with past dates still lie within it.
func newCA(subject pkix.Name, now time.Time) ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("make key of the sandbox authority: %w", err)
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		NotBefore:    now.AddDate(-30, 0, 0), NotAfter: now.AddDate(30, 0, 0),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign |
			x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make certificate of the sandbox authority: %w", err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("write key of the sandbox authority: %w", err)
	}
	var out bytes.Buffer
	for _, b := range []*pem.Block{{Type: "PRIVATE KEY", Bytes: pkcs8}, {Type: "CERTIFICATE", Bytes: der}} {
		if err := pem.Encode(&out, b); err != nil {
			return nil, fmt.Errorf("write sandbox authority: %w", err)
		}
	}
	return out.Bytes(), nil
}

// newSerial is a random positive serial number of 127 bits.
func newSerial() (*big.Int, error) {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, fmt.Errorf("make serial number: %w", err)
	}
	return n.Add(n, big.NewInt(1)), nil
}

// writeOnce makes the file whole or not at all, and leaves one that another
// process made first as it is.
func writeOnce(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".sandbox-ca-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func loadCA(path string, now func() time.Time) (*CA, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open sandbox authority: %w", err)
	}
	ca := &CA{now: now}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "PRIVATE KEY":
			key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("read key in %s: %w", path, err)
			}
			ca.key, _ = key.(*rsa.PrivateKey)
		case "CERTIFICATE":
			if ca.cert, err = x509.ParseCertificate(block.Bytes); err != nil {
				return nil, fmt.Errorf("read certificate in %s: %w", path, err)
			}
		}
	}
	if ca.key == nil || ca.cert == nil {
		return nil, fmt.Errorf("%s lacks a key or a certificate: move it away and a new one is made (certificates it "+
			"issued are then no longer trusted)", path)
	}
	return ca, nil
}
