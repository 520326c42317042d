package certificate_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"

	"folio/certificate"
	"folio/clock/clocktest"
	"folio/fault"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".pfx"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFilesThatOthersMake(t *testing.T) {
	for _, c := range []struct{ file, password string }{
		{"old-rc2-3des", "secreto"},
		{"old-rc2-128", "secreto"},
		{"old-3des", "secreto"},
		{"new-aes256-sha256", "secreto"},
		{"new-aes128-sha512", "secreto"},
		{"new-aes192-sha1", "secreto"},
		{"many-iterations-600000", "secreto"},
		{"utf8-password", "contraseña Ñ €"},
		{"plain-key", "secreto"},
		{"empty-password", ""},
		{"null-password-3des", ""},
		{"null-password-aes", ""},
		{"no-mac-empty-password", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			o, err := certificate.Open(fixture(t, c.file), c.password)
			if err != nil {
				t.Fatal(err)
			}
			if !o.Key.PublicKey.Equal(o.Leaf().PublicKey) {
				t.Error("the leaf is not that of the key")
			}
			if got := o.TaxIdentifier(); got != "30500010912" {
				t.Errorf("tax identifier is %q", got)
			}
			if got := o.Leaf().SerialNumber.Text(16); got != "4f2a" {
				t.Errorf("serial number is %s", got)
			}
			if len(o.Fingerprint()) != 64 {
				t.Errorf("fingerprint is %q", o.Fingerprint())
			}
		})
	}
}

func TestWhatIsRefusedSaysWhatWouldHelp(t *testing.T) {
	for _, c := range []struct {
		name, password   string
		file             []byte
		path, code, says string
	}{
		{"a wrong password", "Secreto", fixture(t, "new-aes256-sha256"), "password", "WRONG_PASSWORD", "does not open"},
		{"a wrong password of an old file", "Secreto", fixture(t, "old-rc2-3des"), "password", "WRONG_PASSWORD",
			"does not open"},
		{"no password where there is one", "", fixture(t, "new-aes256-sha256"), "password", "WRONG_PASSWORD",
			"does not open"},
		{"a password where there is none", "x", fixture(t, "empty-password"), "password", "WRONG_PASSWORD", "does not open"},
		{"a password that the format cannot hold", "emoji 😀", fixture(t, "new-aes256-sha256"), "password", "WRONG_PASSWORD",
			"emoji"},
		{"a key without certificate", "secreto", fixture(t, "key-only"), "certificate", "CERTIFICATE_MISSING",
			"no certificate"},
		{"a certificate without key", "secreto", fixture(t, "certificate-only"), "certificate", "PRIVATE_KEY_MISSING",
			"no private key"},
		{"an elliptic key", "secreto", fixture(t, "elliptic"), "certificate", "CERTIFICATE_NOT_RSA", "RSA keys only"},
		{"a key that is too short", "secreto", short(t), "certificate", "PRIVATE_KEY_TOO_SHORT", "has 1024 bits"},
		{"a password but no MAC", "secreto", fixture(t, "no-mac"), "certificate", "CERTIFICATE_UNSUPPORTED",
			"no integrity check (MAC)"},
		{"RC2 under PBES2", "secreto", fixture(t, "odd-rc2-in-pbes2"), "certificate", "CERTIFICATE_UNSUPPORTED",
			"PBES2 with RC2 (1.2.840.113549.3.2)"},
		{"a key under Camellia", "secreto", fixture(t, "odd-key-camellia"), "certificate", "CERTIFICATE_UNSUPPORTED",
			"PBES2 with Camellia-256"},
		{"a MAC with SHA-384", "secreto", fixture(t, "odd-mac-sha384"), "certificate", "CERTIFICATE_UNSUPPORTED",
			"a MAC with SHA-384"},
		{"BER with indefinite lengths", "secreto", indefinite(fixture(t, "new-aes256-sha256")), "certificate",
			"CERTIFICATE_UNSUPPORTED", "indefinite"},
		{"no bytes", "", nil, "certificate", "NOT_A_CERTIFICATE_FILE", "PKCS#12"},
		{"a PEM file", "", []byte("-----BEGIN CERTIFICATE-----\nMIIB"), "certificate", "NOT_A_CERTIFICATE_FILE", "PKCS#12"},
		{"a picture", "", []byte("\x89PNG\r\n\x1a\n0000"), "certificate", "NOT_A_CERTIFICATE_FILE", "PKCS#12"},
		{"half a file", "secreto", fixture(t, "new-aes256-sha256")[:1200], "certificate", "NOT_A_CERTIFICATE_FILE",
			"PKCS#12"},
		{"bytes behind the file", "secreto", append(fixture(t, "new-aes256-sha256"), 0), "certificate",
			"NOT_A_CERTIFICATE_FILE", "PKCS#12"},
		{"a foreign certificate beside the key", "secreto", foreign(t), "certificate", "CERTIFICATE_WITHOUT_KEY",
			"belongs to its private key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := certificate.Open(c.file, c.password)
			if !violates(err, c.path, c.code) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("err is %v, want %s %s saying %q", err, c.path, c.code, c.says)
			}
			if c.password != "" && len(c.password) > 2 && strings.Contains(err.Error(), c.password) {
				t.Errorf("the error repeats the password: %v", err)
			}
		})
	}
}

// violates says whether err is one violation of that path and code.
func violates(err error, path, code string) bool {
	f := fault.As(err)
	return f != nil && f.Code == fault.Invalid && len(f.Violations) == 1 && f.Violations[0].Path == path &&
		f.Violations[0].Code == code
}

