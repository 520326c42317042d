package arca_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	client "folio/authority/arca"
	"folio/sandbox/arca"
	"folio/sandbox/desk"
)

func TestWhatIsAuthorizedSurvivesARestart(t *testing.T) {
	h := newHouse(t)
	first := h.must(1, invoiceA(1, h.day(0)))
	h.stop()
	h.start()
	if h.last(1) != 1 {
		t.Fatalf("last number is %d", h.last(1))
	}
	found, ok, err := h.session().Find(t.Context(), 1, 1, 1)
	if err != nil || !ok || found.Code != first.CAE || found.Expires != first.Expires {
		t.Fatalf("%+v, %v, %v", found, ok, err)
	}
	if d := found.Differences(invoiceA(1, h.day(0))); len(d) > 0 {
		t.Errorf("differs in %v", d)
	}
	other := invoiceA(1, h.day(0))
	other.ImpTotal = dec("184.06")
	if d := found.Differences(other); len(d) != 1 || d[0] != "ImpTotal" {
		t.Errorf("differs in %v", d)
	}
	if _, ok, err := h.session().Find(t.Context(), 1, 1, 2); ok || err != nil {
		t.Errorf("number 2: %v, %v", ok, err)
	}
	if second := h.must(1, invoiceA(2, h.day(0))); second.CAE == first.CAE || second.Decision != client.Accepted {
		t.Errorf("%+v", second)
	}
}

func TestALostAnswerIsFoundByAsking(t *testing.T) {
	for _, effect := range []desk.Effect{desk.Lose, desk.Truncate, desk.Stall} {
		t.Run(string(effect), func(t *testing.T) {
			h := newHouse(t)
			h.server.AddFaults(arca.Fault{Company: fmt.Sprint(issuer), Operation: "FECAESolicitar", Effect: effect, Times: 1,
				Delay: desk.Duration(time.Millisecond)})
			_, err := h.authorize(1, invoiceA(1, h.day(0)))
			as[*client.Ambiguous](t, err)
			found, ok, err := h.session().Find(t.Context(), 1, 1, 1)
			if err != nil || !ok || len(found.Differences(invoiceA(1, h.day(0)))) > 0 {
				t.Fatalf("%+v, %v, %v", found, ok, err)
			}
			if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.OutOfStep {
				t.Errorf("sent again: %+v", v)
			}
		})
	}
}

func TestFaultsBeforeProcessingChangeNothing(t *testing.T) {
	for _, c := range []struct {
		fault    arca.Fault
		definite bool
	}{
		{arca.Fault{Effect: desk.Down}, false},
		{arca.Fault{Effect: desk.HTTP500}, false},
		{arca.Fault{Effect: desk.HTML}, false},
		{arca.Fault{Effect: desk.Reset}, false},
		{arca.Fault{Effect: desk.Hang, Delay: desk.Duration(time.Millisecond)}, false},
		{arca.Fault{Effect: arca.Error, Code: "501"}, false},
		{arca.Fault{Effect: arca.Error, Code: "502"}, false},
		{arca.Fault{Effect: arca.Error, Code: "10000", Text: "no"}, true},
	} {
		t.Run(fmt.Sprint(c.fault.Effect, c.fault.Code), func(t *testing.T) {
			h := newHouse(t)
			c.fault.Operation, c.fault.Times = "FECAESolicitar", 1
			h.server.AddFaults(c.fault)
			_, err := h.authorize(1, invoiceA(1, h.day(0)))
			var ambiguous *client.Ambiguous
			if errors.As(err, &ambiguous) == c.definite {
				t.Errorf("%T %v", err, err)
			}
			if h.last(1) != 0 {
				t.Error("something was authorized")
			}
			if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.Accepted {
				t.Errorf("afterwards: %+v", v)
			}
		})
	}
}

func TestVouchersCanBeRefusedOrRemarkedAtWill(t *testing.T) {
	h := newHouse(t)
	h.server.AddFaults(arca.Fault{Operation: "FECAESolicitar", Effect: arca.Observe, Code: "10217", Times: 1})
	if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.Accepted || codes(v)[0] != 10217 {
		t.Errorf("%+v", v)
	}
	h.server.AddFaults(arca.Fault{Operation: "FECAESolicitar", Effect: arca.Reject, Code: "10195", Document: 1, Times: 1})
	a, err := h.authorize(1, invoiceA(2, h.day(0)), invoiceA(3, h.day(0)))
	if err != nil || a.Verdicts[0].Decision != client.Accepted || codes(a.Verdicts[1])[0] != 10195 {
		t.Errorf("%+v, %v", a, err)
	}
	h.server.AddFaults(arca.Fault{Effect: desk.Down, Until: h.now().Add(time.Minute)})
	if _, err := h.authorize(1, invoiceA(3, h.day(0))); err == nil {
		t.Error("answered while down")
	}
	h.advance(time.Minute)
	if v := h.must(1, invoiceA(3, h.day(0))); v.Decision != client.Accepted {
		t.Errorf("%+v", v)
	}
}

