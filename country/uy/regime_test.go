package uy_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"folio/country"
	"folio/country/countrytest"
	"folio/country/uy"
	"folio/events"
)

// of is the emitter with these members of the fiscal profile besides.
func of(members ...string) country.Issuer {
	who := emitter
	who.Fields = maps.Clone(emitter.Fields)
	for i := 0; i < len(members); i += 2 {
		who.Fields[members[i]] = members[i+1]
	}
	return who
}

var special = map[string]struct {
	special, cause int
	tax, box       string
}{
	"exempt":            {1, 11, "exempt", "Contribuyente Exonerado"},
	"iva_minimo":        {2, 0, "iva_minimo", "Contribuyente IVA MINIMO"},
	"monotributo":       {3, 0, "iva_minimo", "MONOTRIBUTO"},
	"monotributo_mides": {4, 0, "iva_minimo", "MONOTRIBUTO SOCIAL MIDES"},
}

// sold is an e-Ticket with lines of one tax and something that is not invoiceable.
func sold(tax string) events.Document {
	return sceneOf(scene{kind: "TIC", whole: "20",
		lines: []events.Item{sceneLine("Pan casero", "3", "u", "90", "0", tax),
			sceneLine("Envase", "1", "u", "15", "0", "not_invoiceable")}})
}

// issuedUnder is a document of a company with special CAEs, and its CAE.
func issuedUnder(t *testing.T, regime string) (country.Issued, uy.CAE) {
	t.Helper()
	who := of(uy.FieldRegime, regime, uy.FieldExemptionNorm, "Art. 69 de la Constitución de la República")
	i, cae := issueAs(t, regime, who, sold(special[regime].tax))
	cae.Special, cae.Cause = special[regime].special, special[regime].cause
	return i, cae
}

func textOf(body *etree.Element, path string) string {
	if e := body.FindElement(path); e != nil {
		return e.Text()
	}
	return ""
}

// CFE25 G-C5, G-C6, A-C10, A-C17, B-C4 and the printed copy.
func TestWhatACompanyWithSpecialCAEsTellsAndPrints(t *testing.T) {
	for _, regime := range slices.Sorted(maps.Keys(special)) {
		i, cae := issuedUnder(t, regime)
		body := bodyOf(t, regime, writeCFE(t, i, cae))
		want := map[string]string{"CAEData/CAEEspecial": "2", "Encabezado/IdDoc/MntBruto": "3",
			"Detalle/Item[1]/IndFact": "16", "Encabezado/Totales/MntNoGrv": "251.05",
			"DscRcgGlobal/DRG_Item[1]/IndFactDR": "16", "CAEData/CausalCAEEsp": "", "Encabezado/IdDoc/IVAalDia": ""}
		switch regime {
		case "exempt":
			maps.Copy(want, map[string]string{"CAEData/CAEEspecial": "1", "CAEData/CausalCAEEsp": "11",
				"Encabezado/IdDoc/MntBruto": "", "Detalle/Item[1]/IndFact": "1", "DscRcgGlobal/DRG_Item[1]/IndFactDR": "1"})
		case "monotributo":
			want["CAEData/CAEEspecial"] = "3"
		case "monotributo_mides":
			want["CAEData/CAEEspecial"] = "4"
		}
		for path, text := range want {
			if got := textOf(body, path); got != text {
				t.Errorf("%s: %s is %q, want %q", regime, path, got, text)
			}
		}
		form := uy.Rules{}.Form(i)
		countrytest.GoldenForm(t, "regime_"+regime, form)
		if form.Frames.Regime[0] != special[regime].box {
			t.Errorf("%s: the box says %q", regime, form.Frames.Regime)
		}
		if silent := strings.HasPrefix(regime, "mono"); slices.Contains(form.Frames.Verify, "IVA al día") == silent {
			t.Errorf("%s: %q", regime, form.Frames.Verify)
		}
		if has := slices.ContainsFunc(form.Columns,
			func(c country.Column) bool { return c.Title == "IVA" }); has != (regime == "exempt") {
			t.Errorf("%s: a column of IVA: %v", regime, has)
		}
		tree := etree.NewDocument()
		tree.SetRoot(body.Copy())
		tree.Indent(1)
		text, err := tree.WriteToBytes()
		if err != nil {
			t.Fatal(err)
		}
		countrytest.Golden(t, "regime_"+regime+".cfe.xml", text)
	}
}

func TestMonotributoNeverTellsIVAalDia(t *testing.T) {
	for regime, want := range map[string]string{"iva_minimo": "1", "monotributo": "", "monotributo_mides": ""} {
		i, cae := issueAs(t, regime, of(uy.FieldRegime, regime, uy.FieldIVAAlDia, "false"), sold("iva_minimo"))
		cae.Special = special[regime].special
		if got := textOf(bodyOf(t, regime, writeCFE(t, i, cae)), "Encabezado/IdDoc/IVAalDia"); got != want {
			t.Errorf("%s: %q", regime, got)
		}
	}
}

