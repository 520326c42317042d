package dgi

import (
	"cmp"
	"context"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// NumbersFile is the name of the key and certificate that sign CAEs and answers, in the
// sandbox's folder.
const NumbersFile = "sandbox-dgi.pem"

// signerRUC is the invented identifier of who signs: never DGI's own.
const signerRUC = "999999990019"

// Numbers is the authority that gives out CAEs.
type Numbers struct {
	dir string
	key *sandbox.CA
	now func() time.Time
}

// OpenNumbers opens the authority kept in dir, or makes it. Several processes may do so
// at once: all end up with the same one. now gives the dates of what it issues.
func OpenNumbers(dir string, now func() time.Time) (*Numbers, error) {
	name := pkix.Name{Country: []string{"UY"}, Organization: []string{"Folio Sandbox"},
		CommonName: "DGI simulada, sin valor fiscal", SerialNumber: "RUC" + signerRUC}
	key, err := sandbox.OpenNamed(dir, NumbersFile, name, now)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's key of CAEs: %w", err)
	}
	return &Numbers{dir: dir, key: key, now: now}, nil
}

// PEM is the certificate that signs CAEs, which whoever takes the sandbox's must trust.
func (n *Numbers) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: n.key.Certificate().Raw})
}

// CAE says what a numbering file is to hold.
type CAE struct {
	TaxIdentifier string // RUT of the company
	Type          int    // DGI's code, 101 to 282
	Series        string // one or two letters, or a digit and a letter; "A" when empty
	From, To      int64
	// Date of authorisation (FA); today in Uruguay when zero.
	Date time.Time
	// Expires is the last valid day (FVD); 24 months after Date when zero.
	Expires time.Time
	// Special is CAEEspecial: 1 exempt, with Cause (CausalCAEEsp), 2 IVA mínimo, 3 monotributo,
	// 4 monotributo social MIDES; 0 for the general regime.
	Special, Cause int
	// SHA1 signs as DGI's files of 2012 to 2016 are signed; otherwise SHA-256.
	SHA1 bool
}

var seriesForm = regexp.MustCompile(`^([A-Z]|[A-Z][A-Z]|[1-9][A-Z])$`)

// IssueCAE makes a numbering file as DGI gives it out (Formato CAE v05): the range, its
// number with the check digit, signed as a whole. The sandbox that is opened on the same
// folder knows what was issued; ranges that overlap are given out all the same, so that
// their refusal can be tried.
func (n *Numbers) IssueCAE(c CAE) ([]byte, error) {
	a := authorization{Type: c.Type, Series: c.Series, From: c.From, To: c.To, Kind: "E", Special: c.Special,
		Cause: c.Cause}
	var err error
	a.RUC, err = sandbox.ParseRUC(c.TaxIdentifier)
	a.Series = cmp.Or(a.Series, "A")
	switch {
	case err != nil:
		return nil, err
	case !cfeTypes[c.Type]:
		return nil, fmt.Errorf("no CAE is given out for document type %d: it is one of DGI's codes, 101 to 282", c.Type)
	case !seriesForm.MatchString(a.Series):
		return nil, fmt.Errorf("series %.10q is none: one or two letters from A to Z, or a digit from 1 and a letter",
			c.Series)
	case c.Special < 0 || c.Special > 4 || c.Cause < 0 || c.Cause > 999 || (c.Special == 1) != (c.Cause != 0):
		return nil, fmt.Errorf("special %d with cause %d is none: 1 with a cause up to 999, or 2, 3 or 4 without one",
			c.Special, c.Cause)
	case c.From < 1 || c.To < c.From || c.To > 9_999_999:
		return nil, fmt.Errorf("numbers %d to %d are no range: from 1 to 9999999, the last not before the first", c.From,
			c.To)
	}
	if c.Type > 200 {
		a.Kind = "F"
	}
	from, until := c.Date, c.Expires
	if from.IsZero() {
		from = n.now().In(Zone)
		if !until.IsZero() && until.Before(from) {
			from = until
		}
	}
	if until.IsZero() {
		until = from.AddDate(2, 0, 0)
	}
	a.Issued, a.Expires = from.Format(time.DateOnly), until.Format(time.DateOnly)
	if a.Expires < a.Issued {
		return nil, fmt.Errorf("the CAE would expire on %s, before it is given out on %s", a.Expires, a.Issued)
	}
	if err := n.register(&a); err != nil {
		return nil, fmt.Errorf("note the CAE: %w", err)
	}
	return n.write(a, c.SHA1)
}