func TestNumbersOfAnotherSystemAreThere(t *testing.T) {
	h := newHouse(t)
	if err := h.server.TakeNumbers(t.Context(),
		arca.Series{Environment: arca.Testing, CUIT: issuer, PointOfSale: 1, Type: 1}, 2); err != nil {
		t.Fatal(err)
	}
	if v := h.must(1, invoiceA(1, h.day(0))); v.Decision != client.OutOfStep || h.last(1) != 2 {
		t.Errorf("%+v, last %d", v, h.last(1))
	}
	found, ok, err := h.session().Find(t.Context(), 1, 1, 1)
	if err != nil || !ok || len(found.Differences(invoiceA(1, h.day(0)))) == 0 {
		t.Errorf("%+v %v %v", found, ok, err)
	}
}

// A note of another system under our number credits another invoice, or tells another
// condition or other optionals: it is not ours, and says in what.
func TestAForeignNoteIsNotOurs(t *testing.T) {
	h := newHouse(t)
	for n := range int64(2) {
		h.must(1, invoiceA(n+1, h.day(0)))
	}
	note := func(original int64) client.Voucher {
		v := invoiceA(1, h.day(0))
		v.CbtesAsoc = []client.CbteAsoc{{Tipo: 1, PtoVta: 1, Nro: original, Cuit: fmt.Sprint(issuer), CbteFch: h.day(0)}}
		return v
	}
	if v := h.must(3, note(1)); v.Decision != client.Accepted {
		t.Fatalf("%+v", v)
	}
	held, ok, err := h.session().Find(t.Context(), 1, 3, 1)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	condition, optional := note(1), note(1)
	condition.CondicionIVAReceptorId = ptr(6)
	optional.Opcionales = []client.Opcional{{Id: "5", Valor: "02"}}
	for want, ours := range map[string]client.Voucher{"": note(1), "CbtesAsoc": note(2),
		"CondicionIVAReceptorId": condition, "Opcionales": optional} {
		if d := strings.Join(held.Differences(ours), " "); d != want {
			t.Errorf("differs in %q, want %q", d, want)
		}
	}
}

func TestEnvironmentsShareNothing(t *testing.T) {
	h := newHouse(t)
	h.must(1, invoiceA(1, h.day(0)))
	production := client.New(client.Options{Endpoints: client.EndpointsAt("production", h.http.URL+"/production"),
		Now: h.now})
	n, err := production.Session(h.cred, issuer, nil).Last(t.Context(), 1, 1)
	if err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	ticket, err := client.WSAA{HTTP: http.DefaultClient, URL: h.endpoints().WSAA}.Login(t.Context(), h.cred, "wsfe",
		h.now())
	if err != nil {
		t.Fatal(err)
	}
	body := envelope(`<FECompTotXRequest xmlns="http://ar.gov.afip.dif.FEV1/"><Auth><Token>` + ticket.Token +
		`</Token><Sign>` + ticket.Sign + `</Sign><Cuit>30500010912</Cuit></Auth></FECompTotXRequest>`)
	if _, answer := post(t, h.http.URL+"/production/wsfev1/service.asmx", body, nil); !strings.Contains(answer,
		"Error al verificar hash") {
		t.Errorf("a ticket for testing in production: %s", answer)
	}
}

func TestParallelSeriesKeepTheirNumbers(t *testing.T) {
	h := newHouse(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	caes := map[string]bool{}
	for point := 1; point <= 4; point++ {
		all.Go(func() {
			for n := int64(1); n <= 5; n++ {
				r := client.Request{PtoVta: point, CbteTipo: 1, Vouchers: []client.Voucher{invoiceA(n, h.day(0))}}
				content, _ := r.XML()
				a, err := h.session().Authorize(context.Background(), r, content)
				if err != nil || a.Verdicts[0].Decision != client.Accepted {
					t.Errorf("%+v, %v", a, err)
					return
				}
				mu.Lock()
				caes[a.Verdicts[0].CAE] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(caes) != 20 {
		t.Errorf("%d distinct CAEs, want 20", len(caes))
	}
}

func TestOnlyOneOfManyGetsANumber(t *testing.T) {
	h := newHouse(t)
	if err := h.login(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	outcomes := make([]client.Decision, 8)
	for i := range outcomes {
		all.Go(func() { outcomes[i] = h.must(1, invoiceA(1, h.day(0))).Decision })
	}
	all.Wait()
	accepted := 0
	for _, o := range outcomes {
		if o == client.Accepted {
			accepted++
		} else if o != client.OutOfStep {
			t.Errorf("outcome %q", o)
		}
	}
	if accepted != 1 {
		t.Errorf("%d accepted", accepted)
	}
}
