package arca_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	client "folio/authority/arca"
	"folio/sandbox/arca"
	"folio/sandbox/desk"
)

// outcomes of a report, one after the other.
func outcomesOf(a client.Authorization) string {
	var out []string
	for _, v := range a.Verdicts {
		out = append(out, strings.TrimSpace(fmt.Sprint(v.Decision, " ", strings.Trim(fmt.Sprint(codes(v)), "[]"))))
	}
	return strings.Join(out, ", ")
}

func (h *house) series(caea string, from, to int64) (out []client.CAEAVoucher) {
	for n := from; n <= to; n++ {
		out = append(out, h.contingent(invoiceA(n, h.day(0)), caea))
	}
	return out
}

func TestWhatIsNotReportedIsUnknown(t *testing.T) {
	h := contingencyHouse(t)
	c := h.code()
	last := func() int64 {
		n, err := h.session().Last(t.Context(), caeaPoint, 1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if last() != 0 {
		t.Errorf("the last number is %d before any report", last())
	}
	a, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 1, 3)...)
	if err != nil || outcomesOf(a) != "accepted, accepted, accepted" || last() != 3 {
		t.Fatalf("%s, %v, last %d", outcomesOf(a), err, last())
	}
	if again, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 1, 3)...); err != nil ||
		outcomesOf(again) != "out of step 703, not processed, not processed" {
		t.Errorf("reported again: %s, %v", outcomesOf(again), err)
	}
	older := h.series(c.Code, 4, 4)
	older[0].CbteFch = h.day(-1)
	if a, err := h.reportAt(caeaPoint, 1, older...); err != nil || outcomesOf(a) != "rejected 704" {
		t.Errorf("an older date: %s, %v", outcomesOf(a), err)
	}
	if _, err := h.authorize(1, invoiceA(1, h.day(0))); err != nil {
		t.Errorf("a CAE at another point of sale: %v", err)
	}
	content := client.Request{PtoVta: caeaPoint, CbteTipo: 1, Vouchers: []client.Voucher{invoiceA(4, h.day(0))}}
	body, err := content.XML()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.session().Authorize(t.Context(), content, body); !as[*client.Refused](t, err).Has(10005) {
		t.Errorf("a CAE at a point of sale of CAEA: %v", err)
	}
}

func TestTheFirstRefusalStopsAReport(t *testing.T) {
	h := contingencyHouse(t)
	c := h.code()
	h.server.AddFaults(arca.Fault{Operation: "FECAEARegInformativo", Effect: arca.Reject, Code: "900", Document: 1,
		Times: 1})
	if a, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 1, 3)...); err != nil ||
		outcomesOf(a) != "accepted, rejected 900, not processed" {
		t.Fatalf("%s, %v", outcomesOf(a), err)
	}
	if a, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 2, 3)...); err != nil ||
		outcomesOf(a) != "accepted, accepted" {
		t.Errorf("once it is put right: %s, %v", outcomesOf(a), err)
	}
	k := h.server.Knobs()
	k.RegXReq = 2
	h.server.SetKnobs(k)
	if _, err := h.reportAt(caeaPoint, 1, h.series(c.Code, 4, 6)...); !as[*client.Refused](t, err).Has(10003) {
		t.Errorf("three of two that it may carry: %v", err)
	}
}

func TestTheHeadOfAReport(t *testing.T) {
	h := contingencyHouse(t)
	c := h.code()
	for _, r := range []struct {
		point, quantity int
		want            string
	}{{0, 1, "1300"}, {99999, 1, "1300"}, {caeaPoint, 2, "10002"}, {caeaPoint, 0, "10001"}, {caeaPoint, 9999, "10001"}} {
		v := h.series(c.Code, 1, 1)[0]
		detail, err := v.XML()
		if err != nil {
			t.Fatal(err)
		}
		_, text := h.ask("wsfev1", namespaceFE, "FECAEARegInformativo", "wsfe",
			fmt.Sprintf("<FeCAEARegInfReq><FeCabReq><CantReg>%d</CantReg><PtoVta>%d</PtoVta><CbteTipo>1</CbteTipo></FeCabReq>"+
				"<FeDetReq>%s</FeDetReq></FeCAEARegInfReq>", r.quantity, r.point, detail))
		if !strings.Contains(text, "<Errors><Err><Code>"+r.want+"</Code>") ||
			!strings.Contains(text, "<Resultado>R</Resultado>") {
			t.Errorf("%+v: %s", r, text)
		}
	}
}

