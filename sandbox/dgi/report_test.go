package dgi

import (
	"crypto"
	"fmt"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// report is a signed daily report with these blocks.
func (h *house) report(date string, sequence int, blocks string) string {
	return h.sign(h.t, fmt.Sprintf(`<Reporte xmlns="http://cfe.dgi.gub.uy"><Caratula version="1.0"><RUCEmisor>%s</RUCEmisor><FechaResumen>%s</FechaResumen><SecEnvio>%d</SecEnvio><TmstFirmaEnv>2026-11-27T12:00:00-03:00</TmstFirmaEnv><CantComprobantes>3</CantComprobantes></Caratula>%s</Reporte>`,
		company, date, sequence, blocks), "Reporte", crypto.SHA256)
}

// tickets is the block of e-Tickets A from 5 to 7, of which 6 is annulled.
const tickets = `<Rsmn_Tck><TipoComp>101</TipoComp><RsmnData><Montos><Mnts_FyT_Item><Fecha>2026-11-26</Fecha><CodSuc>1</CodSuc><TotMntIVATasaBas>200.00</TotMntIVATasaBas><MntIVATasaBas>44.00</MntIVATasaBas><IVATasaBas>22</IVATasaBas><TotMntTotal>244.00</TotMntTotal></Mnts_FyT_Item></Montos>` +
	`<CantDocsUtil>3</CantDocsUtil><CantDocsAnulados>1</CantDocsAnulados><CantDocsEmi>2</CantDocsEmi><RngDocsUtil><RDU_Item><Serie>A</Serie><NroDesde>5</NroDesde><NroHasta>7</NroHasta></RDU_Item></RngDocsUtil>` +
	`<RngDocsAnulados><RDA_Item><Serie>A</Serie><NroDesde>6</NroDesde><NroHasta>6</NroHasta></RDA_Item></RngDocsAnulados></RsmnData></Rsmn_Tck>`

func (h *house) sendReport(text string) string {
	h.t.Helper()
	a := h.ask("WS_eFactura", recepcionReporte, text)
	return strings.TrimSpace(said(a, "//Estado") + said(a, "//codigo") + " " + said(a, "//Motivo"))
}

func TestDailyReports(t *testing.T) {
	h := newHouse(t)
	first := h.report("2026-11-26", 1, tickets)
	const fac, wrong = `<Rsmn_Fac><TipoComp>111</TipoComp><RsmnData><CantDocsUtil>0</CantDocsUtil></RsmnData></Rsmn_Fac>`,
		`<CantDocsEmi>2</CantDocsEmi>`
	for _, c := range []struct{ name, text, want string }{
		{"a day's first", first, "AR"},
		{"the same again", first, "109"},
		{"another under its sequence", h.report("2026-11-26", 1, fac), "BR R05"},
		{"a sequence left out", h.report("2026-11-26", 3, fac), "BR R05"},
		{"one that replaces it", h.report("2026-11-26", 2, tickets+fac), "AR"},
		{"a day with nothing", h.report("2026-11-25", 1, ""), "AR"},
		{"a day that is still to come", h.report("2026-11-28", 1, ""), "BR R06"},
		{"another company's", strings.Replace(first, company, buyer, 1), "BR R02"},
		{"one that was changed", strings.Replace(first, "<CodSuc>1<", "<CodSuc>2<", 1), "BR R03"},
		{"out of order", h.report("2026-11-24", 1, fac+tickets), "BR R04"},
		{"counts that do not agree", h.report("2026-11-24", 1,
			strings.Replace(tickets, wrong, `<CantDocsEmi>3</CantDocsEmi>`, 1)), "BR R04"},
		{"ranges that do not agree", h.report("2026-11-24", 1, strings.Replace(tickets, `<NroHasta>7`, `<NroHasta>8`, 1)),
			"BR R04"},
		{"annulled ones that do not agree", h.report("2026-11-24", 1,
			strings.Replace(tickets, `<NroHasta>6`, `<NroHasta>7`, 1)), "BR R04"},
		{"an element that is not known", h.report("2026-11-24", 1,
			strings.Replace(tickets, wrong, wrong+"<Otro>1</Otro>", 1)), "BR R04"},
		{"another type in a block", h.report("2026-11-24", 1, strings.Replace(tickets, "<TipoComp>101", "<TipoComp>102", 1)),
			"BR R04"},
		{"no report", "<a/>", "BR R01"},
		{"no XML", "a", "BR R01"},
	} {
		if got := h.sendReport(c.text); got != c.want {
			t.Errorf("%s: %s, want %s (%s)", c.name, got, c.want, h.server.Calls()[0].Verdict)
		}
	}
	list, err := h.server.Reports(t.Context(), company, 10)
	if err != nil || len(list) != 3 || list[1].Sequence != 2 || len(list[1].Summaries) != 2 ||
		list[1].Summaries[0].Numbers[0] != (Range{"A", 5, 7}) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestANumberThatWasReportedAsAnnulledIsRefused(t *testing.T) {
	h := newHouse(t)
	if got := h.sendReport(h.report("2026-11-26", 1, tickets)); got != "AR" {
		t.Fatal(got)
	}
	if got := h.verdict(1, h.invoice(101, 6)); got != "BE E01" {
		t.Error(got)
	}
	h.server.SetKnobs(Knobs{StrictReferences: true})
	if got := h.verdict(2, h.invoice(102, 1, "<NroCFERef>1<", "<NroCFERef>7<")); got != "AE" {
		t.Errorf("a note about an e-Ticket that was only reported: %s", got)
	}
	if got := h.sendReport(h.report("2026-11-26", 2, "")); got != "AR" {
		t.Fatal(got)
	}
	if got := h.verdict(3, h.invoice(101, 6, "</NomItem>", "</NomItem><DscItem>otro</DscItem>")); got != "BE E02" {
		t.Errorf("it is not annulled any more, but burnt: %s", got)
	}
}

// FuzzInput: whatever comes in an envelope, a report or a question, reading it ends.
func FuzzInput(f *testing.F) {
	f.Add([]byte(`<EnvioCFE xmlns="http://cfe.dgi.gub.uy" version="1.0"><Caratula version="1.0"><RutReceptor>214844360018</RutReceptor><RUCEmisor>217111220014</RUCEmisor><Idemisor>1</Idemisor><CantCFE>1</CantCFE><Fecha>2026-11-27T12:00:00-03:00</Fecha><X509Certificate>MII=</X509Certificate></Caratula><CFE version="1.0"><eTck/><Signature/></CFE></EnvioCFE>`))
	f.Add([]byte(`<Reporte xmlns="http://cfe.dgi.gub.uy"><Caratula/><Rsmn_Tck><TipoComp>101</TipoComp><RsmnData/></Rsmn_Tck><Signature/></Reporte>`))
	f.Add([]byte(`<ConsultaCFE><IdReceptor>1</IdReceptor><Token>a</Token></ConsultaCFE>`))
	f.Add([]byte(`<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header><Security><BinarySecurityToken Id="T">MII=</BinarySecurityToken><Signature/></Security></soapenv:Header><soapenv:Body Id="B"><a xmlns="http://dgi.gub.uy"/></soapenv:Body></soapenv:Envelope>`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, bad := readSobre(string(raw))
		if bad == nil && (len(e.documents) == 0 || e.certificate == nil || e.cover["RUCEmisor"] == "") {
			t.Errorf("%q was read as an envelope without documents, certificate or issuer", raw)
		}
		for _, d := range e.documents {
			if e.certificate != nil {
				_, _ = d.signed(e.certificate, true), d.names(e.certificate)
			}
		}
		if r, root, bad := readReport(string(raw)); bad == nil && (root == nil || r.RUC == "" || r.Sequence == 0) {
			t.Errorf("%q was read as a report of nobody", raw)
		}
		if id, _, ok := readConsulta(string(raw)); ok && id == 0 && !strings.Contains(string(raw), "0") {
			t.Errorf("%q asks for nothing", raw)
		}
		if m, err := readMessage(raw, "WS_eFactura"); err == nil && (m.certificate == nil || m.bare == nil) {
			t.Errorf("%q was read as a message that nobody signed", raw)
		}
	})
}

// A signature over one document is none over another that stands in its place.
func TestASignatureIsOverItsOwnDocument(t *testing.T) {
	h := newHouse(t)
	read := func(text string) *etree.Element {
		doc := etree.NewDocument()
		if err := doc.ReadFromString(text); err != nil {
			t.Fatal(err)
		}
		return doc.Root()
	}
	one, two := read(h.invoice(111, 1)), read(h.invoice(111, 2))
	two.RemoveChild(two.SelectElement("Signature"))
	two.AddChild(one.SelectElement("Signature").Copy())
	for root, want := range map[*etree.Element]bool{one: true, two: false} {
		if err := (cfe{root: root}).signed(h.certificate, false); (err == nil) != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
	moved := one.SelectElement("Signature").FindElement("SignedInfo/Reference")
	moved.CreateAttr("URI", "#x")
	if (cfe{root: one}).signed(h.certificate, false) == nil {
		t.Error("a reference to something else")
	}
}