// indefinite rewrites the outermost length, as old Java and Windows programs do.
func indefinite(der []byte) []byte {
	return append(append([]byte{0x30, 0x80}, der[4:]...), 0, 0)
}

func TestTheLeafIsTheCertificateOfTheKeyWhereverItStands(t *testing.T) {
	m := material(t)
	for name, file := range map[string][]byte{
		"leaf alone":                 encode(t, pkcs12.Modern, m, m.leaf),
		"leaf, then its chain":       encode(t, pkcs12.Modern, m, m.leaf, m.ca, m.root),
		"CA first, leaf second":      encode(t, pkcs12.Modern, m, m.ca, m.leaf),
		"four bags, leaf last":       encode(t, pkcs12.LegacyRC2, m, m.root, m.ca, m.leaf),
		"everything in the clear":    encodeWith(t, pkcs12.Passwordless, m, "", m.ca, m.leaf),
		"PBMAC1, as OpenSSL 3.4 can": encode(t, pkcs12.Modern2026, m, m.leaf, m.ca),
	} {
		password := "secreto"
		if name == "everything in the clear" {
			password = ""
		}
		o, err := certificate.Open(file, password)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !o.Leaf().Equal(m.leaf) {
			t.Errorf("%s: the leaf is %s", name, o.Leaf().Subject)
		}
		for _, c := range o.Chain[1:] {
			if c.Equal(m.leaf) {
				t.Errorf("%s: the leaf is in its chain again", name)
			}
		}
	}
}

func TestOneSafeForEverything(t *testing.T) {
	m := material(t)
	for name, encrypted := range map[string]bool{"in the clear": false, "encrypted": true} {
		o, err := certificate.Open(m.oneSafe(t, "secreto", encrypted, 2048), "secreto")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !o.Leaf().Equal(m.leaf) {
			t.Errorf("%s: the leaf is %s", name, o.Leaf().Subject)
		}
	}
	_, err := certificate.Open(m.oneSafe(t, "secreto", true, 2048), "otro")
	if !violates(err, "password", "WRONG_PASSWORD") {
		t.Errorf("with another password: %v", err)
	}
}

func TestTooManyRoundsAreRefusedBeforeAnyIsDone(t *testing.T) {
	m := material(t)
	// 70,000 has as many bytes as 5,000,000, so that the count can be changed in place.
	patched := func(e *pkcs12.Encoder) []byte {
		der := encode(t, e.WithIterations(70_000), m, m.leaf)
		return bytes.ReplaceAll(der, []byte{2, 3, 0x01, 0x11, 0x70}, []byte{2, 3, 0x4c, 0x4b, 0x40})
	}
	only := func(der []byte, n int) []byte { // the n-th count alone
		at := -1
		for ; n >= 0; n-- {
			at += 1 + bytes.Index(der[at+1:], []byte{2, 3, 0x01, 0x11, 0x70})
		}
		return append(append(bytes.Clone(der[:at]), 2, 3, 0x4c, 0x4b, 0x40), der[at+5:]...)
	}
	modern := encode(t, pkcs12.Modern.WithIterations(70_000), m, m.leaf)
	for name, file := range map[string][]byte{
		"modern":                          patched(pkcs12.Modern),
		"PBMAC1":                          patched(pkcs12.Modern2026),
		"legacy":                          patched(pkcs12.LegacyDES),
		"of the certificates only":        only(modern, 0),
		"of the key only":                 only(modern, 1),
		"of the MAC only":                 only(modern, 2),
		"of a key inside the encrypted":   m.oneSafe(t, "secreto", true, 5_000_000),
		"2^62 inside the encrypted":       m.oneSafe(t, "secreto", true, 1<<62),
		"of a key in the clear, one safe": m.oneSafe(t, "secreto", false, 5_000_000),
	} {
		clocktest.Prompt(t, name+": refusing", 2*time.Second, func() {
			_, err := certificate.Open(file, "secreto")
			if !violates(err, "certificate", "TOO_MANY_ITERATIONS") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func TestAFileOfManyEncryptedPartsIsNotOpenedPartByPart(t *testing.T) {
	file := material(t).manySafes(t, "secreto", 300_000, 40)
	_, err := certificate.Open(file, "secreto")
	if !violates(err, "certificate", "TOO_MANY_ITERATIONS") {
		t.Errorf("err is %v", err)
	}
}

func TestManyFilesAtOnce(t *testing.T) {
	file := fixture(t, "new-aes256-sha256")
	errs := make(chan error, 20)
	for range cap(errs) {
		go func() {
			_, err := certificate.Open(file, "secreto")
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	files, err := filepath.Glob("testdata/*.pfx")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if !strings.Contains(name, "600000") {
			f.Add(b, "secreto")
			f.Add(b, "")
		}
	}
	f.Fuzz(func(t *testing.T, pfx []byte, password string) {
		started := time.Now()
		o, err := certificate.Open(pfx, password)
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("it took %v", took)
		}
		switch {
		case err == nil && (o.Key == nil || len(o.Chain) == 0):
			t.Error("neither an error nor a key with its certificate")
		case err != nil && fault.As(err) == nil:
			t.Errorf("not a fault: %v", err)
		}
		if err == nil {
			_, _ = o.TaxIdentifier(), o.Fingerprint()
		}
	})
}

// short is a certificate with an RSA key of 1024 bits.
func short(t *testing.T) []byte {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "folio"},
		NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pfx, err := pkcs12.Modern.Encode(key, leaf, nil, "secreto")
	if err != nil {
		t.Fatal(err)
	}
	return pfx
}
