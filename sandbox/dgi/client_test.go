package dgi

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beevik/etree"

	"folio/authority/xmlsign"
	"folio/sandbox"
	"folio/sandbox/arca"
	"folio/sandbox/desk"
)

const company, buyer = "217111220014", "219999830019"

// holder is a key with its certificate.
type holder struct {
	key         *rsa.PrivateKey
	certificate *x509.Certificate
}

// material is made once, since keys take time.
var material = sync.OnceValue(func() (m struct {
	ca                   *sandbox.CA
	own, others, expired holder
	signer               []byte // the file of the key that signs CAEs
	nobody, notOfOurs    holder
}) {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	clock := func() time.Time { return noon }
	issue := func(ca *sandbox.CA, as sandbox.Holder, id string, days int) (h holder) {
		var err error
		h.key, h.certificate, err = ca.Issue(sandbox.Certificate{Holder: as, TaxIdentifier: id, Days: days})
		must(err)
		return h
	}
	var err error
	m.ca, err = sandbox.OpenCA(tempDir(), clock)
	must(err)
	foreign, err := sandbox.OpenCA(tempDir(), clock)
	must(err)
	dir := tempDir()
	_, err = OpenNumbers(dir, clock)
	must(err)
	m.signer, err = os.ReadFile(filepath.Join(dir, NumbersFile))
	must(err)
	m.own, m.others = issue(m.ca, Holder, company, 100), issue(m.ca, Holder, buyer, 100)
	m.expired, m.nobody, m.notOfOurs = issue(m.ca, Holder, company, -1), issue(m.ca, arca.Holder, "30500010912", 100),
		issue(foreign, Holder, company, 100)
	return m
})

// house is a sandbox with a company that speaks to it.
type house struct {
	t      *testing.T
	server *Server
	http   *httptest.Server
	dir    string
	now    atomic.Int64 // Unix seconds
	caes   map[int]string
	holder
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), caes: map[int]string{}, holder: material().own}
	h.now.Store(noon.Unix())
	if err := os.WriteFile(filepath.Join(h.dir, NumbersFile), material().signer, 0o600); err != nil {
		t.Fatal(err)
	}
	h.open()
	h.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.server.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		h.http.Close()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *house) open() {
	h.t.Helper()
	var err error
	h.server, err = Open(h.t.Context(), Options{Dir: h.dir, CA: material().ca,
		Now: func() time.Time { return time.Unix(h.now.Load(), 0) }})
	if err != nil {
		h.t.Fatal(err)
	}
}

// cae is the number of the company's CAE A 1 to 100 of a type.
func (h *house) cae(code int) string {
	h.t.Helper()
	if h.caes[code] == "" {
		file, err := h.server.Numbers().IssueCAE(CAE{TaxIdentifier: company, Type: code, From: 1, To: 100})
		if err != nil {
			h.t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(file), "<ns0:NA>")
		h.caes[code], _, _ = strings.Cut(rest, "<")
	}
	return h.caes[code]
}

