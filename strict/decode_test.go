package strict

import (
	_ "embed"
	"testing"
)

// invoiceBody has the shape and size of the specification's sample.
//
//go:embed testdata/invoice.json
var invoiceBody string

func readParty(o Object) {
	o.String("legal_name", Required, MaxLen(200))
	o.String("document_type")
	o.String("document_number", MaxLen(20))
	a := o.Object("address")
	a.String("country", MaxLen(2))
	a.String("region")
	a.String("address")
	a.String("phone")
}

func readInvoice(o Object) {
	o.MustBeEmpty("id", "number", "status", "reason_code", "cancellation_date", "tax_information",
		"electronic_authorization")
	o.Int("branch_office", Required, Between(1, 99999))
	o.String("invoice_type", Required)
	o.DateTime("invoice_date", Required)
	o.Date("payment_due_date")
	o.DateTime("service_start_date")
	o.DateTime("service_end_date")
	o.String("concept", Required)
	o.String("observations", Multiline)
	o.String("external_reference")
	readParty(o.Object("issuer"))
	readParty(o.Object("recipient", Required))
	c := o.Object("currency")
	c.String("code", Required)
	c.Decimal("exchange_rate")
	p := o.Object("payment_method")
	p.String("code")
	p.String("description")
	o.Array("items", func(_ int, item Object) {
		item.Decimal("quantity", Required)
		item.String("code_unit_of_measure")
		item.Decimal("unit_price", Required)
		item.Decimal("discount_amount")
		item.String("description", Required)
		code := item.Object("code")
		code.String("type")
		code.String("value")
		item.Array("taxes", func(_ int, tax Object) {
			tax.String("type", Required)
			tax.Decimal("amount", Required)
			tax.Decimal("rate", Required)
		})
	}, Required)
	t := o.Object("totals", Required)
	t.Decimal("sub_total", Required)
	t.Decimal("discount")
	t.Array("taxes", func(_ int, tax Object) {
		tax.String("type", Required)
		tax.Decimal("amount", Required)
		tax.Decimal("base_amount", Required)
	})
	t.Decimal("total", Required)
}

func TestTheSampleInvoiceDecodesWithinItsAllocations(t *testing.T) {
	raw := []byte(invoiceBody)
	decode := func() {
		b, err := Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		o := b.Object()
		readInvoice(o)
		if err := o.Done(); err != nil {
			t.Fatal(err)
		}
	}
	// 6 as a rule; some 25 more when a collection has just emptied the pool of decoders.
	if n := testing.AllocsPerRun(100, decode); n > 40 {
		t.Errorf("%.0f allocations, want 40 at most", n)
	}
}

func BenchmarkDecodeInvoice(b *testing.B) {
	raw := []byte(invoiceBody)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		body, err := Parse(raw)
		if err != nil {
			b.Fatal(err)
		}
		o := body.Object()
		readInvoice(o)
		if err := o.Done(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	body, err := Parse([]byte(invoiceBody))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := body.Canonical(); err != nil {
			b.Fatal(err)
		}
	}
}
