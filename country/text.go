package country

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// AllDigits says whether a text is one or more ASCII digits and nothing else.
func AllDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Line is a text on one line: every run of white space is one space, none at the ends. It is
// empty where the text is Blank.
func Line(text string) string {
	if Blank(text) {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// Blank says that nothing of a text can be seen: there is none, or all of it is white space,
// control characters and characters without a shape of their own, such as U+200B (Unicode's
// categories Z, C, and Default_Ignorable_Code_Point) and the empty braille pattern. A text
// that must say something is refused where it is blank.
func Blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Zs, r) && r != 0x2800 &&
			!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
}

// Cut is the first n characters of a text, never half of one.
func Cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// CutLine is a text on one line of at most n characters, with no white space at its end
// where it was cut between words.
func CutLine(text string, n int) string { return strings.TrimSpace(Cut(Line(text), n)) }

// Foreign is a text of somebody else's document or certificate as it may be kept and
// shown: on one line of at most 200 characters, without control characters and those that
// turn the direction of what stands beside them (Unicode's Bidi_Control). Character
// references of XML and the names in certificates can hold all of these.
func Foreign(text string) string {
	fit := func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}
	return CutLine(strings.Map(fit, strings.ToValidUTF8(text, "")), 200)
}

// ShortName is a description on one line: all of it, or as many whole words as n
// characters hold.
func ShortName(description string, n int) string {
	text := Line(description)
	short := Cut(text, n)
	if short == text {
		return text
	}
	if space := strings.LastIndexByte(short, ' '); space > n/2 {
		short = short[:space]
	}
	return strings.TrimSpace(short)
}

// Text refuses a text of more than limit characters (code prefix-01) and one with
// characters that are unfit for a document (prefix-03).
func (v *Violations) Text(prefix, path, text string, limit int) {
	if n := utf8.RuneCountInString(text); n > limit {
		v.Add(path, prefix+"-01", "it has %d characters, at most %d are allowed", n, limit)
	}
	if strings.ContainsFunc(text, Unfit) || !utf8.ValidString(text) {
		v.Add(path, prefix+"-03", "control characters and those that turn the direction of text are not allowed")
	}
}

// Unfit says that a character cannot stand in a document: control characters but line
// ends and tabs, what XML does not hold, and embeddings, overrides and isolates, which
// make what a reader sees differ from what is signed (Unicode UAX 9 §2).
func Unfit(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// SpanishName is the name of a country by its ISO 3166-1 alpha-2 code, the code itself
// for what has none.
func SpanishName(iso string) string {
	region, err := language.ParseRegion(iso)
	if err != nil || iso == "" {
		return iso
	}
	return display.Spanish.Regions().Name(region)
}
