package writeapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/strict"
)

// said are the faults of a body: those of its shape, and all of its country's rules, of
// which none is silenced.
func (w whole) said(t testing.TB, body string) (shapes, rules []fault.Violation) {
	t.Helper()
	b, err := strict.Parse([]byte(body))
	if err != nil {
		t.Fatal(err, body)
	}
	o := b.Object()
	known := w.rules.Branches()
	d, branch := readDocument(o, w.owner, known, func(strict.Object, *events.Reference) {})
	if f := fault.As(o.Done()); f != nil {
		shapes = f.Violations
	}
	who, unknown := establish(&d, branch, w.owner, known)
	_, rules = w.rules.Check(d, who, time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC), country.Config{})
	for _, v := range append(unknown, rules...) {
		if isShape(v) {
			shapes = append(shapes, v)
		}
	}
	return shapes, slices.DeleteFunc(append(unknown, rules...), isShape)
}

// unreadable are breaches of the shape of each member of a body.
func unreadable(t testing.TB, body string) (list []breach) {
	t.Helper()
	var all any
	if err := json.Unmarshal([]byte(body), &all); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		value := `{"x":1}`
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				walk(strings.TrimPrefix(path+"."+name, "."), member)
			}
			value = `"~~"`
		case []any:
			for i, element := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), element)
			}
			value = `"~~"`
		}
		if path != "" {
			list = append(list, breach{"", "", path + "=" + value})
		}
	}
	walk("", all)
	return list
}

// besides goes through each breach of a rule, and each member whose shape is broken besides.
// Before and after are what the rules say without and with the broken member.
func besides(t *testing.T,
	each func(t *testing.T, of, broken breach, shape fault.Violation, before, after []fault.Violation)) {
	for cc, n := range nationsOf {
		for name := range n.bodies {
			t.Run(cc+" "+name, func(t *testing.T) {
				m := n.made(t, cc, name)
				members := unreadable(t, m.body)
				for _, b := range append([]breach{{}}, m.breaches...) {
					body := changed(t, m.body, b.set)
					_, before := m.said(t, body)
					for _, broken := range members {
						if b.set != "" && !apart(broken, b) {
							continue
						}
						if shapes, after := m.said(t, changed(t, body, broken.set)); len(shapes) == 1 {
							each(t, b, broken, shapes[0], before, after)
						}
					}
				}
			})
		}
	}
}

// A member that cannot be read makes no rule say of another one what it would not say
// otherwise: "use a factura exenta" of a row of taxes whose base is text, for one.
func TestABrokenMemberMakesNoOtherFault(t *testing.T) {
	besides(t, func(t *testing.T, of, broken breach, shape fault.Violation, before, after []fault.Violation) {
		for _, v := range independent(after, []fault.Violation{shape}) {
			if !slices.Contains(before, v) {
				t.Errorf("%s beside %q: %v", broken.set, of.set, v)
			}
		}
	})
}

// What falls silent beside a broken member is of these paths or codes.
func TestABrokenMemberSilencesNoMoreThan(t *testing.T) {
	most := map[string][]string{
		"currency.exchange_rate":    {"currency", "additional_header_info.same_currency_payment"},
		"recipient.document_number": {"recipient.document_", "recipient.tax_condition", "recipient.legal_name"},
		"recipient.document_type":   {"recipient.document_", "recipient.tax_condition", "recipient.legal_name"},
		"recipient.address.country": {"recipient.address", "additional_header_info.recipient", "AR-EXPORT-04"},
		"totals.total":              {"totals.total"},
		"totals.sub_total":          {"totals"},
		"items[0].taxes[0].rate":    {"items[0].taxes"},
		"items[0].quantity":         {"items[0]", "totals"},
		"items[0].unit_price":       {"items[0]", "totals"},
		"service_start_date":        {"service_"},
		"concept": {"concept", "service_", "payment_due_date", "AR-DATE-03", "AR-HEADER-12",
			"AR-EXPORT-05"},
		"payment_due_date": {"payment_due_date"},
	}
	seen := map[string]bool{}
	besides(t, func(t *testing.T, of, broken breach, shape fault.Violation, _, after []fault.Violation) {
		allowed, ok := most[shape.Path]
		if !ok {
			return
		}
		seen[shape.Path] = true
		told := independent(after, []fault.Violation{shape})
		for _, v := range after {
			if !slices.Contains(told, v) && !slices.ContainsFunc(allowed, func(a string) bool {
				return strings.HasPrefix(v.Path, a) || v.Code == a
			}) {
				t.Errorf("%s beside %q: %v is told no more", broken.set, of.set, v)
			}
		}
	})
	if len(seen) != len(most) {
		t.Errorf("broken were only %v", seen)
	}
}

// An element that is none moves those behind it: what is said of them would name others.
func TestAnElementThatIsNoneMovesNoFault(t *testing.T) {
	for cc, w := range wholes(t) {
		third := changed(t, w.body, `items[2]={"quantity":-1,"unit_price":1,"description":"x","taxes":[]}`)
		for _, v := range w.told(t, changed(t, third, `items[0]="~~"`)) {
			if strings.HasPrefix(v.Path, "items[") && v.Path != "items[0]" {
				t.Errorf("%s: %v", cc, v)
			}
		}
	}
}

// A member that only its country reads is told once where it cannot be read, and nothing is
// told of what it would have said: that is there, or that prices are net.
func TestAHeaderThatCannotBeReadIsToldOnce(t *testing.T) {
	for _, c := range []struct{ nation, name, set, want string }{
		{"CL", "", `additional_header_info.recipient=5`, "additional_header_info.recipient CL-HEADER-01"},
		{"CL", "", `additional_header_info.recipient.giro=5`, "additional_header_info.recipient.giro CL-HEADER-01"},
		{"UY", "", `additional_header_info.recipient.city=5`, "additional_header_info.recipient.city UY-HEADER-01"},
		{"UY", "", `additional_header_info.gross_prices="true"`, "additional_header_info.gross_prices UY-HEADER-01"},
		{"AR", "", `additional_header_info.same_currency_payment=5`,
			"additional_header_info.same_currency_payment AR-HEADER-01"},
	} {
		m := nationsOf[c.nation].made(t, c.nation, c.name)
		body := m.body
		if strings.Contains(c.set, "gross_prices") {
			body = changed(t, body, "items[0].taxes[0].amount=358.85\ntotals.taxes[0].amount=358.85\n"+
				"totals.taxes[0].base_amount=1631.15\ntotals.total=3490\nadditional_header_info.gross_prices=true")
			if vs := m.told(t, body); len(vs) > 0 {
				t.Fatalf("the body with gross prices: %v", vs)
			}
		}
		if vs := m.told(t, changed(t, body, c.set)); len(vs) != 1 || key(vs[0]) != c.want {
			t.Errorf("%s: %v, want %s", c.set, vs, c.want)
		}
	}
}
