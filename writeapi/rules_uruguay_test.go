package writeapi

import "strings"

var uruguay = nation{
	bodies: map[string]string{
		"": "",
		"ticket": `invoice_type="TIC"
			recipient={"legal_name": "Nadie"}
			additional_header_info=`,
		"note": `invoice_type="NCF"
			billing_reference=[{"type": "EFA", "series": "A", "number": 7, "date": "2026-11-20", "reason_code": "3"}, {"type": "EFA", "series": "A", "number": 8, "date": "2026-11-20", "reason_code": "3"}]`,
		"note on a period": `invoice_type="NCF"
			billing_reference=[{"period_from": "2026-10-01", "period_to": "2026-10-31"}]`,
		"export": exported("EFX") + `
			currency={"code": "USD", "exchange_rate": 40.5}`,
		"remito of an export": exported("REX") + `
			additional_header_info.transfer_type=1
			items[0].discount_amount=0
			items[1].discount_amount=0
			totals={"sub_total": 3500, "discount": 0, "total": 3500, "taxes": [{"type": "exempt", "amount": 0, "base_amount": 3500}]}
			payment_method=`,
		"remito": `invoice_type="REM"
			additional_header_info.transfer_type=1
			items[0].unit_price=0
			items[0].discount_amount=0
			items[0].taxes=[]
			items[1].unit_price=0
			items[1].taxes=[]
			totals={"sub_total": 0, "discount": 0, "total": 0, "taxes": []}
			payment_method=`,
		"monotributo": `items[0].taxes=[{"type": "iva_minimo", "amount": 0, "rate": 0}]
			items[1].taxes=[{"type": "iva_minimo", "amount": 0, "rate": 0}]
			totals.total=3490
			totals.taxes=[{"type": "iva_minimo", "amount": 0, "base_amount": 3490}]`,
	},
	owners: map[string]string{"monotributo": "special_regime=monotributo"},
	breaches: []breach{
		{"UY-ADDRESS-01", "", `recipient.address.country="U1"`},
		{"UY-ADDRESS-02", "", `recipient.address.region="UY-9"`},
		{"UY-CURRENCY-01", "", `currency.code="XXX"`},
		{"UY-CURRENCY-02", "", `currency.exchange_rate=2`},
		{"UY-CURRENCY-02", "export", `currency.exchange_rate=40.12345`},
		{"UY-CURRENCY-02", "export", `currency.exchange_rate`},
		{"UY-DATE-01", "", `concept="9"`},
		{"UY-DATE-02", "", `invoice_date="1999-01-01 10:00:00"`},
		{"UY-DATE-03", "", `invoice_date="2027-10-01 10:00:00"`},
		{"UY-DATE-04", "", `service_end_date="2026-10-01 00:00:00"`},
		{"UY-DATE-05", "", `payment_due_date="2026-11-01"`},
		{"UY-DATE-06", "", `service_start_date="2010-11-01 00:00:00"`},
		{"UY-EXPORT-01", "export", `additional_export_info.vessel="x"`},
		{"UY-EXPORT-02", "", `additional_export_info={"sale_mode": 1}`},
		{"UY-EXPORT-03", "export", `additional_export_info.sale_clause="FREE"`},
		{"UY-EXPORT-04", "export", `additional_export_info.sale_mode=50`},
		{"UY-EXPORT-05", "export", `additional_export_info.transport_route=7`},
		{"UY-GLOBAL-01", "", `global_taxes=[{"type": "x", "rate": 0, "base_amount": 1, "amount": 1}]`},
		{"UY-HEADER-01", "", `additional_header_info.colour="red"`},
		{"UY-HEADER-02", "", `additional_header_info.recipient.postal_code="x"`},
		{"UY-HEADER-03", "", `additional_header_info.transfer_type=1`},
		{"UY-HEADER-03", "remito", `additional_header_info.transfer_type=9`},
		{"UY-HEADER-04", "monotributo", `additional_header_info.gross_prices=true`},
		{"UY-HEADER-05", "", `additional_header_info.recipient.department="Rocaa"`},
		{"UY-HEADER-06", "", `additional_header_info.period_reason="x"`},
		{"UY-ISSUER-01", "", `issuer.document_type="CI"`},
		{"UY-ISSUER-02", "", `issuer.document_number="1"`},
		{"UY-ISSUER-03", "", `issuer.document_number="214844360018"`},
		{"UY-ISSUER-04", "", `issuer.address.address="Otra 5"`},
		{"UY-ITEM-03", "", `items[0].code_unit_of_measure="zz"`},
		{"UY-ITEM-04", "", `items[0].code.type="xyz"`},
		{"UY-ITEM-05", "", `items[1].quantity=-1`},
		{"UY-ITEM-06", "", `items[1].discount_amount=-1`},
		{"UY-ITEM-07", "remito", `items[0].unit_price=5`},
		{"UY-ITEM-08", "remito of an export", `items[0].discount_amount=5`},
		{"UY-KIND-01", "", `invoice_type="XYZ"`},
		{"UY-KIND-02", "", `branch_office=7`},
		{"UY-LIMIT-01", "", `additional_header_info.purchase_order="` + strings.Repeat("W", 51) + `"`},
		{"UY-LIMIT-04", "", `items[0].unit_price=99999999999
			items[0].quantity=99999`},
		{"UY-LIMIT-05", "", `totals.total=3927.801`},
		{"UY-LIMIT-05", "", `totals.discount=10.001`},
		{"UY-LIMIT-05", "", `totals.sub_total=3500.001`},
		{"UY-LIMIT-05", "", `totals.taxes[1].amount=0.001`},
		{"UY-PAYMENT-01", "", `payment_method.code="XXX"`},
		{"UY-PAYMENT-02", "remito", `payment_method={"code": "CON", "description": "Contado"}`},
		{"UY-RECIPIENT-01", "", `recipient.tax_condition="exento"`},
		{"UY-RECIPIENT-02", "", `recipient.legal_name=""`},
		{"UY-RECIPIENT-02", "", `additional_header_info.recipient.city=`},
		{"UY-RECIPIENT-03", "", `recipient.document_number="0"`},
		{"UY-RECIPIENT-04", "", `recipient.document_type="XX"`},
		{"UY-RECIPIENT-05", "", `recipient.document_number="214844360019"`},
		{"UY-RECIPIENT-06", "ticket", `recipient.document_type="PAS"
			recipient.document_number="AB123"`},
		{"UY-RECIPIENT-07", "ticket", `totals.taxes[0].base_amount=99999999`},
		{"UY-REFERENCE-01", "note", `billing_reference=[]`},
		{"UY-REFERENCE-02", "note on a period", `billing_reference[0].period_to="2026-09-01"`},
		{"UY-REFERENCE-03", "note", `billing_reference[0].type="TIC"`},
		{"UY-REFERENCE-04", "note", `billing_reference[0].series=""`},
		{"UY-REFERENCE-05", "note", `billing_reference[0].reason_code="9"`},
		{"UY-REFERENCE-06", "note", `billing_reference[1].number=7`},
		{"UY-REFERENCE-07", "note", `billing_reference[0].document_number="214844360018"`},
		{"UY-REFERENCE-08", "note", `billing_reference[1].currency={"code": "XXX"}`},
		{"UY-TAX-01", "", `items[1].taxes[0].type="xyz"`},
		{"UY-TAX-02", "", `items[1].taxes=[]`},
		{"UY-TAX-03", "", `items[0].taxes[0].rate=20`},
		{"UY-TAX-04", "export", `items[0].taxes=[{"type": "iva22", "amount": 0, "rate": 22}]`},
		{"UY-TAX-05", "", `items[0].taxes[0].amount=20`},
		{"UY-TAX-06", "", `items[1].taxes=[{"type": "iva_minimo", "amount": 0, "rate": 0}]`},
		{"UY-TOTAL-01", "", `totals.total=3000`},
		{"UY-TOTAL-02", "", `totals.sub_total=3000`},
		{"UY-TOTAL-03", "", `totals.discount=9`},
		{"UY-TOTAL-03", "", `totals.discount=9999`},
		{"UY-TOTAL-04", "", `totals.taxes=[{"type": "iva22", "amount": 437.8, "base_amount": 1990}]`},
		{"UY-TOTAL-05", "", `totals.taxes[1].type="xyz"`},
		{"UY-TOTAL-06", "", `totals.taxes[0].base_amount=1000
			totals.taxes[0].amount=220`},
		{"UY-TOTAL-07", "", `totals.taxes[0].amount=30`},
		{"UY-TOTAL-08", "", `totals.taxes=[` + strings.TrimSuffix(
			strings.Repeat(`{"type": "exempt", "amount": 0, "base_amount": 0},`, 21), ",") + `]`},
		{"UY-TOTAL-09", "", `items=[{"quantity": 1, "code_unit_of_measure": "u", "unit_price": -5, "description": "x", "taxes": [{"type": "not_invoiceable", "amount": 0, "rate": 0}]}]
			totals={"sub_total": -5, "discount": 0, "total": -5, "taxes": [{"type": "not_invoiceable", "amount": 0, "base_amount": -5}]}`},
		{"UY-TOTAL-10", "remito of an export", `totals.discount=5`},
	},
	hides: map[string][]string{
		// What a document may have follows from its type, its currency and its dates.
		"UY-KIND-01": {"UY-EXPORT-02", "UY-HEADER-03", "UY-HEADER-06", "UY-RECIPIENT-02", "UY-RECIPIENT-03", "UY-TAX-06",
			"UY-TOTAL-01", "UY-TOTAL-04",
			"UY-TOTAL-05", "UY-TOTAL-06", "UY-TOTAL-07", "UY-TOTAL-09"},
		"UY-CURRENCY-01": {"UY-CURRENCY-02"}, "UY-DATE-02": {"UY-DATE-05"}, "UY-DATE-06": {"UY-DATE-04"},
		"UY-ADDRESS-01": {"UY-HEADER-05"},
		// A number is of its document's type; with one the buyer is identified.
		"UY-RECIPIENT-04": {"UY-RECIPIENT-03", "UY-RECIPIENT-05"}, "UY-RECIPIENT-06": {"UY-RECIPIENT-07"},
		// What cannot be multiplied or compared says nothing of what it is compared with.
		"UY-LIMIT-04": {"UY-TAX-05", "UY-TOTAL-01", "UY-TOTAL-02", "UY-TOTAL-03", "UY-TOTAL-04", "UY-TOTAL-05", "UY-TOTAL-06",
			"UY-TOTAL-07"},
		"UY-LIMIT-05": {"UY-TOTAL-01", "UY-TOTAL-06"},
		// The lines of a tax, and the discount of the lines.
		"UY-TAX-01": {"UY-TOTAL-04", "UY-TOTAL-06"}, "UY-TAX-02": {"UY-TOTAL-04", "UY-TOTAL-06"},
		"UY-TAX-06":  {"UY-TOTAL-04", "UY-TOTAL-06"},
		"UY-ITEM-06": {"UY-TOTAL-03", "UY-TOTAL-06"}, "UY-ITEM-08": {"UY-TOTAL-10"}, "UY-TOTAL-03": {"UY-TOTAL-06"},
		"UY-TOTAL-05": {"UY-TOTAL-06"}, "UY-TOTAL-08": {"UY-TOTAL-01"},
		// Documents that differ are not the same one twice.
		"UY-REFERENCE-03": {"UY-REFERENCE-06"}, "UY-REFERENCE-04": {"UY-REFERENCE-06"},
	},
	// UY-REFERENCE-09 is about documents that are not the company's, see TestAReferenceHasTheRateOfWhatItNames.
	elsewhere: []string{"UY-ITEM-01", "UY-ITEM-02", "UY-LIMIT-03", "UY-REFERENCE-09"},
}

// exported is a document of an export: its lines have no IVA.
func exported(kind string) string {
	return `invoice_type="` + kind + `"
		recipient.address.country="BR"
		recipient.document_type="OTRO"
		recipient.document_number="AB123"
		additional_header_info={"recipient": {"city": "Porto Alegre", "department": "RS"}}
		items[0].taxes=[]
		items[1].taxes=[]
		totals={"sub_total": 3500, "discount": 10, "total": 3490, "taxes": [{"type": "exempt", "amount": 0, "base_amount": 3490}]}
		additional_export_info={"sale_clause": "FOB", "sale_mode": 1, "transport_route": 1}`
}
