package tables

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"folio/events"
)

// Schema names a table and what its documents can be found by.
type Schema struct {
	// Name carries the projection's version, such as "invoices_v1": a letter, then
	// letters, digits and underscores, lower case, at most 48.
	Name string
	// Listed tables keep their documents in lists (one per company, say), each with
	// dense ordinals from 1, and page through them by ordinal. Tables that are not
	// listed page in the order of their ids.
	Listed bool
	// Owned tables keep their documents in lists too, and page through each in the order of
	// its ids. A table is not both.
	Owned      bool `json:",omitempty"`
	Attributes []Attribute
}

// Attribute is a value that filters compare, sorting follows and sums add up, by its kind.
type Attribute struct {
	Name string // as a table's
	// Indexed attributes answer a selective filter without looking through the list.
	Indexed bool
	// Fold keeps the value without case beside the value, which makes EqualFold as
	// cheap as Equal. Without it EqualFold works but looks at every document of the list.
	Fold bool
	Kind Kind `json:",omitempty"`
}

var name = regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`)

// CheckName refuses what cannot be the name of a table, attribute or worklist.
func CheckName(kind, s string) error {
	if !name.MatchString(s) {
		return fmt.Errorf("%s name %q: want a-z, 0-9 and _ after a letter, at most 48: %w", kind, clip(s), ErrInvalid)
	}
	return nil
}

// Validate refuses a schema that no store can keep.
func (s Schema) Validate() error {
	if err := CheckName("table", s.Name); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, a := range s.Attributes {
		if err := CheckName("attribute", a.Name); err != nil {
			return fmt.Errorf("table %s: %w", s.Name, err)
		}
		if seen[a.Name] {
			return fmt.Errorf("table %s: attribute %s twice: %w", s.Name, a.Name, ErrInvalid)
		}
		seen[a.Name] = true
		if !slices.Contains([]Kind{Text, Decimal, Date, Month, Time}, a.Kind) || a.Fold && a.Kind != Text {
			return fmt.Errorf("table %s: attribute %s cannot be of kind %q: %w", s.Name, a.Name, clip(string(a.Kind)),
				ErrInvalid)
		}
	}
	if s.Listed && s.Owned {
		return fmt.Errorf("table %s is both listed and owned: %w", s.Name, ErrInvalid)
	}
	return nil
}

// HasLists says that each document is in a list.
func (s Schema) HasLists() bool { return s.Listed || s.Owned }

// Attribute finds an attribute by name.
func (s Schema) Attribute(name string) (Attribute, bool) {
	for _, a := range s.Attributes {
		if a.Name == name {
			return a, true
		}
	}
	return Attribute{}, false
}

// Equal compares two shapes, the order of attributes included.
func (s Schema) Equal(t Schema) bool {
	return s.Name == t.Name && s.Listed == t.Listed && s.Owned == t.Owned && slices.Equal(s.Attributes, t.Attributes)
}

// Check refuses a document that does not fit the schema.
func (s Schema) Check(d Document) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("table %s, document %q: %s: %w", s.Name, clip(d.ID), fmt.Sprintf(format, args...), ErrInvalid)
	}
	switch {
	case d.ID == "" || len(d.ID) > 512 || !text(d.ID):
		return fail("the id must be 1 to 512 bytes of text")
	case s.Listed && (d.List == "" || d.Ordinal < 1):
		return fail("a listed table needs a list and an ordinal from 1, got %q and %d", clip(d.List), d.Ordinal)
	case s.Owned && (d.List == "" || d.Ordinal != 0):
		return fail("an owned table needs a list and has no ordinals, got %q and %d", clip(d.List), d.Ordinal)
	case !s.HasLists() && (d.List != "" || d.Ordinal != 0):
		return fail("the table is not listed, but the document has a list or an ordinal")
	case len(d.Body) > MaxBody || !utf8.Valid(d.Body):
		return fail("the body must be UTF-8 of at most %d bytes", MaxBody)
	case !text(d.List):
		return fail("the list must be text")
	}
	for k, v := range d.Attributes {
		a, ok := s.Attribute(k)
		if !ok {
			return fail("attribute %q is not in the schema", clip(k))
		}
		if !text(v) {
			return fail("attribute %s must be text", k)
		}
		if _, err := a.Stored(v); err != nil {
			return fail("%v", err)
		}
	}
	if err := CheckPosition(d.At); err != nil {
		return fmt.Errorf("table %s, document %q: %w", s.Name, clip(d.ID), err)
	}
	return nil
}

// Row is a document with everything that the store keeps of it.
type Row struct {
	Document          // without Attributes
	Kept     []string // what filters compare: see Schema.Kept
}

// Kept is what a store keeps of a document for filters to compare: of each attribute the value as its kind is stored,
// and that without case. The document fits the schema.
func (s Schema) Kept(d Document) ([]string, error) {
	values := make([]string, 0, 2*len(s.Attributes))
	for _, a := range s.Attributes {
		v, err := a.Stored(d.Attributes[a.Name])
		if err != nil {
			return nil, err
		}
		values = append(values, v, Fold(v))
	}
	return values, nil
}

// CheckPosition refuses positions that no event can have, such as "end of the log".
func CheckPosition(p events.Position) error {
	if p.Commit > math.MaxInt64 || p.Prepare > math.MaxInt64 {
		return fmt.Errorf("position %s is beyond any event: %w", p, ErrInvalid)
	}
	return nil
}

// Fold removes case the way EqualFold compares: Unicode's full folding, which takes much
// longer than that of ASCII.
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return cases.Fold().String(s)
		}
	}
	return strings.ToLower(s)
}

// text is what both databases keep byte for byte: UTF-8 without NUL.
func text(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// clip keeps error texts short when somebody passes a page of text.
func clip(s string) string {
	if len(s) <= 60 {
		return s
	}
	return strings.ToValidUTF8(s[:60], "") + "..."
}
