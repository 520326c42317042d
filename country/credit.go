package country

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"folio/events"
	"folio/fault"
	"folio/money"
)

// Credit says what a credit note takes of a document: some of its items, an amount of its
// total, or without both the whole.
type Credit struct {
	Items  []CreditedItem
	Amount *money.Decimal
	Text   string // describes a line that stands for a part of the document
	Zero   bool   // the note may come to 0: it corrects a text
	// Fits says whether the rules have nothing against the sums of a note.
	Fits func(note events.Document) bool
}

// CreditedItem is one item of the document by its place, from 0 on, and how much of it; nil
// is all of it.
type CreditedItem struct {
	Item     int
	Quantity *money.Decimal
}

// NoteForm is a credit note without lines, as the country derives it from the document.
type NoteForm struct {
	Note events.Document
	// Apart says that the document's prices have tax in them and the note's have not: its
	// lines are made anew, one for each way of being taxed.
	Apart bool
	// Reasoned says that its reference has a reason_code.
	Reasoned bool
}

// IsWhole says that nothing of the document is left.
func (c Credit) IsWhole(original events.Document) bool {
	if c.Amount != nil {
		return c.Amount.Equal(original.Totals.Total)
	}
	if len(c.Items) == 0 {
		return true
	}
	for i, item := range original.Items {
		if !slices.ContainsFunc(c.Items, func(x CreditedItem) bool {
			return x.Item == i && (x.Quantity == nil || x.Quantity.Equal(item.Quantity))
		}) {
			return false
		}
	}
	return len(c.Items) == len(original.Items)
}

// Fill gives the form of a note the lines, taxes and totals of what is credited. The sums are
// the country's; what is taken of a discount on the whole and of taxes on the whole is in
// proportion. An amount that no sums of the country come to is refused with the next ones.
func (c Credit) Fill(r Rules, original events.Document, f NoteForm) (events.Document, []fault.Violation) {
	var v Violations
	note := f.Note
	if c.IsWhole(original) && !f.Apart {
		whole := CloneDocument(original)
		note.Items, note.GlobalTaxes, note.Totals = whole.Items, whole.GlobalTaxes, whole.Totals
		return note, nil
	}
	places := 2
	if original.Currency.Code == r.Currency() {
		places = Places(r)
	}
	p := portion{Credit: c, rules: r, original: original, places: places}
	amount := original.Totals.Total
	switch {
	case c.Amount != nil:
		amount = *c.Amount
	case len(c.Items) > 0:
		part, err := p.items(&v, note, f.Apart)
		if err == nil && len(v.All) == 0 && part.Totals.Total.IsZero() && !c.Zero && (f.Apart || !c.Fits(part)) {
			v.Add("items", "CREDIT_ITEMS", "these items come to 0, and a note of 0 credits nothing: name others")
		}
		if len(v.All) > 0 || !f.Apart && err == nil {
			return part, v.All
		}
		if err != nil {
			v.Add("items", "CREDIT_ITEMS", "these items come to more than can be added up")
			return note, v.All
		}
		amount = part.Totals.Total
	}
	made, below, above := p.amount(note, amount)
	switch {
	case made != nil:
		return *made, nil
	case c.Amount == nil && below != nil: // prices had tax in them: a peso may be left
		return *below, nil
	}
	v.Add("amount", "CREDIT_AMOUNT", "with its taxes no note comes to exactly %s: the next are %s; send one of them, "+
		"and what is then left in another note", amount,
		nearest(below, above))
	return note, v.All
}

func nearest(list ...*events.Document) string {
	var words []string
	for _, d := range list {
		if d != nil {
			words = append(words, d.Totals.Total.String())
		}
	}
	return cmp.Or(strings.Join(words, ", "), "—")
}

// portion is a part of a document.
type portion struct {
	Credit
	rules    Rules
	original events.Document
	places   int
}

// net is what a line comes to.
func (p portion) net(i events.Item) money.Decimal {
	return i.Quantity.Mul(i.UnitPrice).Round(p.places).Sub(i.Discount)
}

