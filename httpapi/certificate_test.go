package httpapi

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate makes a certificate for localhost with a serial number, and its key.
func writeCertificate(t *testing.T, certFile, keyFile string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"},
		DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der},
		keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		// The clock of files may be coarse: each content gets a time of its own.
		if err := os.Chtimes(name, time.Time{}, time.Unix(1_800_000_000+serial, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAChangedCertificateIsTakenUp(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if _, err := ServerTLS(cert, key, slog.Default()); err == nil {
		t.Error("files that are not there are taken")
	}
	writeCertificate(t, cert, key, 1)
	logs := &bytes.Buffer{}
	f := &certificateFiles{cert: cert, key: key, log: slog.New(slog.NewTextHandler(logs, nil))}
	serial := func() int64 {
		f.looked = time.Time{} // as if a second had passed
		c, err := f.get(nil)
		if err != nil || c == nil {
			t.Fatal(c, err)
		}
		leaf, err := x509.ParseCertificate(c.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		return leaf.SerialNumber.Int64()
	}
	if got := serial(); got != 1 {
		t.Errorf("serial %d at first", got)
	}
	if err := os.WriteFile(key, []byte("half a change"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := serial(); got != 1 || !strings.Contains(logs.String(), "cannot be used") {
		t.Errorf("serial %d in the middle of a change; logged %s", got, logs)
	}
	writeCertificate(t, cert, key, 2)
	if got := serial(); got != 2 {
		t.Errorf("serial %d after the change", got)
	}
}

func TestServingWithTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, 7)
	config, err := ServerTLS(cert, key, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	l, address, err := Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { NoContent(w) }), slog.Default())
	server.TLSConfig = config
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, server, time.Second) }()
	roots := x509.NewCertPool()
	chain, err := os.ReadFile(cert)
	if err != nil || !roots.AppendCertsFromPEM(chain) {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "localhost"}}}
	answer, err := client.Get("https" + strings.TrimPrefix(address, "http"))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	client.CloseIdleConnections()
	if answer.StatusCode != http.StatusNoContent || answer.ProtoMajor != 2 {
		t.Errorf("%s over %s", answer.Status, answer.Proto)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
