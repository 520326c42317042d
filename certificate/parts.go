package certificate

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // of the copy's MAC, which proves nothing
	"crypto/x509/pkix"
	"encoding/asn1"
)

// maxContents is how many parts a file may be divided into. RFC 7292 sets no bound; key,
// certificate, chain and revocation lists in parts of their own are four.
const maxContents = 16

// regroup is a copy of a file that is divided into more parts than the decoding library
// reads, with all that is in them in one. The library has verified the file's MAC under
// the password before it counts the parts; the copy never leaves this process. False says
// that a part cannot be read.
func regroup(pfx []byte, password string) ([]byte, bool) {
	var file pfxFile
	var safes []byte
	var contents []content
	if !read(pfx, &file) || !read(file.AuthSafe.Value.Bytes, &safes) || !read(safes, &contents) ||
		len(contents) > maxContents {
		return nil, false
	}
	for _, p := range encodings(password) {
		if bags, ok := bagsOf(contents, p); ok {
			part, err := dataOf(bags)
			if err != nil {
				return nil, false
			}
			return sealedOf([]content{part}, p, len(file.MacData.Mac.Algorithm.Algorithm) > 0)
		}
	}
	return nil, false
}

// bagsOf are the bags of all parts, as they are written; keys stay encrypted.
func bagsOf(contents []content, password []byte) ([]asn1.RawValue, bool) {
	var all []asn1.RawValue
	for _, c := range contents {
		var plain []byte
		var e encryptedContent
		var bags []asn1.RawValue
		ok := false
		switch {
		case c.Type.Equal(oidData):
			ok = read(c.Value.Bytes, &plain)
		case c.Type.Equal(oidEncryptedData) && read(c.Value.Bytes, &e):
			plain, ok = decrypt(e.Info.Algorithm, e.Info.Data, password)
		}
		if !ok || !read(plain, &bags) {
			return nil, false
		}
		all = append(all, bags...)
	}
	return all, true
}

// dataOf is a part that is not encrypted.
func dataOf(bags []asn1.RawValue) (content, error) {
	inner, err := asn1.Marshal(bags)
	if err != nil {
		return content{}, err
	}
	return wrapped(inner)
}

// wrapped is content of the type data.
func wrapped(inner []byte) (content, error) {
	octets, err := asn1.Marshal(inner)
	return content{Type: oidData, Value: asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true,
		Bytes: octets}}, err
}

// sealedOf is a file of these parts, with a MAC of one round (RFC 7292 appendix B.2) when
// there is a password to verify.
func sealedOf(contents []content, password []byte, sealed bool) ([]byte, bool) {
	safes, err := asn1.Marshal(contents)
	if err != nil {
		return nil, false
	}
	whole, err := wrapped(safes)
	if err != nil {
		return nil, false
	}
	var out []byte
	if !sealed {
		out, err = asn1.Marshal(struct {
			Version  int
			AuthSafe content
		}{3, whole})
		return out, err == nil
	}
	file := pfxFile{Version: 3, AuthSafe: whole}
	file.MacData.Salt, file.MacData.Iterations = []byte("regroup."), 1
	file.MacData.Mac.Algorithm = pkix.AlgorithmIdentifier{Algorithm: oidSHA1, Parameters: asn1.NullRawValue}
	mac := hmac.New(sha1.New, derive(file.MacData.Salt, password, 1, 3, sha1.Size))
	mac.Write(safes)
	file.MacData.Mac.Digest = mac.Sum(nil)
	out, err = asn1.Marshal(file)
	return out, err == nil
}
