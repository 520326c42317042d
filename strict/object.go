package strict

import (
	"slices"
	"strconv"
	"strings"

	"folio/money"

	"github.com/go-json-experiment/json/jsontext"
)

// Object reads the members of one JSON object and collects what is wrong with them.
// A getter gives the zero value when the member is missing, null or at fault. The
// Object of a missing member is empty: it reports nothing, since the missing member
// has been reported. Call Done on the outermost one when all is read.
type Object struct {
	b  *Body
	at int32
}

// absent is the place of an Object that is not there.
const absent = -1

// Object is the body as an object; any other kind of value is a violation.
func (b *Body) Object() Object {
	if b.nodes[0].kind != '{' {
		b.wrong.add(rootPath, CodeWrongType, "must be an object, not "+kindName(b.nodes[0].kind))
		return Object{b, absent}
	}
	b.nodes[0].opened = true
	return Object{b, 0}
}

// Done reports the members that nobody asked for, here and in every object read
// below, and returns all that is wrong as one fault of code Invalid, or nil. It may
// be called again after further Fail.
func (o Object) Done() error {
	b := o.b
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.seen || n.parent < 0 || !b.nodes[n.parent].opened || b.nodes[n.parent].kind != '{' {
			continue
		}
		n.seen = true
		if b.wrong.full() {
			b.wrong.total++
			continue
		}
		b.wrong.add(b.path(int32(i)), CodeUnknown, "is not a field here"+b.suggestion(n))
	}
	return b.wrong.err()
}

// Present says whether o stands for an object that was really there.
func (o Object) Present() bool { return o.at != absent }

// Has says whether the member is there and not null. One that is null is as good as absent, and asked for.
func (o Object) Has(name string) bool {
	if s := o.b.sketch; s != nil {
		s.optional[place{o.at, name}] = true
		return !slices.Contains(s.leave, name)
	}
	n := o.find(name)
	if n != nil && n.kind == 'n' {
		n.seen = true
		return false
	}
	return n != nil
}

// Path names o's member for messages; the object itself for "".
func (o Object) Path(name string) string {
	path := rootPath
	if o.at != absent {
		path = o.b.path(o.at)
	}
	if name == "" {
		return path
	}
	return member(path, name)
}

// FailElement adds a violation of the i-th element of an array member.
func (o Object) FailElement(name string, i int, code, message string) {
	o.b.wrong.add(element(o.Path(name), i), code, message)
}

// Fail adds a violation of the member (or of the object itself, for "").
func (o Object) Fail(name, code, message string) { o.b.wrong.add(o.Path(name), code, message) }

// String reads text, at most 1,000 characters unless MaxLen says otherwise, without
// control characters (see Multiline).
func (o Object) String(name string, list ...Rule) string {
	r := resolve(list)
	return o.stringBy(name, &r, asText)
}

// Date reads a date in the form YYYY-MM-DD; "" reads as missing.
func (o Object) Date(name string, list ...Rule) string {
	r := resolve(list)
	return o.stringBy(name, &r, asDate)
}

// DateTime reads a local date and time in the form YYYY-MM-DD HH:MM:SS; "" reads as
// missing.
func (o Object) DateTime(name string, list ...Rule) string {
	r := resolve(list)
	return o.stringBy(name, &r, asDateTime)
}

func (o Object) stringBy(name string, r *rules, as form) string {
	r.as = as
	n := o.take(name, r, '"')
	if n == nil {
		return ""
	}
	s, t := r.check(as, o.b.text(n))
	o.refuse(name, t)
	return s
}

// StringOrInt reads an identifier that may be written as text or as a whole number
// and gives its text.
func (o Object) StringOrInt(name string, list ...Rule) string {
	r := resolve(list)
	r.orInt = true
	n := o.find(name)
	if n == nil || n.kind != '0' {
		return o.stringBy(name, &r, asText)
	}
	n.seen = true
	s := o.b.src[n.start:n.end]
	if strings.ContainsAny(s, ".eE") {
		o.refuse(name, trouble{CodeInteger, "must be text or a whole number"})
		return ""
	}
	s, t := r.text(s)
	o.refuse(name, t)
	return s
}

