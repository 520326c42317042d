package readapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"folio/fault"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
	"folio/tables"
)

var errNoPurchase = fault.New(fault.NotFound, "PURCHASE_NOT_FOUND", "There is no such purchase among this company's.")

func (a api) purchaseRecord(p projections.Purchase) resource.Purchase {
	invoiceType := ""
	if rules, ok := a.Countries.ByCode(p.Country); ok {
		kind, _ := rules.DocumentType(fmt.Sprint(p.OfficialCode))
		invoiceType = kind.InvoiceType
	}
	return resource.Received(p.PurchaseReceived, invoiceType, p.ReceivedAt.Truncate(time.Millisecond)) // as the id has it
}

func (a api) readPurchase(w http.ResponseWriter, r *http.Request) error {
	p, err := a.purchase(r)
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, a.purchaseRecord(p))
}

// purchase is the one that the path names, if it is the caller's.
func (a api) purchase(r *http.Request) (projections.Purchase, error) {
	id, err := httpapi.PathID(r, "purchase_id")
	if err != nil {
		return projections.Purchase{}, errNoPurchase
	}
	if err := a.fresh(r, projections.Purchases.Name()); err != nil {
		return projections.Purchase{}, err
	}
	p, err := engine.Get[projections.Purchase](r.Context(), a.Documents, projections.Purchases, id)
	if err != nil {
		return p, a.missing(r.Context(), err, errNoPurchase, "purchase-"+httpapi.Caller(r.Context()).Company+"-")
	}
	if p.Company != httpapi.Caller(r.Context()).Company {
		return p, errNoPurchase
	}
	return p, nil
}

// supplier is a supplier's document in the form that purchases keep.
func (a api) supplier(ctx context.Context, text string) string {
	if text == "" {
		return ""
	}
	c, err := a.Documents.GetCompany(ctx, httpapi.Caller(ctx).Company)
	rules, known := a.Countries.ByCode(c.Country)
	if err != nil || !known {
		return text // the list itself tells of tables that are away
	}
	return plainDocument(rules, text)
}

// listPurchases lists what came in, newest first.
func (a api) listPurchases(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	from, to := datesOf(q)
	var filters []tables.Filter
	for _, f := range []struct {
		value, attribute string
		op               tables.Op
	}{{from, "date", tables.AtLeast}, {to, "date", tables.AtMost},
		{a.supplier(r.Context(), q.String("supplier_document", strict.MaxLen(40))), "supplier", tables.Equal}} {
		if f.value != "" {
			filters = append(filters, tables.Filter{Attribute: f.attribute, Op: f.op, Value: f.value})
		}
	}
	return answerList(a, w, r, q, listed(projections.Purchases,
		func(ctx context.Context, p engine.Page) (engine.List[projections.Purchase], error) {
			p.Filters = filters
			return engine.Find[projections.Purchase](ctx, a.Documents, projections.Purchases, httpapi.Caller(ctx).Company,
				p)
		}, sure(a.purchaseRecord)))
}
