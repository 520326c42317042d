package uy

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"

	"folio/country"
	"folio/country/xmlsig"
)

// Namespace is that of DGI's documents: CAE, CFE, envelopes, answers.
const Namespace = "http://cfe.dgi.gub.uy"

const (
	maxCAEFile = 64 << 10  // a real one has 3 KB
	maxNumber  = 9_999_999 // NroCFEType of the schema: 7 digits
)

// CAE is "constancia de autorización para emisión": DGI's permission for a range of
// numbers of one document type and series (Formato_CAE v05; schema CAEType 1.44.2). It
// holds no secret.
type CAE struct {
	RUC           string // RucE
	Type          int    // TCFE
	Series        string // Serie: A, AB or 1A
	From, To      int64  // DNro, HNro
	Kind          string // TA: E for electronic documents, F for contingency ones on paper
	Authorization string // NA, 11 digits
	IssuedOn      string // FA, YYYY-MM-DD
	ExpiresOn     string // FVD, the last day, YYYY-MM-DD
	Special       int    // CAEEspecial 1 to 4, 0 for none
	Cause         int    // CausalCAEEsp, 0 for none
}

// ReadCAE reads a numbering file, in UTF-8 or ISO-8859-1: its structure and that its
// fields make sense, not who signed it. It refuses a document type that Folio does not
// issue. Files of 2012 have no TA and are refused too; their 24 months are over.
func ReadCAE(file []byte) (CAE, error) {
	root, err := caeRoot(file)
	if err != nil {
		return CAE{}, err
	}
	return readCAE(root)
}

// caeRoot is the root of a numbering file.
func caeRoot(file []byte) (*etree.Element, error) {
	root, err := xmlsig.Read(file, maxCAEFile)
	if err != nil {
		return nil, err
	}
	if root.Tag != "CAE" || root.NamespaceURI() != Namespace {
		return nil, fmt.Errorf("its root is %.40s of %.60q, not CAE of %q: it is no CAE", root.Tag, root.NamespaceURI(),
			Namespace)
	}
	if version := root.SelectAttrValue("version", ""); version != "1.0" {
		return nil, fmt.Errorf("the CAE has version %.10q, not 1.0", version)
	}
	return root, nil
}

func readCAE(root *etree.Element) (CAE, error) {
	stamp, err := one(root, "TmstFrma")
	if err != nil {
		return CAE{}, err
	}
	if !isDateTime(strings.TrimSpace(stamp.Text())) {
		return CAE{}, fmt.Errorf("TmstFrma: %.40q is no time as 2006-01-02T15:04:05-03:00", stamp.Text())
	}
	da, err := one(root, "DA")
	if err != nil {
		return CAE{}, err
	}
	f, err := fieldsOf(da)
	if err != nil {
		return CAE{}, err
	}
	return f.cae()
}

// caeFields are the texts of DA by name.
type caeFields map[string]string

// members of DA; the last two are optional.
var members = []string{"RucE", "TCFE", "Serie", "DNro", "HNro", "TA", "NA", "FA", "FVD", "CAEEspecial", "CausalCAEEsp"}

func fieldsOf(da *etree.Element) (caeFields, error) {
	f := caeFields{}
	for i, name := range members {
		if optional := i >= len(members)-2; optional && len(da.SelectElements(name)) == 0 {
			continue
		}
		e, err := one(da, name)
		if err != nil {
			return nil, err
		}
		if len(e.ChildElements()) > 0 {
			return nil, fmt.Errorf("%s holds elements, not text", name)
		}
		f[name] = strings.TrimSpace(e.Text())
	}
	if n := len(da.ChildElements()); n > len(f) {
		return nil, fmt.Errorf("DA has %d elements more than a CAE", n-len(f))
	}
	return f, nil
}

var series = regexp.MustCompile(`^([A-Z]|[A-Z][A-Z]|[1-9][A-Z])$`)

