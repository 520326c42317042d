package arca_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	client "folio/authority/arca"
	"folio/sandbox/arca"
	"folio/sandbox/desk"
)

// admin asks the sandbox's administration; body may be empty.
func (h *house) admin(method, path, body string) (int, string) {
	h.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr, r.Host = "127.0.0.1:4711", "localhost:8090"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.server.Admin().ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func (h *house) script(fault string) {
	h.t.Helper()
	if code, body := h.admin(http.MethodPost, "/admin/arca/faults", fault); code != http.StatusCreated {
		h.t.Fatalf("HTTP %d %s", code, body)
	}
}

func TestFaultsAreScriptedForACompanyAndForTheNextCalls(t *testing.T) {
	h := newHouse(t)
	h.script(`[{"effect":"reject","code":10195,"cuit":30500010912,"operation":"FECAESolicitar","times":1},
		{"effect":"observe","code":10217,"cuit":33693450239}]`)
	if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.Rejected || codes(v)[0] != 10195 {
		t.Errorf("%+v", v)
	}
	if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.Accepted || len(v.Messages) > 0 {
		t.Errorf("the next call, and another company's fault: %+v", v)
	}
	if code, body := h.admin(http.MethodGet, "/admin/arca/faults", ""); code != 200 ||
		!strings.Contains(body, `"observe"`) || strings.Contains(body, "10195") {
		t.Errorf("HTTP %d %s", code, body)
	}
	h.script(`{"effect":"down","for":"30s"}`)
	if _, err := h.authorize(1, invoiceA(2, h.day(0))); err == nil {
		t.Error("answered while down")
	}
	h.advance(30 * time.Second)
	if v := h.must(1, invoiceA(2, h.day(0))); v.Decision != client.Accepted {
		t.Errorf("%+v", v)
	}
	h.script(`{"effect":"error","code":501,"cuit":30500010912}`)
	if code, _ := h.admin(http.MethodDelete, "/admin/arca/faults?cuit=30500010912", ""); code != http.StatusNoContent {
		t.Errorf("HTTP %d", code)
	}
	if code, body := h.admin(http.MethodGet, "/admin/arca/faults", ""); code != 200 || strings.Contains(body, "501") ||
		!strings.Contains(body, "observe") {
		t.Errorf("HTTP %d %s", code, body)
	}
}

func TestNumbersAreTakenByAnotherSystem(t *testing.T) {
	h := newHouse(t)
	code, body := h.admin(http.MethodPost, "/admin/arca/numbers",
		`{"environment":"testing","cuit":30500010912,"point_of_sale":1,"type":1,"count":3}`)
	if code != 200 || !strings.Contains(body, `"last_number": 3`) || h.last(1) != 3 {
		t.Errorf("HTTP %d %s, last %d", code, body, h.last(1))
	}
	h.script(`{"effect":"take_number","operation":"FECAESolicitar","times":1}`)
	if v := h.must(1, invoiceA(4, h.day(0))); v.Decision != client.OutOfStep || h.last(1) != 4 {
		t.Errorf("%+v, last %d", v, h.last(1))
	}
}

func TestKnobsAreReadAndChanged(t *testing.T) {
	h := newHouse(t)
	code, body := h.admin(http.MethodPatch, "/admin/arca/knobs", `{"latency":"1ms","registry":{"20111111112":"inactive"}}`)
	if code != 200 || !strings.Contains(body, `"latency": "1ms"`) || !strings.Contains(body, `"reg_x_req": 250`) {
		t.Fatalf("HTTP %d %s", code, body)
	}
	if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.Rejected || codes(v)[0] != 10247 {
		t.Errorf("%+v", v)
	}
	if k := h.server.Knobs(); time.Duration(k.Latency) != time.Millisecond || k.Registry[20111111112] != arca.Inactive {
		t.Errorf("%+v", k)
	}
	raw, err := json.Marshal(h.server.Knobs())
	if err != nil {
		t.Fatal(err)
	}
	if code, body := h.admin(http.MethodPut, "/admin/arca/knobs", string(raw)); code != 200 {
		t.Errorf("what is read cannot be sent: HTTP %d %s", code, body)
	}
	if code, _ := h.admin(http.MethodPut, "/admin/arca/knobs", `{}`); code != 200 || h.server.Knobs().Registry != nil {
		t.Error("PUT does not replace")
	}
}

func TestTheAdministrationSaysWhatItCannotRead(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/admin/arca/faults", `{"effect":"explode"}`, 422, "[0].effect"},
		{"POST", "/admin/arca/faults", `{"effect":"reject"}`, 422, "10015"},
		{"POST", "/admin/arca/faults", `{"effect":"slow"}`, 422, "delay"},
		{"POST", "/admin/arca/faults", `{"effect":"error","operation":"loginCms","text":"x"}`, 422, "coe.notAuthorized"},
		{"POST", "/admin/arca/faults", `{"effect":"lose","environment":"homologacion"}`, 422, "environment"},
		{"POST", "/admin/arca/faults", `{"effect":"lose","company":1}`, 400, "unknown field"},
		{"POST", "/admin/arca/faults", `{"effect":"hang","delay":"soon"}`, 400, "soon"},
		{"POST", "/admin/arca/faults", `{"effect":"down","for":5}`, 400, "for"},
		{"POST", "/admin/arca/faults", `[`, 400, ""},
		{"PATCH", "/admin/arca/knobs", `{"profile":"strict"}`, 422, "profile"},
		{"PATCH", "/admin/arca/knobs", `{"registry":{"1":"rich"}}`, 422, "registry"},
		{"PATCH", "/admin/arca/knobs", `{"condition_from":"1 December"}`, 422, "condition_from"},
		{"PATCH", "/admin/arca/knobs", `{"faults":[{"effect":"?"}]}`, 422, "faults"},
		{"PATCH", "/admin/arca/knobs", `{"latency":"-1s"}`, 422, "latency"},
		{"POST", "/admin/arca/faults", `[{"effect":"lose"},{"effect":"reject","code":"x"}]`, 400, "code"},
		{"POST", "/admin/arca/faults", `{"effect":"lose","voucher":-1}`, 422, "negative"},
		{"POST", "/admin/arca/numbers", `{"environment":"testing","cuit":1,"point_of_sale":1,"type":999}`, 422, "type"},
		{"DELETE", "/admin/arca/faults?cuit=x", "", 422, "cuit"},
		{"GET", "/admin/arca/calls?limit=0", "", 422, "limit"},
		{"GET", "/admin/arca/nothing", "", 404, ""},
	} {
		if code, body := h.admin(c.method, c.path, c.body); code != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s %s %s: HTTP %d %s, want %d with %q", c.method, c.path, c.body, code, body, c.status, c.says)
		}
	}
	if len(h.server.Faults()) > 0 {
		t.Error("something of it was taken")
	}
}

