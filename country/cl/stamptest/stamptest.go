// Package stamptest verifies electronic stamps as somebody does who has nothing but their
// bytes: it shares no code with what makes them.
package stamptest

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"regexp"
)

var (
	document  = regexp.MustCompile(`(?s)<DD>.*</DD>`)
	signature = regexp.MustCompile(`(?s)<FRMT[^>]*>(.*)</FRMT>`)
	modulus   = regexp.MustCompile(`(?s)<M>(.*?)</M>`)
	exponent  = regexp.MustCompile(`(?s)<E>(.*?)</E>`)
)

// Verify says what FRMT of a stamp (ISO-8859-1, without white between tags) is good for: nil
// when it was made with the key of the CAF inside.
func Verify(stamp []byte) error {
	var values [3][]byte
	for i, part := range []*regexp.Regexp{signature, modulus, exponent} {
		found := part.FindSubmatch(stamp)
		if found == nil {
			return fmt.Errorf("the stamp has no %s", part)
		}
		value, err := base64.StdEncoding.DecodeString(string(found[1]))
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
		values[i] = value
	}
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(values[1]), E: int(new(big.Int).SetBytes(values[2]).Int64())}
	sum := sha1.Sum(document.Find(stamp))
	// CAF keys have 512 bits, which crypto/rsa refuses: the signature is opened by hand.
	opened := new(big.Int).Exp(new(big.Int).SetBytes(values[0]), big.NewInt(int64(key.E)), key.N).
		FillBytes(make([]byte, key.Size()))
	if string(opened) != string(padded(sum[:], key.Size())) {
		return errors.New("FRMT does not verify under the key of its CAF")
	}
	return nil
}

// padded is a SHA-1 sum as PKCS #1 v1.5 has it signed.
func padded(sum []byte, size int) []byte {
	prefix := []byte{0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14}
	out := make([]byte, size)
	for i := range out {
		out[i] = 0xff
	}
	out[0], out[1], out[size-crypto.SHA1.Size()-len(prefix)-1] = 0, 1, 0
	copy(out[size-crypto.SHA1.Size()-len(prefix):], prefix)
	copy(out[size-crypto.SHA1.Size():], sum)
	return out
}
