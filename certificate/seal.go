package certificate

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/cache"
	"folio/commands/company"
)

// sealed is how the vault keeps key and chain: DER, without the file's password.
type sealed struct {
	Key   []byte   `json:"key"` // PKCS#8
	Chain [][]byte `json:"chain"`
}

// Seal is o for the vault alone.
func (o Opened) Seal() ([]byte, error) {
	key, err := x509.MarshalPKCS8PrivateKey(o.Key)
	if err != nil {
		return nil, errors.New("the private key cannot be encoded")
	}
	s := sealed{Key: key}
	for _, c := range o.Chain {
		s.Chain = append(s.Chain, c.Raw)
	}
	return json.Marshal(s)
}

// Unseal reads what Seal wrote.
func Unseal(secret []byte) (tls.Certificate, error) {
	var s sealed
	if err := json.Unmarshal(secret, &s); err != nil || len(s.Chain) == 0 {
		return tls.Certificate{}, errors.New("the sealed certificate is not in its form")
	}
	key, err := x509.ParsePKCS8PrivateKey(s.Key)
	if err != nil {
		return tls.Certificate{}, errors.New("the sealed private key is not in its form")
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return tls.Certificate{}, errors.New("the sealed private key is not RSA")
	}
	leaf, err := x509.ParseCertificate(s.Chain[0])
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("parse the sealed certificate: %w", err)
	}
	return tls.Certificate{Certificate: s.Chain, PrivateKey: private, Leaf: leaf}, nil
}

// Vault opens secrets.
type Vault interface {
	Open(ctx context.Context, ref string) ([]byte, error)
}

// Opener opens a company's certificate for use.
type Opener interface {
	// Open is the newest certificate of the company and environment that is valid at the time, ready to sign.
	Open(ctx context.Context, c company.State, environment string, at time.Time) (authority.Credential, error)
}

// Credentials opens the companies' certificates for use and keeps the last ones in
// memory, since parsing a key is slow.
type Credentials struct {
	vault Vault
	open  *cache.Cache[tls.Certificate]
}

// keptOpen bounds the certificates that stay in memory, in bytes: some hundreds.
const keptOpen = 8 << 20

// NewCredentials reads from a vault.
func NewCredentials(v Vault) *Credentials {
	size := func(c tls.Certificate) int { return cache.SizeOf(c) }
	return &Credentials{v, cache.New(keptOpen, size)}
}

// Open is the newest certificate of the company and environment that is valid at the
// time, ready to sign.
func (c *Credentials) Open(ctx context.Context, s company.State, environment string,
	at time.Time) (authority.Credential, error) {
	e, ok := s.Certificate(environment, at)
	if !ok {
		return authority.Credential{}, fmt.Errorf("company %s has no valid certificate of the environment %s", s.Company,
			environment)
	}
	cert, ok := c.open.Get(e.Secret)
	if !ok {
		secret, err := c.vault.Open(ctx, e.Secret)
		if err != nil {
			return authority.Credential{}, fmt.Errorf("certificate %s: %w", e.Certificate, err)
		}
		if cert, err = Unseal(secret); err != nil {
			return authority.Credential{}, fmt.Errorf("certificate %s: %w", e.Certificate, err)
		}
		c.open.Add(e.Secret, cert)
	}
	return authority.Credential{Certificate: cert, Fingerprint: e.Fingerprint, TaxIdentifier: s.TaxIdentifier,
		Environment: authority.Environment(environment)}, nil
}
