package pdf

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// visual is a line in the order in which its characters stand on paper, from left to
// right, by the Unicode bidirectional algorithm (UAX 9). The line reads from the left.
func visual(line string) string {
	if !rightToLeft(line) {
		return line
	}
	var p bidi.Paragraph
	if _, err := p.SetString(line, bidi.DefaultDirection(bidi.LeftToRight)); err != nil {
		return line
	}
	order, err := p.Order()
	if err != nil {
		return line
	}
	var b strings.Builder
	for i := range order.NumRuns() {
		run := order.Run(i)
		if run.Direction() == bidi.RightToLeft {
			b.WriteString(bidi.ReverseString(run.String()))
		} else {
			b.WriteString(run.String())
		}
	}
	return b.String()
}

func rightToLeft(line string) bool {
	for _, r := range line {
		if r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfeff {
			return true
		}
	}
	return false
}
