package uy_test

import (
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

// signedAt is the noon of a Friday in Uruguay.
var signedAt = time.Date(2026, 11, 27, 15, 0, 9, 0, time.UTC)

// emitter is the company of the scenes.
var emitter = country.Issuer{TaxIdentifier: "217111220014",
	Profile: events.IssuerProfile{LegalName: "Comercial Ñandubay de Prueba S.A.", TaxIdentifier: "217111220014",
		Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Av. 18 de Julio 1360, apto. 402",
			Phone: "2900 1234"}},
	Fields: map[string]string{uy.FieldBranchCode: "2", uy.FieldCity: "Montevideo", uy.FieldDepartment: "montevideo",
		uy.FieldResolution: "4055/2024",
		uy.FieldTradeName:  "Ferretería Ñandubay", uy.FieldGiro: "Venta al por menor de artículos de ferretería",
		uy.FieldEmail: "ventas@nandubay.example"}}

// scene is a document before it is checked: lines, what the kind needs, and a discount
// on the whole.
type scene struct {
	kind   string
	lines  []events.Item
	whole  string
	gross  bool
	change func(*events.Document)
}

func sceneLine(description, quantity, unit, price, discount string, taxes ...string) events.Item {
	i := events.Item{Quantity: money.MustParse(quantity), UnitOfMeasure: unit, UnitPrice: money.MustParse(price),
		Discount: money.MustParse(discount), Description: description}
	for _, t := range taxes {
		i.Taxes = append(i.Taxes, events.ItemTax{Type: t})
	}
	return i
}

var (
	sceneBuyer = events.Party{LegalName: "Panadería Güemes & Hijos S.R.L.", DocumentType: "RUT",
		DocumentNumber: "219999830019",
		Address:        events.Address{Country: "UY", Region: "UY-CA", Address: "Ruta 8 km 23,500"}}
	sceneForeigner = events.Party{LegalName: "Acme Imports Inc.", DocumentType: "NIFE", DocumentNumber: "US-98-7654321",
		Address: events.Address{Country: "US", Address: "1 Main St, Springfield"}}
)

const (
	sceneHeader = `{"recipient":{"city":"Pando","department":"Canelones","postal_code":"15600"},"purchase_order":"OC-4500012345"}`
	sceneExport = `{"sale_clause":"FOB","sale_mode":1,"transport_route":1}`
)

func sceneOf(s scene) events.Document {
	items, totals, err := uy.Calculate(s.kind, s.gross, s.lines, money.MustParse(s.whole))
	if err != nil {
		panic(err)
	}
	d := events.Document{Type: s.kind, Date: "2026-11-27 11:50:00", Items: items, Totals: totals,
		Currency: events.Currency{Code: "UYU", Rate: money.MustParse("1")},
		Issuer:   events.Party{LegalName: emitter.Profile.LegalName, DocumentType: "RUT", DocumentNumber: "217111220014"}}
	if s.change != nil {
		s.change(&d)
	}
	return d
}

