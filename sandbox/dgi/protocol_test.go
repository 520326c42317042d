package dgi

import (
	"crypto"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"folio/money"
	"folio/sandbox/desk"
)

func tempDir() string {
	dir, err := os.MkdirTemp("", "dgi-sandbox")
	if err != nil {
		panic(err)
	}
	return dir
}

func TestAnEnvelopeIsReceivedAndItsDocumentsAccepted(t *testing.T) {
	h := newHouse(t)
	state, receiver, token := h.send(1, h.invoice(111, 1), h.invoice(101, 1), h.invoice(112, 1))
	if state != "AS" || receiver == "0" || token == "" {
		t.Fatal(state, receiver, token)
	}
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"AE", "AE", "AE"}) {
		t.Error(got)
	}
	if got := h.state(111, 1); got != "AE 1" {
		t.Error(got)
	}
	if got := h.state(111, 2); got != " 0" {
		t.Errorf("a number that never came: %s", got)
	}
}

func TestVerdictsOfDocuments(t *testing.T) {
	h := newHouse(t)
	for i, c := range []struct {
		name, want string
		code       int
		changes    []string
	}{
		{"as it should be", "AE", 111, nil},
		{"an e-Ticket without a recipient", "AE", 101, nil},
		{"a note with a reference", "AE", 112, nil},
		{"a note without one", "BE E12", 112, []string{`<Referencia><Referencia><NroLinRef>1</NroLinRef><TpoDocRef>111</TpoDocRef><Serie>A</Serie><NroCFERef>1</NroCFERef></Referencia></Referencia>`, ``}},
		{"a CAE that nobody gave out", "BE E03", 111, []string{"<CAE_ID>" + h.cae(111), "<CAE_ID>90260999999"}},
		{"a CAE of another type", "BE E09", 111, []string{"<CAE_ID>" + h.cae(111), "<CAE_ID>" + h.cae(101)}},
		{"another range than the CAE's", "BE E03", 111, []string{"<HNro>100", "<HNro>200"}},
		{"a number outside", "BE E03", 111, []string{"<Nro>", "<Nro>99"}},
		{"signed after the CAE expired", "BE E07", 111, []string{"2026-11-27T12:00:00-03:00", "2028-11-28T00:00:00-03:00"}},
		{"signed before it was given out", "BE E07", 111, []string{"2026-11-27T12:00:00-03:00", "2026-11-26T12:00:00-03:00"}},
		{"signed on the CAE's last day", "AE", 111, []string{"2026-11-27T12:00:00-03:00", "2028-11-27T23:59:59-03:00"}},
		{"a special CAE that is none", "BE E11", 111, []string{"</FecVenc>", "</FecVenc><CAEEspecial>1</CAEEspecial>"}},
		{"a wrong total", "BE E05 E05", 111, []string{"<MntTotal>245.22", "<MntTotal>245.23", "<MntPagar>245.22",
			"<MntPagar>245.23"}},
		{"a wrong line", "BE E05", 111, []string{"<PrecioUnitario>100.50", "<PrecioUnitario>100.51"}},
		{"a wrong count of lines", "BE E05", 111, []string{"<CantLinDet>1", "<CantLinDet>2"}},
		{"dollars without a rate", "BE E10", 111, []string{"<TpoMoneda>UYU", "<TpoMoneda>USD"}},
		{"dollars with one", "AE", 111, []string{"<TpoMoneda>UYU</TpoMoneda>",
			"<TpoMoneda>USD</TpoMoneda><TpoCambio>39.250</TpoCambio>"}},
		{"an e-Factura to a person", "BE E05", 111, []string{"<TipoDocRecep>2", "<TipoDocRecep>3", buyer, "13353214"}},
		{"a RUT with a wrong check digit", "BE E05", 111, []string{buyer, "219999830018"}},
		{"a date three months ahead", "BE E05", 111, []string{"<FchEmis>2026-11-27", "<FchEmis>2027-02-27"}},
		{"gross prices", "AE", 101, []string{"<FmaPago>", "<MntBruto>1</MntBruto><FmaPago>", "<PrecioUnitario>100.50",
			"<PrecioUnitario>122.61", "<MontoItem>201.00", "<MontoItem>245.22"}},
		{"a global discount", "AE", 101, []string{"<CAEData>",
			"<DscRcgGlobal><DRG_Item><NroLinDR>1</NroLinDR><TpoMovDR>D</TpoMovDR><TpoDR>1</TpoDR><GlosaDR>Descuento</GlosaDR><ValorDR>1.00</ValorDR><IndFactDR>3</IndFactDR></DRG_Item></DscRcgGlobal><CAEData>",
			"<PrecioUnitario>100.50", "<PrecioUnitario>101.00", "<MontoItem>201.00", "<MontoItem>202.00"}},
		{"what is not invoiceable is paid all the same", "AE", 101,
			[]string{"</Item>", "</Item><Item><NroLinDet>2</NroLinDet><IndFact>6</IndFact><NomItem>Propina</NomItem><Cantidad>1</Cantidad><UniMed>N/A</UniMed><PrecioUnitario>5</PrecioUnitario><MontoItem>5</MontoItem></Item>",
				"<CantLinDet>1</CantLinDet><MntPagar>245.22", "<CantLinDet>2</CantLinDet><MontoNF>5.00</MontoNF><MntPagar>250.22"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.t = t
			if got := h.verdict(i+1, h.invoice(c.code, int64(i+1), c.changes...)); got != c.want {
				t.Errorf("%s, want %s; %+v", got, c.want, h.server.Calls()[0].Documents)
			}
		})
	}
}

