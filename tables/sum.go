package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"folio/money"
)

// Sums asks for counts and sums of the documents of List that pass every filter, by the
// values of the attributes By together (none: of all in one group).
type Sums struct {
	Table   string
	List    string
	Filters []Filter
	By      []string
	Of      []string // attributes of kind Decimal; an empty one counts as 0
}

// Group is the documents with the same values of Sums.By.
type Group struct {
	Values []string // of By
	Count  int64
	Sums   []money.Exact // of Of
}

// MaxGroups is the most groups that one question may have.
const MaxGroups = 10_000

// Validate refuses a question that the schema cannot answer.
func (q Sums) Validate(s Schema) error {
	if err := (Query{List: q.List, Filters: q.Filters, Limit: 1}).Validate(s); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(q.By), q.Of...) {
		if _, ok := s.Attribute(name); !ok {
			return fmt.Errorf("sums of table %s: attribute %q is not in the schema: %w", s.Name, clip(name), ErrInvalid)
		}
	}
	for _, name := range q.Of {
		if a, _ := s.Attribute(name); a.Kind != Decimal {
			return fmt.Errorf("sums of table %s: attribute %s is no decimal: %w", s.Name, name, ErrInvalid)
		}
	}
	return nil
}

// Tally adds up what a store reads. Make one with NewTally.
type Tally struct {
	by, of []Attribute
	groups map[string]*Group
}

// NewTally is for a question that Validate accepts.
func NewTally(q Sums, s Schema) *Tally {
	t := &Tally{groups: map[string]*Group{}}
	for _, name := range q.By {
		a, _ := s.Attribute(name)
		t.by = append(t.by, a)
	}
	for _, name := range q.Of {
		a, _ := s.Attribute(name)
		t.of = append(t.of, a)
	}
	return t
}

// Attributes are those whose stored texts Add wants, in that order.
func (t *Tally) Attributes() []Attribute { return append(slices.Clone(t.by), t.of...) }

// Add counts one document by its stored texts.
func (t *Tally) Add(stored []string) error {
	key := strings.Join(stored[:len(t.by)], "\x00")
	g := t.groups[key]
	if g == nil {
		if len(t.groups) == MaxGroups {
			return fmt.Errorf("there are more than %d groups: %w", MaxGroups, ErrInvalid)
		}
		g = &Group{Values: make([]string, len(t.by)), Sums: make([]money.Exact, len(t.of))}
		for i, a := range t.by {
			g.Values[i] = a.Shown(stored[i])
		}
		t.groups[key] = g
	}
	g.Count++
	for i, a := range t.of {
		text := stored[len(t.by)+i]
		if text == "" {
			continue
		}
		n, err := money.ParseExact(a.Shown(text))
		if err != nil {
			return fmt.Errorf("stored attribute %s: %w", a.Name, err)
		}
		g.Sums[i] = g.Sums[i].Add(n)
	}
	return nil
}

// Groups are the groups in the order of their values.
func (t *Tally) Groups() []Group {
	keys := slices.SortedFunc(maps.Keys(t.groups), func(a, b string) int { return cmp.Compare(a, b) })
	out := make([]Group, len(keys))
	for i, k := range keys {
		out[i] = *t.groups[k]
	}
	return out
}