func TestTheLinesOfEachRegime(t *testing.T) {
	for _, c := range []struct {
		regime, tax, want string
	}{
		{"", "iva_minimo", "items[0].taxes[0].type UY-TAX-06"},
		{"iva_minimo", "iva22", "items[0].taxes[0].type UY-TAX-06"},
		{"monotributo", "exempt", "items[0].taxes[0].type UY-TAX-06"},
		{"exempt", "iva10", "items[0].taxes[0].type UY-TAX-06"},
		{"exempt", "iva_minimo", "items[0].taxes[0].type UY-TAX-06"},
	} {
		_, vs := uy.Rules{}.Check(sold(c.tax), of(uy.FieldRegime, c.regime), signedAt, country.Config{})
		countrytest.MustRefuse(t, vs, c.want)
	}
	d := sold("iva_minimo")
	d.HeaderInfo = []byte(`{"gross_prices":true}`)
	_, vs := uy.Rules{}.Check(d, of(uy.FieldRegime, "iva_minimo"), signedAt, country.Config{})
	countrytest.MustRefuse(t, vs, "additional_header_info.gross_prices UY-HEADER-04")
}

func TestACAEOfAnotherRegimeIsRefused(t *testing.T) {
	i, cae := issuedUnder(t, "iva_minimo")
	cae.Special = 3
	if _, err := uy.CFE(i, cae, signedAt); !errors.Is(err, uy.ErrRegime) {
		t.Error(err)
	}
	i, cae = issuedScene(t, "invoice")
	cae.Special = 2
	if _, err := uy.CFE(i, cae, signedAt); !errors.Is(err, uy.ErrRegime) {
		t.Error(err)
	}
}

func TestAnExemptCompanyNeedsItsNorm(t *testing.T) {
	if got := (uy.Rules{}).Missing(of(uy.FieldRegime, "exempt")); !slices.Equal(got, []string{uy.FieldExemptionNorm}) {
		t.Error(got)
	}
	if got := (uy.Rules{}).Missing(of(uy.FieldRegime, "monotributo")); got != nil {
		t.Error(got)
	}
}

// Res. DGI 1315/2023: every e-Ticket is sent; who must be identified stays as it is.
func TestACompanyMaySendEveryETicket(t *testing.T) {
	small := sceneOf(scene{kind: "TIC", whole: "0",
		lines: []events.Item{sceneLine("Chivito", "1", "u", "450", "0", "iva22")}})
	large := sceneOf(scene{kind: "TIC", whole: "0",
		lines: []events.Item{sceneLine("Evento", "1", "u", "90000", "0", "iva22")}})
	for _, c := range []struct {
		all        string
		reportOnly bool
	}{{"", true}, {"false", true}, {"true", false}} {
		i, _ := issueAs(t, "ticket", of(uy.FieldAllTickets, c.all), small)
		if got := uy.ReportOnly(i.Document); got != c.reportOnly {
			t.Errorf("%q: in the daily report only: %v", c.all, got)
		}
		r := uy.Rules{}.NewDailyReport(country.ReportHead{TaxIdentifier: "217111220014", Day: "2026-11-27"})
		if err := r.Issued(i); err != nil {
			t.Fatal(err)
		}
		if text, err := r.Content(1, signedAt); err != nil || !strings.Contains(string(text), "CantDocsMay_topeUI>0<") {
			t.Errorf("%q: it counts as one above the threshold: %v %s", c.all, err, text)
		}
	}
	_, vs := uy.Rules{}.Check(large, of(uy.FieldAllTickets, "true"), signedAt, country.Config{})
	countrytest.MustRefuse(t, vs, "recipient.document_number UY-RECIPIENT-07")
}

func TestWhereTicketsAreVerified(t *testing.T) {
	who := of(uy.FieldVerification, "www.nandubay.example/cfe")
	i, _ := issueAs(t, "ticket", who, sold("iva22"))
	if got := (uy.Rules{}).Form(i).Frames.Verify; !slices.Contains(got,
		"Puede verificar comprobante en www.nandubay.example/cfe") {
		t.Error(got)
	}
	i, _ = issueAs(t, "invoice", who, sceneOf(scenes()["invoice"]))
	if got := (uy.Rules{}).Form(i).Frames.Verify; !slices.Contains(got, "Puede verificar comprobante en www.dgi.gub.uy") {
		t.Error(got)
	}
}

func TestProfileFieldsOfTheRegimes(t *testing.T) {
	checks := map[string]func(string) error{}
	for _, f := range (uy.Rules{}).ProfileFields() {
		checks[f.Name] = f.Check
	}
	for field, values := range map[string]map[string]bool{
		uy.FieldRegime: {"exempt": true, "iva_minimo": true, "monotributo": true, "monotributo_mides": true,
			"general": false},
		uy.FieldAllTickets: {"true": true, "false": true, "yes": false},
		uy.FieldVerification: {"www.example.com/verificar": true, "https://example.com/v?x=1": true, "no page": false,
			"javascript:alert(1)": false, "www.example.com/" + strings.Repeat("a", 80): false},
	} {
		for value, good := range values {
			if err := checks[field](value); (err == nil) != good {
				t.Errorf("%s %q: %v", field, value, err)
			}
		}
	}
}
