package node

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"golang.org/x/crypto/bcrypt"
)

func certificate(t *testing.T) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "node"},
		DNSNames:  []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "node.crt"), filepath.Join(dir, "node.key")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der},
		keyFile: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

func users(t *testing.T, lines ...string) Users {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	u, err := ParseUsers(strings.NewReader(strings.ReplaceAll(strings.Join(lines, "\n"), "HASH", string(hash))))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func dialNetwork(t *testing.T, n *Node, credentials, options string) *esdb.Client {
	t.Helper()
	_, port, _ := strings.Cut(n.Network().String(), ":")
	cfg, err := esdb.ParseConnectionString(fmt.Sprintf("esdb://%slocalhost:%s?maxDiscoverAttempts=2&%s", credentials, port,
		options))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Logger = func(esdb.LogLevel, string, ...any) {}
	c, err := esdb.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestWhoMayDoWhatOverTheNetwork(t *testing.T) {
	cert, key := certificate(t)
	n := start(t, Options{Network: Network{Address: "127.0.0.1:0", CertFile: cert, KeyFile: key,
		Users: users(t, "# ours", "", "admin:HASH", "auditor:HASH:read")}})
	secure := "tls=true&tlsCaFile=" + cert
	read := func(c *esdb.Client) error {
		_, err := drainRead(c.ReadStream(t.Context(), "$users", esdb.ReadStreamOptions{}, 10))
		return err
	}
	add := func(c *esdb.Client) error {
		_, err := c.AppendToStream(t.Context(), "s", esdb.AppendToStreamOptions{}, event("E", 1))
		return err
	}
	for _, tc := range []struct {
		who, credentials string
		do               func(*esdb.Client) error
		want             esdb.ErrorCode
	}{
		{"nobody reads", "", read, esdb.ErrorCodeUnauthenticated},
		{"a wrong password reads", "admin:wrong@", read, esdb.ErrorCodeUnauthenticated},
		{"a name that is not there reads", "root:secret@", read, esdb.ErrorCodeUnauthenticated},
		{"the administrator reads", "admin:secret@", read, -1},
		{"the administrator appends", "admin:secret@", add, -1},
		{"the auditor reads", "auditor:secret@", read, -1},
		{"the auditor appends", "auditor:secret@", add, esdb.ErrorCodeAccessDenied},
	} {
		t.Run(tc.who, func(t *testing.T) {
			err := tc.do(dialNetwork(t, n, tc.credentials, secure))
			if got := code(err); got != tc.want {
				t.Errorf("got %v, want code %d", err, tc.want)
			}
		})
	}
	if err := read(connect(t, n.Address())); err != nil {
		t.Errorf("the socket needs no password: %v", err)
	}
	if err := read(dialNetwork(t, n, "admin:secret@", "tls=false")); err == nil {
		t.Error("a plain connection was served")
	}
}

func TestALoopbackPortMayBePlain(t *testing.T) {
	n := start(t, Options{Network: Network{Address: "127.0.0.1:0"}})
	c := dialNetwork(t, n, "", "tls=false")
	write(t, c, "s", esdb.NoStream{}, event("E", 1))
	es, err := drainRead(c.ReadStream(t.Context(), "$users", esdb.ReadStreamOptions{}, 10))
	if err != nil || len(es) != 1 {
		t.Errorf("$users: %d, %v", len(es), err)
	}
}

func TestUnprotectedNetworksAreRefused(t *testing.T) {
	cert, key := certificate(t)
	for _, tc := range []struct {
		name string
		n    Network
		open bool // the error is that of an open network
	}{
		{"every network", Network{Address: ":0"}, true},
		{"another address", Network{Address: "0.0.0.0:0"}, true},
		{"TLS without users", Network{Address: "0.0.0.0:0", CertFile: cert, KeyFile: key}, true},
		{"users without TLS", Network{Address: "0.0.0.0:0", Users: users(t, "a:HASH")}, true},
		{"a certificate without its key", Network{Address: "127.0.0.1:0", CertFile: cert}, false},
		{"no port", Network{Address: "127.0.0.1"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n, err := Open(t.Context(), Options{Dir: t.TempDir(), Network: tc.n})
			if err == nil {
				stop(t, n)
			}
			if err == nil || errors.Is(err, ErrOpenNetwork) != tc.open {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestUsersThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"a", "a:b", ":x", "a:b:write", "a:b:c:d"} {
		if _, err := ParseUsers(strings.NewReader(text)); err == nil || strings.Contains(err.Error(), ":b") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