func TestOnlyThisMachineAdministers(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		name, peer, host, kind string
		status                 int
	}{
		{"from here", "127.0.0.1:1", "127.0.0.1:9", "application/json", 201},
		{"from here by IPv6", "[::1]:1", "[::1]:9", "application/json; charset=utf-8", 201},
		{"from another host", "192.168.1.7:1", "127.0.0.1:9", "application/json", 403},
		{"by a name that was made to lead here", "127.0.0.1:1", "evil.example:9", "application/json", 403},
		{"by the form of a page", "127.0.0.1:1", "localhost:9", "text/plain", 415},
	} {
		r := httptest.NewRequest(http.MethodPost, "/admin/arca/faults", strings.NewReader(`{"effect":"lose"}`))
		r.RemoteAddr, r.Host = c.peer, c.host
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		h.server.Admin().ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: HTTP %d, want %d", c.name, w.Code, c.status)
		}
	}
}

func TestThePageShowsWhatWasReceived(t *testing.T) {
	h := newHouse(t)
	h.script(`{"effect":"lose","operation":"FECAESolicitar","times":1}`)
	_, _ = h.authorize(1, invoiceA(1, h.day(0)))
	wrong := invoiceA(2, h.day(0))
	wrong.ImpTotal = dec("1")
	h.must(1, wrong)
	code, page := h.admin(http.MethodGet, "/", "")
	for _, want := range []string{"SIN VALOR FISCAL", "FECAESolicitar", "loginCms", "30500010912", "80 20111111112",
		"184.05 PES", "lose", "none", "10048", "1, point of sale 1", "ticket given"} {
		if code != 200 || !strings.Contains(page, want) {
			t.Errorf("HTTP %d, no %q in\n%s", code, want, page)
		}
	}
	var calls []struct {
		desk.Call
		Vouchers []struct{ Verdict string }
	}
	if _, body := h.admin(http.MethodGet, "/admin/arca/calls?cuit=30500010912&limit=2", ""); json.Unmarshal([]byte(body),
		&calls) != nil || len(calls) != 2 {
		t.Fatalf("%s", body)
	}
	lost := calls[1]
	if lost.Status != 0 || lost.Vouchers[0].Verdict[:4] != "A 86" || lost.Faults[0] != "lose" ||
		calls[0].Vouchers[0].Verdict[:2] != "R " {
		t.Errorf("%+v", calls)
	}
	code, page = h.admin(http.MethodGet, fmt.Sprintf("/calls/%d", lost.ID), "")
	if code != 200 || !strings.Contains(page, "&lt;ImpTotal&gt;184.05&lt;/ImpTotal&gt;") ||
		!strings.Contains(page, "&lt;Token&gt;...&lt;/Token&gt;") {
		t.Errorf("HTTP %d %s", code, page)
	}
	if code, _ := h.admin(http.MethodGet, "/calls/999", ""); code != 404 {
		t.Errorf("HTTP %d", code)
	}
}

