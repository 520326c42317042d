package certificate

import (
	"encoding/asn1"
	"os"
	"testing"
)

// What inspect cannot decrypt it cannot bound: every encryption that the library takes
// must be one that it takes too.
func TestInspectSeesIntoEveryEncryptedPart(t *testing.T) {
	for name, password := range map[string]string{
		"old-rc2-3des": "secreto", "old-rc2-128": "secreto", "old-3des": "secreto", "new-aes256-sha256": "secreto",
		"new-aes128-sha512": "secreto", "new-aes192-sha1": "secreto", "utf8-password": "contraseña Ñ €",
		"empty-password": "", "null-password-3des": "", "null-password-aes": "",
	} {
		der, err := os.ReadFile("testdata/" + name + ".pfx")
		if err != nil {
			t.Fatal(err)
		}
		var file pfxFile
		var safes []byte
		var contents []content
		if !read(der, &file) || !read(file.AuthSafe.Value.Bytes, &safes) || !read(safes, &contents) {
			t.Fatalf("%s cannot be read", name)
		}
		seen := false
		for _, c := range contents {
			var e encryptedContent
			if !c.Type.Equal(oidEncryptedData) || !read(c.Value.Bytes, &e) {
				continue
			}
			for _, p := range encodings(password) {
				var bags []bag
				plain, ok := decrypt(e.Info.Algorithm, e.Info.Data, p)
				seen = seen || ok && read(plain, &bags) && len(bags) > 0
			}
		}
		if !seen {
			t.Errorf("%s: the encrypted part was not read", name)
		}
	}
}

// A key without the numbers that shorten its use makes whoever reads it compute them, which
// takes minutes for one of 30 KB.
func TestAKeyOfAbsurdLengthIsRefusedBeforeItIsRead(t *testing.T) {
	marshal := func(v any) []byte {
		der, err := asn1.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	explicit := func(inside []byte) asn1.RawValue {
		return asn1.RawValue{Class: asn1.ClassContextSpecific, IsCompound: true, Bytes: inside}
	}
	for _, id := range []asn1.ObjectIdentifier{oidKeyBag, oidShroudedKeyBag} {
		for size, refused := range map[int]bool{4_700: false, 30_000: true} {
			key := marshal(struct {
				Version int
				Data    []byte
			}{0, make([]byte, size)})
			bags := marshal([]struct {
				ID    asn1.ObjectIdentifier
				Value asn1.RawValue
			}{{id, explicit(key)}})
			type plain struct {
				Type  asn1.ObjectIdentifier
				Value asn1.RawValue
			}
			safes := marshal([]plain{{oidData, explicit(marshal(bags))}})
			file := marshal(struct {
				Version  int
				AuthSafe plain
			}{3, plain{oidData, explicit(marshal(safes))}})
			if err := inspect(file, ""); (err != nil) != refused {
				t.Errorf("bag %s, %d bytes: %v", id, size, err)
			}
		}
	}
}
