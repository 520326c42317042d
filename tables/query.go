package tables

import (
	"fmt"
	"unicode/utf8"
)

// Op is how a filter compares.
type Op int

// The comparisons. All but EqualFold go by the attribute's kind; for text that is the order
// of bytes, which for UTF-8 is the order of code points. Only text has EqualFold and Prefix.
const (
	Equal     Op = iota
	EqualFold    // equal without regard to case
	AtLeast      // attribute >= value
	AtMost       // attribute <= value
	Prefix       // attribute starts with value
)

// Filter keeps the documents whose attribute compares so with Value.
type Filter struct {
	Attribute string
	Op        Op
	Value     string
}

// MaxLimit is the most documents one page can ask for.
const MaxLimit = 1000

// Query asks for one page of a table: the documents of List (empty for a table that
// is not listed) that pass every filter, by ordinal (by id where there is none).
//
// Without filters a listed table answers from the ordinals alone, so that the page at
// offset 100,000 costs what the first one costs. With filters, or without ordinals,
// the indexes do the work and a deep page costs more than the first.
type Query struct {
	Table       string
	List        string
	Filters     []Filter
	NewestFirst bool // highest ordinal (or id, or value of Sort) first
	// Sort orders by an indexed attribute without Fold, and by ordinal or id where its values
	// are the same. "": by ordinal or id alone.
	Sort   string
	Offset int // documents to pass over, from 0
	Limit  int // 1 to MaxLimit
	// AfterOrdinal and BeforeOrdinal are exclusive bounds for walks that must not
	// shift while documents are added; Offset counts from the bound. Listed tables only.
	AfterOrdinal  *int64
	BeforeOrdinal *int64
	// AfterID is an exclusive bound for walks of tables that are not listed, in the order of
	// the page: ids above it, or below it when the highest come first. Not beside Sort.
	AfterID string
	// Uncounted leaves Total 0, which spares a walk the counting.
	Uncounted bool
	// BodiesOnly leaves the documents' Attributes nil, for readers that show bodies and
	// nothing else: in SQLite a page then takes half the time.
	BodiesOnly bool
	// MaxBytes ends the page after the document whose body makes it so long; 0 means no
	// bound. A page holds one document at least, unless there is none.
	MaxBytes int
}

// Full says whether documents of so many bytes are as many as the query asks for.
func (q Query) Full(bytes int) bool { return q.MaxBytes > 0 && bytes >= q.MaxBytes }

// Page is the answer to a Query.
type Page struct {
	// Documents is empty, not an error, past the end.
	Documents []Document
	// Total counts what List and Filters let through, whatever page or bound was asked
	// for. Without filters on a listed table it is the highest ordinal.
	Total int64
	// Cut says that MaxBytes ended the page: more may follow within its Limit.
	Cut bool
}

// Validate refuses a query that the schema cannot answer.
func (q Query) Validate(s Schema) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("query of table %s: %s: %w", s.Name, fmt.Sprintf(format, args...), ErrInvalid)
	}
	switch {
	case q.Limit < 1 || q.Limit > MaxLimit:
		return fail("limit %d is not within 1 and %d", q.Limit, MaxLimit)
	case q.MaxBytes < 0:
		return fail("%d bytes are less than none", q.MaxBytes)
	case q.Offset < 0:
		return fail("offset %d is negative", q.Offset)
	case s.HasLists() && q.List == "":
		return fail("a table with lists needs a list")
	case !s.HasLists() && q.List != "":
		return fail("the table has no lists")
	case q.AfterID != "" && (s.Listed || q.Sort != "" || !text(q.AfterID)):
		return fail("an id bounds tables that are not listed, in the order of ids")
	case !s.Listed && (q.AfterOrdinal != nil || q.BeforeOrdinal != nil):
		return fail("ordinals bound listed tables only")
	}
	if a, ok := s.Attribute(q.Sort); q.Sort != "" && (!ok || !a.Indexed || a.Fold) {
		return fail("attribute %q does not sort", clip(q.Sort))
	}
	for _, f := range q.Filters {
		a, ok := s.Attribute(f.Attribute)
		if !ok {
			return fail("attribute %q is not in the schema", clip(f.Attribute))
		}
		if a.Kind != Text && (f.Op == EqualFold || f.Op == Prefix) {
			return fail("attribute %s is no text", a.Name)
		}
		if f.Op < Equal || f.Op > Prefix {
			return fail("comparison %d is unknown", f.Op)
		}
		if !text(f.Value) {
			return fail("the value of %s must be text", f.Attribute)
		}
		if _, err := a.Stored(f.Value); err != nil {
			return fail("%v", err)
		}
	}
	return nil
}

// Ordinals is the range of ordinals, both ends included, that answers a query without
// filters when highest is the list's last ordinal. Nothing to read gives from > to.
func (q Query) Ordinals(highest int64) (from, to int64) {
	from, to = 1, highest
	if q.AfterOrdinal != nil && *q.AfterOrdinal >= from {
		if *q.AfterOrdinal >= highest {
			return 1, 0
		}
		from = *q.AfterOrdinal + 1
	}
	if q.BeforeOrdinal != nil && *q.BeforeOrdinal <= to {
		if *q.BeforeOrdinal <= 1 {
			return 1, 0
		}
		to = *q.BeforeOrdinal - 1
	}
	if int64(q.Offset) > to-from {
		return 1, 0
	}
	if q.NewestFirst {
		to -= int64(q.Offset)
		return max(from, to-int64(q.Limit)+1), to
	}
	from += int64(q.Offset)
	return from, min(to, from+int64(q.Limit)-1)
}

// PrefixEnd is the smallest text after all texts that start with prefix, so that a
// prefix filter is the range [prefix, end); false when nothing comes after them.
func PrefixEnd(prefix string) (string, bool) {
	runes := []rune(prefix)
	for i := len(runes) - 1; i >= 0; i-- {
		switch next := runes[i] + 1; {
		case runes[i] == utf8.MaxRune:
			continue
		case next == 0xD800: // surrogates are no text
			runes[i] = 0xE000
		default:
			runes[i] = next
		}
		return string(runes[:i+1]), true
	}
	return "", false
}
