package sii

import (
	"cmp"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// KeyID is the IDK of the sandbox's CAFs. SII's own are 100 and 300.
const KeyID = 999

// FolioFile is the name of the key that signs CAFs, in the sandbox's folder.
const FolioFile = "sandbox-sii-caf.pem"

// Folios is the authority that gives out CAFs.
type Folios struct {
	key *rsa.PrivateKey
	now func() time.Time
}

// OpenFolios opens the authority kept in dir, or makes it. Several processes may do so
// at once: all end up with the same one.
func OpenFolios(dir string, now func() time.Time) (*Folios, error) {
	path := filepath.Join(dir, FolioFile)
	if f, err := loadFolios(path, now); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of the sandbox: %w", err)
	}
	// 1024 bits: a longer FRMA would not leave room in the barcode of a document.
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		return nil, fmt.Errorf("make the key of CAFs: %w", err)
	}
	tmp, err := os.CreateTemp(dir, ".sandbox-sii-*")
	if err != nil {
		return nil, fmt.Errorf("keep the key of CAFs: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(armour("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Link(tmp.Name(), path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("keep the key of CAFs: %w", err)
	}
	return loadFolios(path, now)
}

func loadFolios(path string, now func() time.Time) (*Folios, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the key of CAFs: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds no key: move it away and a new one is made (CAFs that it signed are then no "+
			"longer trusted)", path)
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the key in %s: %w", path, err)
	}
	return &Folios{key, now}, nil
}

// PEM is the public key, which whoever takes the sandbox's CAFs must trust.
func (f *Folios) PEM() ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(&f.key.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("write the public key of CAFs: %w", err)
	}
	return []byte(armour("PUBLIC KEY", der)), nil
}

// CAF says what a numbering file is to hold.
type CAF struct {
	TaxIdentifier string // RUT of the company
	Name          string // cut to 40 characters; a text that says what it is when empty
	Type          int    // SII's code
	From, To      int64
	// Date of authorisation; today in Chile when zero.
	Date time.Time
}

// cafTypes are the document types that have a CAF.
var cafTypes = map[int]bool{33: true, 34: true, 39: true, 41: true, 43: true, 46: true, 52: true, 56: true, 61: true,
	110: true, 111: true, 112: true}

// IssueCAF makes a numbering file as SII gives it out: ISO-8859-1 without a declared
// encoding, a fresh key of 512 bits in it, signed under IDK 999.
func (f *Folios) IssueCAF(c CAF) ([]byte, error) {
	rut, err := sandbox.ParseRUT(c.TaxIdentifier)
	switch {
	case err != nil:
		return nil, err
	case !cafTypes[c.Type]:
		return nil, fmt.Errorf("no CAF is given out for document type %d: types are 33, 34, 39, 41, 43, 46, 52, 56, 61, "+
			"110, 111 and 112", c.Type)
	case c.From < 1 || c.To < c.From || c.To > 9_999_999_999:
		return nil, fmt.Errorf("folios %d to %d are no range: from 1 to 9999999999, the last not before the first", c.From,
			c.To)
	}
	key, err := newSmallKey()
	if err != nil {
		return nil, err
	}
	date := c.Date
	if date.IsZero() {
		date = f.now().In(zone)
	}
	name := cmp.Or(cut(c.Name, 40), "Empresa de prueba "+rut)
	da := fmt.Sprintf(`<DA><RE>%s</RE><RS>%s</RS><TD>%d</TD><RNG><D>%d</D><H>%d</H></RNG><FA>%s</FA><RSAPK><M>%s</M><E>%s</E></RSAPK><IDK>%d</IDK></DA>`,
		rut, desk.Escape(name), c.Type, c.From, c.To, date.Format(time.DateOnly),
		base64.StdEncoding.EncodeToString(key.n.Bytes()), base64.StdEncoding.EncodeToString(key.e.Bytes()), KeyID)
	signed, err := latin1(da)
	if err != nil {
		return nil, fmt.Errorf("name of the company: %w", err)
	}
	sum := sha1.Sum(signed)
	frma, err := rsa.SignPKCS1v15(rand.Reader, f.key, crypto.SHA1, sum[:])
	if err != nil {
		return nil, fmt.Errorf("sign the CAF: %w", err)
	}
	return latin1(`<?xml version="1.0"?>` + "\n<AUTORIZACION>\n<CAF version=\"1.0\">\n" +
		strings.ReplaceAll(da, "><", ">\n<") + "\n" +
		`<FRMA algoritmo="SHA1withRSA">` + base64.StdEncoding.EncodeToString(frma) + "</FRMA>\n</CAF>\n<RSASK>" +
		key.private + "</RSASK>\n<RSAPUBK>" + key.public + "</RSAPUBK>\n</AUTORIZACION>\n")
}
