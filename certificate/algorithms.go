package certificate

import (
	"crypto/sha1" //nolint:gosec // what old files are made with
	"crypto/sha256"
	"crypto/sha512"
	"encoding/asn1"
	"hash"

	"folio/fault"
)

// Object identifiers of RFC 7292, RFC 8018 and NIST.
var (
	oidData           = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncryptedData  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidKeyBag         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 1}
	oidShroudedKeyBag = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 2}

	oidPBE3DES   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 3}
	oidPBERC2128 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 5}
	oidPBERC240  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 6}
	oidPBKDF2    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidPBES2     = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	oidPBMAC1    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 14}

	oidAES128 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 2}
	oidAES192 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 22}
	oidAES256 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}

	oidSHA1       = asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}
	oidSHA256     = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidSHA512     = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}
	oidHMACSHA1   = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 7}
	oidHMACSHA256 = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 9}
	oidHMACSHA512 = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 11}
)

// names are the algorithms that are met in the field and not supported.
var names = map[string]string{
	"1.2.840.113549.1.5.3":       "PBE with MD5 and DES",
	"1.2.840.113549.1.5.10":      "PBE with SHA-1 and DES",
	"1.2.840.113549.1.5.11":      "PBE with SHA-1 and RC2",
	"1.2.840.113549.1.12.1.1":    "PBE with SHA-1 and 128-bit RC4",
	"1.2.840.113549.1.12.1.2":    "PBE with SHA-1 and 40-bit RC4",
	"1.2.840.113549.1.12.1.4":    "PBE with SHA-1 and two-key 3DES",
	"1.2.840.113549.3.2":         "RC2",
	"1.2.840.113549.3.7":         "3DES",
	"1.3.14.3.2.7":               "DES",
	"1.2.392.200011.61.1.1.1.2":  "Camellia-128",
	"1.2.392.200011.61.1.1.1.3":  "Camellia-192",
	"1.2.392.200011.61.1.1.1.4":  "Camellia-256",
	"2.16.840.1.101.3.4.1.6":     "AES-128-GCM",
	"2.16.840.1.101.3.4.1.46":    "AES-256-GCM",
	"1.3.6.1.4.1.11591.4.11":     "scrypt",
	"1.2.840.113549.2.5":         "MD5",
	"2.16.840.1.101.3.4.2.2":     "SHA-384",
	"2.16.840.1.101.3.4.2.4":     "SHA-224",
	"1.2.840.113549.2.10":        "HMAC-SHA-384",
	"1.2.840.113549.2.8":         "HMAC-SHA-224",
	"1.2.643.7.1.1.5.2.2":        "GOST 34.12-2015",
	"1.2.840.113549.1.9.16.3.18": "ChaCha20-Poly1305",
}

// named is an algorithm in words, or by its number.
func named(id asn1.ObjectIdentifier) string {
	if name, ok := names[id.String()]; ok {
		return name + " (" + id.String() + ")"
	}
	if len(id) == 0 {
		return fault.Words("an algorithm that it does not name")
	}
	return fault.Words("the algorithm %s", id.String())
}

// hashOf is the hash of an HMAC; nil for one that is not supported.
func hashOf(prf asn1.ObjectIdentifier) func() hash.Hash {
	switch {
	case len(prf) == 0, prf.Equal(oidHMACSHA1): // the default of RFC 8018
		return sha1.New
	case prf.Equal(oidHMACSHA256):
		return sha256.New
	case prf.Equal(oidHMACSHA512):
		return sha512.New
	}
	return nil
}
