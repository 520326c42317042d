package cl

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"folio/country"
	"folio/country/xmlsig"
	"folio/fault"
)

// The keys with which SII signs numbering files, by IDK.
const (
	certificationKey = 100 // maullin
	productionKey    = 300 // palena
)

// environments are the systems of SII that take documents under their files.
var environments = map[int]string{certificationKey: "Testing", productionKey: "Production"}

// published are the moduli of SII's certificates 100 and 300 (e = 65537). They are
// data: a new key of SII needs a line here and no code.
var published = map[int]PublicKey{
	certificationKey: siiKey("c8fbf00dcb21a55000a585522c5de528a73e0ce16cc03ab1e5ea7de4b2a28111e352faef8dcb7d51e349abd4b105dcd4f67cf9e13115058c9f0154291b8c7153"),
	productionKey:    siiKey("9deebfc5eebd96df4c7cf53f1bfa15d85d73ef04c6718f8c07b3f785efee75e7b4ef5a3ae079c3265a900e45f602890af6fb4fafa2b8d6938f7f011c3585b335"),
}

func siiKey(modulus string) PublicKey {
	n, ok := new(big.Int).SetString(modulus, 16)
	if !ok {
		panic("bad modulus of SII")
	}
	return PublicKey{n, big.NewInt(65537)}
}

// ParseRange reads a CAF as SII gave it out and verifies its structure, SII's
// signature FRMA and that the private key in it is the one it names. Files in
// ISO-8859-1, with or without a declaration, and ones saved again as UTF-8 are taken.
// A file under IDK 100 or 300 must verify under SII's own key, any other under one of
// the trusted keys. The fault has the path "file" and says which check failed.
func (Rules) ParseRange(file []byte, trust country.Trust) (country.RangeFile, error) {
	if len(file) > maxRangeFile {
		return country.RangeFile{}, rangeFault("CL-RANGE-01",
			fmt.Sprintf("it has %d bytes, at most %d are allowed", len(file), maxRangeFile))
	}
	caf, err := readCAF(xmlsig.Text(file))
	if err != nil {
		return country.RangeFile{}, rangeFault("CL-RANGE-02", "it cannot be read as a CAF of SII: "+err.Error())
	}
	out := country.RangeFile{
		TaxIdentifier: caf.RUT, OfficialCode: caf.Type, From: caf.From, To: caf.To, IssuedOn: caf.IssuedOn,
		Authorization: strconv.Itoa(caf.KeyID), Environment: environments[caf.KeyID],
	}
	switch {
	case caf.verifies(trust):
	case trust.Unsigned && published[caf.KeyID].N == nil && len(trusted(trust)) == 0:
		out.Warnings = append(out.Warnings, fmt.Sprintf("FRMA was not verified: the key %d of its authority is not known",
			caf.KeyID))
	default:
		return country.RangeFile{}, rangeFault("CL-RANGE-03", fmt.Sprintf(
			"FRMA, the authority's signature over it, does not verify under key %d: the file was changed, or its authority "+
				"is not trusted here; upload it as SII gave it out", caf.KeyID))
	}
	return out, nil
}

// verifies asks whether FRMA is of SII's own key, or of a trusted one for the other IDKs.
func (c CAF) verifies(trust country.Trust) bool {
	if key, ok := published[c.KeyID]; ok {
		return key.Verify(c.signed, c.signature)
	}
	return slices.ContainsFunc(trusted(trust), func(k PublicKey) bool { return k.Verify(c.signed, c.signature) })
}

func trusted(trust country.Trust) []PublicKey {
	var keys []PublicKey
	for _, file := range trust.PEM {
		keys = append(keys, parsePublicKeys(file)...)
	}
	return keys
}

func rangeFault(code, message string) error { return fault.Field("file", code, message) }

// LastDay is the last day on which numbers of the range may be used. For the types that
// Res. Ex. SII 58/2017 limits (33, 43, 46, 56, 61) it is the same day of the sixth month
// after the authorisation (FA), or the last day of that month where it has no such day:
// SII refuses what is signed "more than six months" after FA (CAF-3-517, seen in 2026).
// "" for the other types, whose numbers do not expire.
func (Rules) LastDay(r country.RangeFile) string {
	issued, err := time.Parse(time.DateOnly, r.IssuedOn)
	if err != nil || !expires(r.OfficialCode) {
		return ""
	}
	last := issued.AddDate(0, 6, 0)
	if last.Day() != issued.Day() { // the month is shorter
		last = last.AddDate(0, 0, -last.Day())
	}
	return last.Format(time.DateOnly)
}

// NoticeThreshold is the specification's table of notices by quantity.
func (Rules) NoticeThreshold(officialCode int) int64 {
	k, _ := kindOf(officialCode)
	return country.NoticeThreshold(k.DocumentType)
}