func TestSignaturesOfDocuments(t *testing.T) {
	h := newHouse(t)
	if got := h.verdict(1, strings.Replace(h.invoice(111, 1), "Yerba", "Yerbb", 1)); got != "BE E04" {
		t.Errorf("a document that was changed: %s", got)
	}
	plain := h.invoice(111, 2)
	plain = plain[:strings.Index(plain, "<Signature")] + "</CFE>"
	old := h.sign(t, plain, "CFE", crypto.SHA1)
	if got := h.verdict(2, old); got != "BE E04" {
		t.Errorf("SHA-1: %s", got)
	}
	h.server.SetKnobs(Knobs{TakeSHA1: true})
	if got := h.verdict(3, h.sign(t, strings.Replace(plain, "<Nro>2<", "<Nro>3<", 1), "CFE", crypto.SHA1)); got != "AE" {
		t.Errorf("SHA-1 where it is taken: %s", got)
	}
	if got := h.verdict(4, material().others.sign(t, plain, "CFE", crypto.SHA256)); got != "BS S06" {
		t.Errorf("another's signature: %s", got)
	}
}

func TestADocumentOfAllTheLinesThatDGITakesIsVerified(t *testing.T) {
	h := newHouse(t)
	text := h.invoice(111, 1)
	text = text[:strings.Index(text, "<Signature")] + "</CFE>"
	item := text[strings.Index(text, "<Item>") : strings.Index(text, "</Item>")+len("</Item>")]
	lines := ""
	for n := 1; n <= 200; n++ {
		lines += strings.Replace(item, "<NroLinDet>1<", "<NroLinDet>"+strconv.Itoa(n)+"<", 1)
	}
	for _, c := range []struct{ from, to string }{
		{item, lines}, {"<CantLinDet>1<", "<CantLinDet>200<"}, {"IVATasaBasica>201.00<", "IVATasaBasica>40200.00<"},
		{">44.22<", ">8844.00<"}, {"<MntTotal>245.22", "<MntTotal>49044.00"}, {"<MntPagar>245.22", "<MntPagar>49044.00"},
	} {
		text = strings.Replace(text, c.from, c.to, 1)
	}
	if got := h.verdict(1, h.sign(t, text, "CFE", crypto.SHA256)); got != "AE" {
		t.Errorf("%s", got)
	}
}

func TestEnvelopesThatAreRefused(t *testing.T) {
	h := newHouse(t)
	whole := h.envelope(1, h.invoice(111, 1))
	for _, c := range []struct{ name, want, from, to string }{
		{"no XML", "BS S01", "</DGICFE:EnvioCFE>", ""},
		{"a comment", "BS S01", "<DGICFE:Caratula", "<!-- x --><DGICFE:Caratula"},
		{"another root", "BS S01", "", "<Sobre/>"},
		{"an element of the cover is missing", "BS S04", "<DGICFE:Idemisor>1</DGICFE:Idemisor>", ""},
		{"a document out of order", "BS S04", "<TipoCFE>111</TipoCFE><Serie>A</Serie>",
			"<Serie>A</Serie><TipoCFE>111</TipoCFE>"},
		{"a text that is too long", "BS S04", "Yerba", strings.Repeat("Y", 81)},
		{"another receiver", "BS S02", "214844360018", "211111111111"},
		{"another company", "BS S02", "<DGICFE:RUCEmisor>" + company, "<DGICFE:RUCEmisor>" + buyer},
		{"a document of another company", "BS S02", "<RUCEmisor>" + company, "<RUCEmisor>" + buyer},
		{"a certificate that is none", "BS S03", "<DGICFE:X509Certificate>MII", "<DGICFE:X509Certificate>AAA"},
		{"a wrong count", "BS S05", "<DGICFE:CantCFE>1", "<DGICFE:CantCFE>2"},
		{"more than two megabytes", "BS S07", "</DGICFE:EnvioCFE>", strings.Repeat(" ", 2<<20) + "</DGICFE:EnvioCFE>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.t = t
			text := c.to
			if c.from != "" {
				text = strings.Replace(whole, c.from, c.to, 1)
			}
			a := h.ask("WS_eFactura", recepcionSobre, text)
			if got := said(a, "//Estado") + " " + said(a, "//Motivo"); got != c.want {
				t.Errorf("%s (%s), want %s", got, said(a, "//MotivosRechazo/Detalle"), c.want)
			}
		})
	}
	h.t = t
	if got := h.verdict(1, h.invoice(111, 1)); got != "AE" {
		t.Errorf("what was refused as a whole was never received: %s", got)
	}
}

