package certificate

import (
	"encoding/asn1"
	"errors"
	"os"
	"testing"

	"folio/fault"
)

// divided is a file of testdata with each of its bags in a part of its own, and so many
// empty parts behind.
func divided(t *testing.T, name, password string, empty int) []byte {
	t.Helper()
	pfx, err := os.ReadFile("testdata/" + name + ".pfx")
	if err != nil {
		t.Fatal(err)
	}
	var file pfxFile
	var safes []byte
	var contents []content
	if !read(pfx, &file) || !read(file.AuthSafe.Value.Bytes, &safes) || !read(safes, &contents) {
		t.Fatal("the file cannot be taken apart")
	}
	p := encodings(password)[0]
	bags, ok := bagsOf(contents, p)
	if !ok {
		t.Fatal("its parts cannot be read")
	}
	var parts []content
	for _, b := range append(bags, make([]asn1.RawValue, empty)...) {
		var list []asn1.RawValue
		if b.FullBytes != nil {
			list = append(list, b)
		}
		part, err := dataOf(list)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	if len(contents) == 2 && contents[0].Type.Equal(oidEncryptedData) { // one part stays encrypted
		parts = append(parts[len(bags)-1:], contents[0])
	}
	out, ok := sealedOf(parts, p, true)
	if !ok {
		t.Fatal("it cannot be put together")
	}
	return out
}

func TestAFileInThreePartsOpens(t *testing.T) {
	for _, name := range []string{"new-aes256-sha256", "old-rc2-3des"} {
		file := divided(t, name, "secreto", 1)
		if _, _, _, err := decode(file, "secreto"); err == nil {
			t.Fatalf("%s: the library takes it as it is", name)
		}
		opened, err := Open(file, "secreto")
		if err != nil || !opened.Key.PublicKey.Equal(opened.Leaf().PublicKey) {
			t.Errorf("%s: %v", name, err)
		}
		var wrongPassword *fault.Error
		if _, err := Open(file, "otro"); !errors.As(err, &wrongPassword) ||
			wrongPassword.Violations[0].Code != "WRONG_PASSWORD" {
			t.Errorf("%s: with another password %v", name, err)
		}
	}
	if _, err := Open(divided(t, "new-aes256-sha256", "secreto", maxContents), "secreto"); err == nil {
		t.Error("a file of more parts than are allowed opens")
	}
}