// authorization is a CAE that was given out.
type authorization struct {
	RUC             string
	Type            int
	Series          string
	From, To        int64
	Kind            string // TA: E, or F for contingency
	Number          string // NA
	Issued, Expires string // FA, FVD
	Special, Cause  int    // CAEEspecial, CausalCAEEsp; 0 for none
}

func (n *Numbers) write(a authorization, old bool) ([]byte, error) {
	const head, root = `<?xml version="1.0" encoding="UTF-8"?>` + "\n",
		`<ns0:CAE xmlns:ns0="` + namespace + `" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0" xsi:schemaLocation="` + namespace + ` CAE_v1.4.xsd">`
	special := ""
	if a.Special != 0 {
		special = fmt.Sprintf("<ns0:CAEEspecial>%d</ns0:CAEEspecial>", a.Special)
	}
	if a.Cause != 0 {
		special += fmt.Sprintf("<ns0:CausalCAEEsp>%d</ns0:CausalCAEEsp>", a.Cause)
	}
	before := root + `<ns0:TmstFrma>` + stamp(n.now()) + `</ns0:TmstFrma>` + fmt.Sprintf(
		`<ns0:DA><ns0:RucE>%s</ns0:RucE><ns0:TCFE>%d</ns0:TCFE><ns0:Serie>%s</ns0:Serie><ns0:DNro>%d</ns0:DNro><ns0:HNro>%d</ns0:HNro><ns0:TA>%s</ns0:TA><ns0:NA>%s</ns0:NA><ns0:FA>%s</ns0:FA><ns0:FVD>%s</ns0:FVD>%s</ns0:DA>`,
		a.RUC, a.Type, a.Series, a.From, a.To, a.Kind, a.Number, a.Issued, a.Expires, special)
	signed, err := n.sign(before, `</ns0:CAE>`, old)
	if err != nil {
		return nil, fmt.Errorf("sign the CAE: %w", err)
	}
	return []byte(head + signed), nil
}

// register gives a CAE its number and remembers it, on disk when it returns.
func (n *Numbers) register(a *authorization) (err error) {
	ctx := context.Background() // a command line has none, and this is one small transaction
	db, err := desk.OpenDatabase(ctx, n.dir, databaseFile, tables)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return store{db}.addCAE(ctx, a)
}

// caeNumber is NA: 90, the year, six digits, and a check digit with weights 2 to 9 from
// the right, modulo 11 (derived from DGI's files, not documented). False: no such
// number exists, its digit would be ten.
func caeNumber(year string, sequence int) (string, bool) {
	text := fmt.Sprintf("90%s%06d", year, sequence)
	sum := 0
	for i := range len(text) {
		sum += int(text[len(text)-1-i]-'0') * (2 + i%8)
	}
	d := (11 - sum%11) % 11
	return fmt.Sprintf("%s%d", text, d), d < 10
}

// cfeTypes are the codes of documents (CFEType of the schemas), contingency among them.
var cfeTypes = newCFETypes()

func newCFETypes() map[int]bool {
	out := map[int]bool{}
	for _, code := range []int{101, 102, 103, 111, 112, 113, 121, 122, 123, 124, 131, 132, 133, 141, 142, 143, 151, 152,
		153, 181, 182} {
		out[code], out[code+100] = true, true
	}
	return out
}
