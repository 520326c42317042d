package certificate

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"slices"
)

// maxIterations bounds the rounds of key derivation that all parts of a file may ask for
// together: a MAC, the certificates and the key. OpenSSL writes 2,048 for each, Windows
// up to 10,000, careful people 600,000.
const maxIterations = 2_000_000

// maxPrivateKey bounds a private key, encrypted or not: RSA of 8192 bits has 4.7 KB.
// What reading a longer one computes takes minutes to hours.
const maxPrivateKey = 5 << 10

// inspector counts the rounds.
type inspector struct{ rounds int }

func (i *inspector) count(n int) error {
	if n > maxIterations-i.rounds {
		return wrong("TOO_MANY_ITERATIONS", fmt.Sprintf(
			"The file asks for more than %d rounds of key derivation: export it again with fewer (openssl pkcs12 -export "+
				"-iter 100000).", maxIterations))
	}
	i.rounds += max(n, 1)
	return nil
}

// The parts of a PKCS#12 file (RFC 7292) as the decoding library reads them, so that
// nothing that it would follow is missed here.
type (
	pfxFile struct {
		Version  int
		AuthSafe content
		MacData  macData `asn1:"optional"`
	}
	content struct {
		Type  asn1.ObjectIdentifier
		Value asn1.RawValue `asn1:"tag:0,explicit,optional"`
	}
	macData struct {
		Mac struct {
			Algorithm pkix.AlgorithmIdentifier
			Digest    []byte
		}
		Salt       []byte
		Iterations int `asn1:"optional,default:1"`
	}
	encryptedContent struct {
		Version int
		Info    struct {
			Type      asn1.ObjectIdentifier
			Algorithm pkix.AlgorithmIdentifier
			Data      []byte `asn1:"tag:0,optional"`
		}
	}
	bag struct {
		ID         asn1.ObjectIdentifier
		Value      asn1.RawValue   `asn1:"tag:0,explicit"`
		Attributes []asn1.RawValue `asn1:"set,optional"`
	}
	encryptedKey struct {
		Algorithm pkix.AlgorithmIdentifier
		Data      []byte
	}
	// kdfParams are those of PBE (salt, rounds) and of PBKDF2.
	kdfParams struct {
		Salt       asn1.RawValue
		Iterations int
		KeyLength  int                      `asn1:"optional"`
		PRF        pkix.AlgorithmIdentifier `asn1:"optional"`
	}
	// schemeParams are those of PBES2 and of PBMAC1.
	schemeParams struct {
		KDF    pkix.AlgorithmIdentifier
		Scheme pkix.AlgorithmIdentifier
	}
)

// inspect looks at all that opening the file would compute, before anything is: a
// foreign file must not keep a core busy. What cannot be read here cannot be read by
// the decoding library either, which then words the fault.
func inspect(der []byte, password string) error {
	var file pfxFile
	var safes []byte
	if !read(der, &file) || !read(file.AuthSafe.Value.Bytes, &safes) {
		return nil
	}
	var i inspector
	if err := i.mac(file.MacData); err != nil {
		return err
	}
	var contents []content
	if !read(safes, &contents) {
		return nil
	}
	var hidden []encryptedContent
	for _, c := range contents {
		var bags []byte
		var e encryptedContent
		var err error
		switch {
		case c.Type.Equal(oidData) && read(c.Value.Bytes, &bags):
			err = i.bags(bags)
		case c.Type.Equal(oidEncryptedData) && read(c.Value.Bytes, &e):
			err = i.encryption(e.Info.Algorithm)
			hidden = append(hidden, e)
		}
		if err != nil {
			return err
		}
	}
	return i.inside(hidden, password)
}

// inside decrypts the parts that may hide a key with a count of its own; all counts
// that can be seen without that have been added up before.
func (i *inspector) inside(hidden []encryptedContent, password string) error {
	for _, e := range hidden {
		for _, p := range encodings(password) {
			plain, ok := decrypt(e.Info.Algorithm, e.Info.Data, p)
			if !ok {
				continue
			}
			if err := i.bags(plain); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *inspector) bags(der []byte) error {
	var bags []bag
	if !read(der, &bags) {
		return nil
	}
	for _, b := range bags {
		if oneOf(b.ID, oidKeyBag, oidShroudedKeyBag) && len(b.Value.Bytes) > maxPrivateKey {
			return wrong("PRIVATE_KEY_TOO_LONG", "The private key has more than 8192 bits: authorities take RSA of 2048 to "+
				"4096 bits.")
		}
		var key encryptedKey
		if b.ID.Equal(oidShroudedKeyBag) && read(b.Value.Bytes, &key) {
			if err := i.encryption(key.Algorithm); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *inspector) mac(m macData) error {
	algorithm := m.Mac.Algorithm
	switch {
	case len(algorithm.Algorithm) == 0:
		return nil // no MAC: the library takes that with an empty password only
	case algorithm.Algorithm.Equal(oidPBMAC1):
		var scheme schemeParams
		if !read(algorithm.Parameters.FullBytes, &scheme) {
			return nil
		}
		return i.kdf(scheme.KDF, "PBMAC1")
	case !oneOf(algorithm.Algorithm, oidSHA1, oidSHA256, oidSHA512):
		return unsupported("a MAC with " + named(algorithm.Algorithm))
	}
	return i.count(m.Iterations)
}

// encryption bounds the rounds and names what is not supported.
func (i *inspector) encryption(a pkix.AlgorithmIdentifier) error {
	switch {
	case a.Algorithm.Equal(oidPBES2):
		var scheme schemeParams
		if !read(a.Parameters.FullBytes, &scheme) {
			return nil
		}
		if !oneOf(scheme.Scheme.Algorithm, oidAES128, oidAES192, oidAES256) {
			return unsupported("PBES2 with " + named(scheme.Scheme.Algorithm))
		}
		return i.kdf(scheme.KDF, "PBES2")
	case !oneOf(a.Algorithm, oidPBE3DES, oidPBERC2128, oidPBERC240):
		return unsupported(named(a.Algorithm))
	}
	var kdf kdfParams
	if !read(a.Parameters.FullBytes, &kdf) {
		return nil
	}
	return i.count(kdf.Iterations)
}

func (i *inspector) kdf(a pkix.AlgorithmIdentifier, where string) error {
	if !a.Algorithm.Equal(oidPBKDF2) {
		return unsupported(where + " with " + named(a.Algorithm))
	}
	var kdf kdfParams
	switch {
	case !read(a.Parameters.FullBytes, &kdf):
		return nil
	case len(kdf.PRF.Algorithm) > 0 && hashOf(kdf.PRF.Algorithm) == nil:
		return unsupported(where + " with " + named(kdf.PRF.Algorithm))
	}
	return i.count(kdf.Iterations)
}

// read takes DER that is one value and nothing else.
func read(der []byte, into any) bool {
	rest, err := asn1.Unmarshal(der, into)
	return err == nil && len(rest) == 0
}

func oneOf(id asn1.ObjectIdentifier, list ...asn1.ObjectIdentifier) bool {
	return slices.ContainsFunc(list, func(x asn1.ObjectIdentifier) bool { return id.Equal(x) })
}

func unsupported(what string) error {
	return wrong("CERTIFICATE_UNSUPPORTED", "The file uses "+what+
		", which is not supported: export it again, for instance with 'openssl pkcs12 -export'.")
}
