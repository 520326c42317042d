package uy

import (
	"testing"

	"pgregory.net/rapid"

	"folio/events"
	"folio/money"
)

// DGI divides the sum of the lines less the discounts of a rate (CFE25 A-C116, A-C117):
// whatever the lines, the shares that are told give the bases that are told, and come to
// the discount on the whole.
func TestSharesGiveTheBasesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gross := rapid.Bool().Draw(t, "gross")
		d := events.Document{Type: "EFA", OfficialCode: codeInvoice}
		if gross {
			d.HeaderInfo = []byte(`{"gross_prices":true}`)
		}
		for range rapid.IntRange(1, 6).Draw(t, "lines") {
			price := money.MustParse(rapid.StringMatching(`[1-9][0-9]{0,4}\.[0-9]{2}`).Draw(t, "price"))
			tax := rapid.SampledFrom(lineTaxes).Draw(t, "tax")
			d.Items = append(d.Items, events.Item{Quantity: money.FromInt(1), UnitPrice: price,
				Taxes: []events.ItemTax{{Type: tax.name}}})
		}
		s, _ := summed(d.Items)
		part := money.FromInt(rapid.Int64Range(0, 100).Draw(t, "percent"))
		whole := s.gross.Percent(part).Round(places)
		items, totals, err := Calculate(d.Type, gross, d.Items, whole)
		if err != nil {
			t.Fatal(err)
		}
		d.Items, d.Totals = items, totals
		off := map[string]money.Decimal{}
		told := money.Zero
		for _, x := range sharesOf(d) {
			off[x.tax.name], told = x.amount, told.Add(x.amount)
		}
		if !told.Equal(whole) {
			t.Fatalf("shares come to %s, not %s", told, whole)
		}
		for _, x := range s.taxes {
			if got, want := baseOf(x.lines.Sub(off[x.tax.name]), x.tax, gross),
				baseRow(totals.Taxes, x.tax.name); !got.Equal(want) {
				t.Fatalf("%s: the lines %s less %s give %s, told is %s", x.tax.name, x.lines, off[x.tax.name], got, want)
			}
		}
	})
}

func TestIndFact(t *testing.T) {
	line := func(price string, tax ...string) events.Item {
		i := events.Item{Quantity: money.FromInt(1), UnitPrice: money.MustParse(price)}
		for _, t := range tax {
			i.Taxes = append(i.Taxes, events.ItemTax{Type: t})
		}
		return i
	}
	for _, c := range []struct {
		name string
		item events.Item
		code int
		want int
	}{
		{"basic rate", line("1", "iva22"), codeInvoice, 3},
		{"minimum rate", line("1", "iva10"), codeTicket, 2},
		{"exempt", line("1", "exempt"), codeInvoice, 1},
		{"exempt in an export", line("1", "exempt"), codeExport, 10},
		{"free", line("0", "iva22"), codeInvoice, 5},
		{"free in an export", line("0", "exempt"), codeExportRemito, 5},
		{"not invoiceable", line("1", "not_invoiceable"), codeInvoice, 6},
		{"not invoiceable in an export", line("1", "not_invoiceable"), codeExport, 6},
		{"a rounding down", line("-1", "not_invoiceable"), codeInvoice, 7},
		{"a remito", line("0"), codeRemito, 0},
		{"a remito of an export", line("1", "exempt"), codeExportRemito, 0},
	} {
		if got := indFact(c.item, c.code); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		party                events.Party
		kind, nation, number string
		foreign              bool
	}{
		{events.Party{}, "", "", "", false},
		{events.Party{DocumentType: "RUT", DocumentNumber: "214844360018", Address: events.Address{Country: "AR"}}, "2", "UY",
			"214844360018", false},
		{events.Party{DocumentType: "CI", DocumentNumber: "13353214"}, "3", "UY", "13353214", false},
		{events.Party{DocumentType: "NIE", DocumentNumber: "1"}, "1", "UY", "1", false},
		{events.Party{DocumentType: "DNI", DocumentNumber: "2", Address: events.Address{Country: "AR"}}, "6", "AR", "2",
			true},
		{events.Party{DocumentType: "PAS", DocumentNumber: "X3", Address: events.Address{Country: "DE"}}, "5", "DE", "X3",
			true},
	} {
		if kind, nation, number, foreign := recipientDocument(c.party); kind != c.kind || nation != c.nation ||
			number != c.number || foreign != c.foreign {
			t.Errorf("%+v: %s %s %s %v", c.party, kind, nation, number, foreign)
		}
	}
	for _, c := range []struct{ written, region, want string }{
		{"", "", ""}, {"", "UY-PA", "Paysandú"}, {"rivera", "UY-PA", "Rivera"},
		{"Rio Grande  do Sul", "BR-RS", "Rio Grande do Sul"}, {"", "BR-RS", ""},
	} {
		h := Header{Recipient: &Receptor{Department: c.written}}
		if got := recipientDepartment(h, events.Party{Address: events.Address{Region: c.region}}); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if got := ivaAlDia(Header{Issuer: map[string]string{FieldIVAAlDia: "false"}}) + 10*ivaAlDia(Header{}); got != 1 {
		t.Error(got)
	}
	if got := razonRef(events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"},
		""); got != "Comprobantes del período 2026-10-01 a 2026-10-31" {
		t.Error(got)
	}
}
