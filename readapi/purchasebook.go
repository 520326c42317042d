package readapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"folio/country"
	"folio/httpapi"
	"folio/money"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// purchaseLine is one document of a supplier. Its taxes are known from signed XML only: elsewhere
// they are unknown, which is not the same as none.
type purchaseLine struct {
	Purchase     string  `json:"purchase_id"`
	Date         string  `json:"date"`
	InvoiceType  string  `json:"invoice_type"`
	OfficialCode int     `json:"official_code"`
	Number       string  `json:"number"`
	Supplier     string  `json:"supplier"`
	Document     string  `json:"supplier_document"`
	Currency     string  `json:"currency"`
	Total        amount  `json:"total"`
	Net          *amount `json:"net"`
	Tax          *amount `json:"tax"`
	TaxesKnown   bool    `json:"taxes_known"`
	Source       string  `json:"source"`
	Verification string  `json:"verification"`
	Counted      bool    `json:"counted"`
}

// purchaseSum is what the counted documents in one currency come to.
type purchaseSum struct {
	Currency  string  `json:"currency"`
	Documents int64   `json:"documents"`
	Total     amount  `json:"total"`
	Tax       *amount `json:"tax"` // null while that of one of them is unknown
}

type purchaseMonth struct {
	Month   string        `json:"month"`
	Country string        `json:"country"`
	Totals  []purchaseSum `json:"totals"`
	paged[purchaseLine]
}

func purchaseLineOf(rules country.Rules) func(projections.PurchaseLine) purchaseLine {
	return func(d projections.PurchaseLine) purchaseLine {
		p := d.Purchase
		kind, _ := country.TypeOf(rules, p.OfficialCode)
		return purchaseLine{Purchase: p.Purchase, Date: p.Date, InvoiceType: kind.InvoiceType, OfficialCode: p.OfficialCode,
			Number: fmt.Sprintf("%s%04d-%08d", p.Series, p.BranchOffice, p.Number), Supplier: p.Supplier.LegalName,
			Document: p.Supplier.DocumentNumber,
			Currency: p.Currency, Total: amount{d.Total, placesIn(rules, p.Currency)}, Source: p.Source,
			Verification: p.Verification,
			Net:          known(d.Net, placesIn(rules, p.Currency)), Tax: known(d.Tax, placesIn(rules, p.Currency)),
			TaxesKnown: d.Tax != nil,
			Counted:    !d.Refused && d.Sign != 0}
	}
}

// known is an amount, nil for one that is unknown.
func known(x *money.Exact, places int) *amount {
	if x == nil {
		return nil
	}
	return &amount{*x, places}
}

// cell is an amount in a table.
func (a *amount) cell() string {
	if a == nil {
		return "unknown"
	}
	return a.String()
}

// purchaseBook is the month's book of purchases: sums by currency, and the documents.
func (a api) purchaseBook(w http.ResponseWriter, r *http.Request) error {
	b, err := a.bookOf(r, false)
	if err != nil {
		return err
	}
	if err := a.fresh(r, projections.PurchaseBook.Name()); err != nil {
		return err
	}
	month := []tables.Filter{{Attribute: "month", Value: b.month}}
	line := purchaseLineOf(b.rules)
	if b.csv {
		return a.table(w, r, "purchase-book-"+b.month,
			"date,invoice_type,official_code,number,supplier,supplier_document,currency,total,net,tax,source,verification,counted,purchase_id",
			func(emit func(func(*past.CSV)) error) error {
				return engine.WalkOwned(r.Context(), a.Documents, projections.PurchaseBook,
					engine.Rows{Owner: b.company, Filters: month},
					func(part []projections.PurchaseLine) error {
						return emit(func(out *past.CSV) {
							for _, d := range part {
								l := line(d)
								out.Row(l.Date, l.InvoiceType, strconv.Itoa(l.OfficialCode), l.Number, l.Supplier, l.Document, l.Currency,
									l.Total.String(),
									l.Net.cell(), l.Tax.cell(), l.Source, l.Verification, strconv.FormatBool(l.Counted), l.Purchase)
							}
						})
					})
			})
	}
	out := purchaseMonth{Month: b.month, Country: b.rules.Code(), Totals: []purchaseSum{}}
	err = a.pass(r.Context(), func() error { return a.purchaseMonth(r.Context(), b, &out) })
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

func (a api) purchaseMonth(ctx context.Context, b book, out *purchaseMonth) error {
	month := []tables.Filter{{Attribute: "month", Value: b.month}}
	groups, err := a.Documents.Sum(ctx, projections.PurchaseBook,
		tables.Sums{List: b.company, By: []string{"currency", "taxes_known"}, Of: []string{"total", "tax"},
			Filters: append([]tables.Filter{{Attribute: "counted", Value: "yes"}}, month...)})
	if err != nil {
		return err
	}
	out.Totals = purchaseSums(b.rules, groups)
	docs, total, err := engine.FindOwned[projections.PurchaseLine](ctx, a.Documents, projections.PurchaseBook,
		engine.Rows{Owner: b.company, Filters: month, Sort: "date", Offset: int((b.page - 1) * b.perPage),
			Limit: int(b.perPage)})
	out.paged = envelope(b.page, b.perPage, total, country.Collect(docs, purchaseLineOf(b.rules)))
	return err
}

// purchaseSums adds up groups by currency and by whether taxes are known: one that is unknown makes
// the currency's unknown.
func purchaseSums(rules country.Rules, groups []tables.Group) []purchaseSum {
	out := []purchaseSum{}
	for _, g := range groups {
		places := placesIn(rules, g.Values[0])
		i := slices.IndexFunc(out, func(s purchaseSum) bool { return s.Currency == g.Values[0] })
		if i < 0 {
			i = len(out)
			out = append(out, purchaseSum{Currency: g.Values[0], Total: amount{money.Exact{}, places},
				Tax: &amount{money.Exact{}, places}})
		}
		s := &out[i]
		s.Documents, s.Total.of = s.Documents+g.Count, s.Total.of.Add(g.Sums[0])
		if g.Values[1] == "no" {
			s.Tax = nil
		} else if s.Tax != nil {
			s.Tax.of = s.Tax.of.Add(g.Sums[1])
		}
	}
	return out
}

// receivableRows writes customers as rows.
func receivableRows(out *past.CSV, rules country.Rules, part []projections.Receivable) {
	for _, d := range part {
		l := receivableOf(rules, d)
		out.Row(l.Customer.Name, l.Customer.DocumentType, l.Customer.Document, l.Currency, strconv.FormatInt(l.Documents, 10),
			l.Billed.String(),
			strconv.FormatInt(l.DebitNotes, 10), l.Debited.String(), strconv.FormatInt(l.CreditNotes, 10), l.Credited.String(),
			l.Balance.String(), l.First, l.Last, strconv.FormatInt(l.NoFiscalValue, 10))
	}
}