// whole is the discount on the whole document beyond the lines', and what the lines come to.
func (p portion) whole() (discount, net money.Decimal) {
	discount = p.original.Totals.Discount
	for _, i := range p.original.Items {
		discount, net = discount.Sub(i.Discount), net.Add(p.net(i))
	}
	if discount.Sign() < 0 { // by the rounding of the lines
		discount = money.Zero
	}
	return discount, net
}

// items fills the note with some items; of one that is taken in part the discount is too. With
// gross it is filled as a document of the original's own kind, whose prices these are.
func (p portion) items(v *Violations, note events.Document, gross bool) (events.Document, error) {
	note = CloneDocument(note)
	note.Totals = events.Totals{}
	if gross {
		note.Type, note.HeaderInfo = p.original.Type, p.original.HeaderInfo
	}
	discount, all := p.whole()
	part, seen := money.Zero, []int{}
	for i, x := range p.Items {
		path := ItemPath(i, "item")
		if x.Item < 0 || x.Item >= len(p.original.Items) || slices.Contains(seen, x.Item) {
			v.Add(path, "CREDIT_ITEMS", "the invoice has the items 0 to %d, and each is named once", len(p.original.Items)-1)
			continue
		}
		seen = append(seen, x.Item)
		item := CloneDocument(events.Document{Items: p.original.Items[x.Item : x.Item+1]}).Items[0]
		if x.Quantity != nil {
			if item.Quantity.Less(*x.Quantity) {
				v.Add(ItemPath(i, "quantity"), "CREDIT_ITEMS", "the invoice has %s of it", item.Quantity)
				continue
			}
			rest := p.take(&item, *x.Quantity)
			note.Totals.Discount, part = note.Totals.Discount.Add(rest), part.Sub(rest)
		}
		note.Items = append(note.Items, item)
		note.Totals.Discount, part = note.Totals.Discount.Add(item.Discount), part.Add(p.net(item))
	}
	if len(v.All) > 0 {
		return note, nil
	}
	if share, ok := Share(part, all); ok {
		note.Totals.Discount = note.Totals.Discount.Add(discount.Mul(share).Round(p.places))
		note.GlobalTaxes = p.globals(share)
	}
	return p.rules.Calculate(note)
}

// take leaves so much of an item, with its part of the discount. The cents for which a line of the
// country has no place, as that of an export in Chile, are taken off the whole.
func (p portion) take(item *events.Item, quantity money.Decimal) (whole money.Decimal) {
	off := item.Discount.Mul(quantity.Quo(item.Quantity)).Round(p.places)
	item.Quantity, item.Discount = quantity, off.Round(min(p.places, Places(p.rules)))
	if off.Less(item.Discount) { // where lines have no decimals
		item.Discount = item.Discount.Sub(money.FromInt(1))
	}
	return off.Sub(item.Discount)
}

// globals are the taxes on the whole in proportion.
func (p portion) globals(share money.Decimal) (out []events.GlobalTax) {
	for _, g := range p.original.GlobalTaxes {
		g.BaseAmount, g.Amount = g.BaseAmount.Mul(share).Round(2), g.Amount.Mul(share).Round(2)
		if g.Amount.Sign() > 0 {
			out = append(out, g)
		}
	}
	return out
}

// ways are the lines that stand for a document: one for each way of being taxed, without its
// part of a discount on the whole.
func (p portion) ways() (lines []events.Item) {
	key := func(i events.Item) string {
		return strings.Join(Collect(i.Taxes, func(t events.ItemTax) string { return t.Type }), "+")
	}
	for _, i := range p.original.Items {
		at := slices.IndexFunc(lines, func(l events.Item) bool { return key(l) == key(i) })
		if at < 0 {
			at = len(lines)
			lines = append(lines, events.Item{Quantity: money.FromInt(1), UnitOfMeasure: i.UnitOfMeasure,
				Description: p.Text, Taxes: slices.Clone(i.Taxes)})
		}
		lines[at].UnitPrice = lines[at].UnitPrice.Add(p.net(i))
	}
	lines = slices.DeleteFunc(lines, func(l events.Item) bool { return l.UnitPrice.Sign() <= 0 })
	discount, _ := p.whole()
	prices := Collect(lines, func(l events.Item) money.Decimal { return l.UnitPrice })
	for i, off := range Spread(discount, prices, p.places) {
		lines[i].UnitPrice = lines[i].UnitPrice.Sub(off)
	}
	return lines
}

