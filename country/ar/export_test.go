package ar_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
)

// export is a document of goods for a company in Brazil, in dollars.
func export(kind string) events.Document {
	d := product(kind)
	d.Recipient = events.Party{LegalName: "João da Silva Ltda.", DocumentType: "CUIT", DocumentNumber: "55-00000005-0",
		Address: events.Address{Country: "BR", Address: "Rua 76, km 34.5, Alagoas"}}
	d.Currency = events.Currency{Code: "USD", Rate: dec("1450.5")}
	d.Items = []events.Item{item("2", "150", "50", "")}
	d.ExportInfo = []byte(`{"client_tax_id":"PJ54482221-1","incoterms":"FOB","incoterms_description":"Puerto de Bs. As.","payment_form":"30 dias","language":"pt"}`)
	if kind != "FCX" {
		d.BillingReference = []events.Reference{{Type: "FCX", BranchOffice: 1, Number: 5, Date: "2026-11-20"}}
		d.ExportInfo = []byte(`{"client_tax_id":"PJ54482221-1"}`)
	}
	recalculate(&d, ar.PerLine)
	return d
}

// with changes members of additional_export_info; null takes one away.
func with(d *events.Document, members string) {
	all := map[string]any{}
	for _, raw := range [][]byte{d.ExportInfo, []byte(members)} {
		if err := json.Unmarshal(raw, &all); err != nil {
			panic(err)
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	d.ExportInfo = raw
}

// services turns it into one of services.
func services(d *events.Document) {
	d.Concept, d.PaymentDueDate = "2", "2026-12-27"
	with(d, `{"incoterms":null,"incoterms_description":null}`)
}

func TestExports(t *testing.T) {
	x := func(member, code string) string { return "additional_export_info" + member + " AR-EXPORT-" + code }
	const permit = `{"id":"09052EC01006154G"}`
	for _, c := range []struct {
		name, kind string
		change     func(*events.Document)
		want       []string
	}{
		{"goods without permits yet", "FCX", func(*events.Document) {}, nil},
		{"goods with permits", "FCX", func(d *events.Document) {
			with(d, `{"permits":[`+permit+`,{"id":"09052EC01006154G","destination_country":"208"}]}`)
		}, nil},
		{"goods whose permits exist and are not named", "FCX",
			func(d *events.Document) { with(d, `{"existing_permit":"S"}`) }, []string{x(".permits", "05")}},
		{"goods with permits that do not exist", "FCX",
			func(d *events.Document) { with(d, `{"existing_permit":"N","permits":[`+permit+`]}`) },
			[]string{x(".permits", "05")}},
		{"a permit that is neither S nor N", "FCX", func(d *events.Document) { with(d, `{"existing_permit":"yes"}`) },
			[]string{x(".existing_permit", "05")}},
		{"a permit of another form", "FCX", func(d *events.Document) { with(d, `{"permits":[{"id":"9052EC01006154G"}]}`) },
			[]string{x(".permits[0].id", "06")}},
		{"the same permit twice", "FCX", func(d *events.Document) { with(d, `{"permits":[`+permit+`,`+permit+`]}`) },
			[]string{x(".permits[1].id", "06")}},
		{"a permit for nowhere", "FCX", func(d *events.Document) {
			with(d, `{"permits":[{"id":"09052EC01006154G","destination_country":"999"}]}`)
		}, []string{x(".permits[0].destination_country", "04")}},
		{"services", "FCX", services, nil},
		{"services with a permit", "FCX", func(d *events.Document) { services(d); with(d, `{"permits":[`+permit+`]}`) },
			[]string{x(".permits", "05")}},
		{"services that say whether a permit exists", "FCX",
			func(d *events.Document) { services(d); with(d, `{"existing_permit":"N"}`) }, []string{x(".existing_permit", "05")}},
		{"services without a day of payment", "FCX", func(d *events.Document) { services(d); d.PaymentDueDate = "" },
			[]string{"payment_due_date AR-EXPORT-09"}},
		{"services paid before the document", "FCX",
			func(d *events.Document) { services(d); d.PaymentDueDate = "2026-11-26" }, []string{"payment_due_date AR-DATE-08"}},
		{"services dated next month", "FCX", func(d *events.Document) { services(d); d.Date = "2026-12-01 10:00:00" },
			[]string{"invoice_date AR-DATE-04"}},
		{"goods dated next month", "FCX", func(d *events.Document) { d.Date = "2026-12-01 10:00:00" }, nil},
		{"services six days back", "FCX", func(d *events.Document) { services(d); d.Date = "2026-11-21 10:00:00" },
			[]string{"invoice_date AR-DATE-03"}},
		{"a kind of its own", "FCX", func(d *events.Document) {
			d.Concept, d.PaymentDueDate = "3", "2026-12-27"
			with(d, `{"export_kind":"Other"}`)
		}, nil},
		{"a kind that is not that of the concept", "FCX", func(d *events.Document) { with(d, `{"export_kind":"services"}`) },
			[]string{x(".export_kind", "03"),
				"payment_due_date AR-EXPORT-09"}},
		{"a kind that does not exist", "FCX", func(d *events.Document) { with(d, `{"export_kind":"bienes"}`) },
			[]string{x(".export_kind", "03")}},
		{"a destination by ARCA's number", "FCX", func(d *events.Document) { with(d, `{"destination_country":"203"}`) }, nil},
		{"no destination at all", "FCX", func(d *events.Document) { d.Recipient.Address.Country = "" },
			[]string{x(".destination_country", "04")}},
		{"a destination at home", "FCX", func(d *events.Document) { with(d, `{"destination_country":"AR"}`) },
			[]string{x(".destination_country", "04")}},
		{"goods without incoterms", "FCX", func(d *events.Document) {
			with(d, `{"incoterms":null,"incoterms_description":null}`)
		}, []string{x(".incoterms", "08")}},
		{"incoterms that do not exist", "FCX", func(d *events.Document) { with(d, `{"incoterms":"FREE"}`) },
			[]string{x(".incoterms", "08")}},
		{"words about no incoterms", "NCX", func(d *events.Document) { with(d, `{"incoterms_description":"Puerto"}`) },
			[]string{x(".incoterms_description", "08")}},
		{"long words about incoterms", "FCX", func(d *events.Document) {
			with(d, `{"incoterms_description":"Puerto de Buenos Aires, dársena A"}`)
		}, []string{"additional_export_info.incoterms_description AR-LIMIT-01"}},
		{"a language that ARCA lacks", "FCX", func(d *events.Document) { with(d, `{"language":"fr"}`) },
			[]string{x(".language", "08")}},
		{"no form of payment", "FCX", func(d *events.Document) { with(d, `{"payment_form":null}`) },
			[]string{x(".payment_form", "08")}},
		{"the payment method for the form of payment", "FCX", func(d *events.Document) {
			with(d, `{"payment_form":null}`)
			d.PaymentMethod = &events.PaymentMethod{Code: "TRA"}
		}, nil},
		{"a buyer without name and address", "FCX", func(d *events.Document) {
			d.Recipient.LegalName, d.Recipient.Address.Address = " ", ""
		}, []string{"recipient.legal_name AR-RECIPIENT-01", "recipient.address.address AR-EXPORT-07"}},
		{"a buyer without any number", "FCX", func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber = "", ""
			with(d, `{"client_tax_id":null}`)
		}, []string{x(".client_tax_id", "07")}},
		{"a buyer with the number of its country's companies only", "FCX",
			func(d *events.Document) { with(d, `{"client_tax_id":null}`) }, nil},
		{"a buyer with a passport only", "FCX", func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber = "Pasaporte", "12345678"
			with(d, `{"client_tax_id":null}`)
		}, nil},
		{"a note of goods", "NCX", func(*events.Document) {}, nil},
		{"a debit note of services", "NDX", func(d *events.Document) { d.Concept = "2" }, nil},
		{"a note that corrects nothing", "NCX", func(d *events.Document) { d.BillingReference = nil },
			[]string{"billing_reference AR-REFERENCE-01"}},
		{"a note that corrects a period", "NCX", func(d *events.Document) {
			d.BillingReference = []events.Reference{{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}}
		}, []string{"billing_reference[0].period_from AR-REFERENCE-08"}},
		{"a note that corrects two documents", "NCX", func(d *events.Document) {
			d.BillingReference = append(d.BillingReference, events.Reference{Type: "FCX", BranchOffice: 1, Number: 6})
		}, []string{"billing_reference AR-REFERENCE-10"}},
		{"a note that corrects an invoice of class B", "NCX", func(d *events.Document) { d.BillingReference[0].Type = "FCB" },
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
		{"an invoice that names its remito", "FCX", func(d *events.Document) {
			d.BillingReference = []events.Reference{{Type: "91", BranchOffice: 1, Number: 6}}
		}, nil},
		{"payment in the same currency", "FCX",
			func(d *events.Document) { d.HeaderInfo = []byte(`{"same_currency_payment":"S","activities":[620100]}`) }, nil},
		{"a note paid in the same currency", "NCX",
			func(d *events.Document) { d.HeaderInfo = []byte(`{"same_currency_payment":"N"}`) },
			[]string{"additional_header_info.same_currency_payment AR-EXPORT-10"}},
		{"tributos", "FCX", func(d *events.Document) {
			d.GlobalTaxes = []events.GlobalTax{{Type: "iibb", Amount: dec("1")}}
			recalculate(d, ar.PerLine)
		}, []string{"global_taxes AR-EXPORT-10", "totals.total AR-TOTAL-01"}},
		{"VAT", "FCX", func(d *events.Document) {
			d.Items[0].Taxes = []events.ItemTax{{Type: "iva21", Rate: dec("21"), Amount: dec("52.5")}}
		}, []string{"items[0].taxes AR-TAX-01"}},
		{"a negative line", "FCX", func(d *events.Document) {
			d.Items = append(d.Items, item("1", "-10", "0", ""))
			recalculate(d, ar.PerLine)
		}, []string{"items[1].unit_price AR-EXPORT-12"}},
		{"a discount on the whole", "FCX", func(d *events.Document) {
			d.Totals.Discount, d.Totals.Total = dec("75"), dec("225")
		}, nil},
		{"a simplified export", "FCX", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"optionals":[{"id":"2401","value":"12345678901"},{"id":"2402","value":"250.00"}]}`)
		}, nil},
		{"a simplified export with wrong data", "FCX", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"optionals":[{"id":"2401","value":"1"},{"id":"2402","value":"1,5"}]}`)
		}, []string{"additional_header_info.optionals[0].value AR-EXPORT-11",
			"additional_header_info.optionals[1].value AR-EXPORT-11"}},
		{"a simplified export without its amount", "FCX", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"optionals":[{"id":"2401","value":"12345678901"}]}`)
		}, []string{"additional_header_info.optionals AR-EXPORT-11"}},
		{"a simplified export without its document", "FCX", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"optionals":[{"id":"2402","value":"250.00"}]}`)
		}, []string{"additional_header_info.optionals AR-EXPORT-11"}},
		{"a simplified export of more than its total", "FCX", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"optionals":[{"id":"2401","value":"12345678901"},{"id":"2402","value":"300.01"}]}`)
		}, []string{"additional_header_info.optionals[1].value AR-EXPORT-11"}},
		{"optional data of other documents", "FCX", func(d *events.Document) {
			d.HeaderInfo = []byte(`{"optionals":[{"id":"23","value":"OC-17"}]}`)
		}, []string{"additional_header_info.optionals[0].id AR-HEADER-11"}},
		{"an invoice at home with an export's data", "FCA", func(d *events.Document) {
			*d = product("FCA")
			d.ExportInfo = []byte(`{"language":"es"}`)
		}, []string{"additional_export_info AR-EXPORT-02"}},
		{"what is no object", "FCX", func(d *events.Document) { d.ExportInfo = []byte(`[]`) }, []string{x("", "01")}},
		{"unknown members and wrong types", "FCX",
			func(d *events.Document) { d.ExportInfo = []byte(`{"port":"x","language":1,"permits":{}}`) },
			[]string{x(".port", "01"), x(".language", "01"), x(".permits", "01"), x(".payment_form", "08"),
				x(".incoterms", "08")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := export(map[bool]string{true: "FCX", false: c.kind}[c.kind == "FCA"])
			c.change(&d)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

func TestAnExportIsNormalised(t *testing.T) {
	d := export("FCX")
	with(&d, `{"permits":[{"id":"09052EC01006154G"}],"incoterms":"fob","language":"2","payment_form":null}`)
	d.PaymentMethod = &events.PaymentMethod{Code: "TRA"}
	got := mustAccept(t, d)
	e, _ := ar.ParseExport(got.Document.ExportInfo)
	want := ar.Export{Kind: "goods", Destination: "BR", ExistingPermit: "S",
		Permits:     []ar.Permit{{ID: "09052EC01006154G", Destination: "BR"}},
		ClientTaxID: "PJ54482221-1", PaymentForm: "Transferencia bancaria", Incoterms: "FOB",
		IncotermsDetails: "Puerto de Bs. As.", Language: "en"}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v", e)
	}
	if got.Taxes.RecipientCondition != "cliente_exterior" || got.Taxes.Amounts.Total.String() != "250.00" ||
		got.Taxes.Rates != nil {
		t.Errorf("%+v", got.Taxes)
	}
	told := ar.ExportOf(got.Document)
	if told.Kind != 1 || told.Destination != 203 || told.CountryCUIT != 55000000050 || told.Language != 2 ||
		told.PaymentDate != "" || told.Permits[0].Destination != 203 {
		t.Errorf("%+v", told)
	}
	if l := told.Lines; len(l) != 1 || l[0].Unit != 7 || l[0].Total.String() != "250.00" {
		t.Errorf("%+v", l)
	}
	d.Totals.Discount, d.Totals.Total = dec("75"), dec("225")
	if l := ar.ExportOf(mustAccept(t, d).Document).Lines; len(l) != 2 || l[1].Unit != 99 ||
		l[1].Total.String() != "-25.00" {
		t.Errorf("a discount on the whole is a line of its own: %+v", l)
	}
	_, vs := check(events.Document{Type: "FCX"})
	if len(vs) < 8 {
		t.Errorf("an empty export: %v", vs)
	}
	if again := mustAccept(t, got.Document).Document; !reflect.DeepEqual(again, got.Document) {
		t.Errorf("what is checked twice changes:\n%s\n%s", got.Document.ExportInfo, again.ExportInfo)
	}
}

func TestCountries(t *testing.T) {
	for text, want := range map[string]string{"BR": "BR 203", "br": "BR 203", "203": "BR 203", "UY": "UY 225",
		"CN": "CN 310"} {
		if iso, code, ok := ar.FindCountry(text); !ok || iso+" "+code != want {
			t.Errorf("%s finds %s %s", text, iso, code)
		}
	}
	for _, none := range []string{"", "AR", "200", "670", "XX", "Brasil"} {
		if iso, _, ok := ar.FindCountry(none); ok {
			t.Errorf("%q finds %s", none, iso)
		}
	}
}

func TestTheFormOfAnExport(t *testing.T) {
	d := export("FCX")
	with(&d, `{"permits":[{"id":"09052EC01006154G"}]}`)
	d.Totals.Discount, d.Totals.Total = dec("75"), dec("225")
	countrytest.GoldenForm(t, "export_dollars", printed(t, d, company, 7, false))
	note := printed(t, export("NCX"), company, 1, true)
	if note.Heading != "NOTA DE CRÉDITO POR OPERACIONES CON EL EXTERIOR" || note.Letter != "E" ||
		note.LetterCode != "COD. 21" {
		t.Errorf("%s %s %s", note.Letter, note.LetterCode, note.Heading)
	}
	if !slices.ContainsFunc(note.RecipientLines,
		func(l country.Label) bool { return l.Caption == "País de destino" && l.Value == "Brasil" }) {
		t.Errorf("%+v", note.RecipientLines)
	}
	if !strings.Contains(strings.Join(note.Notes, " "), "Comprobantes asociados: Factura de Exportación E "+
		"0001-00000005 del 20/11/2026.") {
		t.Errorf("%q", note.Notes)
	}
	private := export("FCX")
	private.Recipient.DocumentType, private.Recipient.DocumentNumber = "Pasaporte", "12345678"
	with(&private, `{"client_tax_id":null}`)
	f := printed(t, private, company, 1, false)
	if n := strings.Count(labels(f.RecipientLines), "12345678"); n != 1 {
		t.Errorf("the buyer's number stands %d times: %v", n, f.RecipientLines)
	}
}

func labels(ls []country.Label) string {
	var out strings.Builder
	for _, l := range ls {
		out.WriteString(l.Caption + " " + l.Value + "\n")
	}
	return out.String()
}

func FuzzParseExport(f *testing.F) {
	f.Add([]byte(`{"permits":[{"id":"09052EC01006154G","destination_country":"BR"}],"language":"es"}`))
	f.Add([]byte(`{"permits":null,"existing_permit":7}`))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		d := export("FCX")
		d.ExportInfo = raw
		if got, vs := check(d); len(vs) == 0 {
			ar.ExportOf(got.Document)
		}
	})
}
