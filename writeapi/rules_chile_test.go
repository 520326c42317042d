package writeapi

import "strings"

var chile = nation{
	bodies: map[string]string{
		"": "",
		"boleta": `invoice_type="BOL"
			additional_header_info=
			items[0].taxes=[{"type": "iva19", "amount": 318, "rate": 19}]
			totals.taxes=[{"type": "iva19", "amount": 318, "base_amount": 1672}, {"type": "exempt", "amount": 0, "base_amount": 1500}]
			totals.total=3490`,
		"note": `invoice_type="NCE"
			billing_reference=[{"type": "FAC", "number": 7, "date": "2026-11-20", "reason_code": "3"}, {"type": "FAC", "number": 8, "date": "2026-11-20", "reason_code": "3"}]`,
		"guía": `invoice_type="GUI"
			items[0].code_unit_of_measure="kg"
			additional_header_info.transfer_type=1
			additional_header_info.dispatch_type=2
			additional_header_info.transport={"plate": "ABCD12", "driver_rut": "12345678-5", "driver_name": "Juan", "carrier_rut": "76192083-9", "departure_at": "2026-11-27 14:30:00", "address": "Ruta 5", "comuna": "San Bernardo"}`,
		"export": `invoice_type="FXE"
			currency={"code": "USD", "exchange_rate": 950.5}
			recipient={"legal_name": "João da Silva", "address": {"country": "BR", "address": "Rua 76"}}
			additional_header_info=
			items[0].taxes=[]
			items[1].taxes=[]
			totals={"sub_total": 3500, "discount": 10, "total": 3490, "taxes": [{"type": "exempt", "amount": 0, "base_amount": 3490}]}
			additional_export_info={"sale_mode": 1}`,
	},
	breaches: []breach{
		{"CL-ADDRESS-01", "", `recipient.address.country="C1"`},
		{"CL-ADDRESS-02", "", `recipient.address.region="CL-9"`},
		{"CL-CURRENCY-01", "", `currency.code="XXX"`},
		{"CL-CURRENCY-02", "", `currency.code="USD"`},
		{"CL-CURRENCY-03", "", `currency.exchange_rate=2`},
		{"CL-CURRENCY-03", "export", `currency.exchange_rate=950.12345`},
		{"CL-CURRENCY-03", "export", `currency.exchange_rate`},
		{"CL-CURRENCY-04", "export", `totals.total=9999999999999`},
		{"CL-DATE-01", "", `concept="9"`},
		{"CL-DATE-02", "", `invoice_date="1999-01-01 10:00:00"`},
		{"CL-DATE-03", "", `invoice_date="2027-10-01 10:00:00"`},
		{"CL-DATE-04", "", `service_end_date="2026-10-01 00:00:00"`},
		{"CL-DATE-05", "", `payment_due_date="2026-11-01"`},
		{"CL-EXPORT-01", "export", `additional_export_info.port="x"`},
		{"CL-EXPORT-02", "", `additional_export_info={"sale_mode": 1}`},
		{"CL-EXPORT-03", "export", `additional_export_info.sale_mode=500`},
		{"CL-EXPORT-04", "export", `additional_export_info.packages=[` +
			strings.TrimSuffix(strings.Repeat(`{"type": 1},`, 11), ",") + `]`},
		{"CL-GLOBAL-01", "", `global_taxes=[{"type": "x", "rate": 0, "base_amount": 1, "amount": 1}]`},
		{"CL-HEADER-01", "", `additional_header_info.colour="red"`},
		{"CL-HEADER-02", "", `additional_header_info.transfer_type=1`},
		{"CL-HEADER-03", "", `additional_header_info.dispatch_type=9`},
		{"CL-HEADER-04", "", `additional_header_info.service_indicator=9`},
		{"CL-HEADER-05", "guía", `additional_header_info.transport.driver_name=`},
		{"CL-HEADER-06", "", `additional_header_info.geo_reference={"latitude": "1", "longitude": "2"}`},
		{"CL-ISSUER-01", "", `issuer.document_type="CI"`},
		{"CL-ISSUER-02", "", `issuer.document_number="1"`},
		{"CL-ISSUER-03", "", `issuer.document_number="76192083-9"`},
		{"CL-ISSUER-04", "", `issuer.address.address="Otra 5"`},
		{"CL-ISSUER-05", "", `additional_header_info.origin={"city": "Arica"}`},
		{"CL-ITEM-03", "", `items[0].code_unit_of_measure="zz"`},
		{"CL-ITEM-04", "", `items[0].code.type="xyz"`},
		{"CL-ITEM-05", "", `items[1].quantity=-1`},
		{"CL-ITEM-06", "", `items[1].discount_amount=-1`},
		{"CL-KIND-01", "", `invoice_type="XYZ"`},
		{"CL-KIND-02", "", `branch_office=7`},
		{"CL-LIMIT-01", "", `additional_header_info.seller="` + strings.Repeat("W", 61) + `"`},
		{"CL-LIMIT-02", "", `additional_header_info.recipient.contact="漢"`},
		{"CL-LIMIT-04", "", `items[0].unit_price=999999999999
			items[0].quantity=99999`},
		{"CL-LIMIT-05", "", `totals.total=3868.1`},
		{"CL-LIMIT-05", "", `totals.discount=10.1`},
		{"CL-LIMIT-05", "", `totals.sub_total=3500.1`},
		{"CL-LIMIT-05", "", `totals.taxes[1].amount=0.1`},
		{"CL-LIMIT-06", "", `items[0].description="` + strings.Repeat("&", 40) + `"
			recipient.legal_name="` + strings.Repeat("&", 40) + `"`},
		{"CL-PAYMENT-01", "", `payment_method.code="XXX"`},
		{"CL-PAYMENT-02", "", `additional_header_info.payment_form="EFE"`},
		{"CL-PAYMENT-03", "boleta", `totals.total=99999999
			payment_method=`},
		{"CL-RECIPIENT-01", "", `recipient.tax_condition="exento"`},
		{"CL-RECIPIENT-02", "", `recipient.legal_name=""`},
		{"CL-RECIPIENT-03", "", `additional_header_info.recipient.giro=`},
		{"CL-RECIPIENT-04", "", `recipient.document_number="0"`},
		{"CL-RECIPIENT-05", "", `recipient.document_type="XX"`},
		{"CL-RECIPIENT-06", "", `recipient.document_number="76192083-1"`},
		{"CL-RECIPIENT-07", "boleta", `totals.total=99999999
			recipient={"legal_name": ""}`},
		{"CL-REFERENCE-01", "note", `billing_reference=[]`},
		{"CL-REFERENCE-02", "note", `billing_reference[1]={"period_from": "2026-10-01", "period_to": "2026-10-31"}`},
		{"CL-REFERENCE-03", "note", `billing_reference[0].type="FXE"`},
		{"CL-REFERENCE-04", "note", `billing_reference[0].date="2026-11-30"`},
		{"CL-REFERENCE-05", "note", `billing_reference[0].reason_code="9"`},
		{"CL-REFERENCE-06", "note", `billing_reference[1].number=7`},
		{"CL-REFERENCE-07", "note", `billing_reference[0].document_number="76192083-9"`},
		{"CL-REFERENCE-08", "note", `billing_reference[1].currency={"code": "USD"}`},
		{"CL-RUT-01", "guía", `additional_header_info.transport.carrier_rut="1"`},
		{"CL-TAX-01", "", `items[1].taxes[0].type="xyz"`},
		{"CL-TAX-02", "", `items[1].taxes=[]`},
		{"CL-TAX-03", "", `items[0].taxes[0].rate=20`},
		{"CL-TAX-04", "export", `items[0].taxes=[{"type": "iva19", "amount": 0, "rate": 19}]`},
		{"CL-TAX-05", "", `items[0].taxes[0].amount=20`},
		{"CL-TOTAL-01", "", `totals.total=3000`},
		{"CL-TOTAL-02", "", `totals.sub_total=3000`},
		{"CL-TOTAL-03", "", `totals.discount=9`},
		{"CL-TOTAL-03", "", `totals.discount=9999`},
		{"CL-TOTAL-04", "", `totals.taxes=[{"type": "iva19", "amount": 378, "base_amount": 1990}]`},
		{"CL-TOTAL-05", "", `totals.taxes[1].type="xyz"`},
		{"CL-TOTAL-06", "", `totals.taxes[0].base_amount=1000`},
		{"CL-TOTAL-07", "", `totals.taxes[0].amount=30`},
		{"CL-TOTAL-08", "", `totals.taxes=[` + strings.TrimSuffix(
			strings.Repeat(`{"type": "exempt", "amount": 0, "base_amount": 0},`, 23), ",") + `]`},
		{"CL-TOTAL-09", "", `totals.total=0`},
		{"CL-TOTAL-10", "", `items[0].taxes=[{"type": "exempt", "amount": 0, "rate": 0}]
			totals={"sub_total": 3500, "discount": 10, "total": 3490, "taxes": [{"type": "exempt", "amount": 0, "base_amount": 3490}]}`},
		{"CL-TRANSIT-01", "guía", `additional_header_info.transport.comuna=`},
		{"CL-TRANSIT-02", "guía", `additional_header_info.transport.plate="varias"`},
		{"CL-TRANSIT-03", "guía", `items[0].code_unit_of_measure="kwh"`},
		{"CL-TRANSIT-04", "", `billing_reference=[{"type": "GUI", "number": 7, "date": "2026-11-20"}]
			additional_header_info.transport.departure_at="2026-11-27 14:30:00"`},
	},
	hides: map[string][]string{
		// What a document may have follows from its type, its currency and its dates.
		"CL-KIND-01": {"CL-CURRENCY-02", "CL-EXPORT-02", "CL-HEADER-02", "CL-HEADER-04", "CL-HEADER-06", "CL-ISSUER-05",
			"CL-RECIPIENT-02",
			"CL-RECIPIENT-03", "CL-RECIPIENT-04", "CL-TOTAL-01", "CL-TOTAL-04", "CL-TOTAL-05", "CL-TOTAL-06", "CL-TOTAL-07",
			"CL-TOTAL-09",
			"CL-TOTAL-10", "CL-TRANSIT-04"},
		"CL-CURRENCY-01": {"CL-CURRENCY-03", "CL-LIMIT-05"}, "CL-CURRENCY-02": {"CL-CURRENCY-03", "CL-LIMIT-05"},
		"CL-CURRENCY-03": {"CL-CURRENCY-04"},
		"CL-DATE-02":     {"CL-DATE-05"},
		// A document that moves goods has an origin of its own.
		"CL-HEADER-03": {"CL-ISSUER-04", "CL-ISSUER-05"},
		// A number is of its document's type.
		"CL-RECIPIENT-05": {"CL-RECIPIENT-04", "CL-RECIPIENT-06"},
		// What cannot be multiplied or compared says nothing of what it is compared with.
		"CL-LIMIT-04": {"CL-TAX-05", "CL-TOTAL-01", "CL-TOTAL-02", "CL-TOTAL-03", "CL-TOTAL-04", "CL-TOTAL-05", "CL-TOTAL-06",
			"CL-TOTAL-07", "CL-TOTAL-10"},
		"CL-LIMIT-05": {"CL-TOTAL-01", "CL-TOTAL-06"}, "CL-TOTAL-03": {"CL-TOTAL-01", "CL-TOTAL-06"},
		"CL-TOTAL-06": {"CL-TOTAL-07"},
		// The lines of a tax, and the discount of the lines.
		"CL-TAX-01":  {"CL-TOTAL-04", "CL-TOTAL-06", "CL-TOTAL-10"},
		"CL-TAX-02":  {"CL-TOTAL-04", "CL-TOTAL-06", "CL-TOTAL-10"},
		"CL-ITEM-06": {"CL-TOTAL-03", "CL-TOTAL-06"}, "CL-TOTAL-08": {"CL-TOTAL-01"},
		// Documents that differ are not the same one twice; one of two has no other's reason.
		"CL-REFERENCE-03": {"CL-REFERENCE-06"}, "CL-REFERENCE-07": {"CL-REFERENCE-06"},
		"CL-REFERENCE-02": {"CL-REFERENCE-05"},
	},
	// CL-ISSUER-06 needs a registered region, CL-RECIPIENT-08 a figure of the operator's.
	elsewhere: []string{"CL-ITEM-01", "CL-ITEM-02", "CL-LIMIT-03", "CL-ISSUER-06", "CL-RECIPIENT-08"},
}
