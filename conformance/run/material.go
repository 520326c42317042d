package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/bcrypt"

	"folio/eventstore/node"
)

// material is what TLS nodes and their clients need: certificates made for this run, since those that the
// modules bring have expired, and the user that all of the tests log in as.
type material struct {
	dir   string // ca/ca.crt, node/node.{crt,key}, untrusted-ca/ca.crt
	users node.Users
}

func makeMaterial(work string) (*material, error) {
	m := &material{dir: filepath.Join(work, "certs")}
	ca, err := m.authority("ca")
	if err != nil {
		return nil, err
	}
	if _, err := m.authority("untrusted-ca"); err != nil {
		return nil, err
	}
	if err := m.issue("node", "node", ca, &x509.Certificate{Subject: pkix.Name{CommonName: "eventstoredb-node"},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}); err != nil {
		return nil, err
	}
	hash, err := bcrypt.GenerateFromPassword([]byte("changeit"), bcrypt.MinCost)
	if err != nil {
		return nil, err
	}
	m.users, err = node.ParseUsers(strings.NewReader("admin:" + string(hash)))
	return m, err
}

type signer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func (m *material) authority(name string) (*signer, error) {
	s := &signer{}
	return s, m.issue(name, "ca", s, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature})
}

// issue makes a certificate; by a signer that has none yet it is signed by itself.
func (m *material) issue(folder, name string, by *signer, c *x509.Certificate) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		return err
	}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	if by.certificate == nil {
		by.certificate, by.key = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by.certificate, key.Public(), by.key)
	if err != nil {
		return err
	}
	if by.certificate == c {
		if by.certificate, err = x509.ParseCertificate(der); err != nil {
			return err
		}
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	dir := filepath.Join(m.dir, folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for ext, block := range map[string]*pem.Block{"crt": {Type: "CERTIFICATE", Bytes: der},
		"key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name+"."+ext), pem.EncodeToMemory(block), 0o600); err != nil {
			return fmt.Errorf("write a certificate: %w", err)
		}
	}
	return nil
}