func TestTheCodeOfAPrintedDocumentIsCompared(t *testing.T) {
	h := newHouse(t)
	v := h.must(1, invoiceA(1, h.day(0)))
	code := func(total string) string {
		doc := `{"ver":1,"fecha":"2026-12-15","cuit":30500010912,"ptoVta":1,"tipoCmp":1,"nroCmp":1,"importe":` + total +
			`,"moneda":"PES","ctz":1,"tipoDocRec":80,"nroDocRec":20111111112,"tipoCodAut":"E","codAut":` + v.CAE + `}`
		return "/fe/qr/?p=" + base64.StdEncoding.EncodeToString([]byte(doc))
	}
	for _, c := range []struct {
		path   string
		status int
		says   string
	}{
		{code("184.05"), 200, "coinciden con el comprobante"},
		{code("184.06"), 200, "no coinciden"},
		{strings.Replace(code("184.05"), "MyJ", "MzJ", 1), 200, ""},
		{"/fe/qr/?p=" + base64.StdEncoding.EncodeToString([]byte(`{"cuit":1}`)), 404, "no fue emitido"},
		{"/fe/qr/?p=***", 400, "base64"},
		{"/fe/qr/?p=" + base64.StdEncoding.EncodeToString([]byte(`{"cuit":"1"}`)), 400, "RG 4892"},
		{"/fe/qr/", 400, "falta"},
	} {
		status, page := h.admin(http.MethodGet, c.path, "")
		if status != c.status && c.says != "" || !strings.Contains(page, c.says) {
			t.Errorf("%s: HTTP %d, want %d with %q\n%s", c.path, status, c.status, c.says, page)
		}
	}
}

func TestARCAsOwnRules(t *testing.T) {
	h := newHouse(t)
	if code, body := h.admin(http.MethodPatch, "/admin/arca/knobs", `{"profile":"arca"}`); code != 200 {
		t.Fatal(body)
	}
	h.must(1, invoiceA(1, h.day(0))) // any point of sale in testing
	login := func(environment string) error {
		_, err := client.WSAA{HTTP: http.DefaultClient,
			URL: client.EndpointsAt(environment, h.http.URL+"/"+environment).WSAA}.Login(t.Context(), h.cred, "wsfe", h.now())
		return err
	}
	for _, c := range []struct {
		environment string
		window      time.Duration
	}{
		{"testing", 10 * time.Minute}, // first: its window began with the session above
		{"production", 2 * time.Minute},
	} {
		_ = login(c.environment)
		h.advance(c.window - time.Second)
		if f := as[*client.LoginFault](t, login(c.environment)); f.Code != "coe.alreadyAuthenticated" {
			t.Error(f)
		}
		h.advance(time.Second)
		if err := login(c.environment); err != nil {
			t.Errorf("%s after its window: %v", c.environment, err)
		}
	}
	h.client = client.New(client.Options{Endpoints: client.EndpointsAt("production", h.http.URL+"/production"),
		HTTP: client.NewHTTPClient(5 * time.Second), Now: h.now})
	h.advance(2 * time.Minute)
	_, err := h.authorize(1, invoiceA(1, h.day(0)))
	if r := as[*client.Refused](t, err); !r.Has(10005) {
		t.Errorf("a point of sale that nobody registered: %v", err)
	}
	if code, body := h.admin(http.MethodPatch, "/admin/arca/knobs",
		`{"points_of_sale":{"30500010912":[1]},"condition_from":"20270101"}`); code != 200 {
		t.Fatal(body)
	}
	v := invoiceA(1, h.day(0))
	v.CondicionIVAReceptorId = nil
	if got := h.must(1, v); got.Decision != client.Accepted || codes(got)[0] != 10245 {
		t.Errorf("before the day from which the condition is compulsory: %+v", got)
	}
	if code, body := h.admin(http.MethodPatch, "/admin/arca/knobs", `{"condition_from":""}`); code != 200 {
		t.Fatal(body)
	}
	v.CbteDesde, v.CbteHasta = 2, 2
	if got := h.must(1, v); got.Decision != client.Rejected || codes(got)[0] != 10246 {
		t.Errorf("after it: %+v", got)
	}
}

func TestTheAdministrationNeverHidesTheProtocol(t *testing.T) {
	h := newHouse(t)
	resp, err := http.Get(h.http.URL + "/testing/wsfev1/service.asmx")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || !strings.Contains(string(body), arca.Ambiente) {
		t.Errorf("HTTP %d %s", resp.StatusCode, body)
	}
}
