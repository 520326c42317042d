package cl_test

import (
	"fmt"
	"strings"
	"testing"

	"folio/country/cl"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/events"
)

const whole = `"plate":"ABCD12","carrier_rut":"76192083-9","driver_rut":"12345678-5","driver_name":"Juan Pérez","address":"Ruta 5","comuna":"San Bernardo","departure_at":"2026-11-27 14:30:00"`

// carried is the member transport of a document whose goods are in transit.
const carried = `,"transport":{` + whole + `}`

// moving is a document whose goods move, with these members of transport.
func moving(kind, way, transport string) events.Document {
	d := document(kind)
	why := ""
	if kind == "GUI" {
		why = `"transfer_type":1,`
	}
	d.HeaderInfo = fmt.Appendf(nil, `{%s"dispatch_type":%s,"transport":{%s},%s}`, why, way, transport, recipient)
	return d
}

// all are the refusals of a document that says nothing of the goods that it covers.
var all = []string{at("address", "CL-TRANSIT-01"), at("comuna", "CL-TRANSIT-01"), at("carrier_rut", "CL-TRANSIT-01"),
	at("driver_rut", "CL-TRANSIT-01"),
	at("departure_at", "CL-TRANSIT-01"), at("plate", "CL-TRANSIT-01")}

func at(member, code string) string { return "additional_header_info.transport." + member + " " + code }

