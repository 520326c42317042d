package uy_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"

	"folio/authority/schema"
	"folio/country"
	"folio/country/countrytest"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

func writeCFE(t testing.TB, i country.Issued, cae uy.CAE) []byte {
	t.Helper()
	out, err := uy.CFE(i, cae, signedAt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bodyOf holds a CFE to the table of DGI's schema 1.44.2 and returns its body.
func bodyOf(t testing.TB, name string, cfe []byte) *etree.Element {
	t.Helper()
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(cfe); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, cfe)
	}
	root := tree.Root()
	if root.Tag != "CFE" || root.NamespaceURI() != uy.Namespace || root.Space != "" || len(root.Attr) != 2 ||
		len(root.ChildElements()) != 1 {
		t.Fatalf("%s: the root is not as it should be: %.200s", name, cfe)
	}
	body := root.ChildElements()[0]
	rule := schema.CFE(body.Tag)
	if rule == nil {
		t.Fatalf("%s: the schema has no %s", name, body.Tag)
	}
	if err := rule.Check(body); err != nil {
		t.Errorf("%s: %v\n%s", name, err, cfe)
	}
	return body
}

func TestCFEsFollowTheSchema(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(scenes())) {
		i, cae := issuedScene(t, name)
		cfe := writeCFE(t, i, cae)
		bodyOf(t, name, cfe)
		if again := writeCFE(t, i, cae); !bytes.Equal(cfe, again) {
			t.Errorf("%s: the same document gives other bytes", name)
		}
		tree := etree.NewDocument()
		if err := tree.ReadFromBytes(cfe); err != nil {
			t.Fatal(err)
		}
		tree.Indent(1)
		out, err := tree.WriteToBytes()
		if err != nil {
			t.Fatal(err)
		}
		countrytest.Golden(t, name+".cfe.xml", out)
	}
}

// The schema says what may stand there; this says that it agrees with itself (CFE25
// A-C112 to A-C130).
func TestTheAmountsOfACFEAgree(t *testing.T) {
	for name, s := range scenes() {
		i, cae := issuedScene(t, name)
		body := bodyOf(t, name, writeCFE(t, i, cae))
		amount := func(path string) money.Decimal {
			e := body.FindElement("Encabezado/Totales/" + path)
			if e == nil {
				return money.Zero
			}
			return money.MustParse(e.Text())
		}
		if s.kind == "REM" {
			if body.FindElement("Encabezado/Totales/MntTotal") != nil || body.FindElement("Detalle/Item/PrecioUnitario") != nil {
				t.Errorf("%s: an e-Remito has amounts", name)
			}
			continue
		}
		total := money.Sum(amount("MntNoGrv"), amount("MntExpoyAsim"), amount("MntNetoIvaTasaMin"),
			amount("MntNetoIVATasaBasica"), amount("MntIVATasaMin"), amount("MntIVATasaBasica"))
		if !amount("MntTotal").Equal(total) {
			t.Errorf("%s: MntTotal is %s, its parts %s", name, amount("MntTotal"), total)
		}
		if s.kind != "REX" && (!amount("MntPagar").Equal(amount("MntTotal").Add(amount("MontoNF"))) ||
			!amount("MntPagar").Equal(i.Document.Totals.Total)) {
			t.Errorf("%s: MntPagar is %s, the document's total %s", name, amount("MntPagar"), i.Document.Totals.Total)
		}
		nets := netsOf(body)
		for path, rate := range map[string]string{"MntNoGrv": "1", "MntNetoIvaTasaMin": "2", "MntNetoIVATasaBasica": "3",
			"MntExpoyAsim": "10", "MontoNF": "6"} {
			want := nets[rate]
			if s.gross && rate == "2" {
				want = want.Mul(money.FromInt(10)).Quo(money.FromInt(11)).Round(2)
			}
			if s.gross && rate == "3" {
				want = want.Mul(money.FromInt(50)).Quo(money.FromInt(61)).Round(2)
			}
			if !amount(path).Equal(want) && s.kind != "REX" {
				t.Errorf("%s: %s is %s, its lines and discounts say %s", name, path, amount(path), want)
			}
		}
	}
}

// netsOf are Σ MontoItem − Σ ValorDR by indicator, 7 taken off 6.
func netsOf(body *etree.Element) map[string]money.Decimal {
	nets := map[string]money.Decimal{}
	for _, l := range body.FindElements("Detalle/Item") {
		ind, amount := l.SelectElement("IndFact"), l.SelectElement("MontoItem")
		switch {
		case ind == nil || amount == nil:
		case ind.Text() == "7":
			nets["6"] = nets["6"].Sub(money.MustParse(amount.Text()))
		default:
			nets[ind.Text()] = nets[ind.Text()].Add(money.MustParse(amount.Text()))
		}
	}
	for _, off := range body.FindElements("DscRcgGlobal/DRG_Item") {
		ind := off.SelectElement("IndFactDR").Text()
		nets[ind] = nets[ind].Sub(money.MustParse(off.SelectElement("ValorDR").Text()))
	}
	return nets
}