// scenes are documents of every kind of CFE.
func scenes() map[string]scene {
	buyer := func(d *events.Document) { d.Recipient, d.HeaderInfo = sceneBuyer, []byte(sceneHeader) }
	abroad := func(d *events.Document) {
		d.Recipient, d.ExportInfo = sceneForeigner, []byte(sceneExport)
		d.HeaderInfo = []byte(`{"recipient":{"city":"Springfield","department":"Illinois"}}`)
		d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("40.125")}
	}
	drill := sceneLine("Taladro percutor 13 mm «Ñandú», 650 W", "10", "u", "1299.90", "90", "iva22")
	drill.Code = &events.ItemCode{Type: "sku", Value: "TAL-13"}
	free := sceneLine("Muestra sin cargo", "1", "u", "0", "0", "iva22")
	long := sceneLine("Envases retornables en préstamo, a devolver limpios y con sus tapas dentro de los treinta días "+
		"de la entrega, en cualquiera de los locales", "4", "box", "15", "0", "not_invoiceable")
	return map[string]scene{
		"ticket": {kind: "TIC", whole: "0", gross: true,
			lines: []events.Item{sceneLine("Café molido", "2", "u", "299", "0", "iva22"),
				sceneLine("Pan", "0.350", "kg", "120", "2", "iva10"), sceneLine("Libro", "1", "u", "450", "0", "exempt")},
			change: func(d *events.Document) {
				d.HeaderInfo, d.PaymentMethod = []byte(`{"gross_prices":true}`), &events.PaymentMethod{Code: "EFE"}
			}},
		"gross_discount": {kind: "EFA", whole: "77.77", gross: true,
			lines: []events.Item{sceneLine("Tornillos", "1", "u", "100.14", "0", "iva22"),
				sceneLine("Yerba", "3", "kg", "33.35", "0.05", "iva10"), sceneLine("Diario", "1", "u", "60.03", "0", "exempt")},
			change: func(d *events.Document) {
				buyer(d)
				d.HeaderInfo = []byte(`{"gross_prices":true,"recipient":{"city":"Pando"}}`)
			}},
		"invoice": {kind: "EFA", whole: "500", lines: []events.Item{drill,
			sceneLine("Harina 0000", "12.5", "kg", "32.755", "0", "iva10"),
			sceneLine("Libro de instalación eléctrica", "1", "u", "850", "0", "exempt"), free, long,
			sceneLine("Ajuste por redondeo", "1", "none", "-0.37", "0", "not_invoiceable")},
			change: func(d *events.Document) {
				buyer(d)
				d.PaymentMethod, d.PaymentDueDate = &events.PaymentMethod{Code: "CRE"}, "2026-12-27"
				d.ServiceStart, d.ServiceEnd = "2026-11-01 00:00:00", "2026-11-30 00:00:00"
				d.Observations = "Retira en depósito, de lunes a viernes de 9 a 17 h.\nConsultas por esta factura: " +
					"administracion@nandubay.example"
			}},
		"credit_note": {kind: "NCF", whole: "0", lines: []events.Item{sceneLine("Taladro percutor 13 mm «Ñandú», 650 W "+
			"(devolución)", "2", "u", "1299.90", "0", "iva22")},
			change: func(d *events.Document) {
				buyer(d)
				d.BillingReference = []events.Reference{{Type: "EFA", Series: "A", Number: 12, Date: "2026-11-20", ReasonCode: "3"}}
			}},
		"period_note": {kind: "NDT", whole: "0",
			lines: []events.Item{sceneLine("Intereses de mora", "1", "none", "1500", "0", "iva22")},
			change: func(d *events.Document) {
				d.Recipient = events.Party{LegalName: "María Pérez", DocumentType: "CI", DocumentNumber: "1.335.321-4",
					Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Rivera 2345"}}
				d.HeaderInfo = []byte(`{"recipient":{"city":"Montevideo"}}`)
				d.BillingReference = []events.Reference{{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}}
			}},
		"dollars": {kind: "EFA", whole: "0", lines: []events.Item{sceneLine("Consultoría", "7", "hour", "85.5", "0",
			"iva22")},
			change: func(d *events.Document) {
				buyer(d)
				d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("40.125")}
			}},
		"export": {kind: "EFX", whole: "10", lines: []events.Item{sceneLine("Lana peinada, fardos de 300 kg", "3", "u",
			"1050.555", "0", "exempt"), sceneLine("Muestras", "1", "u", "0", "0", "exempt")}, change: abroad},
		"export_note": {kind: "NCX", whole: "0",
			lines: []events.Item{sceneLine("Diferencia de precio", "1", "none", "30", "0", "exempt")},
			change: func(d *events.Document) {
				abroad(d)
				d.BillingReference = []events.Reference{{Type: "EFX", Series: "A", Number: 7, Date: "2026-11-20",
					Rate: ptr(money.MustParse("39.875"))}}
			}},
		"remito": {kind: "REM", whole: "0", lines: []events.Item{sceneLine("Bolsas de portland de 25 kg", "40", "u", "0",
			"0"), sceneLine("Arena", "3.5", "m3", "0", "0")}, change: func(d *events.Document) {
			d.Recipient = sceneBuyer
			d.HeaderInfo = []byte(`{"transfer_type":1,"recipient":{"city":"Pando","delivery_place":"Obra de Ruta 8 km 25"}}`)
		}},
		"export_remito": {kind: "REX", whole: "0",
			lines: []events.Item{sceneLine("Lana peinada, fardos de 300 kg", "3", "u", "1050.50", "0", "exempt")},
			change: func(d *events.Document) {
				abroad(d)
				d.HeaderInfo = []byte(`{"transfer_type":1,"recipient":{"city":"Springfield","department":"Illinois"}}`)
			}},
	}
}

// issuedScene is a scene as it was checked, signed and accepted, and its CAE.
func issuedScene(t testing.TB, name string) (country.Issued, uy.CAE) {
	t.Helper()
	return issue(t, name, sceneOf(scenes()[name]))
}

func issue(t testing.TB, name string, d events.Document) (country.Issued, uy.CAE) {
	t.Helper()
	return issueAs(t, name, emitter, d)
}

func issueAs(t testing.TB, name string, who country.Issuer, d events.Document) (country.Issued, uy.CAE) {
	t.Helper()
	checked, vs := uy.Rules{}.Check(d, who, signedAt, country.Config{})
	if len(vs) > 0 {
		t.Fatalf("%s: %v", name, vs)
	}
	cae := uy.CAE{RUC: "217111220014", Type: checked.Document.OfficialCode, Series: "A", From: 1, To: 100, Kind: "E",
		Authorization: "90260001231",
		IssuedOn:      "2026-10-05", ExpiresOn: "2028-10-05"}
	s := uy.Signed{RUC: cae.RUC, Type: cae.Type, Series: cae.Series, Number: 12, Amount: checked.Document.Totals.Total,
		At:   signedAt,
		Hash: "3fQx7a+kq0hZpXyV0wW3jY2cN5rQ8sT1uV4xZ7a9cA0=", IDReceptor: "4471"}
	return country.Issued{ID: "01JDPW3K7B0000000000000000", Document: checked.Document, Profile: emitter.Profile,
		Taxes: checked.Taxes, Series: "A", Number: 12,
		Authorization: uy.Authorization(cae, s), AcceptedAt: signedAt, Sandbox: !strings.HasPrefix(name, "export")}, cae
}

func ptr(d money.Decimal) *money.Decimal { return &d }