func TestTheCertificateOfTheCall(t *testing.T) {
	h := newHouse(t)
	for name, c := range map[string]struct {
		as   holder
		want string
	}{
		"of another company":          {material().others, "BS S02"},
		"expired":                     {material().expired, "12"},
		"of an authority we know not": {material().notOfOurs, "12"},
		"without RUC":                 {material().nobody, "6"},
	} {
		envelope := h.envelope(1, h.invoice(111, 1))
		h.holder = c.as
		a := h.ask("WS_eFactura", recepcionSobre, envelope)
		if got := strings.TrimSpace(said(a, "//Estado") + " " + said(a, "//Motivo") + said(a, "//codigo")); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		h.holder = material().own
	}
}

func TestTheSignatureOfTheCall(t *testing.T) {
	h := newHouse(t)
	good := h.message("WS_eFactura", recepcionSobre, h.envelope(1, h.invoice(111, 1)))
	inner := good[strings.Index(good, "<dgi:WS_eFactura"):strings.Index(good, "</soapenv:Body>")]
	for name, body := range map[string]string{
		"a body that was changed": strings.Replace(good, "<DGICFE:Idemisor>1<", "<DGICFE:Idemisor>2<", 1),
		"no signature": good[:strings.Index(good, "<Signature")] +
			good[strings.Index(good, "</Signature>")+len("</Signature>"):],
		"no token":          strings.ReplaceAll(good, "BinarySecurityToken", "Token"),
		"another reference": strings.Replace(good, `URI="#B"`, `URI="#T"`, 1),
		"a second body in the first's place": strings.Replace(strings.Replace(good, `<soapenv:Header>`,
			`<soapenv:Header><x><soapenv:Body xmlns:wsu="`+wsse+`utility-1.0.xsd" wsu:Id="B">`+inner+`</soapenv:Body></x>`, 1),
			`wsu:Id="B"><dgi:WS_eFactura.`+recepcionSobre, `wsu:Id="C"><dgi:WS_eFactura.`+recepcionSobre, 2),
		"no SOAP": "<a/>",
		"no XML":  "hola",
		"a DTD":   "<!DOCTYPE a>" + good,
	} {
		status, text := h.post(Testing, "WS_eFactura", recepcionSobre, body)
		if status != 500 || !strings.Contains(text, "<faultcode>wsse:InvalidSecurity") {
			t.Errorf("%s: %d %.300s", name, status, text)
		}
	}
	if status, text := h.post(Testing, "WS_eFactura", consultarEstadoEnvio, good); status != 500 ||
		!strings.Contains(text, "SOAPAction") {
		t.Errorf("another SOAPAction: %d %.200s", status, text)
	}
	if status, text := h.post(Testing, "WS_eFactura_Consultas", recepcionSobre, good); status != 500 {
		t.Errorf("another service: %d %.200s", status, text)
	}
	if status, _ := h.post("moon", "WS_eFactura", recepcionSobre, good); status != 404 {
		t.Errorf("another environment: %d", status)
	}
}

