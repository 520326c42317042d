package drivertest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/authority"
	"folio/sandbox"
)

// InFolder runs f with a folder that is gone afterwards, for what is made once for all
// tests of a package. It panics where f fails.
func InFolder(f func(dir string) error) {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := f(dir); err != nil {
		panic(err)
	}
}

// OpenCA is a certificate authority of its own. Keys take time: make it once.
func OpenCA(now func() time.Time) (ca *sandbox.CA) {
	InFolder(func(dir string) (err error) {
		ca, err = sandbox.OpenCA(dir, now)
		return err
	})
	return ca
}

// Issue makes a holder's certificate for so many days, negative for one that has ended,
// and a company's credential of it for the trial system. It panics where it cannot.
func Issue(ca *sandbox.CA, as sandbox.Holder, holder, company string, days int) authority.Credential {
	key, cert, err := ca.Issue(sandbox.Certificate{Holder: as, TaxIdentifier: holder, Days: days})
	if err != nil {
		panic(err)
	}
	return authority.Credential{Certificate: tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key, Leaf: cert},
		TaxIdentifier: company, Environment: authority.Testing}
}

// Vault keeps a driver's secrets in memory. The zero value is ready.
type Vault struct {
	Broken atomic.Bool // it keeps nothing new

	mu sync.Mutex
	m  map[string][]byte
}

// Open is what was sealed under a reference, nil for nothing.
func (v *Vault) Open(_ context.Context, ref string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.m[ref], nil
}

// Forget leaves nothing of what was sealed.
func (v *Vault) Forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.m = nil
}

// Seal keeps a secret.
func (v *Vault) Seal(_ context.Context, ref string, secret []byte) error {
	if v.Broken.Load() {
		return errors.New("the vault is away")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m == nil {
		v.m = map[string][]byte{}
	}
	v.m[ref] = secret
	return nil
}

// Secrets are all that it keeps, by reference.
func (v *Vault) Secrets() map[string][]byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.m)
}

// Line is a network that can be cut.
type Line struct {
	http.RoundTripper
	Cut atomic.Bool
}

// RoundTrip fails while the line is cut.
func (l *Line) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.Cut.Load() {
		return nil, errors.New("connection refused")
	}
	return l.RoundTripper.RoundTrip(r)
}

// Xmlsec is xmlsec1, another implementation of XML signatures, with --verify and more of
// its options. Where it is not installed it is nil, and the log of the test says so.
func Xmlsec(t testing.TB) func(content []byte, options ...string) error {
	tool, err := exec.LookPath("xmlsec1")
	if err != nil {
		t.Log("xmlsec1 is not installed: nothing was verified")
		return nil
	}
	file := filepath.Join(t.TempDir(), "signed.xml")
	return func(content []byte, options ...string) error {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
		args := append(append([]string{"--verify"}, options...), file)
		if out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
}

// PEMFile is a file with a certificate, gone when the test is over.
func PEMFile(t testing.TB, c *x509.Certificate) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
