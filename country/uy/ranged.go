package uy

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"

	"github.com/beevik/etree"

	"folio/country"
	"folio/country/xmlsig"
	"folio/fault"
)

var (
	_ country.Rules  = Rules{}
	_ country.Ranged = Rules{}
)

// ParseRange reads a CAE as DGI gave it out and verifies its structure and DGI's
// enveloped signature over the whole of it (RSA with SHA-1 or SHA-256). The certificate
// it was signed with must be one of the trusted ones, or DGI's by its RUC and issued by one
// of them: the authorities that certify DGI certify every taxpayer. Which
// certificates DGI signs with is not published as a list, so the operator pins them; an
// expired one stays good for the files that it signed. The fault has the path "file" and
// says which check failed.
func (Rules) ParseRange(file []byte, trust country.Trust) (country.RangeFile, error) {
	refuse := func(code, message string) (country.RangeFile, error) {
		return country.RangeFile{}, fault.Field("file", code, message)
	}
	if len(file) > maxCAEFile {
		return refuse("UY-RANGE-01", fmt.Sprintf("it has %d bytes, at most %d are allowed", len(file), maxCAEFile))
	}
	root, err := caeRoot(file)
	if err != nil {
		return refuse("UY-RANGE-02", "it cannot be read as a CAE of DGI: "+err.Error())
	}
	c, err := readCAE(root)
	if err != nil {
		return refuse("UY-RANGE-02", "it cannot be read as a CAE of DGI: "+err.Error())
	}
	if c.Kind != "E" {
		return refuse("UY-RANGE-04", "TA: it is a CAE for contingency documents on paper (F), whose numbers Folio does "+
			"not use: ask DGI for one for electronic documents (E)")
	}
	out := country.RangeFile{
		TaxIdentifier: c.RUC, OfficialCode: c.Type, Series: c.Series, From: c.From, To: c.To,
		IssuedOn: c.IssuedOn, ExpiresOn: c.ExpiresOn, Authorization: c.Authorization,
		Profile: map[string]string{FieldRegime: regimeOfCAE(c.Special)},
	}
	if !checksNA(c.Authorization) {
		out.Warnings = append(out.Warnings, fmt.Sprintf(
			"NA %s does not have the check digit that numbers of DGI have had so far: compare it with DGI's page",
			c.Authorization))
	}
	warning, err := verifyCAE(root, trust)
	if err != nil {
		return refuse("UY-RANGE-03", "DGI's signature over it does not hold: "+err.Error()+"; upload it as DGI gave it out")
	}
	if warning != "" {
		out.Warnings = append(out.Warnings, warning)
	}
	return out, nil
}

// verifyCAE wants DGI's signature. The warning says what could not be verified.
func verifyCAE(root *etree.Element, trust country.Trust) (warning string, err error) {
	signatures := root.SelectElements("Signature")
	if len(signatures) != 1 {
		return "", fmt.Errorf("it has %d signatures, not one", len(signatures))
	}
	sig, pinned := signatures[0], trustedCertificates(trust)
	inside, err := xmlsig.Certificate(sig)
	switch {
	case errors.Is(err, xmlsig.ErrNoCertificate):
		return "", verifyUnderAny(root, sig, pinned)
	case err != nil:
		return "", err
	}
	if err := xmlsig.Verify(root, sig, "", inside); err != nil {
		return "", err
	}
	if !trusts(pinned, inside) {
		who := fmt.Sprintf("the certificate of %.80q, serial number %x, that it was signed with is none that is trusted here",
			inside.Subject.CommonName, inside.SerialNumber)
		if trust.Unsigned && len(pinned) == 0 {
			return who + " and was not verified", nil
		}
		return "", errors.New(who + ": if it is DGI's, the operator adds it with --trust")
	}
	return "", nil
}

func verifyUnderAny(root, sig *etree.Element, pinned []*x509.Certificate) error {
	err := errors.New("the certificate is not in it, and none is trusted here: the operator adds DGI's with --trust")
	for _, c := range pinned {
		if err = xmlsig.Verify(root, sig, "", c); err == nil {
			return nil
		}
	}
	return err
}

// trusts says that c is pinned, or is DGI's and issued by a pinned authority.
func trusts(pinned []*x509.Certificate, c *x509.Certificate) bool {
	return slices.ContainsFunc(pinned, func(p *x509.Certificate) bool {
		return bytes.Equal(p.Raw, c.Raw) || p.IsCA && rucOf(c) == DGIRUT && c.CheckSignatureFrom(p) == nil
	})
}

// trustedCertificates are the certificates among what is trusted; keys of other
// countries' authorities stand there too.
func trustedCertificates(trust country.Trust) []*x509.Certificate {
	var list []*x509.Certificate
	for _, file := range trust.PEM {
		for block, rest := pem.Decode(file); block != nil; block, rest = pem.Decode(rest) {
			if block.Type != "CERTIFICATE" {
				continue
			}
			if c, err := x509.ParseCertificate(block.Bytes); err == nil {
				list = append(list, c)
			}
		}
	}
	return list
}

// LastDay is FVD, the last day on which numbers of the CAE may be used (Formato_CAE
// v05: 24 months from FA, less for special ones).
func (Rules) LastDay(r country.RangeFile) string { return r.ExpiresOn }

// NoticeThreshold is the specification's table of notices by quantity.
func (Rules) NoticeThreshold(officialCode int) int64 {
	k, _ := kindOf(officialCode)
	return country.NoticeThreshold(k.DocumentType)
}
