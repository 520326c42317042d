package cl

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/country/xmlsig"
)

const maxFolio = 9_999_999_999 // FolioType of the schema: 10 digits

// CAF is "código de autorización de folios": SII's permission for a range of numbers
// of one document type. It holds no secret.
type CAF struct {
	RUT      string // RE, canonical
	Name     string // RS
	Type     int    // TD
	From, To int64  // RNG
	IssuedOn string // FA, YYYY-MM-DD
	KeyID    int    // IDK: 100 certification, 300 production
	Key      PublicKey

	// Element is the CAF element with no white between its tags, in ISO-8859-1: it is
	// copied into every stamp as it is.
	Element []byte

	signed    []byte // the DA element likewise: what FRMA is over
	signature []byte // FRMA
}

// Signer is a CAF with its private key, for stamps.
type Signer struct {
	CAF
	Private PrivateKey
}

// OpenCAF reads a numbering file that was verified when it was uploaded, to sign
// stamps with it. It refuses what has no structure or whose key is not the one that
// the CAF names; it does not ask who signed it.
func OpenCAF(file []byte) (Signer, error) {
	if len(file) > maxRangeFile {
		return Signer{}, fmt.Errorf("it has %d bytes, at most %d are allowed", len(file), maxRangeFile)
	}
	return readCAF(xmlsig.Text(file))
}

// between is white between tags, which the signatures leave out.
var between = regexp.MustCompile(`>\s+<`)

// readCAF reads the text of a file.
func readCAF(text string) (Signer, error) {
	root, err := parseNodes(text)
	if err != nil {
		return Signer{}, err
	}
	if root.name != "AUTORIZACION" {
		return Signer{}, fmt.Errorf("its root is %.40s, not AUTORIZACION: it is no CAF", root.name)
	}
	caf, err := root.one("CAF")
	if err != nil {
		return Signer{}, err
	}
	if caf.attributes["version"] != "1.0" {
		return Signer{}, fmt.Errorf("the CAF has version %.10q, not 1.0", caf.attributes["version"])
	}
	da, err := caf.one("DA")
	if err != nil {
		return Signer{}, err
	}
	s := Signer{}
	if err := s.readDA(da); err != nil {
		return Signer{}, err
	}
	if err := s.readSignature(text, caf, da); err != nil {
		return Signer{}, err
	}
	return s, s.readKeys(root)
}

// readDA reads what SII authorised.
func (s *Signer) readDA(da *node) error {
	var errs []error
	value := func(n *node, name string) string {
		if n == nil {
			return ""
		}
		v, err := n.value(name)
		errs = append(errs, err)
		return v
	}
	group := func(name string) *node {
		n, err := da.one(name)
		errs = append(errs, err)
		return n
	}
	rut, name, td, fa, idk := value(da, "RE"), value(da, "RS"), value(da, "TD"), value(da, "FA"), value(da, "IDK")
	rng, pk := group("RNG"), group("RSAPK")
	from, to := value(rng, "D"), value(rng, "H")
	modulus, exponent := value(pk, "M"), value(pk, "E")
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var err error
	if s.RUT, err = ParseRUT(rut); err != nil {
		return fmt.Errorf("RE: %w", err)
	}
	s.Name = name
	if s.Type, err = strconv.Atoi(td); err != nil || !known(s.Type) {
		return fmt.Errorf("TD: %.10q is no document type that Folio issues", td)
	}
	if s.From, err = folio(from); err != nil {
		return fmt.Errorf("RNG/D: %w", err)
	}
	if s.To, err = folio(to); err != nil {
		return fmt.Errorf("RNG/H: %w", err)
	}
	if s.From > s.To {
		return fmt.Errorf("RNG: it goes from %d down to %d", s.From, s.To)
	}
	if day, err := time.Parse(time.DateOnly, fa); err != nil || day.Year() < 2003 {
		return fmt.Errorf("FA: %.20q is no date as YYYY-MM-DD", fa)
	}
	s.IssuedOn = fa
	if s.KeyID, err = strconv.Atoi(idk); err != nil || s.KeyID < 1 || !country.AllDigits(idk) {
		return fmt.Errorf("IDK: %.20q is no number of a key", idk)
	}
	if s.Key, err = keyOf(modulus, exponent); err != nil {
		return fmt.Errorf("RSAPK: %w", err)
	}
	return nil
}

// readSignature keeps what FRMA is over, as SII computed it: in ISO-8859-1, without
// white between tags, texts untouched.
func (s *Signer) readSignature(text string, caf, da *node) error {
	frma, err := caf.one("FRMA")
	if err != nil {
		return err
	}
	if alg := frma.attributes["algoritmo"]; alg != "SHA1withRSA" {
		return fmt.Errorf("FRMA: its algorithm is %.20q, not SHA1withRSA", alg)
	}
	if s.signature, err = base64.StdEncoding.DecodeString(compact(frma.text)); err != nil {
		return fmt.Errorf("FRMA: %w", err)
	}
	if s.signed, err = ToLatin1(between.ReplaceAllString(text[da.from:da.to], "><")); err != nil {
		return err
	}
	s.Element, err = ToLatin1(between.ReplaceAllString(text[caf.from:caf.to], "><"))
	return err
}

// readKeys wants the private key to be the one of RSAPK.
func (s *Signer) readKeys(root *node) error {
	secret, err := root.value("RSASK")
	if err != nil {
		return err
	}
	if s.Private, err = parsePrivateKey([]byte(secret)); err != nil {
		// The cause may quote what it could not read, and that is the secret.
		return errors.New("RSASK: it is no RSA private key in PEM")
	}
	if !s.Private.PublicKey.Equal(s.Key) {
		return errors.New("RSASK: it is another key than RSAPK")
	}
	return nil
}

func known(code int) bool {
	_, ok := kindOf(code)
	return ok
}

func folio(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !country.AllDigits(text) || n < 1 || n > maxFolio {
		return 0, fmt.Errorf("%.20q is no number from 1 to %d", text, int64(maxFolio))
	}
	return n, nil
}

func keyOf(modulus, exponent string) (PublicKey, error) {
	n, err := base64.StdEncoding.DecodeString(compact(modulus))
	e, err2 := base64.StdEncoding.DecodeString(compact(exponent))
	key := PublicKey{new(big.Int).SetBytes(n), new(big.Int).SetBytes(e)}
	if err != nil || err2 != nil || !key.usable() {
		return PublicKey{}, errors.New("it is no RSA public key")
	}
	return key, nil
}

// compact is base64 without the white that it may be wrapped with.
func compact(text string) string { return strings.Join(strings.Fields(text), "") }