func (f caeFields) cae() (CAE, error) {
	c := CAE{Series: f["Serie"], Kind: f["TA"], Authorization: f["NA"], IssuedOn: f["FA"], ExpiresOn: f["FVD"]}
	var err error
	if c.RUC, err = ParseRUT(f["RucE"]); err != nil {
		return CAE{}, fmt.Errorf("RucE: %w", err)
	}
	kind, ok := Rules{}.DocumentType(f["TCFE"])
	if !ok || !country.AllDigits(f["TCFE"]) {
		return CAE{}, fmt.Errorf("TCFE: %.10q is no document type that Folio issues", f["TCFE"])
	}
	c.Type = kind.Code
	if !series.MatchString(c.Series) {
		return CAE{}, fmt.Errorf("the series (Serie) %.10q is none: it is A, AB or 1A", c.Series)
	}
	if c.From, err = number(f["DNro"], maxNumber); err != nil {
		return CAE{}, fmt.Errorf("DNro: %w", err)
	}
	if c.To, err = number(f["HNro"], maxNumber); err != nil {
		return CAE{}, fmt.Errorf("HNro: %w", err)
	}
	if c.From > c.To {
		return CAE{}, fmt.Errorf("DNro, HNro: it goes from %d down to %d", c.From, c.To)
	}
	if c.Kind != "E" && c.Kind != "F" {
		return CAE{}, fmt.Errorf("TA: %.10q is neither E nor F", c.Kind)
	}
	if len(c.Authorization) != 11 || !country.AllDigits(c.Authorization) {
		return CAE{}, fmt.Errorf("NA: %.20q is no number of 11 digits", c.Authorization)
	}
	if err := c.readDays(); err != nil {
		return CAE{}, err
	}
	if err := c.readSpecial(f); err != nil {
		return CAE{}, err
	}
	return c, nil
}

func (c *CAE) readDays() error {
	for _, day := range []struct{ name, text string }{{"FA", c.IssuedOn}, {"FVD", c.ExpiresOn}} {
		if t, err := time.Parse(time.DateOnly, day.text); err != nil || t.Year() < 2011 {
			return fmt.Errorf("%s: %.20q is no date as YYYY-MM-DD", day.name, day.text)
		}
	}
	if c.ExpiresOn < c.IssuedOn {
		return fmt.Errorf("FVD: it expires on %s, before it was given out on %s", c.ExpiresOn, c.IssuedOn)
	}
	return nil
}

// readSpecial reads what special CAEs have besides: the reasons 1 to 4 of the schema.
func (c *CAE) readSpecial(f caeFields) error {
	if text, has := f["CAEEspecial"]; has {
		n, err := number(text, 4)
		if err != nil {
			return fmt.Errorf("CAEEspecial: %w", err)
		}
		c.Special = int(n)
	}
	if text, has := f["CausalCAEEsp"]; has {
		n, err := number(text, 999)
		if err != nil {
			return fmt.Errorf("CausalCAEEsp: %w", err)
		}
		c.Cause = int(n)
	}
	switch {
	case c.Special == 1 && c.Cause == 0:
		return errors.New("CausalCAEEsp: a CAE of an exempt company (CAEEspecial 1) says why (CFE25 G-C6)")
	case c.Special != 1 && c.Cause != 0:
		return errors.New("CausalCAEEsp: only a CAE of an exempt company (CAEEspecial 1) has it (CFE25 G-C6)")
	}
	return nil
}

// one is the only child of that name in DGI's namespace.
func one(e *etree.Element, name string) (*etree.Element, error) {
	found := e.SelectElements(name)
	if len(found) != 1 {
		return nil, fmt.Errorf("%s has %d elements %s, not one", e.Tag, len(found), name)
	}
	if found[0].NamespaceURI() != Namespace {
		return nil, fmt.Errorf("%s is not in the namespace of DGI", name)
	}
	return found[0], nil
}

// number reads digits from 1 to most.
func number(text string, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !country.AllDigits(text) || n < 1 || n > most {
		return 0, fmt.Errorf("%.20q is no number from 1 to %d", text, most)
	}
	return n, nil
}

// isDateTime says that a text is an xsd:dateTime; its zone may be left out.
func isDateTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	_, err2 := time.Parse("2006-01-02T15:04:05", text)
	return err == nil || err2 == nil
}

// checksNA says that the last digit of NA is the check digit that the numbers in use
// have: weights 2 to 9 from the right over the first ten digits, modulo 11. DGI
// documents no rule for it, so a number that fails it is not refused.
func checksNA(na string) bool {
	sum := 0
	for i := range 10 {
		sum += int(na[9-i]-'0') * (2 + i%8)
	}
	return (11-sum%11)%11 == int(na[10]-'0')
}