func TestNumbersAreUsedOnce(t *testing.T) {
	h := newHouse(t)
	first := h.invoice(111, 1)
	if got := h.verdict(1, first); got != "AE" {
		t.Fatal(got)
	}
	if got := h.verdict(2, first); got != "BE E02" {
		t.Errorf("the same document in another envelope: %s", got)
	}
	if got := h.verdict(1, first); got != "108" {
		t.Errorf("the same envelope: %s", got)
	}
	if got := h.verdict(1, h.invoice(111, 2)); got != "BS S08" {
		t.Errorf("another envelope under its number: %s", got)
	}
	h.server.SetKnobs(Knobs{RepeatsS08: true})
	if got := h.verdict(1, first); got != "BS S08" {
		t.Errorf("the same envelope: %s", got)
	}
	if got := h.verdict(3, h.invoice(111, 3, "<MntPagar>245.22", "<MntPagar>1.00")); got != "BE E05" {
		t.Fatal(got)
	}
	if got := h.verdict(4, h.invoice(111, 3)); got != "BE E02" {
		t.Errorf("a number that was refused is burnt: %s", got)
	}
	if got := h.state(111, 3); got != "BE 3" {
		t.Error(got)
	}
	wrong := h.invoice(111, 4, "<CAE_ID>"+h.cae(111), "<CAE_ID>"+h.cae(101))
	if got := h.verdict(5, wrong); got != "BE E09" {
		t.Fatal(got)
	}
	if got := h.verdict(6, h.invoice(111, 4)); got != "AE" {
		t.Errorf("E09 does not burn a number: %s", got)
	}
	state, receiver, token := h.send(7, h.invoice(111, 5), h.invoice(111, 5))
	if got := h.verdicts(receiver, token); state != "AS" || !slices.Equal(got, []string{"AE", "BE E02"}) {
		t.Errorf("twice in one envelope: %v", got)
	}
}

func TestVerdictsHaveTheirTime(t *testing.T) {
	h := newHouse(t)
	h.server.SetKnobs(Knobs{VerdictAfter: desk.Duration(90 * time.Second)})
	_, receiver, token := h.send(1, h.invoice(111, 1))
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"13"}) {
		t.Error(got)
	}
	if got := h.state(111, 1); got != " 1" {
		t.Errorf("not decided, but received: %q", got)
	}
	h.now.Add(91)
	for name, c := range map[string][2]string{"3": {receiver, "b3Rybw=="}, "2": {"0", token}, "1": {"x", token}} {
		if got := h.verdicts(c[0], c[1]); !slices.Equal(got, []string{name}) {
			t.Errorf("%v, want %s", got, name)
		}
	}
	h.holder = material().others
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"4"}) {
		t.Errorf("another company's: %v", got)
	}
	h.holder = material().own
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"AE"}) {
		t.Error(got)
	}
}

func TestNothingIsForgottenOverARestart(t *testing.T) {
	h := newHouse(t)
	_, receiver, token := h.send(1, h.invoice(111, 1))
	if err := h.server.Close(); err != nil {
		t.Fatal(err)
	}
	h.open()
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"AE"}) {
		t.Error(got)
	}
	if got := h.verdict(2, h.invoice(111, 1)); got != "BE E02" {
		t.Error(got)
	}
	if got := h.verdict(3, h.invoice(111, 2)); got != "AE" {
		t.Errorf("the CAE: %s", got)
	}
}

func TestEnvironmentsShareNothing(t *testing.T) {
	h := newHouse(t)
	if got := h.verdict(1, h.invoice(111, 1)); got != "AE" {
		t.Fatal(got)
	}
	_, text := h.post(Production, "WS_eFactura", recepcionSobre,
		h.message("WS_eFactura", recepcionSobre, h.envelope(1, h.invoice(111, 1))))
	a := h.inside(text)
	if said(a, "//Estado") != "AS" {
		t.Errorf("%.300s", text)
	}
	if got := h.verdicts(said(a, "//IDReceptor"), said(a, "//Token")); !slices.Equal(got, []string{"3"}) {
		t.Errorf("an envelope of the other environment: %v", got)
	}
}

func TestKnobsOfDocuments(t *testing.T) {
	h := newHouse(t)
	h.server.SetKnobs(Knobs{IdentifyFrom: money.FromInt(200)})
	if got := h.verdict(1, h.invoice(101, 1)); got != "BE E05" {
		t.Errorf("above the threshold without a recipient: %s", got)
	}
	h.server.SetKnobs(Knobs{IdentifyFrom: money.FromInt(201), StrictReferences: true})
	if got := h.verdict(2, h.invoice(101, 2)); got != "AE" {
		t.Errorf("at the threshold: %s", got)
	}
	if got := h.verdict(3, h.invoice(112, 1)); got != "BE E12" {
		t.Errorf("what it refers to never came: %s", got)
	}
	if got := h.verdict(4, h.invoice(111, 1)) + h.verdict(5, h.invoice(112, 2)); got != "AEAE" {
		t.Errorf("what it refers to came: %s", got)
	}
	h.server.SetKnobs(Knobs{Tolerance: money.MustParse("0.01")})
	if got := h.verdict(6, h.invoice(111, 7, "<MntTotal>245.22", "<MntTotal>245.23", "<MntPagar>245.22",
		"<MntPagar>245.23")); got != "AE" {
		t.Errorf("within the tolerance: %s", got)
	}
}
