package country

import (
	"slices"
	"strconv"

	"folio/events"
)

// CloneDocument copies what the rules normalise, so that the caller's document stays as
// it was. Raw members are shared: the rules replace them, they never write into them.
func CloneDocument(d events.Document) events.Document {
	d.Items = slices.Clone(d.Items)
	for i, item := range d.Items {
		d.Items[i].Taxes = slices.Clone(item.Taxes)
		if item.Code != nil {
			code := *item.Code
			d.Items[i].Code = &code
		}
	}
	if d.PaymentMethod != nil {
		method := *d.PaymentMethod
		d.PaymentMethod = &method
	}
	d.GlobalTaxes = slices.Clone(d.GlobalTaxes)
	d.Totals.Taxes = slices.Clone(d.Totals.Taxes)
	d.BillingReference = slices.Clone(d.BillingReference)
	return d
}

// ItemPath is the path of a field of the i-th item.
func ItemPath(i int, field string) string { return "items[" + strconv.Itoa(i) + "]." + field }

// TaxPath is the path of a field of the j-th tax of the i-th item.
func TaxPath(i, j int, field string) string {
	return ItemPath(i, "taxes["+strconv.Itoa(j)+"]."+field)
}

// RowPath is the path of a field of the i-th row of totals.taxes.
func RowPath(i int, field string) string { return "totals.taxes[" + strconv.Itoa(i) + "]." + field }

// ReferencePath is the path of a field of the i-th billing_reference.
func ReferencePath(i int, field string) string {
	return "billing_reference[" + strconv.Itoa(i) + "]." + field
}

// HeaderPath is the path of a member of additional_header_info.
func HeaderPath(member string) string { return "additional_header_info." + member }

// ExportPath is the path of a member of additional_export_info.
func ExportPath(member string) string { return "additional_export_info." + member }
