package pdf

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// leftMark before a line makes the line one that reads from the left.
const leftMark = "\u200e"

// visual is a line in the order in which its characters stand on paper, from left to
// right, by the Unicode bidirectional algorithm (UAX 9).
func visual(line string) string {
	if !rightToLeft(line) {
		return line
	}
	var p bidi.Paragraph
	if _, err := p.SetString(leftMark + line); err != nil {
		return line
	}
	order, err := p.Order()
	if err != nil {
		return line
	}
	// The runs come in the order of the text. Numbers among words that are read from
	// the right belong to them (rule W7), so their order is turned as a whole.
	var turned []string
	var b strings.Builder
	flush := func() {
		for i := len(turned) - 1; i >= 0; i-- {
			b.WriteString(turned[i])
		}
		turned = turned[:0]
	}
	for i := range order.NumRuns() {
		run := order.Run(i)
		if run.Direction() == bidi.RightToLeft {
			turned = append(turned, bidi.ReverseString(run.String()))
			continue
		}
		rest := strings.TrimPrefix(run.String(), leftMark)
		if len(turned) > 0 {
			var number string
			number, rest = leadingNumber(rest)
			turned = append(turned, number)
		}
		if rest != "" {
			flush()
			b.WriteString(rest)
		}
	}
	flush()
	return b.String()
}

// leadingNumber cuts a number with its separators and signs off the front.
func leadingNumber(s string) (number, rest string) {
	end := 0
	for i, r := range s {
		p, n := bidi.LookupString(string(r))
		switch p.Class() {
		case bidi.EN, bidi.AN, bidi.ET:
			end = i + n
			continue
		case bidi.ES, bidi.CS:
			continue
		}
		break
	}
	return s[:end], s[end:]
}

func rightToLeft(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfeff })
}
