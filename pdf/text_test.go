package pdf

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEveryCharacterIsShownOrItsCodeIs(t *testing.T) {
	core, embedded := helvetica{helveticaWidths()}, liberation{liberationWidths()}
	for _, c := range []struct{ name, in, core, embedded string }{
		{"Spanish stays as it is", "¡Ñandú, pingüino! ¿Qué? 1ª 2º €", "¡Ñandú, pingüino! ¿Qué? 1ª 2º €",
			"¡Ñandú, pingüino! ¿Qué? 1ª 2º €"},
		{"a letter and its accent become one", "n\u0303 a\u0301", "ñ á", "ñ á"},
		{"an accent without its letter stays", "g\u0303", "g[U+0303]", "g\u0303"},
		{"dashes", "a – b — c − d ‐ e ― f", "a – b — c – d - e — f", "a – b — c − d ‐ e ― f"},
		{"Guaraní and its currency", "ỹ ₲", "[U+1EF9] [U+20B2]", "ỹ ₲"},
		{"an emoji above the first plane", "😀", "[U+1F600]", "[U+1F600]"},
		{"an emoji of several characters", "👨\u200d👩 ✈\ufe0f", "[U+1F468][U+1F469] [U+2708]", "[U+1F468][U+1F469] [U+2708]"},
		{"control characters", "a\x00b\x1bc\x7fd\u009fe", "a[U+0000]b[U+001B]c[U+007F]d[U+009F]e",
			"a[U+0000]b[U+001B]c[U+007F]d[U+009F]e"},
		{"broken UTF-8", "a\xffb", "a[U+FFFD]b", "a[U+FFFD]b"},
		{"an override of the direction", "abc\u202etxt", "abc[U+202E]txt", "abc[U+202E]txt"},
		{"line ends and tabs", "a\r\nb\rc\td\u2028e", "a\nb\nc    d\ne", "a\nb\nc    d\ne"},
		{"a soft hyphen and a byte order mark leave no mark", "\ufeffcré\u00addito", "crédito", "crédito"},
		{"Hebrew", "שלום", "[U+05E9][U+05DC][U+05D5][U+05DD]", "שלום"},
		{"Chinese", "超市", "[U+8D85][U+5E02]", "[U+8D85][U+5E02]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := clean(c.in, core); got != c.core {
				t.Errorf("in Helvetica: %q, want %q", got, c.core)
			}
			if got := clean(c.in, embedded); got != c.embedded {
				t.Errorf("in Liberation Sans: %q, want %q", got, c.embedded)
			}
		})
	}
}

func TestBothTypefacesHaveTheSameWidths(t *testing.T) {
	core, embedded := helvetica{helveticaWidths()}, liberation{liberationWidths()}
	for _, r := range "AaÑñÁáÜü0123456789.,-/$€«»()WMil" {
		for _, bold := range []bool{false, true} {
			a, _ := core.advance(r, bold)
			b, has := embedded.advance(r, bold)
			if !has || a-b > 2 || b-a > 2 {
				t.Errorf("%q (bold: %t): %d and %d", r, bold, a, b)
			}
		}
	}
}

func TestBoldHasEveryCharacterThatRegularHas(t *testing.T) {
	widths := liberationWidths()
	for r := range widths[0] {
		if (widths[0][r] == absent) != (widths[1][r] == absent) {
			t.Errorf("U+%04X stands in one font only", r)
		}
	}
}

func TestLinesBreakAtSpacesAndInsideLongWords(t *testing.T) {
	face := helvetica{helveticaWidths()}
	st := style{size: 10}
	m := width(face, "m", st)
	for _, c := range []struct {
		name, in string
		limit    float64
		want     string
	}{
		{"a short text is one line", "mmm", 4 * m, "mmm"},
		{"at a space", "mmm mmm", 4.2 * m, "mmm|mmm"},
		{"spaces at a break vanish", "mmm    mmm", 4 * m, "mmm|mmm"},
		{"spaces inside a line stay", "m  m", 5 * m, "m  m"},
		{"spaces at the end vanish", "mm   ", 2.5 * m, "mm"},
		{"a long word is cut", "mmmmmmmmm", 4.1 * m, "mmmm|mmmm|m"},
		{"a long word is cut behind a hyphen", "mmm-mmmm", 4.5 * m, "mmm-|mmmm"},
		{"an indented line keeps its indent", "  mm mm", 3.1 * m, "  mm|mm"},
		{"own line ends stay", "m\n\nm", 4 * m, "m||m"},
		{"no room at all still ends", "mmm", 0, "m|m|m"},
		{"negative room still ends", "ñm", -5, "ñ|m"},
		{"nothing", "", 4 * m, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(wrap(face, c.in, st, c.limit), "|"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestWrappingLosesNothingAndKeepsTheLimit(t *testing.T) {
	face := liberation{liberationWidths()}
	rapid.Check(t, func(t *rapid.T) {
		txt := clean(rapid.StringOf(rapid.RuneFrom([]rune("aW ñ-/.ł \n\u0303ш"))).Draw(t, "text"), face)
		st := style{size: 8, bold: rapid.Bool().Draw(t, "bold")}
		limit := rapid.Float64Range(0, 60).Draw(t, "limit")
		lines := wrap(face, txt, st, limit)
		if got := squeeze(strings.Join(lines, "\n")); got != squeeze(txt) {
			t.Fatalf("%q became %q", txt, lines)
		}
		for _, line := range lines {
			if width(face, line, st) > limit+0.001 && utf8.RuneCountInString(strings.TrimSpace(line)) > 1 && !markedOnce(line) {
				t.Fatalf("%q is %.2f mm wide, the limit is %.2f", line, width(face, line, st), limit)
			}
		}
	})
}

// markedOnce says that a line is one letter with its accents.
func markedOnce(line string) bool {
	letters := 0
	for _, r := range strings.TrimSpace(line) {
		if !joined(r) {
			letters++
		}
	}
	return letters <= 1
}

func TestHebrewStandsFromRightToLeft(t *testing.T) {
	for in, want := range map[string]string{
		"abc":              "abc",
		"שלום":             "םולש",
		"x שלום y":         "x םולש y",
		"שלום 123 עולם":    "םלוע 123 םולש",
		"שלום 1.234,5 abc": "1.234,5 םולש abc",
		"(שלום)":           "(םולש)",
		"123 שלום":         "123 םולש",
	} {
		if got := visual(in); got != want {
			t.Errorf("%q stands as %q, want %q", in, got, want)
		}
	}
}
