package writeapi

import "strings"

var argentina = nation{
	bodies: map[string]string{
		"": "",
		"class B": `invoice_type="FCB"
			recipient={"legal_name": "Consumidor Final", "document_type": "99", "document_number": "0"}`,
		"class C": `invoice_type="FCC"
			items[0].taxes=[]
			items[1].taxes=[]
			totals.taxes=[]
			totals.total=240.01`,
		"tributos": `global_taxes=[{"type": "perc_iva", "description": "RG 2408", "rate": 3, "base_amount": 100, "amount": 3}]
			totals.total=288.16`,
		"buyers": `concept="1"
			additional_header_info.buyers=[{"document_type": "CUIT", "document_number": "33693450239", "percentage": 60}, {"document_type": "CUIL", "document_number": "20111111112", "percentage": 40}]`,
		"note": `invoice_type="NCA"
			billing_reference=[{"type": "FCA", "branch_office": 1, "number": 7, "date": "2026-11-20"}, {"type": "FCA", "branch_office": 1, "number": 8, "date": "2026-11-20"}]`,
		"note on a period": `invoice_type="NCA"
			billing_reference=[{"period_from": "2026-10-01", "period_to": "2026-10-31"}]`,
		"FCE": `invoice_type="FMA"
			additional_header_info={"cbu": "0110012345678901234567", "cbu_alias": "libreria.sur", "transfer_system": "ADC"}`,
		"note on an FCE": `invoice_type="CMA"
			billing_reference=[{"type": "FMA", "branch_office": 1, "number": 7, "date": "2026-11-20"}]
			additional_header_info={"cancellation": "N"}`,
		"export": exportBody + `concept="1"
			additional_export_info={"client_tax_id": "PJ54482221-1", "incoterms": "FOB", "payment_form": "30 dias", "permits": [{"id": "09052EC01006154G"}]}`,
		"export of services": exportBody + `concept="2"
			additional_export_info={"client_tax_id": "PJ54482221-1", "payment_form": "30 dias"}`,
		"note on an export": exportBody + `concept="1"
			invoice_type="NCX"
			billing_reference=[{"type": "FCX", "branch_office": 1, "number": 5, "date": "2026-11-20"}]
			additional_export_info={"client_tax_id": "PJ54482221-1"}`,
	},
	owners: map[string]string{"class C": "tax_condition=monotributo"},
	breaches: []breach{
		{"AR-ADDRESS-01", "", `recipient.address.country="A1"`},
		{"AR-ADDRESS-02", "", `recipient.address.region="AR-9"`},
		{"AR-CURRENCY-01", "", `currency.code="XXX"`},
		{"AR-CURRENCY-02", "", `currency.exchange_rate=2`},
		{"AR-CURRENCY-03", "export", `currency.exchange_rate=99999`},
		{"AR-CURRENCY-04", "export", `currency.exchange_rate=0.5`},
		{"AR-CURRENCY-03", "export", `currency.exchange_rate`},
		{"AR-DATE-01", "", `concept="9"`},
		{"AR-DATE-02", "", `invoice_date="1999-01-01 10:00:00"`},
		{"AR-DATE-03", "", `invoice_date="2026-10-01 10:00:00"`},
		{"AR-DATE-04", "buyers", `invoice_date="2026-12-01 10:00:00"`},
		{"AR-DATE-05", "", `payment_due_date=`},
		{"AR-DATE-06", "", `service_end_date="2026-10-01 00:00:00"`},
		{"AR-DATE-07", "FCE", `payment_due_date=`},
		{"AR-DATE-08", "", `payment_due_date="2026-11-01"`},
		{"AR-EXPORT-01", "export", `additional_export_info.port="Rosario"`},
		{"AR-EXPORT-02", "", `additional_export_info={"language": "es"}`},
		{"AR-EXPORT-03", "export", `additional_export_info.export_kind="bienes"`},
		{"AR-EXPORT-04", "export", `additional_export_info.destination_country="ZZ"`},
		{"AR-EXPORT-05", "export", `additional_export_info.existing_permit="x"`},
		{"AR-EXPORT-06", "export", `additional_export_info.permits[0].id="1"`},
		{"AR-EXPORT-07", "export", `recipient.address.address=""`},
		{"AR-EXPORT-08", "export", `additional_export_info.language="fr"`},
		{"AR-EXPORT-08", "export", `additional_export_info.incoterms="FREE"`},
		{"AR-EXPORT-09", "export of services", `payment_due_date=`},
		{"AR-EXPORT-10", "export", `additional_header_info.buyers=[{"document_type": "CUIT", "document_number": "33693450239", "percentage": 60}, {"document_type": "CUIL", "document_number": "20111111112", "percentage": 40}]`},
		{"AR-EXPORT-11", "export of services", `additional_header_info.optionals=[{"id": "2402", "value": "x"}]`},
		{"AR-EXPORT-12", "export", `items[0].discount_amount=-1`},
		{"AR-GLOBAL-02", "tributos", `global_taxes[0].type="xyz"`},
		{"AR-GLOBAL-03", "FCE", `global_taxes=[{"type": "perc_iva", "rate": 0, "base_amount": 100, "amount": 3}]`},
		{"AR-GLOBAL-04", "tributos", `global_taxes[0].rate=1000`},
		{"AR-GLOBAL-05", "class B", `recipient={"legal_name": "Nadie", "document_type": "CUIT", "document_number": "23000000000", "tax_condition": "no_categorizado"}`},
		{"AR-GLOBAL-06", "tributos", `global_taxes[0].amount=5`},
		{"AR-HEADER-01", "FCE", `additional_header_info.cbu=5`},
		{"AR-HEADER-02", "", `additional_header_info.colour="red"`},
		{"AR-HEADER-03", "FCE", `additional_header_info.cbu_alias="x"`},
		{"AR-HEADER-04", "FCE", `additional_header_info.cbu=`},
		{"AR-HEADER-05", "FCE", `additional_header_info.transfer_system="XXX"`},
		{"AR-HEADER-06", "note on an FCE", `additional_header_info.cancellation="X"`},
		{"AR-HEADER-07", "", `additional_header_info.cancellation="S"`},
		{"AR-HEADER-08", "", `additional_header_info.same_currency_payment="X"`},
		{"AR-HEADER-09", "", `additional_header_info.activities=[0]`},
		{"AR-HEADER-10", "buyers", `additional_header_info.buyers[0].percentage=50`},
		{"AR-HEADER-10", "buyers", `additional_header_info.buyers[1].document_number="20111111113"`},
		{"AR-HEADER-11", "", `additional_header_info.optionals=[{"id": "999", "value": "x"}]`},
		{"AR-HEADER-12", "buyers", `concept="2"`},
		{"AR-ISSUER-01", "", `issuer.document_type="DNI"`},
		{"AR-ISSUER-02", "", `issuer.document_number="1"`},
		{"AR-ISSUER-03", "", `issuer.document_number="33693450239"`},
		{"AR-ISSUER-04", "", `issuer.address.address="Otra 5"`},
		{"AR-ITEM-03", "", `items[0].code_unit_of_measure="zz"`},
		{"AR-ITEM-04", "", `items[0].code.type="xyz"`},
		{"AR-ITEM-05", "", `items[1].quantity=-1`},
		{"AR-ITEM-06", "", `items[1].discount_amount=-1`},
		{"AR-KIND-01", "", `invoice_type="XYZ"`},
		{"AR-KIND-03", "", `branch_office=99999`},
		{"AR-KIND-04", "class C", `invoice_type="FCA"`},
		{"AR-LIMIT-01", "export", `additional_export_info.incoterms_description="` + strings.Repeat("W", 21) + `"`},
		{"AR-LIMIT-03", "", `items[0].unit_price=9999999999999
			items[0].quantity=99999`},
		{"AR-LIMIT-04", "", `totals.total=285.161`},
		{"AR-LIMIT-04", "", `totals.discount=10.001`},
		{"AR-LIMIT-04", "", `totals.taxes[1].amount=5.251`},
		{"AR-PAYMENT-01", "", `payment_method.code="XXX"`},
		{"AR-RECIPIENT-01", "", `recipient.legal_name=""`},
		{"AR-RECIPIENT-02", "", `recipient.document_type="DNI"
			recipient.document_number="12345678"`},
		{"AR-RECIPIENT-03", "", `recipient.document_number="30500010912"`},
		{"AR-RECIPIENT-04", "", `recipient.document_type="XX"`},
		{"AR-RECIPIENT-05", "", `recipient.document_number="0"`},
		{"AR-RECIPIENT-06", "", `recipient.document_number="33693450230"`},
		{"AR-RECIPIENT-07", "", `recipient.tax_condition="rico"`},
		{"AR-RECIPIENT-08", "", `recipient.tax_condition="exento"`},
		{"AR-RECIPIENT-09", "class B", `totals.total=20000000`},
		{"AR-REFERENCE-01", "note", `billing_reference=[]`},
		{"AR-REFERENCE-02", "note", `billing_reference[0].type="FCB"`},
		{"AR-REFERENCE-03", "note", `billing_reference[0].number="x"`},
		{"AR-REFERENCE-03", "note", `billing_reference[1].branch_office=0`},
		{"AR-REFERENCE-04", "note", `billing_reference[0].document_number="33693450239"`},
		{"AR-REFERENCE-05", "note", `billing_reference[0].date="2026-11-30"`},
		{"AR-REFERENCE-06", "note", `billing_reference[1].number=7`},
		{"AR-REFERENCE-07", "note on a period", `billing_reference[1]={"type": "FCA", "branch_office": 1, "number": 7}`},
		{"AR-REFERENCE-08", "note on an FCE",
			`billing_reference[0]={"period_from": "2026-10-01", "period_to": "2026-10-31"}`},
		{"AR-REFERENCE-09", "note on a period", `billing_reference[0].period_to="2026-09-01"`},
		{"AR-REFERENCE-10", "note on an export",
			`billing_reference[1]={"type": "FCX", "branch_office": 1, "number": 6, "date": "2026-11-20"}`},
		{"AR-REFERENCE-11", "note", `billing_reference[0].currency={"code": "USD"}`},
		{"AR-TAX-01", "class C", `items[0].taxes=[{"type": "iva21", "amount": 39.9, "rate": 21}]`},
		{"AR-TAX-02", "", `items[1].taxes=[]`},
		{"AR-TAX-03", "", `items[1].taxes[0].type="xyz"`},
		{"AR-TAX-04", "", `items[0].taxes[0].rate=20`},
		{"AR-TAX-05", "", `items[0].taxes[0].amount=20`},
		{"AR-TOTAL-01", "", `totals.total=290`},
		{"AR-TOTAL-02", "", `totals.sub_total=251`},
		{"AR-TOTAL-03", "", `totals.discount=9`},
		{"AR-TOTAL-03", "", `totals.discount=999`},
		{"AR-TOTAL-04", "", `totals.taxes=[{"type": "iva21", "amount": 39.9, "base_amount": 190}]`},
		{"AR-TOTAL-05", "", `totals.taxes[1].type="xyz"`},
		{"AR-TOTAL-06", "", `totals.taxes[0].base_amount=180`},
		{"AR-TOTAL-07", "", `totals.taxes[0].amount=30`},
		{"AR-TOTAL-08", "class C", `totals.taxes=[{"type": "iva21", "amount": 39.9, "base_amount": 190}]`},
		{"AR-TOTAL-09", "tributos", `totals.taxes[2]={"type": "perc_iva", "amount": 9, "base_amount": 100}`},
		{"AR-TOTAL-10", "", `totals.total=-1`},
		{"AR-TOTAL-11", "", `items=[{"quantity": 1, "code_unit_of_measure": "u", "unit_price": 0.01, "description": "x", "taxes": [{"type": "iva21", "amount": 0, "rate": 21}]}]
			totals={"sub_total": 0.01, "discount": 0, "total": 0.01, "taxes": [{"type": "iva21", "amount": 0, "base_amount": 0.01}]}`},
	},
	hides: map[string][]string{
		// What a document may have follows from its type, its currency, its concept and its date.
		"AR-KIND-01":     {"AR-EXPORT-02", "AR-HEADER-07", "AR-RECIPIENT-02", "AR-RECIPIENT-08"},
		"AR-KIND-04":     {"AR-TAX-01", "AR-TOTAL-08"},
		"AR-CURRENCY-01": {"AR-CURRENCY-02"}, "AR-DATE-01": {"AR-DATE-05"}, "AR-HEADER-12": {"AR-DATE-04"},
		"AR-DATE-02": {"AR-DATE-08"}, "AR-DATE-03": {"AR-DATE-08"},
		// A number is of its document's type; here the second one identifies the consumer.
		"AR-RECIPIENT-04": {"AR-RECIPIENT-03", "AR-RECIPIENT-05", "AR-RECIPIENT-06"}, "AR-GLOBAL-05": {"AR-RECIPIENT-09"},
		// What cannot be multiplied or compared says nothing of what it is compared with.
		"AR-LIMIT-03": {"AR-TAX-05", "AR-TOTAL-01", "AR-TOTAL-02", "AR-TOTAL-03", "AR-TOTAL-04", "AR-TOTAL-05", "AR-TOTAL-06",
			"AR-TOTAL-07"},
		"AR-LIMIT-04": {"AR-TOTAL-01", "AR-TOTAL-06"}, "AR-GLOBAL-04": {"AR-GLOBAL-06"},
		// The row of a line's tax, and the discount of the lines.
		"AR-TAX-02": {"AR-TOTAL-04"}, "AR-TAX-03": {"AR-TOTAL-04"}, "AR-ITEM-06": {"AR-TOTAL-03"},
		// Documents that differ are not the same one twice.
		"AR-REFERENCE-02": {"AR-REFERENCE-06"}, "AR-REFERENCE-03": {"AR-REFERENCE-06"},
		"AR-REFERENCE-04": {"AR-REFERENCE-06"},
	},
	// AR-CAEA-* hold what is issued while ARCA is away, which no create asks for.
	elsewhere: []string{"AR-ITEM-01", "AR-ITEM-02", "AR-GLOBAL-01", "AR-TOTAL-12", "AR-LIMIT-02", "AR-CAEA-01",
		"AR-CAEA-02", "AR-CAEA-03", "AR-CAEA-04", "AR-CAEA-05", "AR-CAEA-06", "AR-CAEA-07", "AR-CAEA-08", "AR-CAEA-09",
		"AR-CAEA-10", "AR-CAEA-11"},
}

const exportBody = `invoice_type="FCX"
	recipient={"legal_name": "João da Silva Ltda.", "document_type": "CUIT", "document_number": "55-00000005-0", "address": {"country": "BR", "address": "Rua 76"}}
	currency={"code": "USD", "exchange_rate": 1450.5}
	items=[{"quantity": 2, "code_unit_of_measure": "kg", "unit_price": 150, "discount_amount": 50, "description": "Yerba mate", "code": {"type": "sku", "value": "A-17"}, "taxes": []}]
	totals={"sub_total": 300, "discount": 50, "total": 250, "taxes": []}
	`