func TestTheCorrectPartsOfACFE(t *testing.T) {
	for _, c := range []struct{ scene, path, want string }{
		{"invoice", "TmstFirma", "2026-11-27T12:00:09-03:00"},
		{"invoice", "Encabezado/IdDoc/FmaPago", "2"},
		{"invoice", "Encabezado/Emisor/CdgDGISucur", "2"},
		{"invoice", "Encabezado/Emisor/Departamento", "Montevideo"},
		{"invoice", "Encabezado/Receptor/DocRecep", "219999830019"},
		{"invoice", "Detalle/Item[5]/DscItem", "Envases retornables en préstamo, a devolver limpios y con sus tapas " +
			"dentro de los treinta días de la entrega, en cualquiera de los locales"},
		{"invoice", "Detalle/Item[4]/IndFact", "5"},
		{"invoice", "Detalle/Item[6]/IndFact", "7"},
		{"invoice", "Detalle/Item[6]/MontoItem", "0.37"},
		{"invoice", "CAEData/FecVenc", "2028-10-05"},
		{"ticket", "Encabezado/IdDoc/MntBruto", "1"},
		{"ticket", "Encabezado/Receptor", ""},
		{"ticket", "MediosPago/MedioPago/GlosaMP", "Efectivo"},
		{"dollars", "Encabezado/Totales/TpoCambio", "40.125"},
		{"invoice", "Encabezado/Totales/TpoCambio", ""},
		{"export", "Encabezado/Receptor/DocRecepExt", "US-98-7654321"},
		{"export", "Encabezado/Receptor/CodPaisRecep", "US"},
		{"export", "Encabezado/Receptor/PaisRecep", "Estados Unidos"},
		{"export", "DscRcgGlobal/DRG_Item/IndFactDR", "10"},
		{"period_note", "Referencia/Referencia/IndGlobal", "1"},
		{"period_note", "Encabezado/Receptor/DocRecep", "13353214"},
		{"credit_note", "Referencia/Referencia/NroCFERef", "12"},
		{"remito", "Encabezado/Receptor/LugarDestEnt", "Obra de Ruta 8 km 25"},
		{"export_remito", "Encabezado/IdDoc/TipoTraslado", "1"},
	} {
		i, cae := issuedScene(t, c.scene)
		got := ""
		if e := bodyOf(t, c.scene, writeCFE(t, i, cae)).FindElement(c.path); e != nil {
			got = e.Text() + strings.Repeat("(element)", len(e.ChildElements()))
		}
		if got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.scene, c.path, got, c.want)
		}
	}
}

// Check bounds what a caller writes; what a document of the log holds all the same must
// not break the XML.
func TestNoTextBreaksTheXML(t *testing.T) {
	i, cae := issuedScene(t, "invoice")
	nasty := "a<b>&\"'\x00\x01\x1f\u0085\u2028\ufffe]]>\xff–ñ€😀" + strings.Repeat("ñ", 2000)
	i.Document.Items[0].Description, i.Document.Items[0].Code.Value = nasty, nasty
	i.Document.Recipient.LegalName, i.Document.Recipient.Address.Address = nasty, nasty
	i.Document.PaymentMethod.Description = nasty
	i.Profile.LegalName, i.Profile.Address.Address, i.Profile.Address.Phone = nasty, nasty, nasty
	cfe := writeCFE(t, i, cae)
	body := bodyOf(t, "nasty", cfe)
	if name := body.FindElement("Detalle/Item/NomItem").Text(); !strings.HasPrefix(name, "a<b>&\"' ]]>\ufffd–ñ€😀ñ") {
		t.Errorf("the text is %q", name)
	}
	if bytes.ContainsAny(cfe, "\x00\x01\x1f\n\t") ||
		!bytes.HasPrefix(cfe, []byte(`<CFE xmlns="http://cfe.dgi.gub.uy" version="1.0"><eFact><TmstFirma>`)) {
		t.Errorf("%.200q", cfe)
	}
}

func TestCFEsThatMayNotBeWritten(t *testing.T) {
	for name, change := range map[string]func(*country.Issued, *uy.CAE){
		"below the range":   func(i *country.Issued, c *uy.CAE) { c.From = 13 },
		"above the range":   func(i *country.Issued, c *uy.CAE) { c.To = 11 },
		"another type":      func(i *country.Issued, c *uy.CAE) { c.Type = 101 },
		"another company's": func(i *country.Issued, c *uy.CAE) { c.RUC = "214844360018" },
		"of no kind":        func(i *country.Issued, c *uy.CAE) { i.Document.OfficialCode = 182 },
	} {
		i, cae := issuedScene(t, "invoice")
		change(&i, &cae)
		if out, err := uy.CFE(i, cae, signedAt); err == nil {
			t.Errorf("%s: %s", name, out)
		}
	}
}

func TestTheTimeOfSignatureHasItsOffset(t *testing.T) {
	i, cae := issuedScene(t, "dollars")
	i.Document.Date = "2026-11-27"
	out, err := uy.CFE(i, cae, time.Date(2014, 12, 1, 2, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	// Uruguay had daylight saving time then.
	if at := bodyOf(t, "summer", out).FindElement("TmstFirma").Text(); at != "2014-12-01T00:00:00-02:00" {
		t.Errorf("signed at %s", at)
	}
}

// The schema has no place for them, so that the arithmetic of the CFE would not hold.
func TestARemitoHasNoDiscounts(t *testing.T) {
	s := scenes()["export_remito"]
	s.lines[0].Discount = money.MustParse("1")
	line := sceneOf(s)
	s = scenes()["export_remito"]
	s.whole = "1"
	for path, d := range map[string]events.Document{"items[0].discount_amount": line, "totals.discount": sceneOf(s)} {
		_, vs := uy.Rules{}.Check(d, emitter, signedAt, country.Config{})
		if len(vs) != 1 || vs[0].Path != path {
			t.Errorf("%s: %v", path, vs)
		}
	}
}