// amount is the note whose total is the amount; where rounding allows none, the next ones.
func (p portion) amount(note events.Document, amount money.Decimal) (made, below, above *events.Document) {
	lines := p.ways()
	if p.original.Totals.Total.IsZero() || len(lines) == 0 {
		return nil, nil, nil
	}
	note = CloneDocument(note)
	scale(lines, amount.Quo(p.original.Totals.Total), p.places)
	note.GlobalTaxes = p.globals(amount.Quo(p.original.Totals.Total))
	if first, err := p.sums(note, lines); err == nil && first.Totals.Total.Sign() > 0 {
		scale(lines, amount.Quo(first.Totals.Total), p.places) // where prices had tax in them
	}
	for _, by := range nudges(len(lines), p.places) {
		d, err := p.sums(note, moved(lines, by))
		if err != nil {
			continue
		}
		switch off := d.Totals.Total.Cmp(amount); {
		case off == 0 && p.Fits(d):
			return &d, nil, nil
		case off < 0 && (below == nil || below.Totals.Total.Less(d.Totals.Total)) && p.Fits(d):
			below = &d
		case off > 0 && (above == nil || d.Totals.Total.Less(above.Totals.Total)) && p.Fits(d):
			above = &d
		}
	}
	return p.within(below, amount), below, above
}

// within is the note with a cent more of tax, where the authority takes the cent by which
// rounding may differ; nil where it does not.
func (p portion) within(near *events.Document, amount money.Decimal) *events.Document {
	if near == nil {
		return nil
	}
	d := CloneDocument(*near)
	missing := amount.Sub(d.Totals.Total)
	for i := range d.Totals.Taxes {
		row := &d.Totals.Taxes[i]
		at := slices.IndexFunc(d.Items, func(x events.Item) bool {
			return len(x.Taxes) == 1 && x.Taxes[0].Type == row.Type && x.Taxes[0].Amount.Sign() > 0
		})
		if at < 0 {
			continue
		}
		row.Amount, d.Totals.Total = row.Amount.Add(missing), amount
		d.Items[at].Taxes[0].Amount = d.Items[at].Taxes[0].Amount.Add(missing)
		if p.Fits(d) {
			return &d
		}
		return nil
	}
	return nil
}

func (p portion) sums(note events.Document, lines []events.Item) (events.Document, error) {
	note.Items, note.Totals = lines, events.Totals{}
	note.GlobalTaxes = slices.Clone(note.GlobalTaxes)
	return p.rules.Calculate(note)
}

func scale(lines []events.Item, by money.Decimal, places int) {
	for i := range lines {
		lines[i].UnitPrice = lines[i].UnitPrice.Mul(by).Round(places)
	}
}

// nudges are small changes of the first two lines, the smallest first.
func nudges(lines, places int) (all [][2]money.Decimal) {
	unit, most := money.FromInt(1), 3
	for range places {
		unit = unit.Quo(money.FromInt(10))
	}
	for far := 0; far <= 2*most; far++ {
		for a := -most; a <= most; a++ {
			for b := -most; b <= most; b++ {
				if max(a, -a)+max(b, -b) == far && (lines > 1 || b == 0) {
					all = append(all, [2]money.Decimal{unit.Mul(money.FromInt(int64(a))), unit.Mul(money.FromInt(int64(b)))})
				}
			}
		}
	}
	return all
}

// moved are the lines with other prices; those of nothing are left out.
func moved(lines []events.Item, by [2]money.Decimal) []events.Item {
	lines = CloneDocument(events.Document{Items: lines}).Items
	for i := range min(2, len(lines)) {
		lines[i].UnitPrice = lines[i].UnitPrice.Add(by[i])
	}
	return slices.DeleteFunc(lines, func(l events.Item) bool { return l.UnitPrice.Sign() <= 0 })
}

// NotCreditable says why a document has no credit note.
func NotCreditable(name string) error {
	return fault.New(fault.Conflict, "NOT_CREDITABLE", fmt.Sprintf(
		"%s is corrected by no credit note: one corrects what was sold or debited.", name))
}