func TestALostReportIsFoundByAsking(t *testing.T) {
	for _, effect := range []desk.Effect{desk.Lose, desk.Truncate} {
		h := contingencyHouse(t)
		c := h.code()
		h.server.AddFaults(arca.Fault{Operation: "FECAEARegInformativo", Effect: effect, Times: 1})
		sent := h.series(c.Code, 1, 2)
		_, err := h.reportAt(caeaPoint, 1, sent...)
		as[*client.Ambiguous](t, err)
		for _, v := range sent {
			found, ok, err := h.session().Find(t.Context(), caeaPoint, 1, v.CbteDesde)
			if err != nil || !ok || found.EmissionType != "CAEA" || found.Code != c.Code || found.Expires != c.To ||
				len(found.Differences(v.Voucher)) > 0 {
				t.Errorf("%s: %+v, %v, %v", effect, found, ok, err)
			}
		}
	}
}

func TestAReportIsTooEarlyOnTheFirstDay(t *testing.T) {
	h := contingencyHouse(t)
	k := h.server.Knobs()
	k.Clock = desk.Duration(24 * time.Hour) // the first day of the second fortnight
	h.server.SetKnobs(k)
	c, err := h.session().AskCAEA(t.Context(), 202612, 2)
	if err != nil {
		t.Fatal(err)
	}
	v := h.contingent(invoiceA(1, "20261216"), c.Code)
	if a, err := h.reportAt(caeaPoint, 1, v); err != nil || outcomesOf(a) != "rejected 1414" {
		t.Errorf("on the first day: %s, %v", outcomesOf(a), err)
	}
	if _, err := h.session().NoMovement(t.Context(), caeaPoint, c.Code); !as[*client.Refused](t, err).Has(1203) {
		t.Errorf("without movement on the first day: %v", err)
	}
	k.Clock = desk.Duration(48 * time.Hour)
	h.server.SetKnobs(k)
	if a, err := h.reportAt(caeaPoint, 1, v); err != nil || outcomesOf(a) != "accepted" {
		t.Errorf("on the second: %s, %v", outcomesOf(a), err)
	}
}

func TestEveryCodeOfNoMovement(t *testing.T) {
	for _, c := range []struct {
		code   int
		name   string
		point  int
		caea   func(*house, string) string
		change func(*arca.Knobs)
		before func(*house, string)
	}{
		{0, "nothing wrong", caeaPoint, nil, nil, nil},
		{1200, "a code that nobody gave", caeaPoint, func(*house, string) string { return "12345678901234" }, nil, nil},
		{1201, "somebody else's", caeaPoint, func(h *house, _ string) string { return h.codeOfAnother() }, nil, nil},
		{1202, "a voucher was reported", caeaPoint, nil, nil, func(h *house, caea string) {
			if a, err := h.reportAt(caeaPoint, 1, h.series(caea, 1, 1)...); err != nil || outcomesOf(a) != "accepted" {
				h.t.Fatalf("%+v, %v", a, err)
			}
		}},
		{1204, "a point of sale of CAE", 1, nil, nil, nil},
		{1205, "a point of sale created later", caeaPoint, nil,
			func(k *arca.Knobs) { k.ContingencyPoints[issuer][0].Created = "20261220" }, nil},
		{1205, "a point of sale closed before", caeaPoint, nil,
			func(k *arca.Knobs) { k.ContingencyPoints[issuer][0].Closed = "20261130" }, nil},
		{1206, "no point of sale", 0, nil, nil, nil},
		{1207, "no code", caeaPoint, func(*house, string) string { return "x" }, nil, nil},
		{1209, "told before", caeaPoint, nil, nil, func(h *house, caea string) {
			if _, err := h.session().NoMovement(h.t.Context(), caeaPoint, caea); err != nil {
				h.t.Fatal(err)
			}
		}},
	} {
		t.Run(fmt.Sprint(c.code, " ", c.name), func(t *testing.T) {
			h := contingencyHouse(t)
			caea := h.code().Code
			if c.before != nil {
				c.before(h, caea)
			}
			if c.caea != nil {
				caea = c.caea(h, caea)
			}
			if c.change != nil {
				k := h.server.Knobs()
				c.change(&k)
				h.server.SetKnobs(k)
			}
			m, err := h.session().NoMovement(t.Context(), c.point, caea)
			if c.code == 0 {
				if err != nil || m.Processed != h.day(0) {
					t.Errorf("%+v, %v", m, err)
				}
				return
			}
			if r := as[*client.Refused](t, err); !r.Has(c.code) || len(r.Errors) != 1 {
				t.Errorf("%v, want %d", r, c.code)
			}
		})
	}
}

