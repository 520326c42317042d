package cl_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/events"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and look at the difference:\n%s", path, got)
	}
}

func goldenForm(t *testing.T, name string, f country.Form) {
	t.Helper()
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		t.Fatal(err)
	}
	golden(t, name+".form.json", got.Bytes())
}

// scenes are documents as they were issued, stamped where a CAF of the samples fits.
func scenes(t testing.TB) map[string]country.Issued {
	t.Helper()
	invoice := document("FAC")
	invoice.Items = []events.Item{item("10", "12990", "900", "iva19"), item("2.5", "1990.5", "0", "iva19", "27"), item("1", "35000", "0", "exempt"), item("4", "1500", "0", "not_invoiceable")}
	invoice.Items[0].Code = &events.ItemCode{Type: "sku", Value: "TAL-13"}
	invoice.Items[0].Description = "Taladro percutor 13 mm – 650 W"
	invoice.Items[0].Description = strings.ReplaceAll(invoice.Items[0].Description, "–", "-")
	invoice.Items[1].Description, invoice.Items[1].UnitOfMeasure = "Bebida de fantasía a granel", "l"
	invoice.Items[2].Description, invoice.Items[3].Description = "Libro de instalación eléctrica", "Garantía de envases retornables, a devolver dentro de treinta días de la entrega en cualquiera de nuestros locales"
	invoice.PaymentDueDate, invoice.PaymentMethod = "2026-12-27", &events.PaymentMethod{Code: "CRE"}
	invoice.BillingReference = []events.Reference{{Type: "801", Number: 4500012345, Date: "2026-11-15"}}
	invoice.Observations = "Retira en bodega – de lunes a viernes."
	invoice = calculated(invoice, "5000")

	receipt := document("BOL")
	receipt.Items = []events.Item{item("2", "2990", "0", "iva19"), item("1", "4500", "500", "iva19")}
	receipt.Items[0].Description, receipt.Items[1].Description = "Café molido 250 g", "Té de hierbas"
	receipt = calculated(receipt, "0")

	out := map[string]country.Issued{}
	for name, d := range map[string]events.Document{"invoice": invoice, "receipt": receipt, "credit_note": document("NCE"), "dispatch": document("GUI"), "export": document("FXE"), "exempt": document("FEX")} {
		checked, vs := check(d)
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
		goldenForm(t, name, cl.Rules{}.Form(i))
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
		golden(t, name+".dte.xml", append(out, '\n'))
	}
}

func TestWhatTheFormShowsWhen(t *testing.T) {
	s := scenes(t)
	invoice := cl.Rules{}.Form(s["invoice"])
	if invoice.Watermark != "SIN VALOR FISCAL" || invoice.QR != "" || invoice.Second == nil || invoice.Second.Name != "CEDIBLE" {
		t.Errorf("%q %q %+v", invoice.Watermark, invoice.QR, invoice.Second)
	}
	if b := invoice.Box; !slices.Equal(b.Lines, []string{"R.U.T.: 77.111.222-6", "FACTURA ELECTRÓNICA", "N° 12"}) || b.Below != "S.I.I. - SANTIAGO CENTRO" || b.Green {
		t.Errorf("%+v", b)
	}
	if !slices.Equal(invoice.Stamped, []string{"Timbre Electrónico SII", "Res. 80 de 2014 - Verifique documento: www.sii.cl"}) {
		t.Errorf("%v", invoice.Stamped)
	}
	if stamp, err := cl.ToLatin1(invoice.Stamp); err != nil || cl.VerifyStamp(stamp) != nil {
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

func TestTheEmptyDocumentDoesNotPanic(t *testing.T) {
	f := cl.Rules{}.Form(country.Issued{})
	if f.Box == nil || f.Box.Below != "S.I.I." || f.Stamp != "" {
		t.Errorf("%+v", f.Box)
	}
}
