package arca_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	client "folio/authority/arca"
	"folio/sandbox/arca"
)

// asked is the answer of an operation of WSFEv1 that the driver does not use.
type asked struct {
	Rows []struct {
		ID    string `xml:"Id"`
		Text  string `xml:"Desc"`
		From  string `xml:"FchDesde"`
		Class string `xml:"Cmp_Clase"`
		// of FEParamGetPtosVenta
		Number       int    `xml:"Nro"`
		EmissionType string `xml:"EmisionTipo"`
	} `xml:",any"`
}

// ask calls an operation without arguments, with a ticket that it logs in for.
func (h *house) ask(service, namespace, operation, ticketOf string, arguments ...string) (asked, string) {
	h.t.Helper()
	auth := ""
	if ticketOf != "" {
		ticket, err := client.WSAA{HTTP: http.DefaultClient,
			URL: h.http.URL + "/testing/ws/services/LoginCms"}.Login(h.t.Context(), h.cred,
			ticketOf, h.now())
		if err != nil {
			h.t.Fatal(err)
		}
		auth = fmt.Sprintf("<Auth><Token>%s</Token><Sign>%s</Sign><Cuit>%d</Cuit></Auth>", ticket.Token, ticket.Sign,
			int64(issuer))
	}
	body := `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><` + operation + ` xmlns="` +
		namespace + `">` + auth + strings.Join(arguments, "") + `</` + operation + `></e:Body></e:Envelope>`
	resp, err := http.Post(h.http.URL+"/testing/"+service+"/service.asmx", "text/xml; charset=utf-8",
		strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	var out struct {
		Body struct {
			Response struct {
				Result struct {
					Get asked `xml:"ResultGet"`
				} `xml:",any"`
			} `xml:",any"`
		}
	}
	if err := xml.Unmarshal(answer, &out); err != nil {
		h.t.Fatalf("%s: %v", answer, err)
	}
	return out.Body.Response.Result.Get, string(answer)
}

const namespaceFE = "http://ar.gov.afip.dif.FEV1/"

func TestTables(t *testing.T) {
	h := newHouse(t)
	for operation, want := range map[string]struct {
		rows  int
		first string
	}{
		"FEParamGetTiposCbte":     {36, "1 Factura A 20100917 "},
		"FEParamGetTiposConcepto": {3, "1 Producto 20100917 "},
		"FEParamGetTiposDoc":      {36, "80 CUIT 20080725 "},
		"FEParamGetTiposIva":      {6, "3 0% 20090220 "},
		"FEParamGetTiposMonedas":  {50, "PES Pesos Argentinos 20090403 "},
		"FEParamGetTiposOpcional": {26, "2 RG Empresas Promovidas - Indentificador de proyecto vinculado a Régimen " +
			"de Promoción Industrial 20100917 "},
		"FEParamGetTiposTributos": {11, "1 Impuestos nacionales 20100917 "},
		"FEParamGetTiposPaises":   {6, "200 ARGENTINA  "},
		"FEParamGetActividades": {1, "620100 SERVICIOS DE CONSULTORES EN INFORMATICA Y SUMINISTROS DE PROGRAMAS " +
			"DE INFORMATICA  "},
		"FEParamGetCondicionIvaReceptor": {11, "1 IVA Responsable Inscripto  A/ALEY/C"},
	} {
		got, text := h.ask("wsfev1", namespaceFE, operation, "wsfe")
		if len(got.Rows) != want.rows {
			t.Errorf("%s: %d rows: %s", operation, len(got.Rows), text)
			continue
		}
		if r := got.Rows[0]; r.ID+" "+r.Text+" "+r.From+" "+r.Class != want.first {
			t.Errorf("%s: first %+v, want %s", operation, r, want.first)
		}
	}
}

func TestTheExportsServiceIsThere(t *testing.T) {
	_, text := newHouse(t).ask("wsfexv1", "http://ar.gov.afip.dif.fexv1/", "FEXDummy", "")
	for _, want := range []string{"<AppServer>OK</AppServer>", "<DbServer>OK</DbServer>", "<AuthServer>OK</AuthServer>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestPointsOfSaleAndRates(t *testing.T) {
	h := newHouse(t)
	if got, text := h.ask("wsfev1", namespaceFE, "FEParamGetPtosVenta", "wsfe"); len(got.Rows) > 0 ||
		!strings.Contains(text, "<Code>602</Code>") {
		t.Errorf("none is registered: %s", text)
	}
	k := h.server.Knobs()
	k.PointsOfSale = map[int64][]int{issuer: {7}}
	h.server.SetKnobs(k)
	if got, text := h.ask("wsfev1", namespaceFE, "FEParamGetPtosVenta", "wsfe"); len(got.Rows) != 1 ||
		got.Rows[0].Number != 7 || got.Rows[0].EmissionType != "CAE - Ri Iva" {
		t.Errorf("%s", text)
	}
	_, err := h.session().Last(t.Context(), 1, 1)
	if r := as[*client.Refused](t, err); !r.Has(11002) {
		t.Error(err)
	}
	rate, of, ok, err := h.session().Rate(t.Context(), "DOL", "20261214")
	if err != nil || !ok || rate.String() != "1450" || of != "20261214" {
		t.Errorf("%s of %s, %v, %v", rate, of, ok, err)
	}
	if _, _, ok, err := h.session().Rate(t.Context(), "PES", ""); ok || err != nil {
		t.Errorf("pesos have a rate: %v", err)
	}
	if n, err := h.session().Limit(t.Context()); n != 250 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if s, err := h.client.Dummy(t.Context()); err != nil || !s.OK() {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestTheRegistryDecidesWhoMayIssueAndReceive(t *testing.T) {
	h := newHouse(t)
	const recipient = 20111111112
	for _, c := range []struct {
		who    arca.Taxpayer
		code   int
		passes bool
	}{
		{arca.Monotributo, 10217, true}, {arca.Exempt, 10063, true}, {arca.Deceased, 10249, true},
		{arca.Inactive, 10247, false}, {arca.FakeInvoices, 10195, false}, {arca.Unknown, 10284, false},
	} {
		h.server.SetKnobs(arca.Knobs{Registry: map[int64]arca.Taxpayer{recipient: c.who}})
		v := h.must(1, invoiceA(h.last(1)+1, h.day(0)))
		if (v.Decision == client.Accepted) != c.passes || len(v.Messages) != 1 || v.Messages[0].Code != c.code {
			t.Errorf("%s: %+v", c.who, v)
		}
	}
	h.server.SetKnobs(arca.Knobs{Registry: map[int64]arca.Taxpayer{issuer: arca.Monotributo}})
	_, err := h.authorize(1, invoiceA(h.last(1)+1, h.day(0)))
	if r := as[*client.Refused](t, err); !r.Has(10000) {
		t.Error(err)
	}
	if v := h.must(11, invoiceC(1, h.day(0))); v.Decision != client.Accepted {
		t.Errorf("%+v", v)
	}
}

func TestACertificateActsForThoseWhoDelegated(t *testing.T) {
	h := newHouse(t)
	const other = 33693450239
	if _, err := h.client.Session(h.cred, other, nil).Last(t.Context(), 1, 1); err == nil {
		t.Fatal("it acts for a stranger")
	}
	h.server.SetKnobs(arca.Knobs{Represents: map[int64][]int64{issuer: {other}}})
	fresh := client.New(client.Options{Endpoints: h.endpoints(), Now: h.now})
	if n, err := fresh.Session(h.cred, other, nil).Last(t.Context(), 1, 1); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
}