// Decimal reads a number exactly as it is written: at most 15 digits before the
// point, 6 decimals unless Decimals says otherwise, 19 digits in all. It keeps
// 121.00 as 121.00.
func (o Object) Decimal(name string, list ...Rule) money.Decimal {
	r := resolve(list)
	n := o.take(name, &r, '0')
	if n == nil {
		return money.Zero
	}
	d, t := r.decimal(o.b.src[n.start:n.end])
	o.refuse(name, t)
	return d
}

// Int reads a whole number.
func (o Object) Int(name string, list ...Rule) int64 {
	r := resolve(list)
	r.isInteger = true
	n := o.take(name, &r, '0')
	if n == nil {
		return 0
	}
	v, t := r.integer(o.b.src[n.start:n.end])
	o.refuse(name, t)
	return v
}

// Bool reads true or false.
func (o Object) Bool(name string, list ...Rule) bool {
	r := resolve(list)
	n := o.take(name, &r, 't')
	return n != nil && n.kind == 't'
}

// Object reads an object member.
func (o Object) Object(name string, list ...Rule) Object {
	r := resolve(list)
	n := o.take(name, &r, '{')
	if n == nil {
		return Object{o.b, absent}
	}
	n.opened = true
	return Object{o.b, o.index(name)}
}

// Array reads an array of objects and calls each for every one of them. An array
// beyond MaxItems (1,000 unless given) is one violation and is not read.
func (o Object) Array(name string, each func(i int, item Object), list ...Rule) {
	o.elements(name, '{', list, func(i int, at int32) {
		o.b.nodes[at].opened = true
		each(i, Object{o.b, at})
	})
}

// Strings reads an array of texts; the rules for text hold for each.
func (o Object) Strings(name string, list ...Rule) []string {
	r := resolve(list)
	r.required = false
	var all []string
	o.elements(name, '"', list, func(i int, at int32) {
		s, t := r.text(o.b.text(&o.b.nodes[at]))
		if t.code != "" {
			o.b.wrong.add(element(o.Path(name), i), t.code, t.message)
			return
		}
		all = append(all, s)
	})
	return all
}

func (o Object) elements(name string, kind jsontext.Kind, list []Rule, each func(i int, at int32)) {
	r := resolve(list)
	n := o.take(name, &r, '[')
	if n == nil {
		return
	}
	if o.b.sketch != nil {
		o.b.sketch.element(o, name, kind, list)
	}
	count := 0
	for at := n.first; at != 0; at = o.b.nodes[at].next {
		count++
	}
	switch {
	case count > r.maxItems:
		o.Fail(name, CodeTooManyItems, "must have at most "+strconv.Itoa(r.maxItems)+" elements, it has "+strconv.Itoa(count))
		return
	case count == 0 && (r.required || r.minItems > 0):
		o.Fail(name, CodeTooFewItems, "must have at least one element")
		return
	case count < r.minItems:
		o.Fail(name, CodeTooFewItems, "must have at least "+strconv.Itoa(r.minItems)+" elements")
		return
	}
	for i, at := 0, n.first; at != 0; i, at = i+1, o.b.nodes[at].next {
		if k := o.b.nodes[at].kind; k != kind {
			o.b.wrong.add(element(o.Path(name), i), CodeWrongType, "must be "+kindName(kind)+", not "+kindName(k))
			continue
		}
		each(i, at)
	}
}

// Raw is the JSON text of the member, whatever it is; nil when it is missing or null.
func (o Object) Raw(name string, list ...Rule) []byte {
	r := resolve(list)
	n := o.take(name, &r, 0)
	if n == nil {
		return nil
	}
	return []byte(o.b.src[n.start:n.end])
}

// Empty says whether the member is missing, null, "", [] or {}.
func (o Object) Empty(name string) bool {
	n := o.find(name)
	return n == nil || n.kind == 'n' || n.kind == '"' && n.end-n.start == 2 || (n.kind == '[' || n.kind == '{') &&
		n.first == 0
}

// MustBeEmpty names the members that only the service sets.
func (o Object) MustBeEmpty(names ...string) {
	for _, name := range names {
		if o.b.sketch != nil {
			o.b.sketch.empty(o, name)
			continue
		}
		if n := o.find(name); n != nil {
			n.seen = true
		}
		if !o.Empty(name) {
			o.Fail(name, CodeReadOnly, "is set by the service: leave it out")
		}
	}
}
