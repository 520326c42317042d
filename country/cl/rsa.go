package cl

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
)

// The keys of SII's numbering files are RSA of 512 bits. crypto/rsa refuses to sign
// and verify with those since Go 1.24, rightly: they can be factored by anybody with
// time. They must be used here all the same, so PKCS#1 v1.5 with SHA-1 (RFC 8017,
// section 8.2) is spelled out for them. What they sign is a plausibility check, not a
// security feature: the document as a whole has the company's 2048-bit signature.

// sha1Prefix is the DigestInfo of SHA-1 (RFC 8017, section 9.2, note 1).
var sha1Prefix = []byte{0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14}

const (
	minKeyBytes = 11 + 15 + sha1.Size // PKCS#1 v1.5 needs 11 bytes besides the digest
	maxKeyBytes = 512                 // larger ones only cost time
)

// PublicKey verifies FRMA or FRMT.
type PublicKey struct{ N, E *big.Int }

// usable says that the key can be what it claims to be.
func (k PublicKey) usable() bool {
	return k.N != nil && k.E != nil && k.N.Sign() > 0 && k.N.Bit(0) == 1 && k.size() >= minKeyBytes &&
		k.size() <= maxKeyBytes &&
		k.E.Cmp(big.NewInt(3)) >= 0 && k.E.BitLen() <= 32 && k.E.Bit(0) == 1
}

func (k PublicKey) size() int { return (k.N.BitLen() + 7) / 8 }

// Equal compares modulus and exponent.
func (k PublicKey) Equal(other PublicKey) bool {
	return k.N.Cmp(other.N) == 0 && k.E.Cmp(other.E) == 0
}

// Verify says whether the signature (raw bytes) is of this message: RSA PKCS#1 v1.5
// with SHA-1.
func (k PublicKey) Verify(message, signature []byte) bool {
	if !k.usable() || len(signature) != k.size() {
		return false
	}
	s := new(big.Int).SetBytes(signature)
	if s.Cmp(k.N) >= 0 {
		return false
	}
	return bytes.Equal(s.Exp(s, k.E, k.N).FillBytes(make([]byte, k.size())), encoded(message, k.size()))
}

// encoded is EMSA-PKCS1-v1_5: 00 01 FF…FF 00 DigestInfo digest.
func encoded(message []byte, size int) []byte {
	digest := sha1.Sum(message)
	tail := append(bytes.Clone(sha1Prefix), digest[:]...)
	em := bytes.Repeat([]byte{0xff}, size)
	em[0], em[1], em[size-len(tail)-1] = 0, 1, 0
	copy(em[size-len(tail):], tail)
	return em
}

// PrivateKey signs stamps. It is secret: it has no text form.
type PrivateKey struct {
	PublicKey
	d *big.Int
}

// String keeps the key out of logs.
func (PrivateKey) String() string { return "cl.PrivateKey(secret)" }

// GoString does too.
func (k PrivateKey) GoString() string { return k.String() }

// Sign is RSA PKCS#1 v1.5 with SHA-1 over the message; the same message gives the
// same bytes. It panics on the zero value.
func (k PrivateKey) Sign(message []byte) []byte {
	m := new(big.Int).SetBytes(encoded(message, k.size()))
	return m.Exp(m, k.d, k.N).FillBytes(make([]byte, k.size()))
}

var errNoKey = errors.New("there is no RSA key in PEM")

// parsePrivateKey reads "RSA PRIVATE KEY" (PKCS#1) or "PRIVATE KEY" (PKCS#8).
func parsePrivateKey(text []byte) (PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || len(block.Bytes) > 5*maxKeyBytes { // two exponents, modulus, primes
		return PrivateKey{}, errNoKey
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		other, otherErr := x509.ParsePKCS8PrivateKey(block.Bytes)
		rsaKey, ok := other.(*rsa.PrivateKey)
		if otherErr != nil || !ok {
			return PrivateKey{}, err
		}
		key = rsaKey
	}
	out := PrivateKey{PublicKey{key.N, big.NewInt(int64(key.E))}, key.D}
	if !out.usable() || out.d.BitLen() > out.N.BitLen() || !out.Verify([]byte("folio"), out.Sign([]byte("folio"))) {
		return PrivateKey{}, errors.New("the RSA key does not sign")
	}
	return out, nil
}

// parsePublicKeys reads every key of a PEM file: "PUBLIC KEY", "RSA PUBLIC KEY" or
// "CERTIFICATE". Blocks of other kinds, of Uruguay's certificates for instance, and
// keys that are not RSA are passed over.
func parsePublicKeys(file []byte) []PublicKey {
	var keys []PublicKey
	for {
		var block *pem.Block
		block, file = pem.Decode(file)
		if block == nil {
			return keys
		}
		var found any
		switch block.Type {
		case "PUBLIC KEY":
			found, _ = x509.ParsePKIXPublicKey(block.Bytes)
		case "RSA PUBLIC KEY":
			found, _ = x509.ParsePKCS1PublicKey(block.Bytes)
		case "CERTIFICATE":
			if c, err := x509.ParseCertificate(block.Bytes); err == nil {
				found = c.PublicKey
			}
		}
		if key, ok := found.(*rsa.PublicKey); ok {
			keys = append(keys, PublicKey{key.N, big.NewInt(int64(key.E))})
		}
	}
}
