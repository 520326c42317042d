package dgi

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/sandbox/desk"
)

// admin calls the administration as a browser or curl on this machine does.
func (h *house) admin(method, path, body string) (int, string) {
	h.t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:1"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.server.Admin().ServeHTTP(w, r)
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return w.Code, string(text)
}

func (h *house) script(text string) {
	h.t.Helper()
	if status, answer := h.admin(http.MethodPost, "/admin/dgi/faults", text); status != http.StatusCreated {
		h.t.Fatalf("%d %s", status, answer)
	}
}

func TestScriptedFaults(t *testing.T) {
	for _, c := range []struct{ fault, first, second string }{
		{`"effect":"lose"`, "nothing", "108"},
		{`"effect":"stall","delay":"1ms"`, "nothing", "108"},
		{`"effect":"truncate"`, "nothing", "108"},
		{`"effect":"reset"`, "nothing", "AS"},
		{`"effect":"hang","delay":"1ms"`, "nothing", "AS"},
		{`"effect":"slow","delay":"1ms"`, "AS", "108"},
		{`"effect":"http500"`, "500", "AS"},
		{`"effect":"html"`, "html", "AS"},
		{`"effect":"down"`, "503", "AS"},
		{`"effect":"soap_fault","text":"sin servicio"`, "fault", "AS"},
		{`"effect":"error","code":"99"`, "99", "AS"},
		{`"effect":"cover","code":"S07"`, "BS S07", "AS"},
		{`"effect":"lose","rut":"219999830019"`, "AS", "108"},
		{`"effect":"lose","environment":"production"`, "AS", "108"},
		{`"effect":"lose","until":"2026-11-27T14:59:59Z"`, "AS", "108"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			h := newHouse(t)
			h.script(`{` + c.fault + `,"operation":"` + recepcionSobre + `","times":1}`)
			body := h.message("WS_eFactura", recepcionSobre, h.envelope(1, h.invoice(111, 1)))
			for i, want := range []string{c.first, c.second} {
				status, text := h.post(Testing, "WS_eFactura", recepcionSobre, body)
				got := fmt.Sprint(status)
				switch {
				case text == "":
					got = "nothing"
				case strings.Contains(text, "<html>"):
					got = "html"
				case strings.Contains(text, "sin servicio"):
					got = "fault"
				case status == 200:
					a := h.inside(text)
					got = strings.TrimSpace(said(a, "//Estado") + " " + said(a, "//Motivo") + said(a, "//codigo"))
				}
				if got != want {
					t.Errorf("call %d: %s, want %s", i, got, want)
				}
			}
			if left := h.server.Faults(); len(left) > 0 && !strings.Contains(c.fault, "rut") &&
				!strings.Contains(c.fault, "environment") {
				t.Errorf("left: %+v", left)
			}
		})
	}
}

func TestFaultsOfVerdicts(t *testing.T) {
	h := newHouse(t)
	h.script(`[{"effect":"reject","code":"E06","document":1,"times":1},{"effect":"partial","operation":"EFACRECEPCIONSOBRE","times":1}]`)
	_, receiver, token := h.send(1, h.invoice(111, 1), h.invoice(111, 2), h.invoice(111, 3))
	for i, want := range [][]string{{"AE"}, {"BE E06", "AE"}, {"AE", "BE E06", "AE"}} {
		if got := h.verdicts(receiver, token); !slices.Equal(got, want) {
			t.Errorf("message %d: %v, want %v", i, got, want)
		}
	}
	h.script(`{"effect":"stick","times":1}`)
	_, receiver, token = h.send(2, h.invoice(111, 4))
	h.now.Add(86400)
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"13"}) {
		t.Errorf("one that is never decided: %v", got)
	}
	defer func() {
		if status, _ := h.admin(http.MethodDelete, "/admin/dgi/stuck?rut="+company, ""); status != http.StatusNoContent {
			t.Error(status)
		}
		if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"AE"}) {
			t.Errorf("once it was let go: %v", got)
		}
	}()
	h.script(`{"effect":"error","code":"105","operation":"EFACCONSULTARESTADOENVIO","times":1}`)
	if got := h.verdicts(receiver, token); !slices.Equal(got, []string{"105"}) {
		t.Error(got)
	}
}

func TestMarksInADocument(t *testing.T) {
	for _, c := range []struct{ mark, first, second string }{
		{"SANDBOX:reject=E06", "BE E06", "108"},
		{"SANDBOX:cover=S04", "BS S04", "BS S04"},
		{"gracias SANDBOX:lose y mas", "", "108"},
		{"SANDBOX:timeout=1ms,lose", "", "AE"}, // both happen to the first attempt
		{"SANDBOX:http500", "", "AE"},
		{"SANDBOX:error=99", "99", "AE"},
		{"SANDBOX:stick", "13", "108"},
		{"SANDBOX:explode", "BE E14", "108"},
		{"SANDBOX:slow=never", "BE E14", "108"},
	} {
		t.Run(c.mark, func(t *testing.T) {
			h := newHouse(t)
			text := h.invoice(111, 1, "</FmaPago>", "</FmaPago><InfoAdicionalDoc>"+c.mark+"</InfoAdicionalDoc>")
			body := h.message("WS_eFactura", recepcionSobre, h.envelope(1, text))
			for i, want := range []string{c.first, c.second} {
				got := ""
				if status, text := h.post(Testing, "WS_eFactura", recepcionSobre, body); status == 200 && text != "" {
					a := h.inside(text)
					if got = strings.TrimSpace(said(a, "//Estado") + " " + said(a, "//Motivo") + said(a, "//codigo")); got == "AS" {
						got = strings.Join(h.verdicts(said(a, "//IDReceptor"), said(a, "//Token")), ",")
					}
				}
				if got != want {
					t.Errorf("attempt %d: %q, want %q", i, got, want)
				}
			}
		})
	}
}

