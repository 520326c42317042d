package strict

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Sketch is what a reader asks of one value of a body: its types and rules, and of an
// object its members. Describe finds it by running the reader, so it cannot differ from
// what is read.
type Sketch struct {
	Name  string   // of the member
	Types []string // of JSON Schema: string, integer, number, boolean, object, array; none: anything
	// Format is date (YYYY-MM-DD), date-time (YYYY-MM-DD HH:MM:SS) or date-or-time for either.
	Format                string
	Required, NotNull     bool
	ServiceSets           bool // only the service sets it: it may be there when it is empty
	Positive, NotNegative bool
	Low, High             *int64
	MaxLen                int // of text, in characters
	MinItems, MaxItems    int
	Whole, Decimals       int // digits of a number before and after the point
	OneOf                 []string
	Members               []*Sketch // of an object, in the order in which they are read
	Element               *Sketch   // of an array
}

// Describe runs a reader on a body that has every member that it asks for, except those
// left out, and says what it asked. raw is the JSON text of members that are read as they
// are. What the reader reports means nothing.
func Describe(read func(Object), raw string, leave ...string) *Sketch {
	const texts = `"" 1 true {}[]`
	s := &sketcher{of: map[int32]*Sketch{0: {Types: []string{"object"}}}, optional: map[place]bool{}, leave: leave,
		raw: int32(len(texts)), kind: jsontext.Kind(raw[0])}
	b := &Body{src: texts + raw, sketch: s, nodes: make([]node, 1, maxSketched)}
	b.nodes[0] = node{kind: '{', parent: -1}
	read(b.Object())
	return s.of[0]
}

// maxSketched is more than any body has: readers hold pointers into the nodes.
const maxSketched = 4096

type sketcher struct {
	of       map[int32]*Sketch // by node
	optional map[place]bool    // members that are read only when they are there
	leave    []string
	raw      int32 // where the text of raw members begins
	kind     jsontext.Kind
}

// place is a member of an object.
type place struct {
	object int32
	name   string
}

// take makes the member that is asked for; nil when it is left out.
func (s *sketcher) take(o Object, name string, r *rules, kind jsontext.Kind) *node {
	if slices.Contains(s.leave, name) {
		return nil
	}
	at := o.index(name)
	if at == absent {
		at = s.hang(o.b, o.at, name, kind)
		s.of[at] = &Sketch{Name: name}
		s.of[o.at].Members = append(s.of[o.at].Members, s.of[at])
	}
	if s.optional[place{o.at, name}] {
		r.required = false
	}
	m, n := s.of[at], &o.b.nodes[at]
	n.seen = true
	if kind == 0 {
		n.kind, n.start, n.end = s.kind, s.raw, int32(len(o.b.src))
		return n
	}
	n.kind = kind
	n.start, n.end = placeOf(kind)
	m.note(typeName(kind, r), r)
	return n
}

// note adds a type and its rules.
func (m *Sketch) note(kind string, r *rules) {
	if !slices.Contains(m.Types, kind) {
		m.Types = append(m.Types, kind)
	}
	m.Required = m.Required || r.required
	m.Positive, m.NotNegative = r.positive, r.notNegative
	if r.between {
		low, high := r.low, r.high // or every reader's rules would move to the heap
		m.Low, m.High = &low, &high
	}
	switch kind {
	case "string":
		m.MaxLen, m.OneOf = r.maxLen, r.oneOf
		m.Format = map[form]string{asDate: "date", asDateTime: "date-time"}[r.as]
		if r.as == asDateTime && r.dateAlone {
			m.Format = "date-or-time"
		}
		if r.orInt && !slices.Contains(m.Types, "integer") {
			m.Types = append(m.Types, "integer")
		}
	case "array":
		m.MinItems, m.MaxItems = r.minItems, r.maxItems
		if r.required {
			m.MinItems = max(m.MinItems, 1)
		}
	case "number":
		m.Whole, m.Decimals = r.whole, r.decimals
	}
}

// element gives an array its one element.
func (s *sketcher) element(o Object, name string, kind jsontext.Kind, list []Rule) {
	array := o.index(name)
	if o.b.nodes[array].first != 0 {
		return
	}
	r := resolve(list)
	r.required = false
	at := s.hang(o.b, array, "", kind)
	s.of[at] = &Sketch{NotNull: true}
	s.of[at].note(typeName(kind, &r), &r)
	s.of[array].Element = s.of[at]
}

// empty notes a member that only the service sets.
func (s *sketcher) empty(o Object, name string) {
	s.of[o.at].Members = append(s.of[o.at].Members, &Sketch{Name: name, ServiceSets: true})
}

// hang adds a child to a node.
func (s *sketcher) hang(b *Body, parent int32, name string, kind jsontext.Kind) int32 {
	if len(b.nodes) == maxSketched {
		panic("a body with more members than can be sketched")
	}
	at := int32(len(b.nodes))
	start, end := placeOf(kind)
	b.nodes = append(b.nodes, node{name: name, kind: kind, parent: parent, start: start, end: end, opened: kind == '{'})
	if b.nodes[parent].first == 0 {
		b.nodes[parent].first = at
		return at
	}
	last := b.nodes[parent].first
	for b.nodes[last].next != 0 {
		last = b.nodes[last].next
	}
	b.nodes[last].next = at
	return at
}

// placeOf is where the text of a sample stands in the source of a sketch.
func placeOf(kind jsontext.Kind) (start, end int32) {
	switch kind {
	case '"':
		return 0, 2
	case '0':
		return 3, 4
	case 't':
		return 5, 9
	case '{':
		return 10, 12
	}
	return 12, 14
}

func typeName(kind jsontext.Kind, r *rules) string {
	switch {
	case kind == '"':
		return "string"
	case kind == '0' && r.isInteger:
		return "integer"
	case kind == '0':
		return "number"
	case kind == 't':
		return "boolean"
	case kind == '{':
		return "object"
	}
	return "array"
}
