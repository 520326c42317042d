package arca_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	client "folio/authority/arca"
)

// marked is an invoice of class B with a mark in its commercial reference.
func marked(h *house, number int64, mark string) client.Voucher {
	v := invoiceB(number, h.day(0), "100")
	v.Opcionales = []client.Opcional{{Id: "23", Valor: mark}}
	return v
}

func TestMarksOfTheCommercialReference(t *testing.T) {
	for _, c := range []struct {
		mark   string
		first  client.Decision // empty: an error
		codes  []int
		second client.Decision // of the same document sent again, under the next number
		last   int64           // once both are over
	}{
		{"SANDBOX:reject=10195", client.Rejected, []int{10195}, client.Rejected, 0},
		{"SANDBOX:observe=10217", client.Accepted, []int{10217}, client.Accepted, 2},
		{"SANDBOX:lose", "", nil, "", 2}, // each was accepted, so the next one like it is lost too
		{"SANDBOX:500", "", nil, client.Accepted, 1},
		{"SANDBOX:explode", client.Rejected, []int{10055}, client.Rejected, 0},
		{"SANDBOX:timeout=1ms", "", nil, client.Accepted, 1},
		{"SANDBOX:http500", "", nil, client.Accepted, 1},
		{"SANDBOX:html", "", nil, client.Accepted, 1},
		{"SANDBOX:reset", "", nil, client.Accepted, 1},
		{"SANDBOX:hang=1ms", "", nil, client.Accepted, 1},
		{"SANDBOX:slow=1ms", client.Accepted, nil, client.Accepted, 2},
		{"SANDBOX:error=501", "", nil, client.Accepted, 1},
		{"SANDBOX:take_number", client.OutOfStep, []int{10016}, client.Accepted, 2},
		{"orden 17 SANDBOX:slow=1ms,observe=10063 y mas", client.Accepted, []int{10063}, client.Accepted, 2},
		{"SANDBOX:slow=tomorrow", client.Rejected, []int{10055}, client.Rejected, 0},
		{"sin marca", client.Accepted, nil, client.Accepted, 2},
	} {
		t.Run(c.mark, func(t *testing.T) {
			h := newHouse(t)
			for i, want := range []client.Decision{c.first, c.second} {
				a, err := h.authorize(6, marked(h, h.last(6)+1, c.mark))
				switch {
				case want == "" && err == nil:
					t.Errorf("try %d: %+v, want an error", i, a)
				case want != "" && (err != nil || a.Verdicts[0].Decision != want):
					t.Errorf("try %d: %+v, %v, want %s", i, a, err, want)
				case want != "" && i == 0 && !slices.Equal(codes(a.Verdicts[0]), c.codes):
					t.Errorf("%+v, want %v", a.Verdicts[0], c.codes)
				}
			}
			if got := h.last(6); got != c.last {
				t.Errorf("last number %d, want %d", got, c.last)
			}
		})
	}
}

func TestAMarkTakesTheAuthorityAwayFromOneCompany(t *testing.T) {
	h := newHouse(t)
	if _, err := h.authorize(6, marked(h, 1, "SANDBOX:down=20s")); err == nil {
		t.Fatal("answered while down")
	}
	if _, err := h.session().Last(t.Context(), 1, 6); err == nil {
		t.Error("it is down for everything that the company asks")
	}
	h.advance(20 * time.Second)
	if v := h.must(6, marked(h, 1, "SANDBOX:down=20s")); v.Decision != client.Accepted {
		t.Errorf("%+v", v)
	}
}

func TestMarksOfRecipients(t *testing.T) {
	h := newHouse(t)
	cuit := invoiceA(1, h.day(0))
	cuit.DocNro = 30999900018
	if v := h.must(1, cuit); v.Decision != client.Rejected || codes(v)[0] != 10015 {
		t.Errorf("%+v", v)
	}
	dni := invoiceB(1, h.day(0), "100")
	dni.DocTipo, dni.DocNro = 96, 99990002
	if v := h.must(6, dni); v.Decision != client.Accepted || codes(v)[0] != 10063 {
		t.Errorf("%+v", v)
	}
	dni.DocNro, dni.CbteDesde, dni.CbteHasta = 99990003, 2, 2
	_, err := h.authorize(6, dni)
	as[*client.Ambiguous](t, err)
	if h.last(6) != 2 {
		t.Error("the answer was lost before it was given")
	}
	passport := invoiceB(3, h.day(0), "100")
	passport.DocTipo, passport.DocNro = 94, 99990001
	if v := h.must(6, passport); v.Decision != client.Accepted || len(v.Messages) > 0 {
		t.Errorf("only CUIT, CUIL, CDI and DNI are marks: %+v", v)
	}
}

func TestAMarkInTheMiddleOfABatchConcernsItsDocument(t *testing.T) {
	h := newHouse(t)
	a, err := h.authorize(6, marked(h, 1, "1"), marked(h, 2, "SANDBOX:reject=10195"), marked(h, 3, "3"))
	if err != nil {
		t.Fatal(err)
	}
	got := []client.Decision{a.Verdicts[0].Decision, a.Verdicts[1].Decision, a.Verdicts[2].Decision}
	if want := []client.Decision{client.Accepted, client.Rejected, client.NotProcessed}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestMarksOfOneBatchHappenOneAfterTheOther(t *testing.T) {
	h := newHouse(t)
	batch := []client.Voucher{marked(h, 1, "SANDBOX:lose"), marked(h, 2, "SANDBOX:html"), marked(h, 3, "SANDBOX:reset"),
		marked(h, 4, "4")}
	for try, kept := range []int64{0, 0, 4} { // a page, a cut line, a lost answer
		if a, err := h.authorize(6, batch...); err == nil {
			t.Errorf("try %d: %+v, want an error", try+1, a)
		}
		if got := h.last(6); got != kept {
			t.Errorf("try %d: the last number is %d, want %d", try+1, got, kept)
		}
	}
}

func TestLoginsTakeFaultsToo(t *testing.T) {
	h := newHouse(t)
	h.script(`{"effect":"error","operation":"loginCms","text":"coe.notAuthorized","cuit":30500010912,"times":1}`)
	err := h.login()
	if f := as[*client.LoginFault](t, err); f.Code != "coe.notAuthorized" || !f.CertificateAtFault() {
		t.Error(err)
	}
	h.advance(time.Minute)
	if err := h.login(); err != nil {
		t.Error(err)
	}
	h = newHouse(t)
	h.script(`{"effect":"error","operation":"loginCms","text":"wsn.unavailable","cuit":33693450239}`)
	if err := h.login(); err != nil {
		t.Errorf("another company's fault: %v", err)
	}
	h.script(`{"effect":"down","operation":"loginCms","times":1}`)
	h.advance(13 * time.Hour)
	var away *client.Ambiguous
	if err := h.login(); !errors.As(err, &away) {
		t.Errorf("%v", err)
	}
	for _, c := range h.server.Calls() {
		if c.Operation == "loginCms" && (c.Request != "" || c.Answer != "") {
			t.Errorf("a login is remembered: %+v", c)
		}
	}
}
