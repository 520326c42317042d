package main

import (
	"fmt"
	"io"
	"strings"
)

// row is one measured thing beside its ceiling.
type row struct {
	what   string
	value  string // the median, with its unit
	cpu    string // processor time per operation
	beside string // the ceiling with its own median
	ratio  spread // value by ceiling; zero for none
	aim    *aim
	why    string // one line: what was done, how to read it
}

// aim is what a row should reach.
type aim struct {
	text string
	met  bool
}

// atLeast and atMost judge the median.
func atLeast(v, want float64, text string) *aim { return &aim{text, v >= want} }
func atMost(v, want float64, text string) *aim  { return &aim{text, v <= want} }

// table prints rows as they come, so that a long run shows what it has.
type table struct {
	out     io.Writer
	section string
	judged  []string
	missed  int
}

const rowFormat = "  %-34s %14s %12s   %-34s %s\n"

func (t *table) heading(text string) {
	t.section = text
	fmt.Fprintf(t.out, "\n%s\n", strings.ToUpper(text[:1])+text[1:])
	fmt.Fprintf(t.out, rowFormat, "", "median", "cpu per op", "ceiling in the same rounds", "ratio (quartiles), aim")
}

func (t *table) add(r row) {
	verdict := ""
	if r.ratio.mid != 0 {
		verdict = fmt.Sprintf("%s (%s-%s)", short(r.ratio.mid), short(r.ratio.low), short(r.ratio.high))
	}
	if r.aim != nil {
		word := "met"
		if !r.aim.met {
			word = "NOT MET"
			t.missed++
		}
		verdict = strings.TrimSpace(verdict + "  aim " + r.aim.text + ": " + word)
		t.judged = append(t.judged, fmt.Sprintf("  %-7s  %s: %s (%s)", word, r.what, r.value, r.aim.text))
	}
	fmt.Fprintf(t.out, rowFormat, r.what, r.value, r.cpu, r.beside, verdict)
	if r.why != "" {
		fmt.Fprintf(t.out, "      %s\n", r.why)
	}
}

// summary lists the rows that had an aim.
func (t *table) summary() {
	if len(t.judged) == 0 {
		return
	}
	fmt.Fprintf(t.out, "\nAims (%d of %d missed)\n%s\n", t.missed, len(t.judged), strings.Join(t.judged, "\n"))
}

// short writes three digits that matter.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// perSecond writes a rate with its thousands apart.
func perSecond(v float64) string { return thousands(int64(v+0.5)) + "/s" }

func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// micro writes microseconds in the unit that fits.
func micro(v float64) string {
	switch {
	case v >= 1e6:
		return short(v/1e6) + " s"
	case v >= 1000:
		return short(v/1000) + " ms"
	}
	return short(v) + " µs"
}