func TestWhatWasToldToBeWithoutMovement(t *testing.T) {
	h := contingencyHouse(t)
	caea := h.code().Code
	ask := func(point int) string {
		found, err := h.session().Movements(t.Context(), caea, point)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(len(found))
	}
	if ask(0) != "0" || ask(caeaPoint) != "0" {
		t.Error("nothing was told yet")
	}
	if _, err := h.session().NoMovement(t.Context(), caeaPoint, caea); err != nil {
		t.Fatal(err)
	}
	if ask(0) != "1" || ask(caeaPoint) != "1" || ask(caeaPoint+1) != "0" {
		t.Errorf("%s of all, %s of the point", ask(0), ask(caeaPoint))
	}
	// A voucher that comes after all is taken, with a remark.
	if a, err := h.reportAt(caeaPoint, 1, h.series(caea, 1, 1)...); err != nil || outcomesOf(a) != "accepted 1424" {
		t.Errorf("%s, %v", outcomesOf(a), err)
	}
	if _, err := h.session().Movements(t.Context(), "x", 0); !as[*client.Refused](t, err).Has(10100) {
		t.Error(err)
	}
}

func TestThePointsOfSaleOfBothKinds(t *testing.T) {
	h := contingencyHouse(t, func(k *arca.Knobs) {
		k.PointsOfSale = map[int64][]int{issuer: {1}}
		k.ContingencyPoints[issuer] = append(k.ContingencyPoints[issuer],
			arca.Point{Number: 10, Blocked: true, Closed: "20261101"})
	})
	got, told, err := h.session().Points(t.Context())
	if err != nil || !told || !slices.Equal(got, []client.Point{
		{Nro: 1, Emision: "CAE - Ri Iva", Blocked: "N"},
		{Nro: 9, Emision: "CAEA - Fact. Elect. (RECE) - RI IVA - Contingencias", Blocked: "N"},
		{Nro: 10, Emision: "CAEA - Fact. Elect. (RECE) - RI IVA - Contingencias", Blocked: "S", Closed: "20261101"}}) {
		t.Errorf("%+v, %v, %v", got, told, err)
	}
}

func TestAnotherSystemAtThePointOfSaleOfCAEA(t *testing.T) {
	h := contingencyHouse(t)
	c := h.code()
	if err := h.server.TakeNumbers(t.Context(),
		arca.Series{Environment: arca.Testing, CUIT: issuer, PointOfSale: caeaPoint, Type: 1}, 2); err != nil {
		t.Fatal(err)
	}
	found, ok, err := h.session().Find(t.Context(), caeaPoint, 1, 2)
	if err != nil || !ok || found.EmissionType != "CAEA" || found.Code != c.Code {
		t.Errorf("%+v, %v, %v", found, ok, err)
	}
}
