package sii

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
)

// CAF keys are RSA of 512 bits with exponent 3, which crypto/rsa neither makes nor uses
// since Go 1.24. They are worth nothing: this is a sandbox.

// digestInfo is that of SHA-1 (RFC 8017, section 9.2, note 1).
var digestInfo = []byte{0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14}

// padded is EMSA-PKCS1-v1_5 of a message with SHA-1.
func padded(message []byte, size int) []byte {
	digest := sha1.Sum(message)
	tail := append(bytes.Clone(digestInfo), digest[:]...)
	out := bytes.Repeat([]byte{0xff}, size)
	out[0], out[1], out[size-len(tail)-1] = 0, 1, 0
	copy(out[size-len(tail):], tail)
	return out
}

// minKey is the least size, in bytes, that holds a padded SHA-1.
const minKey = 46

// verifies asks whether a signature is of this message under modulus and exponent.
func verifies(n, e *big.Int, message, signature []byte) bool {
	size := (n.BitLen() + 7) / 8
	s := new(big.Int).SetBytes(signature)
	if size < minKey || size > 512 || e.BitLen() > 32 || e.Sign() <= 0 || len(signature) != size || s.Cmp(n) >= 0 {
		return false
	}
	return bytes.Equal(s.Exp(s, e, n).FillBytes(make([]byte, size)), padded(message, size))
}

// smallKey is a private key of 512 bits in the forms that a CAF has.
type smallKey struct {
	n, e            *big.Int
	private, public string // PEM: RSA PRIVATE KEY, PUBLIC KEY
}

func newSmallKey() (smallKey, error) {
	e := big.NewInt(3)
	p, err := smallPrime(e)
	if err != nil {
		return smallKey{}, err
	}
	q, err := smallPrime(e)
	if err != nil {
		return smallKey{}, err
	}
	if p.Cmp(q) == 0 {
		return smallKey{}, errors.New("make CAF key: two equal primes")
	}
	one := big.NewInt(1)
	p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
	n, d := new(big.Int).Mul(p, q), new(big.Int).ModInverse(e, new(big.Int).Mul(p1, q1))
	private, err := asn1.Marshal(struct {
		Version                  int
		N, E, D, P, Q, D1, D2, I *big.Int
	}{0, n, e, d, p, q, new(big.Int).Mod(d, p1), new(big.Int).Mod(d, q1), new(big.Int).ModInverse(q, p)})
	if err != nil {
		return smallKey{}, fmt.Errorf("write CAF key: %w", err)
	}
	bare, err := asn1.Marshal(struct{ N, E *big.Int }{n, e})
	if err != nil {
		return smallKey{}, fmt.Errorf("write CAF key: %w", err)
	}
	public, err := asn1.Marshal(struct {
		Algorithm struct {
			ID   asn1.ObjectIdentifier
			Null asn1.RawValue
		}
		Key asn1.BitString
	}{struct {
		ID   asn1.ObjectIdentifier
		Null asn1.RawValue
	}{asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}, asn1.NullRawValue},
		asn1.BitString{Bytes: bare, BitLength: 8 * len(bare)}})
	if err != nil {
		return smallKey{}, fmt.Errorf("write CAF key: %w", err)
	}
	return smallKey{n, e, armour("RSA PRIVATE KEY", private), armour("PUBLIC KEY", public)}, nil
}

// smallPrime is a prime of 256 bits, its two highest bits set, that suits the exponent.
func smallPrime(e *big.Int) (*big.Int, error) {
	for {
		p, err := rand.Prime(rand.Reader, 256)
		if err != nil {
			return nil, fmt.Errorf("make CAF key: %w", err)
		}
		rest := new(big.Int).Mod(new(big.Int).Sub(p, big.NewInt(1)), e)
		if rest.Sign() != 0 {
			return p, nil
		}
	}
}

func armour(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