// sign makes the enveloped signature of a document of its own.
func (h holder) sign(t *testing.T, text, root string, hash crypto.Hash) string {
	t.Helper()
	out, err := xmlsign.Signature{Key: h.key, Hash: hash, Form: xmlsign.Inclusive, Path: "/" + root,
		Transforms: []string{xmlsign.Enveloped, xmlsign.Inclusive},
		KeyInfo: `<X509Data><X509IssuerSerial><X509IssuerName>` + desk.Escape(h.certificate.Issuer.String()) +
			`</X509IssuerName><X509SerialNumber>` +
			h.certificate.SerialNumber.String() + `</X509SerialNumber></X509IssuerSerial></X509Data>`}.Between(
		strings.TrimSuffix(text, "</"+root+">"), "</"+root+">")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// invoice is a document of a type for 2 x 100.50 at 22 %, changed by pairs of old and
// new text.
func (h *house) invoice(code int, number int64, changes ...string) string {
	h.t.Helper()
	root, place := "eFact", `<Receptor><TipoDocRecep>2</TipoDocRecep><CodPaisRecep>UY</CodPaisRecep><DocRecep>`+buyer+
		`</DocRecep><RznSocRecep>Ñandú &amp; Cía</RznSocRecep></Receptor>`
	if code < 110 {
		root, place = "eTck", ""
	}
	reference := ""
	if note(code) {
		reference = fmt.Sprintf(`<Referencia><Referencia><NroLinRef>1</NroLinRef><TpoDocRef>%d</TpoDocRef><Serie>A</Serie><NroCFERef>1</NroCFERef></Referencia></Referencia>`, code/10*10+1)
	}
	text := fmt.Sprintf(`<CFE xmlns="http://cfe.dgi.gub.uy" version="1.0"><%s><TmstFirma>2026-11-27T12:00:00-03:00</TmstFirma><Encabezado><IdDoc><TipoCFE>%d</TipoCFE><Serie>A</Serie><Nro>%d</Nro><FchEmis>2026-11-27</FchEmis><FmaPago>1</FmaPago></IdDoc>`+
		`<Emisor><RUCEmisor>%s</RUCEmisor><RznSoc>Prueba SA</RznSoc><CdgDGISucur>1</CdgDGISucur><DomFiscal>Av. 18 de Julio 1234</DomFiscal><Ciudad>Montevideo</Ciudad><Departamento>Montevideo</Departamento></Emisor>%s`+
		`<Totales><TpoMoneda>UYU</TpoMoneda><MntNetoIVATasaBasica>201.00</MntNetoIVATasaBasica><IVATasaMin>10</IVATasaMin><IVATasaBasica>22.000</IVATasaBasica><MntIVATasaBasica>44.22</MntIVATasaBasica><MntTotal>245.22</MntTotal><CantLinDet>1</CantLinDet><MntPagar>245.22</MntPagar></Totales></Encabezado>`+
		`<Detalle><Item><NroLinDet>1</NroLinDet><IndFact>3</IndFact><NomItem>Yerba</NomItem><Cantidad>2</Cantidad><UniMed>N/A</UniMed><PrecioUnitario>100.50</PrecioUnitario><MontoItem>201.00</MontoItem></Item></Detalle>%s`+
		`<CAEData><CAE_ID>%s</CAE_ID><DNro>1</DNro><HNro>100</HNro><FecVenc>2028-11-27</FecVenc></CAEData></%s></CFE>`, root,
		code, number, company, place, reference, h.cae(code), root)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			h.t.Fatalf("there is no %s to change", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return h.sign(h.t, text, "CFE", crypto.SHA256)
}

// envelope is a sobre with these documents.
func (h *house) envelope(id int, documents ...string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><DGICFE:EnvioCFE xmlns:DGICFE="http://cfe.dgi.gub.uy" version="1.0"><DGICFE:Caratula version="1.0"><DGICFE:RutReceptor>214844360018</DGICFE:RutReceptor><DGICFE:RUCEmisor>%s</DGICFE:RUCEmisor>`+
		`<DGICFE:Idemisor>%d</DGICFE:Idemisor><DGICFE:CantCFE>%d</DGICFE:CantCFE><DGICFE:Fecha>2026-11-27T12:00:00-03:00</DGICFE:Fecha><DGICFE:X509Certificate>%s</DGICFE:X509Certificate></DGICFE:Caratula>%s</DGICFE:EnvioCFE>`,
		company, id, len(documents), base64.StdEncoding.EncodeToString(h.certificate.Raw), strings.Join(documents, ""))
}

const wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"

// message is a SOAP call whose body the holder signed.
func (h *house) message(service, op, content string) string {
	h.t.Helper()
	if service == "WS_eFactura" {
		content = `<dgi:Datain xmlns:dgi="http://dgi.gub.uy"><dgi:xmlData><![CDATA[` + content +
			`]]></dgi:xmlData></dgi:Datain>`
	}
	before := `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header><wsse:Security xmlns:wsse="` + wsse + `secext-1.0.xsd" xmlns:wsu="` + wsse + `utility-1.0.xsd"><wsse:BinarySecurityToken wsu:Id="T">` +
		base64.StdEncoding.EncodeToString(h.certificate.Raw) + `</wsse:BinarySecurityToken>`
	after := `</wsse:Security></soapenv:Header><soapenv:Body xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:wsu="` + wsse + `utility-1.0.xsd" wsu:Id="B"><dgi:` + service + `.` + op + ` xmlns:dgi="http://dgi.gub.uy">` + content + `</dgi:` + service + `.` + op + `></soapenv:Body></soapenv:Envelope>`
	out, err := xmlsign.Signature{Key: h.key, Hash: crypto.SHA1, Form: xmlsign.Exclusive, Path: "/Envelope/Body",
		URI: "#B", Parent: "/Envelope/Header/Security", Transforms: []string{xmlsign.Exclusive},
		KeyInfo: `<wsse:SecurityTokenReference><wsse:Reference URI="#T"/></wsse:SecurityTokenReference>`}.Between(before,
		after)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// post sends a message; "" for an answer that never came.
func (h *house) post(environment, service, op, body string) (int, string) {
	h.t.Helper()
	path := map[string]string{"WS_eFactura": "ws_efactura", "WS_eFactura_Consultas": "ws_consultas"}[service]
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.http.URL+Prefix+environment+"/"+path,
		strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "text/xml")
	r.Header.Set("SOAPAction", `"http://dgi.gub.uyaction/A`+strings.ToUpper(service)+"."+op+`"`)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return got.StatusCode, ""
	}
	return got.StatusCode, string(text)
}

// ask calls an operation and returns what is in xmlData, or the Fault's text.
func (h *house) ask(service, op, content string) *etree.Element {
	h.t.Helper()
	_, text := h.post(Testing, service, op, h.message(service, op, content))
	return h.inside(text)
}

func (h *house) inside(text string) *etree.Element {
	h.t.Helper()
	doc := etree.NewDocument()
	if err := doc.ReadFromString(text); err != nil || doc.Root() == nil {
		h.t.Fatalf("no XML: %.200q", text)
	}
	if data := doc.FindElement("//xmlData"); data != nil {
		if bytes.Contains([]byte(text), []byte("Dataout")) {
			return h.inside(data.Text())
		}
	}
	return doc.Root()
}

// send sends an envelope and returns Estado with the reason, and how to ask for verdicts.
func (h *house) send(id int, documents ...string) (state, receiver, token string) {
	h.t.Helper()
	a := h.ask("WS_eFactura", recepcionSobre, h.envelope(id, documents...))
	state = said(a, "//Estado") + said(a, "//codigo")
	if reason := said(a, "//Motivo"); reason != "" {
		state += " " + reason
	}
	return state, said(a, "//IDReceptor"), said(a, "//Token")
}

// verdicts asks for an envelope: each document's state with its reasons, or the code.
func (h *house) verdicts(receiver, token string) (out []string) {
	h.t.Helper()
	a := h.ask("WS_eFactura", consultarEstadoEnvio,
		`<ConsultaCFE xmlns="http://dgi.gub.uy"><IdReceptor>`+receiver+`</IdReceptor><Token>`+token+`</Token></ConsultaCFE>`)
	if code := said(a, "//codigo"); code != "" {
		return []string{code}
	}
	for _, d := range a.FindElements("//ACKCFE_Det") {
		text := said(d, "Estado")
		for _, m := range d.FindElements("MotivosRechazoCF/Motivo") {
			text += " " + m.Text()
		}
		out = append(out, text)
	}
	return out
}

// verdict sends one document and returns its state with its reasons.
func (h *house) verdict(id int, document string) string {
	h.t.Helper()
	state, receiver, token := h.send(id, document)
	if state != "AS" {
		return state
	}
	return strings.Join(h.verdicts(receiver, token), ", ")
}

// state asks for a document by its number.
func (h *house) state(code int, number int64) string {
	h.t.Helper()
	a := h.ask("WS_eFactura_Consultas", consultarEstadoCFE,
		fmt.Sprintf(`<dgi:Cfeid xmlns:dgi="http://dgi.gub.uy"><dgi:TipoCFE>%d</dgi:TipoCFE><dgi:Serie>A</dgi:Serie><dgi:Nro>%d</dgi:Nro></dgi:Cfeid>`, code, number))
	return said(a, "//EstadoCFE") + " " + said(a, "//IdEmisor")
}

func said(e *etree.Element, path string) string {
	if found := e.FindElement(path); found != nil {
		return found.Text()
	}
	return ""
}
