package arca

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"folio/sandbox"
)

// The table of marks that integrators read is the one that the sandbox follows.
func TestTheDocumentedRecipientsAreTheMarks(t *testing.T) {
	page, err := os.ReadFile("../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- marks -->")
	table, _, _ = strings.Cut(table, "<!-- /marks -->")
	var documented []string
	for _, line := range strings.Split(table, "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| NN") {
			documented = append(documented, line)
		}
	}
	if len(documented) != len(Marks) {
		t.Fatalf("%d rows for %d marks", len(documented), len(Marks))
	}
	for i, m := range Marks {
		cells := strings.Split(strings.Trim(documented[i], "| "), " | ")
		cuit, err := sandbox.ParseCUIT(cells[1])
		if err != nil {
			t.Errorf("%s: %v", documented[i], err)
		}
		dni, _ := strconv.ParseInt(cells[2], 10, 64)
		want := string(m.Fault.Effect)
		if m.Fault.Code != "" {
			want += fmt.Sprint(" ", m.Fault.Code)
		}
		if m.Fault.Delay != 0 {
			want += " " + m.Fault.Delay.String()
		}
		if cells[0] != fmt.Sprintf("%02d", m.Number) || cells[3] != want {
			t.Errorf("row %v, want %02d and %s", cells, m.Number, want)
		}
		for _, c := range []carrier{{docTipo: 80, docNro: cuit}, {docTipo: 96, docNro: dni}} {
			if got := server().faults(c); len(got) != 1 || got[0] != m.Fault {
				t.Errorf("%d is %v, want %v", c.docNro, got, m.Fault)
			}
		}
	}
	for _, e := range effects {
		if !strings.Contains(string(page), "`"+string(e)+"`") {
			t.Errorf("the effect %s is not documented", e)
		}
	}
}
