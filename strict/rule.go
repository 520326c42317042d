package strict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rule narrows what a field may hold. Rules that do not fit a field's type are ignored.
type Rule struct {
	kind  ruleKind
	a, b  int64
	names []string
}

type ruleKind uint8

const (
	ruleRequired ruleKind = iota
	ruleMultiline
	ruleMaxLen
	ruleOneOf
	ruleBetween
	ruleDecimals
	ruleWhole
	ruleMinItems
	ruleMaxItems
	ruleDateAlone
	rulePositive
	ruleNotNegative
)

// Rules without figures. Without Required a field may be missing or null, which
// read as its zero value.
var (
	// Required refuses a missing field, null, and text of nothing but spaces.
	Required = Rule{kind: ruleRequired}
	// Multiline allows tabs and line ends in text; CR LF is read as LF.
	Multiline = Rule{kind: ruleMultiline}
	// DateAlone lets DateTime take YYYY-MM-DD too, read as its first second.
	DateAlone = Rule{kind: ruleDateAlone}
	// Positive refuses zero and less, NotNegative less than zero.
	Positive    = Rule{kind: rulePositive}
	NotNegative = Rule{kind: ruleNotNegative}
)

// MaxLen bounds text in characters (code points). Without it the bound is 1,000.
func MaxLen(n int) Rule { return Rule{kind: ruleMaxLen, a: int64(n)} }

// OneOf lists the texts that are allowed, exactly as written.
func OneOf(names ...string) Rule { return Rule{kind: ruleOneOf, names: names} }

// Between bounds an integer, both ends included.
func Between(low, high int64) Rule { return Rule{kind: ruleBetween, a: low, b: high} }

// Decimals is how many decimals a number may have, not counting zeros at its end.
// Without it the bound is 6, and 4 is the most that 15 whole digits leave room for
// in 19 digits.
func Decimals(n int) Rule { return Rule{kind: ruleDecimals, a: int64(n)} }

// WholeDigits is how many digits a number may have before the point, 15 at most.
func WholeDigits(n int) Rule { return Rule{kind: ruleWhole, a: int64(n)} }

// MinItems and MaxItems bound an array. Without MaxItems the bound is 1,000.
func MinItems(n int) Rule { return Rule{kind: ruleMinItems, a: int64(n)} }

// MaxItems is the other bound of MinItems.
func MaxItems(n int) Rule { return Rule{kind: ruleMaxItems, a: int64(n)} }

// rules is a list of Rule, resolved.
type rules struct {
	required, multiline, dateAlone bool
	positive, notNegative, between bool
	maxLen, minItems, maxItems     int
	decimals, whole                int
	low, high                      int64
	as                             form // what a text is read as
	isInteger, orInt               bool // a whole number; text or a whole number
	oneOf                          []string
}

func resolve(list []Rule) rules {
	r := rules{maxLen: 1000, maxItems: 1000, decimals: 6, whole: maxWholeDigits}
	for i := range list {
		switch a := int(list[i].a); list[i].kind {
		case ruleRequired:
			r.required = true
		case ruleMultiline:
			r.multiline = true
		case ruleDateAlone:
			r.dateAlone = true
		case rulePositive:
			r.positive = true
		case ruleNotNegative:
			r.notNegative = true
		case ruleMaxLen:
			r.maxLen = a
		case ruleMinItems:
			r.minItems = a
		case ruleMaxItems:
			r.maxItems = a
		case ruleDecimals:
			r.decimals = a
		case ruleWhole:
			r.whole = min(a, maxWholeDigits)
		case ruleOneOf:
			r.oneOf = list[i].names
		case ruleBetween:
			r.between, r.low, r.high = true, list[i].a, list[i].b
		}
	}
	return r
}

// trouble is a violation that has no path yet; the zero value is none.
type trouble struct{ code, message string }

// form is what a text is read as. (A method value instead would move every rules to
// the heap.)
type form uint8

const (
	asText form = iota
	asDate
	asDateTime
)

func (r *rules) check(as form, s string) (string, trouble) {
	switch as {
	case asDate:
		return r.date(s)
	case asDateTime:
		return r.dateTime(s)
	}
	return r.text(s)
}

// text checks s and gives it back with line ends made LF. One pass for plain ASCII.
func (r *rules) text(s string) (string, trouble) {
	if r.required && strings.TrimSpace(s) == "" {
		return "", trouble{CodeRequired, "must not be empty"}
	}
	if r.multiline && strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	n := 0
	for _, c := range s {
		n++
		if c >= ' ' && c < 0x7f || r.multiline && (c == '\n' || c == '\t') {
			continue
		}
		// U+FFFE and U+FFFF cannot stand in XML, which every authority speaks.
		if unicode.IsControl(c) || c == 0xFFFE || c == 0xFFFF {
			return "", trouble{CodeControl, fmt.Sprintf("must not hold the control character %U (character %d)", c, n)}
		}
		// Embeddings, overrides and isolates can make what a reader sees differ from what is
		// stored (Unicode UAX 9 §2); the marks U+200E and U+200F cannot.
		if c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069 {
			return "", trouble{CodeControl, fmt.Sprintf("must not hold the character %U (character %d), which turns the "+
				"direction of text: remove it", c, n)}
		}
	}
	switch {
	case n > r.maxLen:
		return "", trouble{CodeTooLong, "must have at most " + strconv.Itoa(r.maxLen) + " characters, it has " +
			strconv.Itoa(n)}
	case len(r.oneOf) > 0 && s != "" && !slices.Contains(r.oneOf, s):
		return "", trouble{CodeNotAllowed, "must be one of: " + Shorten(strings.Join(r.oneOf, ", "), 400)}
	}
	return s, trouble{}
}

// valid says whether s is UTF-8; JSON text already is.
func validUTF8(s string) bool { return utf8.ValidString(s) }
