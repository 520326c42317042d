package uy_test

import (
	"maps"
	"slices"
	"testing"

	"folio/country"
	"folio/country/countrytest"
	"folio/country/uy"
	"folio/events"
)

func TestPrintedForms(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(scenes())) {
		i, _ := issuedScene(t, name)
		countrytest.GoldenForm(t, name, uy.Rules{}.Form(i))
	}
}

func TestWhatTheFormShowsWhen(t *testing.T) {
	form := func(name string) country.Form {
		i, _ := issuedScene(t, name)
		return uy.Rules{}.Form(i)
	}
	for name, want := range map[string]struct {
		box, buyer []string
		watermark  string
	}{
		"ticket": {[]string{"RUC 217111220014", "e-Ticket", "A 12"}, []string{"CONSUMO FINAL"}, "SIN VALOR FISCAL"},
		"invoice": {[]string{"RUC 217111220014", "e-Factura", "A 12"}, []string{"RUC COMPRADOR", "219999830019"},
			"SIN VALOR FISCAL"},
		"period_note": {[]string{"RUC 217111220014", "NOTA DE DÉBITO DE e-Ticket", "A 12"},
			[]string{"CONSUMO FINAL", "CI 1.335.321-4"}, "SIN VALOR FISCAL"},
		"export": {[]string{"RUC 217111220014", "e-Factura DE EXPORTACIÓN", "A 12"},
			[]string{"COMPRADOR DEL EXTERIOR", "US-98-7654321"}, ""},
		"remito": {[]string{"RUC 217111220014", "e-Remito", "A 12"}, []string{"RUC COMPRADOR", "219999830019"},
			"SIN VALOR FISCAL"},
		"export_remito": {[]string{"RUC 217111220014", "e-Remito DE EXPORTACIÓN", "A 12"},
			[]string{"COMPRADOR DEL EXTERIOR", "US-98-7654321"}, ""},
	} {
		f := form(name)
		if !slices.Equal(f.Box.Lines, want.box) || !f.Box.Black || !slices.Equal(f.Frames.Buyer, want.buyer) ||
			f.Watermark != want.watermark {
			t.Errorf("%s: %q %q %q", name, f.Box.Lines, f.Frames.Buyer, f.Watermark)
		}
		if f.Frames.Below != "Código de seguridad: 3fQx7a" ||
			!slices.Equal(f.Frames.Expires, []string{"Fecha de vencimiento", "05/10/2028"}) || f.QR == "" {
			t.Errorf("%s: %+v", name, f.Frames)
		}
		if !slices.Equal(f.Frames.Verify, []string{"Res. 4055/2024", "Puede verificar comprobante en www.dgi.gub.uy",
			"IVA al día"}) {
			t.Errorf("%s: %q", name, f.Frames.Verify)
		}
		if last := f.Box.Lines[len(f.Box.Lines)-1]; last != "A 12" {
			t.Errorf("%s: further pages would show %q as its number", name, last)
		}
		if (f.Totals == nil) != (name == "remito") || (f.Frames.Addenda != nil) != (name == "invoice") {
			t.Errorf("%s: %v %v", name, f.Totals, f.Frames.Addenda)
		}
	}
}

// Only a CI has the dots of a CI, and beside a number of another country stands which one
// gave it.
func TestANumberIsPrintedAsItsCountryHasIt(t *testing.T) {
	for _, c := range []struct{ kind, number, nation, want string }{
		{"CI", "13353214", "UY", "1.335.321-4"}, {"NIE", "12345678", "UY", "12345678"},
		{"NIFE", "12345678", "BR", "12345678 (Brasil)"}, {"DNI", "30111222", "AR", "30111222 (Argentina)"},
		{"PAS", "13353214", "US", "13353214 (Estados Unidos)"}, {"OTRO", "X1", "ES", "X1 (España)"}, {"PAS", "X1", "", "X1"},
	} {
		for _, scene := range []string{"ticket", "export"} {
			i, _ := issuedScene(t, scene)
			p := &i.Document.Recipient
			p.DocumentType, p.DocumentNumber, p.Address.Country = c.kind, c.number, c.nation
			f := uy.Rules{}.Form(i)
			if !slices.ContainsFunc(f.RecipientLines, func(l country.Label) bool { return l.Value == c.want }) {
				t.Errorf("%s %s is printed as %v", c.kind, c.number, f.RecipientLines)
			}
			if frame := f.Frames.Buyer; scene == "ticket" && !slices.Contains(frame, c.kind+" "+c.want) {
				t.Errorf("%s %s stands in the frame as %q", c.kind, c.number, frame)
			}
		}
	}
}

func TestThePaymentFormIsShown(t *testing.T) {
	for name, want := range map[string][2]string{"invoice": {"Crédito", ""}, "ticket": {"Contado", "Efectivo"},
		"export": {"Contado", ""}, "remito": {"", ""}} {
		i, _ := issuedScene(t, name)
		f, got := uy.Rules{}.Form(i), [2]string{}
		for _, l := range slices.Concat(f.HeadLines, f.RecipientLines) {
			switch l.Caption {
			case "Forma de pago":
				got[0] = l.Value
			case "Medio de pago":
				got[1] = l.Value
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestTheResolutionMayBeADayAndIVANotUpToDate(t *testing.T) {
	i, _ := issuedScene(t, "ticket")
	i.Document.HeaderInfo = []byte(`{"issuer":{"resolution":"2024-06-01","iva_al_dia":"false"}}`)
	f := uy.Rules{}.Form(i)
	if !slices.Equal(f.Frames.Verify, []string{"Fecha emisor 01/06/2024",
		"Puede verificar comprobante en www.dgi.gub.uy"}) {
		t.Errorf("%q", f.Frames.Verify)
	}
}

func TestTheFormOfAnEmptyDocument(t *testing.T) {
	f := uy.Rules{}.Form(country.Issued{})
	if f.Box == nil || f.Frames == nil || f.QR != "" || f.Name != "CFE-0" {
		t.Errorf("%+v", f)
	}
	f = uy.Rules{}.Form(country.Issued{Document: events.Document{OfficialCode: 111, HeaderInfo: []byte("null"),
		Items: []events.Item{{}}}})
	if len(f.Rows) != 1 {
		t.Errorf("%+v", f.Rows)
	}
}
