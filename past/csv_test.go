package past_test

import (
	"bytes"
	"testing"

	"folio/past"
)

// A text is no formula wherever a spreadsheet may begin a cell, and a number stays one.
func TestNoCellIsAFormula(t *testing.T) {
	for text, want := range map[string]string{
		"plain":           "plain",
		"":                "",
		"-12.50":          "-12.50",
		"-12.50+1":        "'-12.50+1",
		"=1+1":            "'=1+1",
		"+54 11":          "'+54 11",
		"@SUM(A1)":        "'@SUM(A1)",
		"\t=1":            "'\t=1",
		"＝1+1":            "'＝1+1",
		"Pérez;=1+1":      "Pérez;'=1+1",
		"Pérez; hijos-":   "Pérez; hijos-",
		"a;+1;=HYPERLINK": "a;'+1;'=HYPERLINK",
	} {
		var out bytes.Buffer
		c := past.NewCSV(&out)
		c.Row(text, "end")
		if err := c.Flush(); err != nil || out.String() != want+",end\n" {
			t.Errorf("%q is written as %q, %v", text, out.String(), err)
		}
	}
}
