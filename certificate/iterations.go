package certificate

import (
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// maxIterations bounds the rounds of key derivation that a file may ask for; OpenSSL
// writes 2,048, Windows up to 10,000, careful people 600,000.
const maxIterations = 1_000_000

// maxDepth bounds how deep the search follows nested structures.
const maxDepth = 24

// checkIterations refuses a file whose key derivation would keep a core busy: a salt
// (OCTET STRING) followed by a count (INTEGER), as in the parameters of PKCS#12 PBE,
// of PBKDF2 and in MacData. Counts inside an encrypted part cannot be seen; there the
// gate of Open bounds the harm.
func checkIterations(der []byte) error {
	if excessive(cryptobyte.String(der), maxDepth) {
		return wrong("TOO_MANY_ITERATIONS", "The file asks for more than a million rounds of key derivation: export it again with fewer (-iter 100000).")
	}
	return nil
}

func excessive(s cryptobyte.String, depth int) bool {
	if depth == 0 {
		return false
	}
	afterSalt := false
	for !s.Empty() {
		var element cryptobyte.String
		var tag asn1.Tag
		if !s.ReadAnyASN1(&element, &tag) {
			return false
		}
		switch {
		case tag == asn1.INTEGER && afterSalt && tooMany(element):
			return true
		case tag == asn1.OCTET_STRING, tag&0x20 != 0: // constructed
			if excessive(element, depth-1) {
				return true
			}
		}
		afterSalt = tag == asn1.OCTET_STRING
	}
	return false
}

func tooMany(integer []byte) bool {
	for len(integer) > 0 && integer[0] == 0 {
		integer = integer[1:]
	}
	if len(integer) > 4 {
		return true
	}
	n := 0
	for _, b := range integer {
		n = n<<8 | int(b)
	}
	return n > maxIterations
}
