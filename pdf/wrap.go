package pdf

import (
	"strings"
	"unicode/utf8"
)

// style is how a text is set: size in points, ink from 0 (black) to 255 (white).
type style struct {
	size float64
	bold bool
	ink  uint8
}

const (
	point   = 25.4 / 72 // millimetres
	leading = 1.22      // height of a line in font sizes
	ascent  = 0.905     // above the base line, in font sizes
	descent = 0.212     // below it
)

func (s style) em() float64   { return s.size * point }
func (s style) line() float64 { return s.em() * leading }

// width of a text in one line, in millimetres.
func width(face typeface, s string, st style) float64 {
	sum := 0
	for _, r := range s {
		w, _ := face.advance(r, st.bold)
		sum += w
	}
	return float64(sum) * st.em() / 1000
}

// wrap breaks a text into lines that are at most limit wide: at its own line ends,
// at spaces, and inside a word that is longer than a line. Every line holds at
// least one character, however narrow the limit.
func wrap(face typeface, s string, st style, limit float64) []string {
	var lines []string
	room := int(limit / st.em() * 1000)
	for paragraph := range strings.SplitSeq(s, "\n") {
		for {
			end, next := breakAt(face, paragraph, st.bold, room)
			lines = append(lines, paragraph[:end])
			if next >= len(paragraph) {
				break
			}
			paragraph = paragraph[next:]
		}
	}
	return lines
}

// breakAt finds where the first line of a paragraph ends and where the next begins.
// room is in thousandths of the font size.
func breakAt(face typeface, s string, bold bool, room int) (end, next int) {
	used := 0
	space := -1 // the last one seen after a word
	for i, r := range s {
		if r == ' ' && i > 0 {
			if s[i-1] != ' ' {
				space = i
			}
		}
		w, _ := face.advance(r, bold)
		used += w
		if used <= room || r == ' ' || i == 0 || (joined(r) && s[i-1] != ' ') {
			continue
		}
		if space > 0 && strings.TrimLeft(s[:space], " ") != "" {
			return space, space + len(s[space:]) - len(strings.TrimLeft(s[space:], " "))
		}
		if cut := afterPunctuation(s[:i]); cut > 0 {
			return cut, cut
		}
		return i, i
	}
	return len(strings.TrimRight(s, " ")), len(s)
}

// afterPunctuation finds a fair place to cut a long word: behind a hyphen, slash, dot
// or the like in its second half.
func afterPunctuation(word string) int {
	if i := strings.LastIndexAny(word, "-/.,;:_@&="); i > len(word)/2 {
		_, n := utf8.DecodeRuneInString(word[i:])
		return i + n
	}
	return 0
}

// fit is st, made smaller as far as down to least so that s fits into one line.
func fit(face typeface, s string, st style, limit, least float64) style {
	if w := width(face, s, st); w > limit {
		st.size = max(least, st.size*limit/w*0.999)
	}
	return st
}

// cut is s in one line of the given width, shortened with an ellipsis.
func cut(face typeface, s string, st style, limit float64) string {
	s = oneLine(s)
	if width(face, s, st) <= limit {
		return s
	}
	end, used := 0, width(face, "…", st)
	for i, r := range s {
		w, _ := face.advance(r, st.bold)
		used += float64(w) * st.em() / 1000
		if used > limit {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return strings.TrimRight(s[:end], " ") + "…"
}
