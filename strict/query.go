package strict

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Query reads the query parameters of a request and collects what is wrong with
// them. An empty parameter (page=) reads as missing. Call Done when all is read.
type Query struct {
	values map[string]string
	asked  []string
	wrong  violations
}

// ReadQuery parses the query. A parameter given twice, or not in UTF-8, is a
// violation.
func ReadQuery(r *http.Request) *Query {
	q := &Query{values: map[string]string{}}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || !validUTF8(name) {
			q.wrong.add(member(rootPath, rawName), CodeEncoding, "must be UTF-8 in percent-encoding")
			continue
		}
		path := member(rootPath, name)
		value, err := url.QueryUnescape(rawValue)
		_, twice := q.values[name]
		switch {
		case err != nil || !validUTF8(value):
			q.wrong.add(path, CodeEncoding, "must be UTF-8 in percent-encoding")
			value = ""
		case twice:
			q.wrong.add(path, CodeRepeated, "must be given once")
			continue
		}
		q.values[name] = value
	}
	return q
}

// String reads text; the rules for text hold.
func (q *Query) String(name string, list ...Rule) string {
	r := resolve(list)
	return q.check(name, &r, asText)
}

// Date reads a date in the form YYYY-MM-DD.
func (q *Query) Date(name string, list ...Rule) string {
	r := resolve(list)
	return q.check(name, &r, asDate)
}

// Int reads a whole number in plain digits, such as page=2, or gives fallback when
// it is missing or at fault.
func (q *Query) Int(name string, fallback int64, list ...Rule) int64 {
	r := resolve(list)
	s, ok := q.take(name, &r)
	if !ok {
		return fallback
	}
	v, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil || strings.HasPrefix(s, "+"):
		if r.between { // said in one piece, so that it is translated whole
			q.Fail(name, CodeInteger, fmt.Sprintf("must be from %d to %d, in digits", r.low, r.high))
		} else {
			q.Fail(name, CodeInteger, "must be a whole number in digits")
		}
		return fallback
	case r.between && (v < r.low || v > r.high), r.positive && v <= 0, r.notNegative && v < 0:
		q.Fail(name, CodeOutOfRange, r.rangeTrouble().message)
		return fallback
	}
	return v
}

// Has says whether the parameter is there and not empty.
func (q *Query) Has(name string) bool { return q.values[name] != "" }

// Given says whether the parameter is there, empty or not.
func (q *Query) Given(name string) bool {
	_, ok := q.values[name]
	return ok
}

// Fail adds a violation of the parameter.
func (q *Query) Fail(name, code, message string) {
	q.wrong.add(member(rootPath, name), code, message)
}

// EndsBefore refuses the upper bound of a range that lies before the lower one.
func (q *Query) EndsBefore(from, to string) {
	q.Fail(to, CodeBeforeFrom, fmt.Sprintf("must not be before %s: nothing can lie between the two", from))
}

// Done reports the parameters that nobody asked for and returns all that is wrong as
// one fault of code Invalid, or nil.
func (q *Query) Done() error {
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(q.values)), func(name string) bool {
		return slices.Contains(q.asked, name)
	})
	known := q.asked
	for _, name := range unknown {
		q.Fail(name, CodeUnknown, "is not a parameter here"+didYouMean(name, known))
	}
	q.asked = append(q.asked, unknown...)
	return q.wrong.err()
}

func (q *Query) check(name string, r *rules, as form) string {
	s, ok := q.take(name, r)
	if !ok {
		return ""
	}
	s, t := r.check(as, s)
	if t.code != "" {
		q.Fail(name, t.code, t.message)
	}
	return s
}

func (q *Query) take(name string, r *rules) (string, bool) {
	q.asked = append(q.asked, name)
	s := q.values[name]
	if s == "" && r.required {
		q.Fail(name, CodeRequired, "is required")
	}
	return s, s != ""
}
