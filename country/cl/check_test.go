package cl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"folio/country/cl"
	"folio/country/countrytest"
	"folio/events"
)

func TestEveryKindIsAccepted(t *testing.T) {
	countrytest.EveryKind(t, (cl.Rules{}).DocumentTypes(), issuerRUT, document, check)
}

func TestTheProfileIsFrozen(t *testing.T) {
	d := document("FAC")
	d.HeaderInfo = []byte(`{"issuer":{"giro":"what a caller writes"},"seller":"María",` + recipient + `}`)
	checked := mustAccept(t, d)
	h, vs := cl.ParseHeader(checked.Document.HeaderInfo)
	if len(vs) > 0 || h.Issuer[cl.FieldGiro] != company.Fields[cl.FieldGiro] || h.Seller != "María" ||
		h.Recipient.Comuna != "Providencia" {
		t.Errorf("%+v %v", h, vs)
	}
	if date, number := cl.Resolution(checked.Document); date != "2014-08-22" || number != "80" {
		t.Errorf("%s %s", date, number)
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		change     func(*events.Document)
		want       []string
	}{
		{"no kind", "FAC", func(d *events.Document) { d.Type = "" }, []string{"invoice_type CL-KIND-01"}},
		{"Argentina's kind", "FAC", func(d *events.Document) { d.Type = "FCA" }, []string{"invoice_type CL-KIND-01"}},
		{"the official code", "FAC", func(d *events.Document) { d.Type = "33" }, nil},
		{"branch office 1", "FAC", func(d *events.Document) { d.BranchOffice = 1 }, nil},
		{"branch office 2", "FAC", func(d *events.Document) { d.BranchOffice = 2 }, []string{"branch_office CL-KIND-02"}},
		{"dollars at home", "FAC", func(d *events.Document) { d.Currency = events.Currency{Code: "USD", Rate: dec("900")} },
			[]string{"currency.code CL-CURRENCY-02"}},
		{"a currency of nowhere", "FXE", func(d *events.Document) { d.Currency.Code = "XXX" },
			[]string{"currency.code CL-CURRENCY-01"}},
		{"no currency", "FAC", func(d *events.Document) { d.Currency = events.Currency{} }, nil},
		{"pesos at a rate", "FAC", func(d *events.Document) { d.Currency.Rate = dec("2") },
			[]string{"currency.exchange_rate CL-CURRENCY-03"}},
		{"dollars without a rate", "FXE", func(d *events.Document) { d.Currency.Rate = dec("0") },
			[]string{"currency.exchange_rate CL-CURRENCY-03"}},
		{"tomorrow", "FAC", func(d *events.Document) { d.Date = "2026-11-28 00:00:00" }, []string{"invoice_date CL-DATE-03"}},
		{"no such day", "FAC", func(d *events.Document) { d.Date = "2026-02-30 00:00:00" },
			[]string{"invoice_date CL-DATE-02"}},
		{"no date", "FAC", func(d *events.Document) { d.Date = "" }, []string{"invoice_date CL-DATE-02"}},
		{"a service that ends before", "FAC", func(d *events.Document) {
			d.ServiceStart, d.ServiceEnd = "2026-11-02 00:00:00", "2026-11-01 00:00:00"
		}, []string{"service_end_date CL-DATE-04"}},
		{"due before the document", "FAC", func(d *events.Document) { d.PaymentDueDate = "2026-11-26" },
			[]string{"payment_due_date CL-DATE-05"}},
		{"an unknown concept", "FAC", func(d *events.Document) { d.Concept = "4" }, []string{"concept CL-DATE-01"}},
		{"another's invoice", "FAC", func(d *events.Document) { d.Issuer.DocumentNumber = recipientRUT },
			[]string{"issuer.document_number CL-ISSUER-03"}},
		{"an issuer with a CUIT", "FAC", func(d *events.Document) { d.Issuer.DocumentType = "CUIT" },
			[]string{"issuer.document_type CL-ISSUER-01"}},
		{"nobody", "FAC", func(d *events.Document) { d.Recipient.DocumentNumber, d.Recipient.DocumentType = "", "" },
			[]string{"recipient.document_number CL-RECIPIENT-04"}},
		{"66666666-6 in a factura", "FAC", func(d *events.Document) { d.Recipient.DocumentNumber = "66.666.666-6" },
			[]string{"recipient.document_number CL-RECIPIENT-04"}},
		{"66666666-6 in a factura de compra", "FCO", func(d *events.Document) { d.Recipient.DocumentNumber = "66666666-6" },
			[]string{"recipient.document_number CL-RECIPIENT-04"}},
		{"66666666-6 in the note of a boleta", "NCE", func(d *events.Document) {
			d.Recipient.DocumentNumber = "66666666-6"
		}, nil},
		{"nobody in a boleta", "BOL", func(d *events.Document) {
			d.Recipient = events.Party{DocumentType: "99", DocumentNumber: "0"}
		}, nil},
		{"66666666-6 in a boleta", "BOL", func(d *events.Document) {
			d.Recipient = events.Party{DocumentType: "RUT", DocumentNumber: "66.666.666-6"}
		}, nil},
		{"a named buyer of a boleta", "BOL", func(d *events.Document) {
			d.Recipient = events.Party{LegalName: "Ana", DocumentType: "rut", DocumentNumber: "12.345.678-5"}
		}, nil},
		{"a passport in a boleta", "BOL", func(d *events.Document) {
			d.Recipient = events.Party{LegalName: "Ana", DocumentType: "pasaporte", DocumentNumber: "P-1"}
		}, []string{"recipient.document_type CL-RECIPIENT-05"}},
		{"a number without a name", "BOL", func(d *events.Document) {
			d.Recipient = events.Party{DocumentType: "RUT", DocumentNumber: "12345678-5"}
		}, []string{"recipient.legal_name CL-RECIPIENT-02"}},
		{"a wrong check digit", "FAC", func(d *events.Document) { d.Recipient.DocumentNumber = "76192083-8" },
			[]string{"recipient.document_number CL-RECIPIENT-06"}},
		{"an unknown document", "FAC", func(d *events.Document) { d.Recipient.DocumentType = "DNI" },
			[]string{"recipient.document_type CL-RECIPIENT-05"}},
		{"a foreigner at home", "FAC", func(d *events.Document) { d.Recipient.DocumentType = "EXTRANJERO" },
			[]string{"recipient.document_type CL-RECIPIENT-05"}},
		{"a RUT of an export", "FXE", func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber = "RUT", recipientRUT
		}, []string{"recipient.document_type CL-RECIPIENT-05"}},
		{"55555555-5 of an export", "FXE", func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber = "RUT", "55555555-5"
		}, nil},
		{"no name", "FAC", func(d *events.Document) { d.Recipient.LegalName = " " },
			[]string{"recipient.legal_name CL-RECIPIENT-02"}},
		{"a condition before VAT", "FAC", func(d *events.Document) { d.Recipient.TaxCondition = "exento" },
			[]string{"recipient.tax_condition CL-RECIPIENT-01"}},
		{"no giro, address and comuna", "FAC", func(d *events.Document) {
			d.HeaderInfo, d.Recipient.Address.Address = nil, ""
		}, []string{
			"additional_header_info.recipient.giro CL-RECIPIENT-03", "recipient.address.address CL-RECIPIENT-03",
			"additional_header_info.recipient.comuna CL-RECIPIENT-03"}},
		{"a region of nowhere", "FAC", func(d *events.Document) { d.Recipient.Address.Region = "CL-XX" },
			[]string{"recipient.address.region CL-ADDRESS-02"}},
		{"a country in words", "FAC", func(d *events.Document) {
			d.Recipient.Address.Country, d.Recipient.Address.Region = "Chile", ""
		}, []string{"recipient.address.country CL-ADDRESS-01"}},
		{"an unknown payment", "FAC", func(d *events.Document) { d.PaymentMethod = &events.PaymentMethod{Code: "X"} },
			[]string{"payment_method.code CL-PAYMENT-01"}},
		{"a tax on the whole", "FAC", func(d *events.Document) { d.GlobalTaxes = []events.GlobalTax{{Type: "iibb"}} },
			[]string{"global_taxes[0] CL-GLOBAL-01"}},
		{"a character that Latin-1 lacks", "FAC", func(d *events.Document) { d.Items[0].Description = "Café 日本" },
			[]string{"items[0].description CL-LIMIT-02"}},
		{"what people paste", "FAC", func(d *events.Document) { d.Items[0].Description = "Cafe\u0301 – “10 €” …" }, nil},
		{"what people paste is counted as it is written", "FAC",
			func(d *events.Document) { d.Items[0].Description = strings.Repeat("…", 334) },
			[]string{"items[0].description CL-LIMIT-01"}},
		{"1.000 ñ fit", "FAC", func(d *events.Document) { d.Items[0].Description = strings.Repeat("ñ", 1000) }, nil},
		{"1.001 do not", "FAC", func(d *events.Document) { d.Items[0].Description = strings.Repeat("ñ", 1001) },
			[]string{"items[0].description CL-LIMIT-01"}},
		{"a name too long", "FAC", func(d *events.Document) { d.Recipient.LegalName = strings.Repeat("x", 101) },
			[]string{"recipient.legal_name CL-LIMIT-01"}},
		{"control characters", "FAC", func(d *events.Document) { d.Items[0].Description = "a\x00b" },
			[]string{"items[0].description CL-LIMIT-03"}},
		{"a stamp of ampersands", "FAC", func(d *events.Document) {
			d.Items[0].Description, d.Recipient.LegalName = strings.Repeat("&", 80), strings.Repeat("&", 80)
		}, []string{"items[0].description CL-LIMIT-06"}},
		{"observations take any letter", "FAC", func(d *events.Document) { d.Observations = "Łódź – €" }, nil},
		{"no items", "FAC", func(d *events.Document) { d.Items = nil }, []string{"items CL-ITEM-01"}},
		{"61 items", "FAC", func(d *events.Document) {
			for range 60 {
				d.Items = append(d.Items, d.Items[0])
			}
		}, []string{"items CL-ITEM-01"}},
		{"no description", "FAC", func(d *events.Document) { d.Items[0].Description = " " },
			[]string{"items[0].description CL-ITEM-02"}},
		{"an unknown unit", "FAC", func(d *events.Document) { d.Items[0].UnitOfMeasure = "furlong" },
			[]string{"items[0].code_unit_of_measure CL-ITEM-03"}},
		{"SII's unit", "FAC", func(d *events.Document) { d.Items[0].UnitOfMeasure = "un" }, nil},
		{"an empty code", "FAC", func(d *events.Document) { d.Items[0].Code = &events.ItemCode{Type: "sku"} },
			[]string{"items[0].code.value CL-ITEM-04"}},
		{"an unknown code", "FAC", func(d *events.Document) { d.Items[0].Code = &events.ItemCode{Type: "x", Value: "1"} },
			[]string{"items[0].code.type CL-ITEM-04"}},
		{"two ways to meet IVA", "FAC", func(d *events.Document) {
			d.Items[0].Taxes = append(d.Items[0].Taxes, events.ItemTax{Type: "exempt"})
		}, []string{"items[0].taxes[1].type CL-TAX-02"}},
		{"none", "FAC", func(d *events.Document) { d.Items[0].Taxes = nil }, []string{"items[0].taxes CL-TAX-02"}},
		{"Argentina's rate", "FAC", func(d *events.Document) { d.Items[0].Taxes[0].Type = "iva21" },
			[]string{"items[0].taxes[0].type CL-TAX-01"}},
		{"SII's code of IVA", "FAC", func(d *events.Document) { d.Items[0].Taxes[0].Type = "14" }, nil},
		{"another rate", "FAC", func(d *events.Document) { d.Items[0].Taxes[0].Rate = dec("18") },
			[]string{"items[0].taxes[0].rate CL-TAX-03"}},
		{"a peso of tax off", "FAC", func(d *events.Document) { d.Items[0].Taxes[0].Amount = dec("3991") }, nil},
		{"two pesos off", "FAC", func(d *events.Document) { d.Items[0].Taxes[0].Amount = dec("3992") },
			[]string{"items[0].taxes[0].amount CL-TAX-05"}},
		{"half a peso of tax", "FAC", func(d *events.Document) { d.Items[0].Taxes[0].Amount = dec("3990.5") },
			[]string{"items[0].taxes[0].amount CL-LIMIT-05"}},
		{"a discount of half a peso", "FAC", func(d *events.Document) { d.Items[0].Discount = dec("0.5") }, []string{
			"items[0].discount_amount CL-LIMIT-05", "totals.discount CL-TOTAL-03"}},
		{"quantity 0", "FAC", func(d *events.Document) { d.Items[0].Quantity = dec("0") },
			[]string{"items[0].quantity CL-ITEM-05",
				"items[0].taxes[0].amount CL-TAX-05", "totals.sub_total CL-TOTAL-02", "totals.taxes[0].base_amount CL-TOTAL-06"}},
		{"a negative price", "FAC", func(d *events.Document) { d.Items[0].UnitPrice = dec("-1") },
			[]string{"items[0].unit_price CL-ITEM-05",
				"items[0].taxes[0].amount CL-TAX-05", "totals.sub_total CL-TOTAL-02", "totals.discount CL-TOTAL-03"}},
		{"seven decimals", "FAC", func(d *events.Document) { d.Items[0].UnitPrice = dec("0.0000001") },
			[]string{"items[0].unit_price CL-LIMIT-05"}},
		{"too large to multiply", "FAC", func(d *events.Document) {
			d.Items[0].UnitPrice, d.Items[0].Quantity = dec("999999999999"), dec("999")
		}, []string{"items[0].unit_price CL-LIMIT-04"}},
		{"IVA in an exempt invoice", "FEX", func(d *events.Document) {
			d.Items[0].Taxes[0] = events.ItemTax{Type: "iva19", Rate: dec("19"), Amount: dec("3990")}
		}, []string{"items[0].taxes CL-TAX-04"}},
		{"a guía without a reason", "GUI", func(d *events.Document) {
			d.Date, d.HeaderInfo = "2026-10-31 10:00:00", []byte(`{`+recipient+`}`)
		}, []string{"additional_header_info.transfer_type CL-HEADER-02"}},
		{"a reason without a guía", "FAC", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"transfer_type":1,` + recipient + `}`)
		}, []string{"additional_header_info.transfer_type CL-HEADER-02"}},
		{"an unknown member", "FAC", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"recipient":{"giro":"x","comuna":"y","fax":"z"}}`)
		}, []string{"additional_header_info.recipient.fax CL-HEADER-01"}},
		{"a wrong type", "FAC", func(d *events.Document) { d.HeaderInfo = []byte(`{"seller":1,` + recipient + `}`) },
			[]string{"additional_header_info.seller CL-HEADER-01"}},
		{"a driver without a name", "GUI", func(d *events.Document) {
			d.Date = "2026-10-31 10:00:00"
			d.HeaderInfo = []byte(`{"transfer_type":1,"transport":{"driver_rut":"12345678-5"},` + recipient + `}`)
		}, []string{"additional_header_info.transport.driver_name CL-HEADER-05"}},
		{"a driver with a wrong RUT", "GUI", func(d *events.Document) {
			d.Date = "2026-10-31 10:00:00"
			d.HeaderInfo = []byte(`{"transfer_type":1,"transport":{"driver_rut":"12345678-6","driver_name":"x"},` + recipient +
				`}`)
		}, []string{"additional_header_info.transport.driver_rut CL-RUT-01"}},
		{"IndServicio 4 of an invoice", "FAC", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"service_indicator":4,` + recipient + `}`)
		}, []string{"additional_header_info.service_indicator CL-HEADER-04"}},
		{"customs at home", "FAC", func(d *events.Document) { d.ExportInfo = []byte(`{"sale_mode":1}`) },
			[]string{"additional_export_info CL-EXPORT-02"}},
		{"customs with a long code", "FXE", func(d *events.Document) {
			d.ExportInfo = []byte(`{"sale_mode":100,"gross_weight":1.234,"packages":[{"type":1000}],"x":1}`)
		}, []string{
			"additional_export_info.sale_mode CL-EXPORT-03", "additional_export_info.gross_weight CL-EXPORT-03",
			"additional_export_info.packages[0].type CL-EXPORT-03", "additional_export_info.x CL-EXPORT-01"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(c.kind)
			c.change(&d)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

// A note that corrects a text has no amounts.
func TestCorrectionOfAText(t *testing.T) {
	d := document("NCE")
	d.BillingReference[0].ReasonCode = "2"
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "totals.total CL-TOTAL-09")
	d.Items = []events.Item{item("1", "0", "0", "iva19")}
	d.Items[0].Description = "Donde dice Los Leones debe decir Los Leones 567"
	d = calculated(d, "0")
	checked := mustAccept(t, d)
	dte := cl.NewDTE(checked.Document, checked.Taxes, company.Profile, 1)
	if l := dte.Detalle[0]; l.PrcItem != "" || l.QtyItem != "" || l.MontoItem != "0" ||
		dte.Encabezado.Totales.MntTotal != "0" || dte.Encabezado.Totales.MntNeto != "" {
		t.Errorf("%+v %+v", l, dte.Encabezado.Totales)
	}
}

func FuzzCheck(f *testing.F) {
	for _, k := range (cl.Rules{}).DocumentTypes() {
		d := document(k.InvoiceType)
		raw, err := json.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
		for _, huge := range []string{"9999999999999999999", "-9999999999999999999", "0.0000000000000000001",
			"9999999999999.999999"} {
			d := document(k.InvoiceType)
			d.Items[0].Quantity, d.Items[0].Discount, d.Items[0].Taxes[0].Amount = dec(huge), dec(huge), dec(huge)
			d.Totals.Total, d.Totals.Discount, d.Currency.Rate = dec(huge), dec(huge), dec(huge)
			raw, _ := json.Marshal(d)
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var d events.Document
		if json.Unmarshal(raw, &d) != nil {
			return
		}
		checked, vs := check(d)
		countrytest.MustSay(t, vs)
		if len(vs) > 0 {
			return
		}
		i := issued(checked, 1)
		if form := (cl.Rules{}).Form(i); len(form.Rows) != len(d.Items) {
			t.Fatalf("%d items, %d rows", len(d.Items), len(form.Rows))
		}
		cl.NewDTE(checked.Document, checked.Taxes, company.Profile, 1)
	})
}