func TestMarksOfRecipients(t *testing.T) {
	h := newHouse(t)
	if got := h.verdict(1, h.invoice(111, 1, buyer, "219900010014")); got != "BE E05" {
		t.Errorf("%s: %+v", got, h.server.Calls()[0])
	}
	person := "<Receptor><TipoDocRecep>3</TipoDocRecep><CodPaisRecep>UY</CodPaisRecep><DocRecep>99900021</DocRecep></Receptor><Totales>"
	if got := h.verdict(2, h.invoice(101, 2, "<Totales>", person)); got != "BS S04" {
		t.Errorf("%s: %+v", got, h.server.Calls()[0])
	}
}

func TestAMarkTakesDGIAwayFromOneCompany(t *testing.T) {
	h := newHouse(t)
	text := h.invoice(111, 1, "Yerba", "SANDBOX:down=20s")
	body := h.message("WS_eFactura", recepcionSobre, h.envelope(1, text))
	if status, _ := h.post(Testing, "WS_eFactura", recepcionSobre, body); status != 503 {
		t.Fatal(status)
	}
	ask := h.message("WS_eFactura", consultarEstadoEnvio, "x")
	if status, _ := h.post(Testing, "WS_eFactura", consultarEstadoEnvio, ask); status != 503 {
		t.Errorf("it is down for everything that the company asks: %d", status)
	}
	h.now.Add(20)
	if got := h.verdict(1, text); got != "AE" {
		t.Error(got)
	}
}

func TestTheAdministrationShowsWhatHappened(t *testing.T) {
	h := newHouse(t)
	h.verdict(1, h.invoice(111, 1))
	h.verdict(2, h.invoice(111, 2, "<MntPagar>245.22", "<MntPagar>1.00"))
	h.script(`{"effect":"lose","rut":"217111220014"}`)
	status, page := h.admin(http.MethodGet, "/admin/dgi/", "")
	for _, want := range []string{"Sandbox of DGI", "SIN VALOR FISCAL", "111 A 2", "BE E05", "lose", recepcionSobre,
		"/admin/dgi/calls/"} {
		if status != 200 || !strings.Contains(page, want) {
			t.Errorf("%d: the page lacks %q", status, want)
		}
	}
	var calls []desk.Call
	_, text := h.admin(http.MethodGet, "/admin/dgi/calls?rut="+company+"&limit=3", "")
	if err := json.Unmarshal([]byte(text), &calls); err != nil || len(calls) != 3 ||
		calls[0].Operation != consultarEstadoEnvio {
		t.Fatalf("%v %.300s", err, text)
	}
	token := said(h.inside(h.server.Calls()[1].Answer), "//Token")
	_, call := h.admin(http.MethodGet, fmt.Sprintf("/admin/dgi/calls/%d", calls[1].ID), "")
	if !strings.Contains(call, "EnvioCFE") ||
		strings.Contains(call, base64.StdEncoding.EncodeToString(h.certificate.Raw)[:300]) || token != "..." {
		t.Errorf("the call shows a secret, or nothing: %.600s", call)
	}
	var docs []Document
	_, text = h.admin(http.MethodGet, "/admin/dgi/documents?rut="+company, "")
	if err := json.Unmarshal([]byte(text), &docs); err != nil || len(docs) != 2 || docs[0].Number != 2 ||
		docs[0].State != rejected {
		t.Errorf("%v %s", err, text)
	}
	if _, text = h.admin(http.MethodGet, "/admin/dgi/reports", ""); strings.TrimSpace(text) != "[]" {
		t.Error(text)
	}
}

func TestTheAdministrationIsStrict(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/admin/dgi/faults", `{"effect":"explode"}`, 422},
		{"POST", "/admin/dgi/faults", `{"effect":"lose","timse":1}`, 400},
		{"POST", "/admin/dgi/faults", `{"effect":"lose","times":-1}`, 422},
		{"POST", "/admin/dgi/faults", `nonsense`, 400},
		{"PATCH", "/admin/dgi/knobs", `{"verdict_after":"3s"}`, 200},
		{"PATCH", "/admin/dgi/knobs", `{"verdict_after":"-3s"}`, 422},
		{"PATCH", "/admin/dgi/knobs", `{"verdict":"3s"}`, 422},
		{"GET", "/admin/dgi/calls?limit=0", "", 422},
		{"GET", "/admin/dgi/calls/9", "", 404},
		{"DELETE", "/admin/dgi/faults", "", 204},
	} {
		if status, text := h.admin(c.method, c.path, c.body); status != c.want {
			t.Errorf("%s %s %s: %d %s, want %d", c.method, c.path, c.body, status, text, c.want)
		}
	}
	if got := h.server.Knobs().VerdictAfter; time.Duration(got) != 3*time.Second {
		t.Errorf("verdict_after is %v", got)
	}
	r := httptest.NewRequest(http.MethodGet, "http://evil.example/admin/dgi/knobs", nil)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	if h.server.Admin().ServeHTTP(w, r); w.Code != http.StatusForbidden {
		t.Errorf("by another name: %d", w.Code)
	}
}
