package certificate

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des" //nolint:gosec // what old files are made with
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"unicode/utf16"
)

// encodings are the forms of a password in old files: UTF-16 with two zero bytes
// behind (RFC 7292 appendix B.1), and for the empty one nothing at all (.NET).
func encodings(password string) [][]byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(password)) {
		b = append(b, byte(u>>8), byte(u))
	}
	all := [][]byte{append(b, 0, 0)}
	if password == "" {
		all = append(all, nil)
	}
	return all
}

// decrypt gives what was encrypted under an encoded password. It has the checks of
// the decoding library, so that what it cannot decrypt the library cannot either.
func decrypt(a pkix.AlgorithmIdentifier, data, password []byte) ([]byte, bool) {
	block, iv := cipherOf(a, password)
	if block == nil || len(iv) != block.BlockSize() || len(data) == 0 || len(data)%block.BlockSize() != 0 {
		return nil, false
	}
	plain := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, data)
	n := int(plain[len(plain)-1])
	if n == 0 || n > block.BlockSize() || !bytes.HasSuffix(plain, bytes.Repeat([]byte{byte(n)}, n)) {
		return nil, false
	}
	return plain[:len(plain)-n], true
}

func cipherOf(a pkix.AlgorithmIdentifier, password []byte) (cipher.Block, []byte) {
	if a.Algorithm.Equal(oidPBES2) {
		return pbes2(a, password)
	}
	var p struct {
		Salt       []byte
		Iterations int
	}
	if !read(a.Parameters.FullBytes, &p) {
		return nil, nil
	}
	key := func(n int) []byte { return derive(p.Salt, password, p.Iterations, 1, n) }
	iv := derive(p.Salt, password, p.Iterations, 2, 8)
	switch {
	case a.Algorithm.Equal(oidPBE3DES):
		block, err := des.NewTripleDESCipher(key(24)) //nolint:gosec // likewise
		if err != nil {
			return nil, nil
		}
		return block, iv
	case a.Algorithm.Equal(oidPBERC2128):
		return newRC2(key(16)), iv
	case a.Algorithm.Equal(oidPBERC240):
		return newRC2(key(5)), iv
	}
	return nil, nil
}

// pbes2 is RFC 8018's scheme; passwords are UTF-8 there.
func pbes2(a pkix.AlgorithmIdentifier, password []byte) (cipher.Block, []byte) {
	var scheme schemeParams
	var kdf kdfParams
	if !read(a.Parameters.FullBytes, &scheme) || !read(scheme.KDF.Parameters.FullBytes, &kdf) ||
		kdf.Salt.Tag != asn1.TagOctetString {
		return nil, nil
	}
	size := 32
	switch {
	case scheme.Scheme.Algorithm.Equal(oidAES192):
		size = 24
	case scheme.Scheme.Algorithm.Equal(oidAES128):
		size = 16
	}
	key, err := pbkdf2.Key(hashOf(kdf.PRF.Algorithm), utf8Of(password), kdf.Salt.Bytes, max(kdf.Iterations, 1), size)
	if err != nil {
		return nil, nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil
	}
	return block, scheme.Scheme.Parameters.Bytes
}

func utf8Of(encoded []byte) string {
	var units []uint16
	for i := 0; i+1 < len(encoded)-2; i += 2 { // without the two zero bytes
		units = append(units, uint16(encoded[i])<<8|uint16(encoded[i+1]))
	}
	return string(utf16.Decode(units))
}

// derive is the key derivation of RFC 7292 appendix B.2 with SHA-1; purpose 1 makes
// keys, 2 initialisation vectors.
func derive(salt, password []byte, iterations int, purpose byte, size int) []byte {
	const v = 64 // bytes of a block of SHA-1
	input := append(repeated(salt, v), repeated(password, v)...)
	var out []byte
	for {
		sum := sha1.Sum(append(bytes.Repeat([]byte{purpose}, v), input...)) //nolint:gosec // likewise
		for range iterations - 1 {
			sum = sha1.Sum(sum[:]) //nolint:gosec // likewise
		}
		if out = append(out, sum[:]...); len(out) >= size {
			return out[:size]
		}
		b := new(big.Int).SetBytes(repeated(sum[:], v)[:v])
		b.Add(b, big.NewInt(1))
		for j := 0; j < len(input); j += v {
			block := new(big.Int).SetBytes(input[j : j+v])
			block.Add(block, b).SetBit(block, 8*v, 0) // modulo 2^512
			block.FillBytes(input[j : j+v])
		}
	}
}

// repeated fills whole blocks of v bytes with a pattern; nothing stays nothing.
func repeated(pattern []byte, v int) []byte {
	if len(pattern) == 0 {
		return nil
	}
	size := (len(pattern) + v - 1) / v * v
	return bytes.Repeat(pattern, size/len(pattern)+1)[:size]
}
