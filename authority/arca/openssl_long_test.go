//go:build long

package arca

import (
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestOpenSSLVerifiesTheSignedTicketRequest(t *testing.T) {
	tra, err := TicketRequest("wsfe", time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	der, err := SignCMS(tra, signer())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cms, cert := filepath.Join(dir, "tra.cms"), filepath.Join(dir, "cert.pem")
	if err := os.WriteFile(cms, der, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signer().Certificate.Raw}),
		0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "openssl", "cms", "-verify", "-inform", "DER", "-in", cms, "-CAfile",
		cert, "-purpose", "any", "-no_check_time").Output()
	if err != nil || string(out) != string(tra) {
		t.Errorf("%v: %s", err, out)
	}
}
