package writeapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/money"
	"folio/resource"
	"folio/strict"
)

// calculateInvoice answers with what follows from the items. It refuses what the check of a
// create has against the sums, and looks at nothing else: the rest may still be missing.
func (a api) calculateInvoice(w http.ResponseWriter, r *http.Request) error {
	c, err := a.begin(w, r)
	if err != nil {
		return err
	}
	d, err := c.calculated(r.Context())
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, resource.CalculatedOf(d))
}

// calculated is the draft of the body with its sums.
func (c *creation) calculated(ctx context.Context) (events.Document, error) {
	o := c.body.Object()
	d, branch := readDraft(o, c.company, c.rules.Branches(),
		func(ref strict.Object, r *events.Reference) { c.resolve(ctx, ref, r) })
	discounted := o.Object("totals").Has("discount")
	shapes := o.Done()
	if c.away != nil {
		return d, c.away
	}
	if d.Date == "" {
		d.Date = c.at.In(country.ZoneOf(c.rules, c.company.Issuer())).Format(time.DateTime)
	}
	if !discounted {
		d.Totals.Discount = money.Zero
		for _, item := range d.Items {
			if d.Totals.Discount = d.Totals.Discount.Add(item.Discount); !country.Bounded(d.Totals.Discount) {
				break // the rules say that it is too much
			}
		}
	}
	filled, impossible := c.rules.Calculate(d)
	issuer, _ := establish(&filled, branch, c.company.On(d.Date, c.rules.Location()), c.rules.Branches())
	_, violations := c.rules.Check(filled, issuer, c.at, c.Rules)
	if impossible != nil { // what was not filled in is not the caller's
		violations = slices.DeleteFunc(violations, func(v fault.Violation) bool {
			plain := placeOf(v).plain
			return within(plain, "items[].taxes[].rate") || within(plain, "items[].taxes[].amount")
		})
	}
	violations = ofSums(violations)
	if !discounted && len(violations) > 1 { // it follows from the lines, and what is wrong is said of them
		violations = slices.DeleteFunc(violations, func(v fault.Violation) bool { return v.Path == "totals.discount" })
	}
	if err := together(shapes, violations); err != nil {
		return d, err
	}
	if impossible != nil {
		return d, fault.Violated([]fault.Violation{{Path: "items", Code: "NOT_CALCULABLE",
			Message: "The items come to more than can be added up: see the bounds of amounts."}})
	}
	return filled, nil
}

// summed are the members that the sums are made of, and their results. Texts of items are not
// among them.
var summed = []string{"invoice_type", "currency", "items", "items[].quantity", "items[].unit_price",
	"items[].discount_amount", "items[].taxes", "global_taxes", "totals", "additional_header_info.gross_prices"}

// ofSums are the violations that have to do with the sums. Where lines or the discount are
// wrong, what the totals lack follows from that.
func ofSums(all []fault.Violation) []fault.Violation {
	all = slices.DeleteFunc(all, func(v fault.Violation) bool {
		plain := placeOf(v).plain
		return !slices.ContainsFunc(summed, func(m string) bool {
			return plain == m || m != "items" && within(plain, m)
		})
	})
	result := func(v fault.Violation) bool {
		return strings.HasPrefix(v.Path, "totals") && v.Path != "totals.discount"
	}
	if slices.ContainsFunc(all, func(v fault.Violation) bool { return !result(v) }) {
		all = slices.DeleteFunc(all, result)
	}
	return all
}
