package strict

import (
	"strings"

	"folio/fault"

	"github.com/go-json-experiment/json/jsontext"
)

// find looks the member up and remembers that its name exists.
func (o Object) find(name string) *node {
	if i := o.index(name); i != absent {
		return &o.b.nodes[i]
	}
	return nil
}

func (o Object) index(name string) int32 {
	if o.at == absent {
		return absent
	}
	nodes := o.b.nodes
	for i := nodes[o.at].first; i != 0; i = nodes[i].next {
		if nodes[i].name == name {
			return i
		}
	}
	return absent
}

// take finds the member and checks that it is there and of the kind (0 for any);
// nil when there is nothing to read.
func (o Object) take(name string, r *rules, kind jsontext.Kind) *node {
	if o.at == absent {
		return nil
	}
	if o.b.sketch != nil {
		return o.b.sketch.take(o, name, r, kind)
	}
	o.b.asked = append(o.b.asked, asked{o.at, name})
	n := o.find(name)
	if n == nil {
		if r.required {
			o.Fail(name, CodeRequired, "is required")
		}
		return nil
	}
	n.seen = true
	switch {
	case n.kind == 'n':
		if r.required {
			o.Fail(name, CodeNotNull, "must not be null")
		}
		return nil
	case kind == 0, n.kind == kind, kind == 't' && n.kind == 'f':
		return n
	}
	o.Fail(name, CodeWrongType, "must be "+kindName(kind)+", not "+kindName(n.kind))
	return nil
}

func (o Object) refuse(name string, t trouble) {
	if t.code != "" {
		o.Fail(name, t.code, t.message)
	}
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return fault.Words("an object")
	case '[':
		return fault.Words("an array")
	case '"':
		return fault.Words("a string")
	case '0':
		return fault.Words("a number")
	case 't', 'f':
		return fault.Words("true or false")
	}
	return "null"
}

// suggestion names the known field that the caller may have meant.
func (b *Body) suggestion(n *node) string {
	var known []string
	for _, a := range b.asked {
		if a.object == n.parent {
			known = append(known, a.name)
		}
	}
	return didYouMean(n.name, known)
}

// didYouMean is a hint for the nearest of the known names, or "".
func didYouMean(name string, known []string) string {
	if best := Nearest(name, known); best != "" {
		return meaning + best + "?"
	}
	return ""
}

// Nearest is the known name that a misspelt one was probably meant to be, "" if none is a letter or two away.
func Nearest(name string, known []string) (best string) {
	if len(name) > 40 {
		return ""
	}
	least := 3
	for _, k := range known {
		d := distance(strings.ToLower(name), strings.ToLower(k))
		if d < least && d <= 1+len(k)/4 {
			best, least = k, d
		}
	}
	return best
}

// meaning begins the hint of an unknown field.
const meaning = "; did you mean "

// Meant is the path of the member that an unknown one probably was meant to be.
func Meant(v fault.Violation) (path string, ok bool) {
	_, name, ok := strings.Cut(v.Message, meaning)
	if v.Code != CodeUnknown || !ok {
		return "", false
	}
	return v.Path[:strings.LastIndexByte(v.Path, '.')+1] + strings.TrimSuffix(name, "?"), true
}

// distance is the number of letters to insert, drop or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
