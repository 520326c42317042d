package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesOfTrustAreReadAtTheStart(t *testing.T) {
	good, err := os.ReadFile(filepath.Join("..", "..", "country", "uy", "testdata", "uy_sim_dgi.crt"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := readTrust([]string{write("dgi.pem", good), write("two.pem", append(good, good...))})
	if err != nil || len(got) != 2 || string(got[0]) != string(good) {
		t.Errorf("%d files, %v", len(got), err)
	}
	if got, err := readTrust(nil); err != nil || got != nil {
		t.Errorf("no files: %v, %v", got, err)
	}
	for name, c := range map[string]struct{ path, says string }{
		"a file that is not there": {filepath.Join(t.TempDir(), "none.pem"), "no such file"},
		"a DER file":               {write("dgi.cer", []byte{0x30, 0x82}), "holds no certificate"},
		"a private key": {write("key.pem",
			[]byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")), "PRIVATE KEY does not belong there"},
		"a broken certificate": {write("bad.pem", []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")),
			"block 1"},
	} {
		if _, err := readTrust([]string{c.path}); err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "--trust") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
