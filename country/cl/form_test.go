package cl_test

import (
	"encoding/xml"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/country/cl/stamptest"
	"folio/country/countrytest"
	"folio/events"
)

// scenes are documents as they were issued, stamped where a CAF of the samples fits.
func scenes(t testing.TB) map[string]country.Issued {
	t.Helper()
	invoice := document("FAC")
	invoice.Items = []events.Item{item("10", "12990", "900", "iva19"), item("2.5", "1990.5", "0", "iva19", "27"),
		item("1", "35000", "0", "exempt"), item("4", "1500", "0", "not_invoiceable")}
	invoice.Items[0].Code = &events.ItemCode{Type: "sku", Value: "TAL-13"}
	invoice.Items[0].Description = "Taladro percutor 13 mm – 650 W"
	invoice.Items[0].Description = strings.ReplaceAll(invoice.Items[0].Description, "–", "-")
	invoice.Items[1].Description, invoice.Items[1].UnitOfMeasure = "Bebida de fantasía a granel", "l"
	invoice.Items[2].Description, invoice.Items[3].Description = "Libro de instalación eléctrica",
		"Garantía de envases retornables, a devolver dentro de treinta días de la entrega en cualquiera de nuestros locales"
	invoice.PaymentDueDate, invoice.PaymentMethod = "2026-12-27", &events.PaymentMethod{Code: "CRE"}
	invoice.BillingReference = []events.Reference{{Type: "801", Number: 4500012345, Date: "2026-11-15"},
		{Type: "803", Folio: "2239-3-SE23 & Ñ", Date: "2026-11-16"}}
	invoice.Observations = "Retira en bodega – de lunes a viernes."
	invoice = calculated(invoice, "5000")

	receipt := document("BOL")
	receipt.Items = []events.Item{item("2", "2990", "0", "iva19"), item("1", "4500", "500", "iva19")}
	receipt.Items[0].Description, receipt.Items[1].Description = "Café molido 250 g", "Té de hierbas"
	receipt = calculated(receipt, "0")

	named := boleta("6000000")
	named.Recipient = events.Party{LegalName: "Ana Pérez Soto", DocumentType: "RUT", DocumentNumber: "12345678-5"}
	named.PaymentMethod = &events.PaymentMethod{Code: "ELE"}
	named.HeaderInfo = []byte(`{"recipient":{"email":"ana@example.com","phone":"+56 9 1234 5678"}}`)
	long := moving("GUI", "2", strings.Replace(whole, `"plate":"ABCD12"`, `"plates_unknown":true`, 1)+
		`,"city":"Punta Arenas","arrival_date":"2026-12-02","long_move_reason":"Por barco desde Puerto Montt"`)

	foreign := boleta("6000000")
	foreign.Recipient, foreign.PaymentMethod = passport, &events.PaymentMethod{Code: "TCR"}
	foreign.HeaderInfo = []byte(`{"geo_reference":{"latitude":"-33.4372","longitude":"-70.6506","system":"WGS84"}}`)

	out := map[string]country.Issued{}
	for name, d := range map[string]events.Document{"receipt_foreign": foreign, "receipt_named": named,
		"dispatch_long": long, "invoice": invoice, "receipt": receipt, "credit_note": document("NCE"),
		"dispatch": document("GUI"), "export": document("FXE"), "exempt": document("FEX")} {
		checked, vs := cl.Rules{}.Check(d, company, now, passports)
		if len(vs) > 0 {
			t.Fatalf("%s: %v", name, vs)
		}
		i := issued(checked, 12)
		i.Sandbox = name != "exempt"
		if file, ok := map[string]string{"invoice": "cl_caf_33.xml", "credit_note": "cl_caf_61_expired.xml"}[name]; ok {
			signer, err := cl.OpenCAF(read(t, file))
			if err != nil {
				t.Fatal(err)
			}
			ted, err := cl.Stamp(i.Document, i.Number, signer, time.Date(2026, 11, 27, 13, 5, 9, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			i.Authorization = cl.Authorization(signer.CAF, ted, "9876543210", "EPR")
		}
		out[name] = i
	}
	return out
}

func TestPrintedForms(t *testing.T) {
	for name, i := range scenes(t) {
		countrytest.GoldenForm(t, name, cl.Rules{}.Form(i))
	}
}

func TestDTEs(t *testing.T) {
	for name, i := range scenes(t) {
		dte := cl.NewDTE(i.Document, i.Taxes, i.Profile, i.Number)
		dte.TED, dte.TmstFirma = i.Authorization.Extra[cl.ExtraStamp], "2026-11-27T10:05:09"
		out, err := xml.MarshalIndent(dte, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		countrytest.Golden(t, name+".dte.xml", append(out, '\n'))
	}
}

func TestWhatTheFormShowsWhen(t *testing.T) {
	s := scenes(t)
	invoice := cl.Rules{}.Form(s["invoice"])
	if invoice.Watermark != "SIN VALOR FISCAL" || invoice.QR != "" || invoice.Second == nil ||
		invoice.Second.Name != "CEDIBLE" {
		t.Errorf("%q %q %+v", invoice.Watermark, invoice.QR, invoice.Second)
	}
	if b := invoice.Box; !slices.Equal(b.Lines, []string{"R.U.T.: 77.111.222-6", "FACTURA ELECTRÓNICA", "N° 12"}) ||
		b.Below != "S.I.I. - SANTIAGO CENTRO" || b.Green {
		t.Errorf("%+v", b)
	}
	if !slices.Equal(invoice.Stamped, []string{"Timbre Electrónico SII",
		"Res. 80 de 2014 - Verifique documento: www.sii.cl"}) {
		t.Errorf("%v", invoice.Stamped)
	}
	if stamp, err := cl.ToLatin1(invoice.Stamp); err != nil || stamptest.Verify(stamp) != nil {
		t.Errorf("the stamp on the form does not verify: %v", err)
	}
	dispatch := cl.Rules{}.Form(s["dispatch"])
	if !dispatch.Box.Green || dispatch.Second.Name != "CEDIBLE CON SU FACTURA" {
		t.Errorf("%+v %+v", dispatch.Box, dispatch.Second)
	}
	for _, name := range []string{"receipt", "credit_note", "export"} {
		if f := (cl.Rules{}).Form(s[name]); f.Second != nil {
			t.Errorf("%s has a copy to assign", name)
		}
	}
	if f := (cl.Rules{}).Form(s["exempt"]); f.Watermark != "" {
		t.Errorf("a real document says %q", f.Watermark)
	}
}

// Customs and the buyer read the paper: whatever the XML tells customs stands on it too.
func TestTheFormSaysWhatCustomsIsTold(t *testing.T) {
	d := document("FXE")
	d.ExportInfo = []byte(`{"nationality":"225","payment_form":11,"sale_mode":1,"sale_clause":5,"clause_total":12345.67,"transport_route":1,
		"vessel":"Ñandú","carrier_rut":"76.999.888-8","carrier_name":"Naviera","booking":"B-1","operator":"Op","port_of_loading":905,"port_of_discharge":9999,
		"tare":2300,"tare_unit":6,"gross_weight":10234.56,"gross_weight_unit":6,"net_weight":9870.1,"net_weight_unit":98,"total_items":2,"total_packages":1520,
		"packages":[{"type":75,"count":1,"marks":"A/1","container":"MSCU1","seal":"S-9","seal_issuer":"Aduana"},{"count":3}],
		"freight":1250.5,"insurance":99.9999,"recipient_country":225,"destination_country":903}`)
	checked := mustAccept(t, d)
	got := map[string]string{}
	for _, l := range (cl.Rules{}).Form(issued(checked, 1)).Details.Lines {
		got[l.Caption] = l.Value
	}
	want := map[string]string{"Modalidad de venta": "A firme (1)", "Cláusula de venta": "FOB (5)",
		"Total cláusula de venta": "USD 12.345,67",
		"Forma de pago":           "Acreditivo hasta 1 año (11)", "Flete": "USD 1.250,50", "Seguro": "USD 99,9999",
		"Vía de transporte": "Marítima, fluvial y lacustre (1)",
		"Nave o vehículo":   "Ñandú", "Transportista": "Naviera 76.999.888-8", "Booking": "B-1", "Operador": "Op",
		"Puerto de embarque":    "Valparaíso (905)",
		"Puerto de desembarque": "9999", "País receptor": "Estados Unidos (225)", "País de destino": "903",
		"Nacionalidad": "Estados Unidos (225)",
		"Tara":         "2.300 KN", "Peso bruto": "10.234,56 KN", "Peso neto": "9.870,1 98", "Total de ítems": "2",
		"Total de bultos": "1.520",
		"Bultos 1": "1 Contenedor refrigerado de 20 pies (75); marcas A/1; contenedor MSCU1; sello S-9; emisor del " +
			"sello Aduana", "Bultos 2": "3"}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if f := (cl.Rules{}).Form(scenes(t)["invoice"]); f.Details != nil {
		t.Errorf("%+v", f.Details)
	}
}

func TestTheEmptyDocumentDoesNotPanic(t *testing.T) {
	f := cl.Rules{}.Form(country.Issued{})
	if f.Box == nil || f.Box.Below != "S.I.I." || f.Stamp != "" {
		t.Errorf("%+v", f.Box)
	}
}