func TestWhatADocumentSaysOfGoodsInTransit(t *testing.T) {
	unknown := strings.Replace(whole, `"plate":"ABCD12"`, `"plates_unknown":true`, 1)
	for _, c := range []struct {
		name, kind, way, transport, date string
		want                             []string
	}{
		{"whole", "GUI", "2", whole, "2026-11-27", nil},
		{"nothing", "GUI", "2", "", "2026-11-27", all},
		{"nothing, fetched by the buyer", "GUI", "1", "", "2026-11-27", all},
		{"nothing on the last day before it", "GUI", "2", "", "2026-10-31", nil},
		{"nothing on the first day", "GUI", "2", "", "2026-11-01", all},
		{"a factura to the buyer", "FAC", "2", "", "2026-11-27", all},
		{"an exempt one to somebody else", "FEX", "3", "", "2026-11-27", all},
		{"a factura whose goods are fetched", "FAC", "1", "", "2026-11-27", nil},
		{"plates in words", "GUI", "2", unknown, "2026-11-27", nil},
		{"in words and a plate", "GUI", "2", whole + `,"plates_unknown":true`, "2026-11-27",
			[]string{at("plates_unknown", "CL-TRANSIT-02")}},
		{"two days without a reason", "GUI", "2", whole + `,"arrival_date":"2026-11-29"`, "2026-11-27",
			[]string{at("long_move_reason", "CL-TRANSIT-01")}},
		{"two days with one", "GUI", "2", whole +
			`,"arrival_date":"2026-11-29","long_move_reason":"A Punta Arenas por barco"`, "2026-11-27", nil},
		{"a reason without a day", "GUI", "2", whole + `,"long_move_reason":"x"`, "2026-11-27",
			[]string{at("arrival_date", "CL-TRANSIT-02")}},
		{"there before it left", "GUI", "2", whole + `,"arrival_date":"2026-11-26"`, "2026-11-27",
			[]string{at("arrival_date", "CL-TRANSIT-02")}},
		{"nobody drives for nobody", "GUI", "2", strings.NewReplacer("76192083-9", "66.666.666-6", "12345678-5",
			"66666666-6").Replace(whole), "2026-11-27", []string{at("carrier_rut", "CL-RUT-01"), at("driver_rut", "CL-RUT-01")}},
		{"a foreign driver", "GUI", "2", strings.Replace(whole, "12345678-5", "55555555-5", 1), "2026-11-27", nil},
		{"no hour", "GUI", "2", strings.Replace(whole, " 14:30:00", "", 1), "2026-11-27",
			[]string{at("departure_at", "CL-DATE-02")}},
		{"a dispatch type that is none", "FAC", "4", "", "2026-11-27",
			[]string{"additional_header_info.dispatch_type CL-HEADER-03"}},
		{"a trailer without digits", "GUI", "2", whole + `,"trailer_plate":"none"`, "2026-11-27",
			[]string{at("trailer_plate", "CL-TRANSIT-02")}},
		{"both without digits", "GUI", "2", strings.Replace(whole, "ABCD12", "none", 1) + `,"trailer_plate":"none"`,
			"2026-11-27", []string{at("plate", "CL-TRANSIT-02"), at("trailer_plate", "CL-TRANSIT-02")}},
		{"a long plate", "GUI", "2", whole + `,"trailer_plate":"ABCD12345"`, "2026-11-27",
			[]string{at("trailer_plate", "CL-LIMIT-01")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := moving(c.kind, c.way, c.transport)
			d.Date = c.date + " 10:00:00"
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	postponed := countrytest.Figures("CL", figures.GoodsInTransit, "2026-11-01", "0", "2027-05-01", "1")
	_, vs := cl.Rules{}.Check(moving("GUI", "2", ""), company, now, postponed)
	countrytest.MustRefuse(t, vs)
	_, vs = cl.Rules{}.Check(moving("FAC", "1", ""), company, now,
		countrytest.Figures("CL", figures.GoodsFetched, "2026-11-01", "1"))
	countrytest.MustRefuse(t, vs, all...)
}

// Each line of what is carried says how much of it and at what price, and a move has one
// document, which covers one vehicle (Res. Ex. SII 154/2025).
func TestWhatIsCarried(t *testing.T) {
	guide := events.Reference{Type: "GUI", Number: 5, Date: "2026-11-27"}
	unit := func(d *events.Document, i int, u string) { d.Items[i].UnitOfMeasure = u }
	free := item("1", "0", "0", "iva19")
	for _, c := range []struct {
		name, kind, transport string
		change                func(d *events.Document)
		want                  []string
	}{
		{"by weight", "GUI", whole, func(d *events.Document) { unit(d, 0, "kg") }, nil},
		{"by volume", "FAC", whole, func(d *events.Document) { unit(d, 0, "m3") }, nil},
		{"hours on a guía", "GUI", whole, func(d *events.Document) { unit(d, 0, "hour") },
			[]string{"items[0].code_unit_of_measure CL-TRANSIT-03"}},
		{"a service beside goods", "FAC", whole, func(d *events.Document) {
			d.Items = append(d.Items, item("2", "100", "0", "iva19"))
			unit(d, 1, "hour")
		}, nil},
		{"only a service", "FAC", whole, func(d *events.Document) { unit(d, 0, "hour") },
			[]string{"items[0].code_unit_of_measure CL-TRANSIT-03"}},
		{"a sale without a price", "GUI", whole, func(d *events.Document) { d.Items = append(d.Items, free) },
			[]string{"items[1].unit_price CL-TRANSIT-03"}},
		{"an invoice without a price", "FAC", whole, func(d *events.Document) { d.Items = append(d.Items, free) },
			[]string{"items[1].unit_price CL-TRANSIT-03"}},
		{"given away by a discount", "FAC", whole,
			func(d *events.Document) { d.Items = append(d.Items, item("1", "50", "50", "iva19")) }, nil},
		{"no sale, no price", "GUI", whole, func(d *events.Document) {
			d.Items, d.HeaderInfo = []events.Item{free},
				[]byte(strings.Replace(string(d.HeaderInfo), `"transfer_type":1`, `"transfer_type":5`, 1))
		}, nil},
		{"before it is in force", "GUI", whole, func(d *events.Document) {
			d.Date, d.Items = "2026-10-31 10:00:00", append(d.Items, free)
			unit(d, 0, "hour")
		}, nil},
		{"the goods went with a guía", "FAC", "", func(d *events.Document) { d.BillingReference = []events.Reference{guide} },
			nil},
		{"with a guía and anew", "FAC", whole, func(d *events.Document) { d.BillingReference = []events.Reference{guide} },
			[]string{"additional_header_info.transport.departure_at CL-TRANSIT-04"}},
		{"a guía of goods that come back", "GUI", "",
			func(d *events.Document) { d.BillingReference = []events.Reference{guide} }, all},
		{"a plate in words", "GUI", strings.Replace(whole, "ABCD12", "varias", 1), nil,
			[]string{"additional_header_info.transport.plate CL-TRANSIT-02"}},
		{"two plates", "GUI", strings.Replace(whole, "ABCD12", "AB12/CD3", 1), nil,
			[]string{"additional_header_info.transport.plate CL-TRANSIT-02"}},
		{"a plate as it is painted", "GUI", strings.Replace(whole, "ABCD12", "AB·CD·12", 1), nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := moving(c.kind, "2", c.transport)
			if c.change != nil {
				c.change(&d)
			}
			_, vs := check(calculated(d, "0"))
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	d := moving("GUI", "2", whole)
	d.Items = []events.Item{item("12.5", "900", "0", "iva19")}
	d.Items[0].UnitOfMeasure = "m3"
	if out := xmlOf(t, mustAccept(t, calculated(d, "0"))); !strings.Contains(out,
		"<QtyItem>12.5</QtyItem><UnmdItem>MT3</UnmdItem><PrcItem>900</PrcItem>") {
		t.Error(out)
	}
}

func TestTheElementsOfGoodsInTransit(t *testing.T) {
	c := mustAccept(t, moving("GUI", "2", strings.Replace(whole, `"plate":"ABCD12"`, `"plates_unknown":true`, 1)+
		`,"city":"Santiago","arrival_date":"2026-11-29","long_move_reason":"por barco."`))
	out := xmlOf(t, c)
	for _, want := range []string{
		"<Transporte><RUTTrans>76192083-9</RUTTrans><Chofer><RUTChofer>12345678-5</RUTChofer><NombreChofer>Juan " +
			"Pérez</NombreChofer></Chofer>" +
			"<DirDest>Ruta 5</DirDest><CmnaDest>San Bernardo</CmnaDest><CiudadDest>Santiago</CiudadDest>" +
			"<FchSalida>2026-11-27</FchSalida><HraSalida>14:30:00</HraSalida><FchLlegada>2026-11-29</FchLlegada></Transporte>",
		"Patentes desconocidas al emitir este documento. Traslado de más de un día: por barco. Entrega estimada: " +
			"29-11-2026.</DscItem>",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	form := fmt.Sprint(cl.Rules{}.Form(issued(c, 7)).RecipientLines)
	for _, want := range []string{"27-11-2026 14:30:00", "29-11-2026", "Patentes desconocidas"} {
		if !strings.Contains(form, want) {
			t.Errorf("not printed: %s in %s", want, form)
		}
	}
	both := xmlOf(t, mustAccept(t, moving("FAC", "2", whole+`,"trailer_plate":"JT1234"`)))
	if !strings.Contains(both, "<Patente>ABCD12</Patente><PatenteCarro>JT1234</PatenteCarro><RUTTrans>") {
		t.Error(both)
	}
	d := moving("GUI", "2", strings.Replace(whole, `"plate":"ABCD12"`, `"plates_unknown":true`, 1))
	d.Items[0].Description = strings.Repeat("x", 980)
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "items[0].description CL-TRANSIT-02")
}

// The words of "Formato DTE" v2.5.
func TestAGuideSaysWhyGoodsMove(t *testing.T) {
	for code, want := range map[string]string{"6": "Otro traslado que no constituye venta", "7": "Devolución de mercaderías",
		"8": "Traslado para exportación (no venta)", "9": "Venta para exportación"} {
		d := moving("GUI", "2", whole)
		d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), `"transfer_type":1`, `"transfer_type":`+code, 1))
		form := fmt.Sprint(cl.Rules{}.Form(issued(mustAccept(t, d), 7)).RecipientLines)
		if !strings.Contains(form, "{Tipo de traslado "+want) {
			t.Errorf("IndTraslado %s is not printed as %q: %s", code, want, form)
		}
	}
}

// FmaPago is in every factura, as given or by the due date, and stands beside a means.
func TestTheFormOfPaymentOfAFactura(t *testing.T) {
	for _, c := range []struct {
		name, kind, method, header, due, form, means string
		want                                         []string
	}{
		{"none said: cash", "FAC", "", "", "", "1", "", nil},
		{"none said, exempt: cash", "FEX", "", "", "", "1", "", nil},
		{"due later: credit", "FAC", "", "", "2026-12-27", "2", "", nil},
		{"due the same day: cash", "FAC", "", "", "2026-11-27", "1", "", nil},
		{"a means keeps the form", "FAC", "CHE", "", "2026-12-27", "2", "CH", nil},
		{"both given", "FAC", "TCR", `"payment_form":"cre",`, "", "2", "TC", nil},
		{"a form as the method", "FAC", "GRA", "", "2026-12-27", "3", "", nil},
		{"two forms", "FAC", "CON", `"payment_form":"CRE",`, "", "", "",
			[]string{"additional_header_info.payment_form CL-PAYMENT-02"}},
		{"a means as the form", "FAC", "", `"payment_form":"EFE",`, "", "", "",
			[]string{"additional_header_info.payment_form CL-PAYMENT-02"}},
		{"a credit note says none", "NCE", "", "", "", "", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(c.kind)
			d.HeaderInfo, d.PaymentDueDate = []byte("{"+c.header+recipient+"}"), c.due
			if c.method != "" {
				d.PaymentMethod = &events.PaymentMethod{Code: c.method}
			}
			checked, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
			if len(c.want) > 0 {
				return
			}
			id := cl.NewDTE(checked.Document, checked.Taxes, company.Profile, 7).Encabezado.IdDoc
			if id.FmaPago != c.form || id.MedioPago != c.means {
				t.Errorf("FmaPago %q MedioPago %q", id.FmaPago, id.MedioPago)
			}
			printed := fmt.Sprint(cl.Rules{}.Form(issued(checked, 7)).RecipientLines)
			if name := map[string]string{"1": "Contado", "2": "Crédito", "3": "Sin costo"}[c.form]; !strings.Contains(printed,
				name) {
				t.Errorf("%s is not printed: %s", name, printed)
			}
		})
	}
}

// Only lines that are special are marked; a factura exenta shows which are not invoiceable.
func TestTheColumnOfWhatIsSpecial(t *testing.T) {
	for _, c := range []struct {
		kind  string
		taxes []string
		want  []string // nil: no column
	}{
		{"FAC", []string{"iva19", "iva19"}, nil},
		{"FAC", []string{"iva19", "exempt"}, []string{"", "EX"}},
		{"FEX", []string{"exempt", "exempt"}, nil},
		{"FEX", []string{"exempt", "not_invoiceable"}, []string{"", "NF"}},
		{"BEX", []string{"exempt", "not_invoiceable"}, []string{"", "NF"}},
	} {
		d := document(c.kind)
		d.Items = []events.Item{item("1", "1000", "0", c.taxes[0]), item("1", "500", "0", c.taxes[1])}
		f := cl.Rules{}.Form(issued(mustAccept(t, calculated(d, "0")), 7))
		last := f.Columns[len(f.Columns)-1].Title
		if (last == "Imp.") != (c.want != nil) {
			t.Errorf("%s %v: last column %s", c.kind, c.taxes, last)
		}
		for i, row := range f.Rows {
			if len(row) != len(f.Columns) || c.want != nil && row[len(row)-1] != c.want[i] {
				t.Errorf("%s %v: %v", c.kind, c.taxes, row)
			}
		}
	}
}
