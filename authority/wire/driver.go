package wire

import (
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"

	"folio/authority"
)

// Clients are a driver's, one an environment.
type Clients[C any] map[authority.Environment]C

// At is the client of an environment; name is the authority's, as people know it.
func (cs Clients[C]) At(name string, e authority.Environment) (C, error) {
	client, ok := cs[e]
	if !ok {
		return client, fmt.Errorf("%w: no address of %s for the environment %s", authority.ErrNotSent, name, e)
	}
	return client, nil
}

// Ready are an HTTP client and a clock with what stands for none: NewClient and time.Now.
func Ready(client *http.Client, now func() time.Time, ciphers ...uint16) (*http.Client, func() time.Time) {
	if client == nil {
		client = NewClient(0, ciphers...)
	}
	if now == nil {
		now = time.Now
	}
	return client, now
}

// Signer is a credential's certificate with its key, or why it cannot sign.
func Signer(c authority.Credential) (*x509.Certificate, crypto.Signer, error) {
	key, ok := c.Certificate.PrivateKey.(crypto.Signer)
	if !ok || c.Certificate.Leaf == nil {
		return nil, nil, fmt.Errorf("%w: it has no key to sign with", authority.ErrCredential)
	}
	return c.Certificate.Leaf, key, nil
}

// RSASigner is Signer with an RSA key, which the signatures of an authority need.
func RSASigner(name string, c authority.Credential) (*x509.Certificate, crypto.Signer, *rsa.PublicKey, error) {
	leaf, key, err := Signer(c)
	if err != nil {
		return nil, nil, nil, err
	}
	public, ok := key.Public().(*rsa.PublicKey)
	if !ok {
		return nil, nil, nil, fmt.Errorf("%w: its key is not RSA, which %s's signatures need", authority.ErrCredential, name)
	}
	return leaf, key, public, nil
}

// Tell notes an exchange with what became of it. That the authority has not decided is no
// fault.
func Tell(rec authority.Recorder, x authority.Exchange, err error) {
	if err != nil && !errors.Is(err, authority.ErrPending) {
		x.Fault = err.Error()
	}
	x.Result = authority.CallResultOf(err)
	if rec != nil {
		rec(x)
	}
}
