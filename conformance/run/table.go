package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is the outcome of one group of tests.
type row struct {
	suite, test             string
	passed, failed, skipped int
	notes                   []string // names of what failed, reasons of what was left out
}

type table []row

func (t table) ok() bool {
	for _, r := range t {
		if r.failed > 0 {
			return false
		}
	}
	return len(t) > 0
}

func (t table) print(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "\nsuite\ttests\tpassed\tfailed\tnot applicable\tnotes")
	var sum row
	for _, r := range t {
		sum.passed, sum.failed, sum.skipped = sum.passed+r.passed, sum.failed+r.failed, sum.skipped+r.skipped
		slices.Sort(r.notes)
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%s\n", r.suite, r.test, r.passed, r.failed, r.skipped,
			strings.Join(slices.Compact(r.notes), "; "))
	}
	fmt.Fprintf(tw, "all\t\t%d\t%d\t%d\t\n", sum.passed, sum.failed, sum.skipped)
	_ = tw.Flush()
}
