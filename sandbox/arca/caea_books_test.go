package arca_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"folio/sandbox/arca"
)

func TestTheBooksOfTheCodes(t *testing.T) {
	h := contingencyHouse(t, func(k *arca.Knobs) {
		k.ContingencyPoints[issuer] = append(k.ContingencyPoints[issuer], arca.Point{Number: 10})
	})
	c := h.code()
	if a, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 1, 2)...); err != nil ||
		outcomesOf(a) != "accepted, accepted" {
		t.Fatalf("%s, %v", outcomesOf(a), err)
	}
	if _, err := h.session().NoMovement(t.Context(), 10, c.Code); err != nil {
		t.Fatal(err)
	}
	h.stop()
	h.start() // they are on the disk
	code, body := h.admin(http.MethodGet, fmt.Sprint("/admin/arca/caea?cuit=", issuer), "")
	var books []arca.Book
	if err := json.Unmarshal([]byte(body), &books); err != nil || code != 200 || len(books) != 1 {
		t.Fatalf("HTTP %d %s, %v", code, body, err)
	}
	b := books[0]
	if b.CAEA != c.Code || b.CUIT != issuer || b.ReportUntil != "20261223" || len(b.Reported) != 2 ||
		b.Reported[1] != (arca.BookVoucher{PointOfSale: caeaPoint, Type: 1, Number: 2, Date: "20261215",
			Generated: "20261215120000", Total: "184.05", Processed: "20261215120000"}) ||
		len(b.NoMovement) != 1 || b.NoMovement[0] != (arca.NoMovementOf{PointOfSale: 10, At: "20261215"}) {
		t.Errorf("%+v", b)
	}
	if code, body := h.admin(http.MethodGet, "/admin/arca/caea?cuit=20111111112", ""); code != 200 ||
		strings.TrimSpace(body) != "[]" {
		t.Errorf("of another: HTTP %d %s", code, body)
	}
	if calls := h.server.Calls(); len(calls) > 0 && calls[0].Operation == "" {
		t.Errorf("%+v", calls[0])
	}
}

func TestThePageShowsCallsAboutCodes(t *testing.T) {
	h := contingencyHouse(t)
	c := h.code()
	h.server.AddFaults(arca.Fault{Operation: "FECAEARegInformativo", Effect: arca.Reject, Code: "900", Document: 1,
		Times: 1})
	if _, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 1, 2)...); err != nil {
		t.Fatal(err)
	}
	_, page := h.admin(http.MethodGet, "/", "")
	for _, want := range []string{"FECAEASolicitar", "FECAEARegInformativo", "CAEA 202612, 1", c.Code, "900"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %s", want)
		}
	}
}

func TestTheCalendarIsMovedByItsKnob(t *testing.T) {
	h := contingencyHouse(t)
	if _, err := h.session().AskCAEA(t.Context(), 202701, 1); err == nil {
		t.Fatal("a code seventeen days ahead")
	}
	if code, body := h.admin(http.MethodPatch, "/admin/arca/knobs", `{"clock":"288h"}`); code != 200 {
		t.Fatalf("HTTP %d %s", code, body)
	}
	if c, err := h.session().AskCAEA(t.Context(), 202701, 1); err != nil || c.Processed != "20261227120000" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, wrong := range []string{`{"contingency_points":{"30500010912":[{"number":0}]}}`,
		`{"contingency_points":{"30500010912":[{"number":1,"emission":"CAE"}]}}`,
		`{"contingency_points":{"30500010912":[{"number":1,"created":"2026-01-01"}]}}`} {
		if code, _ := h.admin(http.MethodPatch, "/admin/arca/knobs", wrong); code != http.StatusUnprocessableEntity {
			t.Errorf("%s: HTTP %d", wrong, code)
		}
	}
}

func TestTheCodeOfAPrintedVoucherUnderACAEA(t *testing.T) {
	h := contingencyHouse(t)
	c := h.code()
	address := func(kind string) string {
		return "/fe/qr/?p=" + base64.StdEncoding.EncodeToString([]byte(`{"ver":1,"fecha":"2026-12-15","cuit":30500010912,`+
			`"ptoVta":9,"tipoCmp":1,"nroCmp":1,"importe":184.05,"moneda":"PES","ctz":1,"tipoDocRec":80,`+
			`"nroDocRec":20111111112,"tipoCodAut":"`+kind+`","codAut":`+c.Code+`}`))
	}
	if code, _ := h.admin(http.MethodGet, address("A"), ""); code != http.StatusNotFound {
		t.Errorf("before the report: HTTP %d", code)
	}
	if _, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 1, 1)...); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{"A": "coinciden con", "E": "no coinciden"} {
		if code, page := h.admin(http.MethodGet, address(kind), ""); code != 200 || !strings.Contains(page, want) {
			t.Errorf("%s: HTTP %d %s", kind, code, page)
		}
	}
}
