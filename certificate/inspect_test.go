package certificate

import (
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
