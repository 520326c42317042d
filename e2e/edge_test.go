package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// taxed is one line of 100.00 with a tax.
func taxed(tax, rate, amount string) (line map[string]any, row map[string]any) {
	line = map[string]any{"quantity": 1, "code_unit_of_measure": "kg", "unit_price": 100, "description": "Con " + tax,
		"taxes": []map[string]any{{"type": tax, "rate": json.Number(rate), "amount": json.Number(amount)}}}
	return line, map[string]any{"type": tax, "amount": json.Number(amount), "base_amount": 100}
}

// everyRate has a line for each tax that a document A may carry.
func everyRate() map[string]any {
	b := body("FCA", 1, "rates")
	var lines, rows []map[string]any
	for _, t := range [][3]string{{"iva0", "0", "0"}, {"iva25", "2.5", "2.50"}, {"iva5", "5", "5.00"},
		{"iva105", "10.5", "10.50"},
		{"iva21", "21", "21.00"}, {"iva27", "27", "27.00"}, {"exempt", "0", "0"}, {"untaxed", "0", "0"}} {
		line, row := taxed(t[0], t[1], t[2])
		lines, rows = append(lines, line), append(rows, row)
	}
	b["items"] = lines
	b["global_taxes"] = []map[string]any{{"type": "perc_iibb", "description": "IIBB CABA", "rate": 3, "base_amount": 800,
		"amount": 24}}
	b["totals"] = map[string]any{"sub_total": 800, "discount": 0, "taxes": rows, "total": 890}
	return b
}

func thousandItems() map[string]any {
	b := body("FCC", 1, "long")
	lines := make([]map[string]any, 1000)
	for i := range lines {
		lines[i] = map[string]any{"quantity": 1, "code_unit_of_measure": "u", "unit_price": json.Number("0.01"),
			"description": fmt.Sprint("Línea ", i+1)}
	}
	b["items"], b["totals"] = lines, map[string]any{"sub_total": 10, "discount": 0, "total": 10, "taxes": []any{}}
	return b
}

func TestWhatStandsAtTheEdgeIsAccepted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c, mono := issuing(t, p, dir, 1), monotributista(t, p, dir, 2)
	for name, b := range map[string]map[string]any{
		"a total a cent off":     changed("FCA", func(b map[string]any) { totals(b)["total"] = json.Number("242.01") }),
		"numbers with exponents": changed("FCA", func(b map[string]any) { totals(b)["total"] = json.Number("2.42e2") }),
		"the least that is needed": {"invoice_type": "FCC", "invoice_date": today, "concept": "1",
			"totals": map[string]any{"sub_total": 1, "total": 1},
			"items":  []map[string]any{{"quantity": 1, "code_unit_of_measure": "u", "unit_price": 1, "description": "x"}}},
		"empty read-only fields": changed("FCB", func(b map[string]any) {
			b["id"], b["number"], b["status"], b["electronic_authorization"], b["tax_information"] = nil, "", nil,
				map[string]any{}, nil
			b["billing_reference"], b["global_taxes"], b["additional_header_info"] = []any{}, []any{}, nil
		}),
		"ARCA's own codes":        changed("FCA", func(b map[string]any) { b["invoice_type"], b["concept"] = "1", 1 }),
		"a kind in lower case":    changed("FCA", func(b map[string]any) { b["invoice_type"] = "fca" }),
		"a point of sale of five": changed("FCB", func(b map[string]any) { b["branch_office"] = 99998 }),
		"an unidentified consumer": changed("FCB",
			func(b map[string]any) { b["recipient"] = map[string]any{"document_type": "99", "document_number": "0"} }),
		"dollars": changed("FCA", func(b map[string]any) {
			b["currency"] = map[string]any{"code": "USD", "exchange_rate": json.Number("1450.25")}
		}),
		"letters of all kinds": changed("FCB", func(b map[string]any) {
			b["observations"] = "Łódź — ñandú «₲» " +
				"😀\nline two\t."
		}),
		"a very long word": changed("FCB",
			func(b map[string]any) { item(b)["description"] = strings.Repeat("W", 4000) }),
		"a monotributista's condition": changed("FCA",
			func(b map[string]any) { b["recipient"].(map[string]any)["tax_condition"] = "monotributo" }),
		"every rate and a perception": everyRate(), "a thousand items": thousandItems(),
	} {
		t.Run(name, func(t *testing.T) {
			c := c
			if b["invoice_type"] == "FCC" {
				c = mono
			}
			i := c.issue(t, b)
			c.pdf(t, http.MethodPost, i.ID, "/download-pdf/A4")
			if name == "a point of sale of five" && *i.Number != "99998-00000001" {
				t.Errorf("the number is %s", *i.Number)
			}
		})
	}
	consecutive(t, c.all(t))
	p.stop(t)
}

// A body may have 256 KiB. An ampersand takes one byte of it, five of an XML document and
// would take six of an event whose JSON is escaped for HTML.
func TestTheLargestBodyIsIssuedWhateverItsCharacters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	argentine, uruguayan := monotributista(t, p, dir, 1), uruguayan(t, p, dir)
	uruguayan.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "A", 1, 9))
	for _, c := range []struct {
		company
		body          map[string]any
		lines, length int
	}{{argentine, thousandItems(), 1000, 165}, {uruguayan, uruguayos("EFA", "ampersands", 200), 200, 1000}} {
		line := c.body["items"].([]map[string]any)[0]
		line["quantity"], line["description"] = 1, strings.Repeat("&", c.length)
		if taxes, ok := line["taxes"].([]map[string]any); ok {
			taxes[0]["amount"] = 22
		}
		c.body["items"] = slices.Repeat([]map[string]any{line}, c.lines)
		raw, err := json.Marshal(c.body)
		if err != nil {
			t.Fatal(err)
		}
		raw = bytes.ReplaceAll(raw, []byte(`\u0026`), []byte("&"))
		if len(raw) < 230<<10 || len(raw) > 256<<10 {
			t.Fatalf("a body of %d bytes", len(raw))
		}
		i := c.accepted(t, c.post(t, raw).ID)
		c.pdf(t, http.MethodPost, i.ID, "/download-pdf/A4")
	}
	p.stop(t)
}
