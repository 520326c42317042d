package uy_test

import (
	"strings"
	"testing"

	"folio/country/countrytest"
	"folio/country/uy"
	"folio/events"
)

func TestEveryKindIsAccepted(t *testing.T) {
	countrytest.EveryKind(t, (uy.Rules{}).DocumentTypes(), issuerRUT, document, check)
}

func TestTheProfileIsFrozenAndFoliosMembersReplaced(t *testing.T) {
	d := document("EFA")
	d.HeaderInfo = []byte(`{"issuer":{"giro":"what a caller writes"},"series":"Z","daily_report_only":true,"internal_number":"P-7","recipient":{"city":"Pando"}}`)
	checked := mustAccept(t, d)
	h, vs := uy.ParseHeader(checked.Document.HeaderInfo)
	if len(vs) > 0 || h.Issuer[uy.FieldGiro] != company.Fields[uy.FieldGiro] || h.InternalNumber != "P-7" ||
		h.Recipient.City != "Pando" {
		t.Errorf("%+v %v", h, vs)
	}
	if h.Series != "" || h.DailyReportOnly || uy.ReportOnly(checked.Document) {
		t.Errorf("what a caller wrote stayed: %s", checked.Document.HeaderInfo)
	}
}

func TestTheFormOfPaymentIsFilled(t *testing.T) {
	for _, c := range []struct {
		name, due string
		method    *events.PaymentMethod
		want      string
	}{
		{"nothing said is cash", "", nil, "CON"},
		{"due that day is cash", "2026-11-27", nil, "CON"},
		{"due later is credit", "2026-12-27", nil, "CRE"},
		{"what the caller says counts", "2026-12-27", &events.PaymentMethod{Code: "con"}, "CON"},
		{"DGI's digit", "", &events.PaymentMethod{Code: "2"}, "CRE"},
	} {
		d := document("EFA")
		d.PaymentDueDate, d.PaymentMethod = c.due, c.method
		if got := mustAccept(t, d).Document.PaymentMethod; got == nil || got.Code != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got := mustAccept(t, document("REM")).Document.PaymentMethod; got != nil {
		t.Errorf("a remito is paid by %+v", got)
	}
}

// refusal is a document that is changed, and what is said of it.
type refusal struct {
	name, kind string
	change     func(*events.Document)
	want       []string
}

func mustRefuseAll(t *testing.T, all []refusal) {
	t.Helper()
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			d := document(c.kind)
			c.change(&d)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

func TestRulesOfTheDocument(t *testing.T) {
	mustRefuseAll(t, []refusal{
		{"no kind", "EFA", func(d *events.Document) { d.Type = "" }, []string{"invoice_type UY-KIND-01"}},
		{"Argentina's kind", "EFA", func(d *events.Document) { d.Type = "FCA" }, []string{"invoice_type UY-KIND-01"}},
		{"a contingency code", "EFA", func(d *events.Document) { d.Type = "211" }, []string{"invoice_type UY-KIND-01"}},
		{"the official code", "EFA", func(d *events.Document) { d.Type = "111" }, nil},
		{"branch office 1", "EFA", func(d *events.Document) { d.BranchOffice = 1 }, nil},
		{"branch office 2", "EFA", func(d *events.Document) { d.BranchOffice = 2 }, []string{"branch_office UY-KIND-02"}},
		{"dollars at home", "EFA", func(d *events.Document) {
			d.Currency = events.Currency{Code: "USD", Rate: dec("40.123")}
		}, nil},
		{"indexed units", "EFA", func(d *events.Document) { d.Currency = events.Currency{Code: "UYI", Rate: dec("6.421")} },
			nil},
		{"four decimals of a rate", "EFA", func(d *events.Document) {
			d.Currency = events.Currency{Code: "UYI", Rate: dec("6.4208")}
		}, []string{"currency.exchange_rate UY-CURRENCY-02"}},
		{"a currency of nowhere", "EFA", func(d *events.Document) { d.Currency.Code = "XXX" },
			[]string{"currency.code UY-CURRENCY-01"}},
		{"no currency", "EFA", func(d *events.Document) { d.Currency = events.Currency{} }, nil},
		{"pesos at a rate", "EFA", func(d *events.Document) { d.Currency.Rate = dec("2") },
			[]string{"currency.exchange_rate UY-CURRENCY-02"}},
		{"dollars without a rate", "EFX", func(d *events.Document) { d.Currency.Rate = dec("0") },
			[]string{"currency.exchange_rate UY-CURRENCY-02"}},
		{"60 days ahead", "EFA", func(d *events.Document) { d.Date = "2027-01-26 23:59:59" }, nil},
		{"61 days ahead", "EFA", func(d *events.Document) { d.Date = "2027-01-27 00:00:00" },
			[]string{"invoice_date UY-DATE-03"}},
		{"before electronic documents", "EFA", func(d *events.Document) { d.Date = "2011-09-30 10:00:00" },
			[]string{"invoice_date UY-DATE-03"}},
		{"no such day", "EFA", func(d *events.Document) { d.Date = "2026-02-30 00:00:00" },
			[]string{"invoice_date UY-DATE-02"}},
		{"no date", "EFA", func(d *events.Document) { d.Date = "" }, []string{"invoice_date UY-DATE-02"}},
		{"a service that ends before", "EFA", func(d *events.Document) {
			d.ServiceStart, d.ServiceEnd = "2026-11-02 00:00:00", "2026-11-01 00:00:00"
		}, []string{"service_end_date UY-DATE-04"}},
		{"due before the document", "EFA", func(d *events.Document) { d.PaymentDueDate = "2026-11-26" },
			[]string{"payment_due_date UY-DATE-05"}},
		{"due after the format's last year", "EFA", func(d *events.Document) { d.PaymentDueDate = "2051-01-01" },
			[]string{"payment_due_date UY-DATE-06"}},
		{"an unknown concept", "EFA", func(d *events.Document) { d.Concept = "4" }, []string{"concept UY-DATE-01"}},
		{"an unknown payment", "EFA", func(d *events.Document) { d.PaymentMethod = &events.PaymentMethod{Code: "X"} },
			[]string{"payment_method.code UY-PAYMENT-01"}},
		{"a remito that is paid", "REM", func(d *events.Document) { d.PaymentMethod = &events.PaymentMethod{Code: "CON"} },
			[]string{"payment_method UY-PAYMENT-02"}},
		{"a tax on the whole", "EFA", func(d *events.Document) { d.GlobalTaxes = []events.GlobalTax{{Type: "iibb"}} },
			[]string{"global_taxes[0] UY-GLOBAL-01"}},
		{"any letter of any language", "EFA", func(d *events.Document) { d.Items[0].Description = "Łódź – €" }, nil},
		{"1,000 ñ fit", "EFA", func(d *events.Document) { d.Items[0].Description = strings.Repeat("ñ", 1000) }, nil},
		{"1,001 do not", "EFA", func(d *events.Document) { d.Items[0].Description = strings.Repeat("ñ", 1001) },
			[]string{"items[0].description UY-LIMIT-01"}},
		{"a name too long", "EFA", func(d *events.Document) { d.Recipient.LegalName = strings.Repeat("x", 151) },
			[]string{"recipient.legal_name UY-LIMIT-01"}},
		{"an address too long", "EFA", func(d *events.Document) { d.Recipient.Address.Address = strings.Repeat("x", 71) },
			[]string{"recipient.address.address UY-LIMIT-01"}},
		{"control characters", "EFA", func(d *events.Document) { d.Items[0].Description = "a\x00b" },
			[]string{"items[0].description UY-LIMIT-03"}},
		{"what XML cannot hold", "EFA", func(d *events.Document) { d.Recipient.LegalName = "a\uffffb" },
			[]string{"recipient.legal_name UY-LIMIT-03"}},
	})
}

func TestRulesOfTheLines(t *testing.T) {
	many := func(n int) func(*events.Document) {
		return func(d *events.Document) {
			for len(d.Items) < n {
				d.Items = append(d.Items, d.Items[0])
			}
			*d = calculated(*d, "0")
		}
	}
	code := func(kind, value string) func(*events.Document) {
		return func(d *events.Document) { d.Items[0].Code = &events.ItemCode{Type: kind, Value: value} }
	}
	mustRefuseAll(t, []refusal{
		{"no items", "EFA", func(d *events.Document) { d.Items = nil }, []string{"items UY-ITEM-01"}},
		{"200 items of an e-Factura", "EFA", many(200), nil},
		{"201 items of an e-Factura", "EFA", many(201), []string{"items UY-ITEM-01"}},
		{"700 items of an e-Ticket", "TIC", func(d *events.Document) { d.Items = one("1", "1", "0", "iva22"); many(700)(d) },
			nil},
		{"701 items of an e-Ticket", "TIC", many(701), []string{"items UY-ITEM-01"}},
		{"no description", "EFA", func(d *events.Document) { d.Items[0].Description = " " },
			[]string{"items[0].description UY-ITEM-02"}},
		{"an unknown unit", "EFA", func(d *events.Document) { d.Items[0].UnitOfMeasure = "furlong" },
			[]string{"items[0].code_unit_of_measure UY-ITEM-03"}},
		{"DGI's N/A", "EFA", func(d *events.Document) { d.Items[0].UnitOfMeasure = "n/a" }, nil},
		{"an empty code", "EFA", code("sku", ""), []string{"items[0].code.value UY-ITEM-04"}},
		{"an unknown code", "EFA", code("isbn", "1"), []string{"items[0].code.type UY-ITEM-04"}},
		{"a GTIN of 13 digits", "EFA", code("gtin", "4006381333931"), nil},
		{"a GTIN of 8 digits", "EFA", code("ean8", "96385074"), nil},
		{"a wrong check digit", "EFA", code("ean", "4006381333932"), []string{"items[0].code.value UY-ITEM-04"}},
		{"a GTIN of 9 digits", "EFA", code("gtin", "773000000"), []string{"items[0].code.value UY-ITEM-04"}},
		{"nothing of it", "EFA", func(d *events.Document) { d.Items[0].Quantity = dec("0") },
			[]string{"items[0].quantity UY-ITEM-05", "items[0].taxes[0].amount UY-TAX-05",
				"totals.sub_total UY-TOTAL-02", "totals.taxes[0].base_amount UY-TOTAL-06"}},
		{"four decimals of a quantity", "EFA", func(d *events.Document) { d.Items[0].Quantity = dec("2.0001") },
			[]string{"items[0].quantity UY-LIMIT-05",
				"totals.sub_total UY-TOTAL-02", "totals.taxes[0].base_amount UY-TOTAL-06"}},
		{"no tax", "EFA", func(d *events.Document) { d.Items[0].Taxes = nil }, []string{"items[0].taxes UY-TAX-02"}},
		{"two taxes", "EFA", func(d *events.Document) { d.Items[0].Taxes = append(d.Items[0].Taxes, d.Items[0].Taxes[0]) },
			[]string{"items[0].taxes UY-TAX-02"}},
		{"Chile's tax", "EFA", func(d *events.Document) { d.Items[0].Taxes[0].Type = "iva19" },
			[]string{"items[0].taxes[0].type UY-TAX-01"}},
		{"a rate of its own", "EFA", func(d *events.Document) { d.Items[0].Taxes[0].Rate = dec("10") },
			[]string{"items[0].taxes[0].rate UY-TAX-03"}},
		{"a tax a cent off", "EFA", func(d *events.Document) { d.Items[0].Taxes[0].Amount = dec("439.99") }, nil},
		{"a tax two cents off", "EFA", func(d *events.Document) { d.Items[0].Taxes[0].Amount = dec("439.98") },
			[]string{"items[0].taxes[0].amount UY-TAX-05"}},
		{"a tax on a remito", "REM", func(d *events.Document) {
			d.Items[0].Taxes = []events.ItemTax{{Type: "iva22", Rate: dec("22"), Amount: dec("1")}}
		}, []string{"items[0].taxes UY-TAX-04"}},
	})
}

func TestRulesOfHeaderAndExport(t *testing.T) {
	header := func(raw string) func(*events.Document) {
		return func(d *events.Document) { d.HeaderInfo = []byte(raw) }
	}
	export := func(raw string) func(*events.Document) {
		return func(d *events.Document) { d.ExportInfo = []byte(raw) }
	}
	mustRefuseAll(t, []refusal{
		{"an unknown member", "EFA", header(`{"colour":"red","recipient":{"city":"Pando"}}`),
			[]string{"additional_header_info.colour UY-HEADER-01"}},
		{"an unknown member of the recipient", "EFA", header(`{"recipient":{"city":"Pando","comuna":"x"}}`),
			[]string{"additional_header_info.recipient.comuna UY-HEADER-01"}},
		{"a wrong type", "TIC", header(`{"gross_prices":"yes"}`),
			[]string{"additional_header_info.gross_prices UY-HEADER-01"}},
		{"no object", "TIC", header(`[1]`), []string{"additional_header_info UY-HEADER-01"}},
		{"a number too long", "TIC", header(`{"internal_number":"` + strings.Repeat("1", 51) + `","additional_info":"` +
			strings.Repeat("x", 151) + `"}`), []string{
			"additional_header_info.internal_number UY-LIMIT-01", "additional_header_info.additional_info UY-LIMIT-01"}},
		{"a postal code in letters", "TIC", header(`{"recipient":{"postal_code":"A1"}}`),
			[]string{"additional_header_info.recipient.postal_code UY-HEADER-02"}},
		{"a department of nowhere", "TIC", header(`{"recipient":{"department":"Atlantis"}}`),
			[]string{"additional_header_info.recipient.department UY-HEADER-05"}},
		{"a department in any case", "TIC", header(`{"recipient":{"department":"PAYSANDÚ"}}`), nil},
		{"a city that is read backwards", "EFA", header("{\"recipient\":{\"city\":\"a\u202eb\"}}"),
			[]string{"additional_header_info.recipient.city UY-LIMIT-03"}},
		{"a remito that does not say why", "REM", header(`{"recipient":{"city":"Pando"}}`),
			[]string{"additional_header_info.transfer_type UY-HEADER-03"}},
		{"an e-Ticket that moves goods", "TIC", header(`{"transfer_type":1}`),
			[]string{"additional_header_info.transfer_type UY-HEADER-03"}},
		{"gross prices of an export", "EFX", header(`{"gross_prices":true,"recipient":{"city":"a","department":"b"}}`),
			[]string{"additional_header_info.gross_prices UY-HEADER-04"}},
		{"an export that says nothing of it", "EFX", export(``),
			[]string{"additional_export_info.sale_clause UY-EXPORT-03", "additional_export_info.sale_mode UY-EXPORT-04",
				"additional_export_info.transport_route UY-EXPORT-05"}},
		{"a note of an export without a mode", "NCX", export(`{"sale_clause":"N/A","transport_route":8}`), nil},
		{"a remito of an export without a clause", "REX", export(`{"sale_mode":2,"transport_route":3}`), nil},
		{"a clause in four letters", "EFX", export(`{"sale_clause":"FOBX","sale_mode":1,"transport_route":1}`),
			[]string{"additional_export_info.sale_clause UY-EXPORT-03"}},
		{"tax free is no export", "EFX", export(`{"sale_clause":"FOB","sale_mode":80,"transport_route":1}`),
			[]string{"additional_export_info.sale_mode UY-EXPORT-04"}},
		{"an unknown member of the export", "EFX", export(`{"vessel":"x"}`),
			[]string{"additional_export_info.vessel UY-EXPORT-01",
				"additional_export_info.sale_clause UY-EXPORT-03", "additional_export_info.sale_mode UY-EXPORT-04",
				"additional_export_info.transport_route UY-EXPORT-05"}},
		{"a member of the export that cannot be read", "EFX",
			export(`{"sale_mode":"x","sale_clause":"FOB","transport_route":7}`), []string{
				"additional_export_info.sale_mode UY-EXPORT-01", "additional_export_info.transport_route UY-EXPORT-05"}},
		{"an e-Factura that exports", "EFA", export(`{"sale_mode":1}`), []string{"additional_export_info UY-EXPORT-02"}},
	})
}

func TestTheEmptyDocumentDoesNotPanic(t *testing.T) {
	if _, vs := check(events.Document{}); len(vs) == 0 {
		t.Error("the empty document is accepted")
	}
}
