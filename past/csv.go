package past

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// number is what no spreadsheet takes for a formula, though it may begin with a sign.
var number = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// formula is where a spreadsheet would begin one: at the start of a cell, and behind a semicolon, which parts cells
// where the comma is in decimals, as in Argentina, Chile and Uruguay. Wide signs count as plain ones in some of them.
var formula = regexp.MustCompile("(^|;)([=+\\-@\t\r\n＝＋－＠])")

// CSV writes tables for spreadsheets. Where a spreadsheet would take text for a formula there is an apostrophe before
// it, since texts of customers, authorities and operators are in the tables.
type CSV struct {
	w   *csv.Writer
	err error
}

// NewCSV writes to w.
func NewCSV(w io.Writer) *CSV { return &CSV{w: csv.NewWriter(w)} }

// Header writes the names of columns, given with commas between them.
func (c *CSV) Header(columns string) { c.Row(strings.Split(columns, ",")...) }

// Row writes a row. The first error of a table is that of Flush.
func (c *CSV) Row(cells ...string) {
	for i, cell := range cells {
		if !number.MatchString(cell) {
			cells[i] = formula.ReplaceAllString(cell, "$1'$2")
		}
	}
	if err := c.w.Write(cells); err != nil && c.err == nil {
		c.err = err
	}
}

// Flush ends a table or a part of it.
func (c *CSV) Flush() error {
	c.w.Flush()
	if c.err != nil {
		return c.err
	}
	return c.w.Error()
}

// The columns of both tables.
const (
	LedgerColumns = "position,time,what,series,from,to,invoice_id,submission,id_enumeration,cause"
	GapColumns    = "series,from,to,count,kind,explained,cause,position"
)

// Row is the entry as a row of LedgerColumns.
func (e Entry) Row() []string {
	return []string{e.Position.String(), e.Time.UTC().Format(time.RFC3339Nano), e.What, e.Letter, fmt.Sprint(e.From),
		fmt.Sprint(e.To), e.Invoice, e.Submission, e.Range, e.Cause}
}

// WriteGaps writes a report as a table.
func WriteGaps(w io.Writer, r Report) error {
	c := NewCSV(w)
	c.Header(GapColumns)
	for _, g := range r.Gaps {
		position := ""
		if !g.Position.IsZero() {
			position = g.Position.String()
		}
		c.Row(
			g.Letter,
			fmt.Sprint(g.From),
			fmt.Sprint(g.To),
			fmt.Sprint(g.To-g.From+1),
			g.Kind,
			fmt.Sprint(g.Explained()),
			g.Cause,
			position,
		)
	}
	return c.Flush()
}
