package certificate_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"sync"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

// made is an invented key with its certificate and the two above it.
type made struct {
	key            *rsa.PrivateKey
	leaf, ca, root *x509.Certificate
}

var material = func() func(t testing.TB) made {
	once := sync.OnceValue(func() made {
		issue := func(serial int64, name pkix.Name, public *rsa.PublicKey, parent *x509.Certificate,
			signer *rsa.PrivateKey) *x509.Certificate {
			template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: name,
				NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)}
			if parent == nil {
				parent = template
			}
			der, err := x509.CreateCertificate(rand.Reader, template, parent, public, signer)
			must(err)
			c, err := x509.ParseCertificate(der)
			must(err)
			return c
		}
		draw := func() *rsa.PrivateKey {
			k, err := rsa.GenerateKey(rand.Reader, 2048)
			must(err)
			return k
		}
		top, middle, own := draw(), draw(), draw()
		m := made{key: own}
		m.root = issue(1, pkix.Name{CommonName: "Raíz inventada"}, &top.PublicKey, nil, top)
		m.ca = issue(2, pkix.Name{CommonName: "Computadores inventada"}, &middle.PublicKey, m.root, top)
		m.leaf = issue(3, pkix.Name{CommonName: "folio", SerialNumber: "CUIT 30-50001091-2"}, &own.PublicKey, m.ca, middle)
		return m
	})
	return func(t testing.TB) made { t.Helper(); return once() }
}()

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func encode(t testing.TB, e *pkcs12.Encoder, m made, first *x509.Certificate, others ...*x509.Certificate) []byte {
	t.Helper()
	return encodeWith(t, e, m, "secreto", first, others...)
}

func encodeWith(t testing.TB, e *pkcs12.Encoder, m made, password string, first *x509.Certificate,
	others ...*x509.Certificate) []byte {
	t.Helper()
	der, err := e.Encode(m.key, first, others, password)
	must(err)
	return der
}

// foreign is a file whose certificates belong to other keys.
func foreign(t testing.TB) []byte {
	t.Helper()
	m := material(t)
	return encode(t, pkcs12.Modern, m, m.ca, m.root)
}

type (
	algorithm = pkix.AlgorithmIdentifier
	part      struct {
		Type  asn1.ObjectIdentifier
		Value any `asn1:"tag:0,explicit"`
	}
	kdf struct {
		Salt  []byte
		Count int
		Size  int
		PRF   algorithm
	}
)

var (
	oidData      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncrypted = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidKeyBag    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 2}
	oidCertBag   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 3}
	oidX509      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 22, 1}
	oidPBES2     = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	oidPBKDF2    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidPBMAC1    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 14}
	oidSHA256    = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 9}
	oidAES256    = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}
)

// oneSafe is a file with key and certificate in one safe, which no encoder at hand
// makes. A count of rounds that would take too long is only written, not used.
func (m made) oneSafe(t testing.TB, password string, encrypted bool, rounds int) []byte {
	t.Helper()
	pkcs8, err := x509.MarshalPKCS8PrivateKey(m.key)
	must(err)
	keyAlgorithm, keyData := seal(password, pkcs8, rounds)
	bags := der([]part{
		{oidCertBag, part{oidX509, m.leaf.Raw}},
		{oidKeyBag, struct {
			A algorithm
			D []byte
		}{keyAlgorithm, keyData}},
	})
	safe := part{oidData, bags}
	if encrypted {
		safe = encryptedPart(password, bags, 2048)
	}
	return file(password, safe)
}

// manySafes is a file with as many encrypted parts, of which no key comes.
func (m made) manySafes(t testing.TB, password string, rounds, n int) []byte {
	t.Helper()
	safe := encryptedPart(password, der([]part{}), rounds)
	var all []part
	for range n {
		all = append(all, safe)
	}
	return file(password, all...)
}

func encryptedPart(password string, bags []byte, rounds int) part {
	type info struct {
		Type asn1.ObjectIdentifier
		A    algorithm
		D    []byte `asn1:"tag:0"`
	}
	a, data := seal(password, bags, rounds)
	return part{oidEncrypted, struct {
		Version int
		Info    info
	}{0, info{oidData, a, data}}}
}

// file is a PFX with a MAC of RFC 9579 around the parts.
func file(password string, all ...part) []byte {
	type digest struct {
		A algorithm
		D []byte
	}
	type macData struct {
		Mac  digest
		Salt []byte
		N    int
	}
	safes := der(all)
	params := kdf{[]byte("saltsalt"), 2048, 32, algorithm{Algorithm: oidSHA256}}
	mac := hmac.New(sha256.New, params.key(password))
	mac.Write(safes)
	return der(struct {
		Version int
		Safe    part
		Mac     macData
	}{3, part{oidData, safes}, macData{digest{
		scheme(oidPBMAC1, params, algorithm{Algorithm: oidSHA256}), mac.Sum(nil)}, []byte("unused"), 1}})
}

func (k kdf) key(password string) []byte {
	out, err := pbkdf2.Key(sha256.New, password, k.Salt, k.Count, k.Size)
	must(err)
	return out
}

// seal encrypts under PBES2 with AES-256.
func seal(password string, plain []byte, rounds int) (algorithm, []byte) {
	params := kdf{[]byte("12345678"), min(rounds, 2048), 32, algorithm{Algorithm: oidSHA256}}
	block, err := aes.NewCipher(params.key(password))
	must(err)
	iv := make([]byte, aes.BlockSize)
	n := aes.BlockSize - len(plain)%aes.BlockSize
	data := append([]byte{}, plain...)
	for range n {
		data = append(data, byte(n))
	}
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(data, data)
	params.Count = rounds
	return scheme(oidPBES2, params, algorithm{Algorithm: oidAES256, Parameters: asn1.RawValue{FullBytes: der(iv)}}), data
}

func scheme(id asn1.ObjectIdentifier, params kdf, then algorithm) algorithm {
	return algorithm{Algorithm: id, Parameters: asn1.RawValue{FullBytes: der([]algorithm{
		{Algorithm: oidPBKDF2, Parameters: asn1.RawValue{FullBytes: der(params)}}, then})}}
}

func der(v any) []byte {
	b, err := asn1.Marshal(v)
	must(err)
	return b
}
