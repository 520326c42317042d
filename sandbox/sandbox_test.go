package sandbox_test

import (
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
	dgisandbox "folio/sandbox/dgi"
	siisandbox "folio/sandbox/sii"

	"software.sslmate.com/src/go-pkcs12"
)

var now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

func TestOneAuthorityPerFolderEvenWhenOpenedAtOnce(t *testing.T) {
	dir := t.TempDir()
	serials := make([]string, 4)
	var all sync.WaitGroup
	for i := range serials {
		all.Go(func() {
			ca, err := sandbox.OpenCA(dir, clock)
			if err != nil {
				t.Error(err)
				return
			}
			serials[i] = ca.Certificate().SerialNumber.String()
		})
	}
	all.Wait()
	for _, s := range serials {
		if s == "" || s != serials[0] {
			t.Fatalf("different authorities: %v", serials)
		}
	}
	info, err := os.Stat(filepath.Join(dir, sandbox.File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestIssuedFileOpensWithItsPasswordAndIsTrusted(t *testing.T) {
	ca := open(t)
	pfx, err := ca.IssueCertificate(sandbox.Certificate{Holder: arcasandbox.Holder, TaxIdentifier: "30-50001091-2",
		Alias: "acme", Password: "séc", Days: 10})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := pkcs12.DecodeChain(pfx, "other"); err == nil {
		t.Error("opened with a wrong password")
	}
	_, cert, chain, err := pkcs12.DecodeChain(pfx, "séc")
	if err != nil {
		t.Fatal(err)
	}
	if got := cert.Subject.SerialNumber; got != "CUIT 30500010912" {
		t.Errorf("serial number %q", got)
	}
	if got := cert.NotAfter.Sub(now); got != 240*time.Hour {
		t.Errorf("expires in %v", got)
	}
	if len(chain) != 1 {
		t.Errorf("chain of %d", len(chain))
	}
	if _, err := cert.Verify(x509.VerifyOptions{Roots: ca.Pool(), CurrentTime: now,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err != nil {
		t.Error(err)
	}
}

func TestZeroOrNegativeDaysMakeAnExpiredCertificate(t *testing.T) {
	ca := open(t)
	for _, days := range []int{0, -3} {
		_, cert, err := ca.Issue(sandbox.Certificate{Holder: arcasandbox.Holder, TaxIdentifier: "30500010912", Days: days})
		if err != nil {
			t.Fatal(err)
		}
		if !cert.NotAfter.Before(now) || !cert.NotBefore.Before(cert.NotAfter) {
			t.Errorf("%d days: %v to %v", days, cert.NotBefore, cert.NotAfter)
		}
	}
}

func TestWhatIsNoTaxpayerGetsNoCertificate(t *testing.T) {
	ca := open(t)
	for _, id := range []string{"", "30500010913", "3050001091", "x", "20-34267943-0", "-3050001091"} {
		if _, err := ca.IssueCertificate(sandbox.Certificate{Holder: arcasandbox.Holder, TaxIdentifier: id,
			Days: 1}); err == nil {
			t.Errorf("%q got one", id)
		}
	}
}

func TestDamagedAuthorityIsAnErrorNotANewAuthority(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, sandbox.File), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.OpenCA(dir, clock); err == nil {
		t.Error("opened")
	}
}

func TestCheckDigits(t *testing.T) {
	for n, want := range map[int64]bool{
		20111111112: true, 30000000007: true, 33693450239: true, 23000000000: true, 23342679439: true,
		20342679430: false, 30500010911: false, 0: false, 305000109120: false, -30500010912: false,
	} {
		if sandbox.ValidCUIT(n) != want {
			t.Errorf("%d: want %v", n, want)
		}
	}
}

func TestUruguayanIdentifiers(t *testing.T) {
	for text, want := range map[string]string{
		"214844360018": "214844360018", "21.999983.0019": "219999830019", " 217111220014": "217111220014",
		"214844360019": "", "21484436001": "", "21484436001x": "", "": "",
	} {
		if got, err := sandbox.ParseRUC(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	_, cert, err := open(t).Issue(sandbox.Certificate{Holder: dgisandbox.Holder, TaxIdentifier: "214844360018", Days: 1})
	if err != nil || cert.Subject.SerialNumber != "RUC214844360018" {
		t.Errorf("%v, %v", cert, err)
	}
}

// The program's one way in: keys of numbering files, certificates, and a handler for all.
func TestOneSandboxOfAllAuthorities(t *testing.T) {
	dir := t.TempDir()
	box, err := sandbox.Open(dir, clock, arcasandbox.Authority, siisandbox.Authority, dgisandbox.Authority)
	if err != nil {
		t.Fatal(err)
	}
	for country, id := range map[string]string{"ar": "30500010912", "CL": "76192083-9", "uy": "214844360018"} {
		if _, err := box.IssueCertificate(country, sandbox.Certificate{TaxIdentifier: id, Days: 1}); err != nil {
			t.Errorf("%s: %v", country, err)
		}
	}
	if _, err := box.IssueCertificate("xx", sandbox.Certificate{TaxIdentifier: "1"}); err == nil ||
		!strings.Contains(err.Error(), "ar, cl, uy") {
		t.Errorf("a country that no authority has: %v", err)
	}
	keys, err := box.Trust()
	again, _ := sandbox.Open(dir, clock, siisandbox.Authority, dgisandbox.Authority)
	if same, _ := again.Trust(); err != nil || len(keys) != 2 || fmt.Sprint(same) != fmt.Sprint(keys) {
		t.Errorf("%d keys, %v; the folder opened again has %d", len(keys), err, len(same))
	}
	handler, err := box.Handler(t.Context(), sandbox.Options{Logger: slog.New(slog.DiscardHandler), Profile: "friendly"})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	page := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/admin/dgi/", nil)
	page.RemoteAddr = "127.0.0.1:1"
	shown := httptest.NewRecorder()
	handler.ServeHTTP(shown, page)
	if !strings.Contains(shown.Body.String(),
		`<a href="/">ARCA</a> · <a href="/admin/sii/">SII</a> · <a href="/admin/dgi/">DGI</a>`) {
		t.Errorf("a page does not lead to the others: %s", shown.Body)
	}
	for path, want := range map[string]int{
		"/": 200, "/admin/arca/knobs": 200, "/admin/sii/": 200, "/admin/dgi/calls": 200, "/uy/testing/ws_efactura?wsdl": 200,
		"/testing/wsfev1/service.asmx": 200, "/cl/testing/nothing": 404, "/uy/elsewhere/ws_efactura": 404, "/nothing": 404,
	} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

func open(t *testing.T) *sandbox.CA {
	t.Helper()
	ca, err := sandbox.OpenCA(t.TempDir(), clock)
	if err != nil {
		t.Fatal(err)
	}
	return ca
}
