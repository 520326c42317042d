package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Format is the version of exports that this package knows.
const Format = "folio-export-1"

// Manifest says what an export is. The list of files follows in the same object.
type Manifest struct {
	Format        string `json:"format"`
	Company       string `json:"company"`
	LegalName     string `json:"legal_name"`
	TaxIdentifier string `json:"tax_identifier"`
	Country       string `json:"country"`
	From          string `json:"date_from"` // YYYY-MM-DD of the invoices; both empty: the whole history
	To            string `json:"date_to"`
	MadeAt        string `json:"made_at"` // RFC 3339, UTC
	Log           string `json:"log"`     // id of the event log
	Tree          string `json:"tree"`    // of the checkpoint
	Until         string `json:"until"`   // position of the last event that the checkpoint covers
	Events        int    `json:"events"`
	Invoices      int    `json:"invoices"`
}

// Whole says that an export has the company's whole history.
func (m Manifest) Whole() bool { return m.From == "" && m.To == "" }

// Entry is a file in the manifest's list.
type Entry struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // lower-case hexadecimal
}

// statementHeader begins what is signed of a manifest, so that it is no checkpoint.
const statementHeader = "folio export manifest"

// Statement is what the log's key signs of an export: that this is its manifest.
func Statement(origin, manifestSHA256 string) string {
	return statementHeader + "\n" + origin + "\n" + manifestSHA256 + "\n"
}

// manifest reads the list of files and compares each with it. A signature that does not fit the manifest is not an
// error
// yet: whoever made the manifest anew changed something, and that may be found.
func (v *verifier) manifest() (unsigned, err error) {
	hash, listed := sha256.New(), map[string]bool{}
	err = v.read(ManifestName, func(in io.Reader) error {
		limit := newBounded(io.TeeReader(in, hash))
		d := json.NewDecoder(limit)
		if err := v.entries(d, limit.next, listed); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, io.MultiReader(d.Buffered(), io.TeeReader(in, hash)))
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range v.names() {
		if !listed[name] && name != ManifestName && name != SignatureName {
			return nil, differs(name, 0, "the manifest does not list it: it was added")
		}
	}
	signed, err := v.all(SignatureName)
	if err != nil {
		return nil, err
	}
	n, err := note.Open(signed, note.VerifierList(v.trust.key))
	if err != nil {
		return differs(SignatureName, 0, "the key does not verify it: %v", err), nil
	}
	if n.Text != Statement(v.report.Origin, hex.EncodeToString(hash.Sum(nil))) {
		return differs(ManifestName, 0, "the log's key signed another manifest: this one was made anew after a "+
			"file of the export was changed, added or removed"), nil
	}
	return nil, nil
}

// entries reads the manifest: an object whose last member is the list of files.
func (v *verifier) entries(d *json.Decoder, next func(), listed map[string]bool) error {
	m := &v.report.Manifest
	fail := func(err error) error { return differs(ManifestName, 0, "it cannot be read: %v", err) }
	members := map[string]any{"format": &m.Format, "company": &m.Company, "legal_name": &m.LegalName,
		"tax_identifier": &m.TaxIdentifier, "country": &m.Country, "date_from": &m.From, "date_to": &m.To,
		"made_at": &m.MadeAt, "log": &m.Log, "tree": &m.Tree, "until": &m.Until, "events": &m.Events,
		"invoices": &m.Invoices}
	if t, err := d.Token(); err != nil {
		return fail(err)
	} else if t != json.Delim('{') {
		return fail(fmt.Errorf("%v: %w", t, errNoObject))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return fail(err)
		}
		if name == "files" {
			if err := v.listed(d, next, listed); err != nil {
				return err
			}
			continue
		}
		into, known := members[fmt.Sprint(name)]
		if !known {
			return fail(fmt.Errorf("it has a member %v", name))
		}
		if err := d.Decode(into); err != nil {
			return fail(err)
		}
	}
	if m.Format != Format {
		return differs(ManifestName, 0, "its format is %q, and this program knows %s", m.Format, Format)
	}
	return nil
}

var errNoObject = fmt.Errorf("an object should begin here")

// listed compares each file of the list with the archive.
func (v *verifier) listed(d *json.Decoder, next func(), listed map[string]bool) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return differs(ManifestName, 0, "files is no list")
	}
	for d.More() {
		next()
		var e Entry
		if err := d.Decode(&e); err != nil {
			return differs(ManifestName, 0, "it cannot be read behind %d files: %v", len(listed), err)
		}
		if listed[e.Name] || e.Name == ManifestName || e.Name == SignatureName {
			return differs(ManifestName, 0, "it lists %s twice, or itself", e.Name)
		}
		if v.files[e.Name] == nil {
			return differs(e.Name, 0, "the manifest lists it and the archive does not have it: it was removed")
		}
		listed[e.Name] = true
		if err := v.same(e); err != nil && v.damaged == nil {
			v.damaged = err
		}
	}
	if _, err := d.Token(); err != nil {
		return differs(ManifestName, 0, "it cannot be read behind %d files: %v", len(listed), err)
	}
	return nil
}

// same compares a file with its entry.
func (v *verifier) same(e Entry) error {
	hash := sha256.New()
	var size int64
	err := v.read(e.Name, func(in io.Reader) (err error) {
		size, err = io.Copy(hash, in)
		return err
	})
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != strings.ToLower(e.SHA256) || size != e.Size {
		return differs(e.Name, 0, "it is not the file that the manifest lists: %d bytes with the SHA-256 %s, not "+
			"%d with %s",
			size, got, e.Size, e.SHA256)
	}
	return nil
}
