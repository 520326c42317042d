package arca_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	client "folio/authority/arca"
	"folio/sandbox"
	"folio/sandbox/arca"
	"folio/sandbox/desk"
)

func TestWSAARefusesAsARCADoes(t *testing.T) {
	h := newHouse(t)
	ca, _ := material()
	login := func(cred client.Credential, service string, now time.Time) error {
		_, err := client.WSAA{HTTP: http.DefaultClient, URL: h.endpoints().WSAA}.Login(t.Context(), cred, service, now)
		return err
	}
	issue := func(from *sandbox.CA, days int) client.Credential {
		key, cert, err := from.Issue(sandbox.Certificate{Holder: arca.Holder, TaxIdentifier: "30500010912", Days: days})
		if err != nil {
			t.Fatal(err)
		}
		return client.Credential{Certificate: cert, Key: key}
	}
	stranger, err := sandbox.OpenCA(t.TempDir(), h.now)
	if err != nil {
		t.Fatal(err)
	}
	mixed := issue(ca, 100)
	mixed.Key = h.cred.Key
	for _, c := range []struct {
		code    string
		cred    client.Credential
		service string
		now     time.Time
	}{
		{"cms.cert.expired", issue(ca, -3), "wsfe", h.now()},
		{"cms.cert.untrusted", issue(stranger, 10), "wsfe", h.now()},
		{"cms.sign.invalid", mixed, "wsfe", h.now()},
		{"wsn.notFound", h.cred, "wsnothing", h.now()},
		{"xml.bad", h.cred, "x", h.now()},
		{"xml.generationTime.invalid", h.cred, "wsfe", h.now().Add(time.Hour)},
		{"xml.generationTime.invalid", h.cred, "wsfe", h.now().Add(-25 * time.Hour)},
		{"xml.expirationTime.expired", h.cred, "wsfe", h.now().Add(-time.Hour)},
	} {
		if f := as[*client.LoginFault](t, login(c.cred, c.service, c.now)); f.Code != c.code || f.Text == "" {
			t.Errorf("%v, want %s", f, c.code)
		}
	}
	h.server.SetKnobs(arca.Knobs{GuardWindow: desk.Duration(10 * time.Minute)})
	if err := login(h.cred, "wsfe", h.now()); err != nil {
		t.Fatal(err)
	}
	if err := login(h.cred, "wsfe", h.now()); !errors.Is(err, client.ErrAlreadyAuthenticated) {
		t.Errorf("second login: %v", err)
	}
	h.advance(10 * time.Minute)
	if err := login(h.cred, "wsfe", h.now()); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

func TestToleranceOfASMX(t *testing.T) {
	h := newHouse(t)
	url := h.http.URL + "/testing/wsfev1/service.asmx"
	const ns = ` xmlns="http://ar.gov.afip.dif.FEV1/"`
	for _, c := range []struct {
		name, body string
		header     map[string]string
		status     int
		contains   string
	}{
		{"no action header", envelope("<FEDummy" + ns + "/>"), nil, 200, "<AppServer>OK</AppServer>"},
		{"unknown action", envelope("<FEDummy" + ns + "/>"), map[string]string{"SOAPAction": "x"}, 500,
			"did not recognize the value of HTTP Header SOAPAction"},
		{"cut off", envelope("<FEDummy" + ns + "/>")[:90], nil, 400, ""},
		{"no number where one belongs", envelope("<FECompUltimoAutorizado" + ns +
			"><Auth><Cuit>abc</Cuit></Auth></FECompUltimoAutorizado>"), nil, 500, "Server was unable to read request"},
		{"no Auth", envelope("<FECompUltimoAutorizado" + ns + "/>"), nil, 200,
			"<PtoVta>0</PtoVta><CbteTipo>0</CbteTipo><CbteNro>0</CbteNro><Errors><Err><Code>500</Code><Msg>Campo Auth no fue " +
				"ingresado o esta mal formado.</Msg>"},
		{"Auth without namespace", envelope(`<f:FECompTotXRequest xmlns:f="http://ar.gov.afip.dif.FEV1/"><Auth/></f:FECompTotXRequest>`), nil, 200, "<RegXReq>0</RegXReq><Errors><Err><Code>500</Code>"},
		{"no token", envelope("<FECompTotXRequest" + ns + "><Auth><Cuit>1</Cuit></Auth></FECompTotXRequest>"), nil, 200,
			"Parametro nulo o vacio (token)"},
		{"token that is none", envelope("<FECompTotXRequest" + ns +
			"><Auth><Token>x</Token><Sign>y</Sign></Auth></FECompTotXRequest>"), nil, 200, "Error al cargar token XML"},
		{"SOAP 1.2", envelope("<FEDummy" + ns + "/>"), map[string]string{"Content-Type": "application/soap+xml"}, 200,
			"http://www.w3.org/2003/05/soap-envelope"},
		{"no operation", envelope("<Nothing" + ns + "/>"), nil, 500, "Server was unable to read request"},
		{"announces itself", envelope("<FEDummy" + ns + "/>"), nil, 200, "<ambiente>Simulador - local</ambiente>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, answer := post(t, url, c.body, c.header)
			if status != c.status || !strings.Contains(answer, c.contains) {
				t.Errorf("HTTP %d %s", status, answer)
			}
		})
	}
}

func TestAxisWantsAnActionHeader(t *testing.T) {
	h := newHouse(t)
	url := h.http.URL + "/testing/ws/services/LoginCms"
	for _, c := range []struct{ body, header, contains string }{
		{envelope("<loginCms><in0>x</in0></loginCms>"), "", "ns1:Client.NoSOAPAction"},
		{envelope("<loginCms><in0>*</in0></loginCms>"), `""`, "ns1:cms.bad.base64"},
		{envelope("<loginCms><in0>AAAA</in0></loginCms>"), `""`, "ns1:cms.bad<"},
		{envelope("<loginCms/>"), `""`, "NullPointerException"},
		{"<x", `""`, "SAXParseException"},
	} {
		header := map[string]string{}
		if c.header != "" {
			header["SOAPAction"] = c.header
		}
		if status, answer := post(t, url, c.body, header); status != 500 || !strings.Contains(answer, c.contains) {
			t.Errorf("HTTP %d %s, want %s", status, answer, c.contains)
		}
	}
}

func envelope(inner string) string {
	return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>` + inner + `</s:Body></s:Envelope>`
}

func post(t *testing.T, url, body string, header map[string]string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "text/xml; charset=utf-8")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}
