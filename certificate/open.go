// Package certificate opens the .pfx files of companies (PKCS#12, RFC 7292), and the
// keys that the vault keeps of them.
package certificate

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"software.sslmate.com/src/go-pkcs12"

	"folio/fault"
)

// Opened is what a .pfx file held. Chain starts with the certificate of the key.
type Opened struct {
	Key   *rsa.PrivateKey
	Chain []*x509.Certificate
}

// Leaf is the certificate that belongs to the key.
func (o Opened) Leaf() *x509.Certificate { return o.Chain[0] }

// Fingerprint is the SHA-256 of the leaf's DER, in hexadecimal.
func (o Opened) Fingerprint() string {
	sum := sha256.Sum256(o.Leaf().Raw)
	return hex.EncodeToString(sum[:])
}

var separators = strings.NewReplacer("-", "", ".", "")

// TaxIdentifier is the identifier that the leaf's subject names in its serialNumber,
// as in "CUIT 20267565393" (WSAA manual, DN of certificates) or "RUC217111220014" (DGI);
// empty without one.
func (o Opened) TaxIdentifier() string {
	words := strings.Fields(o.Leaf().Subject.SerialNumber)
	if len(words) == 0 {
		return ""
	}
	id := strings.TrimLeftFunc(words[len(words)-1], unicode.IsLetter)
	return separators.Replace(id)
}

// minKeyBits is the shortest RSA key that still protects what it signs: NIST SP 800-131A
// disallows shorter ones since 2014, and WSAA's manual (3.1) asks for 2048.
const minKeyBits = 2048

// Open opens a .pfx or .p12 file with its password, in the old encodings (RC2, 3DES,
// SHA-1) and the new ones (PBES2 with AES, SHA-256). The certificate is the one that
// matches the key, wherever it stands in the file. What is wrong is a fault with the
// path "certificate" or "password"; no message repeats the password. A file with as many
// rounds of key derivation as are allowed takes a second or two of a core.
func Open(pfx []byte, password string) (Opened, error) {
	if len(pfx) > 2 && pfx[0] == 0x30 && pfx[1] == 0x80 {
		return Opened{}, unsupported("BER with indefinite lengths")
	}
	if err := inspect(pfx, password); err != nil {
		return Opened{}, err
	}
	key, first, others, err := decode(pfx, password)
	if missing := pkcs12.NotImplementedError(""); errors.As(err, &missing) &&
		strings.Contains(string(missing), "items in the authenticated safe") {
		if whole, ok := regroup(pfx, password); ok {
			key, first, others, err = decode(whole, password)
		}
	}
	if err != nil {
		return Opened{}, explain(err)
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return Opened{}, wrong("CERTIFICATE_NOT_RSA", "The key of this certificate is not RSA: the authority takes RSA "+
			"keys only.")
	}
	if n := private.N.BitLen(); n < minKeyBits {
		return Opened{}, wrong("PRIVATE_KEY_TOO_SHORT", fmt.Sprintf(
			"The key of this certificate has %d bits: authorities take RSA of 2048 to 4096 bits. Have a new certificate made "+
				"with a longer key.", n))
	}
	all := append([]*x509.Certificate{first}, others...)
	for i, c := range all {
		if c != nil && private.PublicKey.Equal(c.PublicKey) {
			chain := append([]*x509.Certificate{c}, append(all[:i:i], all[i+1:]...)...)
			return Opened{Key: private, Chain: chain}, nil
		}
	}
	return Opened{}, wrong("CERTIFICATE_WITHOUT_KEY", "No certificate in the file belongs to its private key: export "+
		"both together, with the chain if there is one.")
}

// decode guards against panics of the parsers below: the bytes are foreign.
func decode(pfx []byte, password string) (key any, first *x509.Certificate, others []*x509.Certificate, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("pkcs12: malformed file")
		}
	}()
	return pkcs12.DecodeChain(pfx, password)
}

// explain turns the library's error into what the caller can do. Some of its errors
// have no type, and some lose theirs on the way.
func explain(err error) error {
	text := err.Error()
	says := func(part string) bool { return strings.Contains(text, part) }
	var missing pkcs12.NotImplementedError
	switch {
	case errors.Is(err, pkcs12.ErrIncorrectPassword), errors.Is(err, pkcs12.ErrDecryption),
		says(pkcs12.ErrDecryption.Error()):
		return fault.Field("password", "WRONG_PASSWORD", "The password does not open the certificate file.")
	case says("cannot be encoded in UCS-2"):
		return fault.Field("password", "WRONG_PASSWORD", "The password has a character that the password of a .pfx file "+
			"cannot have, such as an emoji.")
	case says("no MAC in data"):
		return unsupported("no integrity check (MAC) beside its password")
	case says("expected exactly one key bag"):
		return wrong("SEVERAL_PRIVATE_KEYS", "The file has several private keys: export the one of the certificate alone.")
	case errors.As(err, &missing):
		return unsupported("a form of PKCS#12 (" + string(missing) + ")")
	case says("certificate missing"):
		return wrong("CERTIFICATE_MISSING", "The file has a private key but no certificate: export both together.")
	case says("private key missing"):
		return wrong("PRIVATE_KEY_MISSING", "The file has a certificate but no private key: export both together.")
	case says("private key"):
		return wrong("PRIVATE_KEY_UNREADABLE", "The private key in the file cannot be read: export certificate and key "+
			"again, as RSA of 2048 bits.")
	}
	return wrong("NOT_A_CERTIFICATE_FILE", "This is not a .pfx or .p12 file (PKCS#12) that can be read: export "+
		"certificate and private key together in that format.")
}

func wrong(code, message string) error { return fault.Field("certificate", code, message) }
