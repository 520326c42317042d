package desk_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"folio/sandbox"
	"folio/sandbox/desk"
	"folio/sandbox/dgi"
	"folio/sandbox/sii"
)

// The tables of marks that integrators read are those that the sandboxes follow.
func TestTheDocumentedRecipientsAreTheMarks(t *testing.T) {
	page, err := os.ReadFile("../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		marks []desk.Mark
		ids   []func(id string, nn int) bool // by column
	}{
		"sii": {sii.Marks, []func(string, int) bool{func(id string, nn int) bool {
			rut, err := sandbox.ParseRUT(id)
			return err == nil && strings.HasPrefix(rut, fmt.Sprintf("999900%02d-", nn))
		}}},
		"dgi": {dgi.Marks, []func(string, int) bool{
			func(id string, nn int) bool {
				ruc, err := sandbox.ParseRUC(id)
				return err == nil && ruc[2:8] == fmt.Sprintf("9900%02d", nn)
			},
			func(id string, nn int) bool {
				return sandbox.ValidCI(id) && strings.HasPrefix(id, fmt.Sprintf("99900%02d", nn))
			},
		}},
	} {
		_, table, _ := strings.Cut(string(page), "<!-- marks "+name+" -->")
		table, _, _ = strings.Cut(table, "<!-- /marks -->")
		var rows [][]string
		for _, line := range strings.Split(table, "\n") {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| NN") {
				rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
			}
		}
		if len(rows) != len(c.marks) {
			t.Fatalf("%s: %d rows for %d marks", name, len(rows), len(c.marks))
		}
		for i, m := range c.marks {
			want := strings.TrimSpace(string(m.Fault.Effect) + " " + m.Fault.Code)
			if m.Fault.Delay != 0 {
				want += " " + m.Fault.Delay.String()
			}
			if rows[i][0] != fmt.Sprintf("%02d", m.Number) || rows[i][len(rows[i])-1] != want {
				t.Errorf("%s: row %v, want %02d and %s", name, rows[i], m.Number, want)
			}
			for j, fits := range c.ids {
				if !fits(rows[i][1+j], m.Number) {
					t.Errorf("%s: %s is no mark %02d", name, rows[i][1+j], m.Number)
				}
			}
		}
	}
}
