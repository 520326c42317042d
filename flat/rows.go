package flat

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"folio/events"
	"folio/money"
	"folio/summary"
)

// document is an invoice while its stream is read.
type document struct {
	created events.InvoiceCreated
	summary summary.Summary
	begun   time.Time
	decided *time.Time
}

func (d *document) add(r events.Recorded) {
	at := r.Meta.At.UTC()
	switch e := r.Event.(type) {
	case events.InvoiceCreated:
		d.created, d.begun = e, at
	case events.AuthorityAccepted, events.AuthorityRejected, events.InvoiceRefused:
		d.decided = &at
	}
	d.summary = summary.Evolve(d.summary, r.Event)
}

// numbers turns decimals into columns and keeps the first that does not fit.
type numbers struct{ err error }

func (n *numbers) of(column string, a money.Exact) Decimal { return n.at(column, a, scale) }

func (n *numbers) at(column string, a money.Exact, decimals int) (out Decimal) {
	x, whole := a.Unscaled(decimals)
	if !whole || len(x.Text(10)) > wholeWidth {
		if n.err == nil {
			n.err = fmt.Errorf("%s %s has more digits than the column", column, a)
		}
		return out
	}
	if x.Sign() < 0 { // two's complement
		x.Add(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(out))))
	}
	x.FillBytes(out[:])
	return out
}

// date is the day of YYYY-MM-DD…, in days since 1970; nil for none.
func (n *numbers) date(column, text string) *int32 {
	if text == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	if err != nil && n.err == nil {
		n.err = fmt.Errorf("%s: %w", column, err)
	}
	days := int32(day.Unix() / (24 * 60 * 60))
	return &days
}

// row is the invoice's row.
func (d *document) row() (Invoice, error) {
	s, n := d.summary, &numbers{}
	a, local := s.Amounts, s.LocalAmounts()
	row := Invoice{Invoice: s.Invoice, Company: s.Company, Country: s.Country, Environment: s.Environment,
		Status: string(s.Status), Sandbox: s.Sandbox, Type: s.Type, OfficialCode: int32(s.OfficialCode),
		Class: string(s.Class), Side: string(s.Side), Sign: int32(s.Sign),
		BranchOffice: int32(s.BranchOffice), Series: s.Series,
		Due: n.date("payment_due_date", s.Due), Created: d.begun, Decided: d.decided,
		Recipient: s.Recipient.Name, RecipientType: s.Recipient.DocumentType, RecipientDocument: s.Recipient.Document,
		Reference: d.created.Document.ExternalReference, Authorization: s.Authorization,
		Currency: s.Currency, Rate: n.of("rate", s.Rate), Net: n.of("net", a.Net), Exempt: n.of("exempt", a.Exempt),
		Untaxed: n.of("untaxed", a.Untaxed), Tax: n.of("tax", a.Tax), Other: n.of("other", a.Other),
		Total: n.of("total", a.Total), LocalCurrency: s.LocalIn, LocalNet: n.of("local_net", local.Net),
		LocalExempt: n.of("local_exempt", local.Exempt), LocalUntaxed: n.of("local_untaxed", local.Untaxed),
		LocalTax: n.of("local_tax", local.Tax), LocalOther: n.of("local_other", local.Other),
		LocalTotal: n.of("local_total", local.Total)}
	if s.Number > 0 {
		row.Number = &s.Number
	}
	if day := n.date("date", s.Date); day != nil {
		row.Date = *day
	}
	return row, n.err
}

// lines are the rows of the invoice's lines.
func (d *document) lines() (out []Line, err error) {
	n := &numbers{}
	s := d.summary
	for i, item := range d.created.Document.Items {
		quantity, price, discount := item.Quantity.Exact(), item.UnitPrice.Exact(), item.Discount.Exact()
		row := Line{Invoice: s.Invoice, Company: s.Company, Status: string(s.Status),
			Sign: int32(s.Sign), Currency: s.Currency, Line: int32(i + 1),
			Description: item.Description, Quantity: n.of("quantity", quantity), UnitOfMeasure: item.UnitOfMeasure,
			UnitPrice: n.of("unit_price", price), Discount: n.of("discount", discount),
			Amount: n.at("amount", quantity.Mul(price).Add(discount.Neg()), lineScale)}
		if item.Code != nil {
			row.CodeType, row.Code = item.Code.Type, item.Code.Value
		}
		if day := n.date("date", s.Date); day != nil {
			row.Date = *day
		}
		var tax money.Exact
		var types []string
		for _, t := range item.Taxes {
			types, tax = append(types, t.Type), tax.Add(t.Amount.Exact())
		}
		row.TaxTypes, row.Tax = strings.Join(types, "+"), n.of("tax", tax)
		if len(item.Taxes) == 1 {
			rate := n.of("tax_rate", item.Taxes[0].Rate.Exact())
			row.TaxRate = &rate
		}
		out = append(out, row)
	}
	return out, n.err
}
