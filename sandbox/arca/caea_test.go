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

// caeaPoint is the point of sale of CAEA of these tests.
const caeaPoint = 9

// contingencyHouse has one listed point of sale of CAEA.
func contingencyHouse(t *testing.T, change ...func(*arca.Knobs)) *house {
	t.Helper()
	h := newHouse(t)
	k := h.server.Knobs()
	k.ContingencyPoints = map[int64][]arca.Point{issuer: {{Number: caeaPoint, Created: "20261101"}}}
	for _, f := range change {
		f(&k)
	}
	h.server.SetKnobs(k)
	return h
}

// code is that of the first fortnight of December 2026, which noon is in.
func (h *house) code() client.CAEA {
	h.t.Helper()
	c, err := h.session().AskCAEA(h.t.Context(), 202612, 1)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// reportAll reports vouchers of one type at a point of sale.
func (h *house) reportAt(ptoVta, tipo int, vs ...client.CAEAVoucher) (client.Authorization, error) {
	h.t.Helper()
	details := make([][]byte, len(vs))
	for i, v := range vs {
		var err error
		if details[i], err = v.XML(); err != nil {
			h.t.Fatal(err)
		}
	}
	return h.session().Report(h.t.Context(), ptoVta, tipo, vs, details)
}

func (h *house) contingent(v client.Voucher, caea string) client.CAEAVoucher {
	return client.CAEAVoucher{Voucher: v, CAEA: caea, Generated: h.day(0) + "120000"}
}

func TestACodeIsGivenOnceAFortnightFromFiveDaysBeforeItToItsEnd(t *testing.T) {
	for _, c := range []struct {
		name           string
		at             string // day of the request
		periodo, orden int
		want           int // code of a refusal, 0: given
		from, to       string
		until          string
	}{
		{"six days before", "2026-11-25", 202612, 1, 15006, "", "", ""},
		{"five days before", "2026-11-26", 202612, 1, 0, "20261201", "20261215", "20261223"},
		{"its last day", "2026-12-15", 202612, 1, 0, "20261201", "20261215", "20261223"},
		{"the day after", "2026-12-16", 202612, 1, 15006, "", "", ""},
		{"the second one of a short month", "2027-02-11", 202702, 2, 0, "20270216", "20270228", "20270308"},
		{"the second one over the year's end", "2026-12-31", 202612, 2, 0, "20261216", "20261231", "20270108"},
		{"no month", "2026-12-15", 202613, 1, 15004, "", "", ""},
		{"no fortnight", "2026-12-15", 202612, 3, 15005, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := contingencyHouse(t)
			at, err := time.Parse("2006-01-02 15", c.at+" 15")
			if err != nil {
				t.Fatal(err)
			}
			h.server.SetKnobs(func() arca.Knobs {
				k := h.server.Knobs()
				k.Clock = durationUntil(h, at)
				return k
			}())
			got, err := h.session().AskCAEA(t.Context(), c.periodo, c.orden)
			if c.want != 0 {
				if r := as[*client.Refused](t, err); !r.Has(c.want) || len(r.Errors) != 1 {
					t.Errorf("%v, want %d", r, c.want)
				}
				return
			}
			if err != nil || got.From != c.from || got.To != c.to || got.ReportUntil != c.until {
				t.Fatalf("%+v, %v", got, err)
			}
			if _, err := h.session().AskCAEA(t.Context(), c.periodo, c.orden); !as[*client.Refused](t, err).Has(15008) {
				t.Errorf("asked again: %v", err)
			}
			again, ok, err := h.session().ConsultCAEA(t.Context(), c.periodo, c.orden)
			if err != nil || !ok || again.Code != got.Code || again.ReportUntil != got.ReportUntil {
				t.Errorf("consulted: %+v, %v, %v", again, ok, err)
			}
			if _, ok, err := h.session().ConsultCAEA(t.Context(), c.periodo, 3-c.orden); ok || err != nil {
				t.Errorf("the other fortnight: %v, %v", ok, err)
			}
		})
	}
}

func TestWhoGetsNoCode(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*arca.Knobs)
		want   int
	}{
		{"inactive", func(k *arca.Knobs) { k.Registry = map[int64]arca.Taxpayer{issuer: arca.Inactive} }, 15000},
		{"its point of sale is blocked",
			func(k *arca.Knobs) { k.ContingencyPoints[issuer] = []arca.Point{{Number: 9, Blocked: true}} }, 15003},
		{"its point of sale is closed",
			func(k *arca.Knobs) { k.ContingencyPoints[issuer] = []arca.Point{{Number: 9, Closed: "20261130"}} }, 15003},
		{"only points of sale of CAE", func(k *arca.Knobs) {
			k.ContingencyPoints, k.PointsOfSale = nil, map[int64][]int{issuer: {1}}
		}, 15003},
	} {
		h := contingencyHouse(t, c.change)
		if _, err := h.session().AskCAEA(t.Context(), 202612, 1); !as[*client.Refused](t, err).Has(c.want) {
			t.Errorf("%s: %v, want %d", c.name, err, c.want)
		}
	}
	for _, code := range []string{"15009", "15010", "15011", "15012", "15016"} {
		h := contingencyHouse(t)
		h.server.AddFaults(arca.Fault{Operation: "FECAEASolicitar", Effect: arca.Error, Code: code, Times: 1})
		_, err := h.session().AskCAEA(t.Context(), 202612, 1)
		if r := as[*client.Refused](t, err); fmt.Sprint(r.Errors[0].Code) != code ||
			strings.Contains(r.Errors[0].Text, "Codigo") {
			t.Errorf("scripted %s: %v", code, r)
		}
		h.code()
	}
}

func TestADebtIsARemarkAndTheCodeIsGiven(t *testing.T) {
	h := contingencyHouse(t, func(k *arca.Knobs) { k.Debts = map[int64][]string{issuer: {"202610;1;9", "202610;2;9"}} })
	for _, code := range []string{"15015", "15017", "15018"} {
		h.server.AddFaults(arca.Fault{Operation: "FECAEASolicitar", Effect: arca.Observe, Code: code, Times: 1})
	}
	c := h.code()
	var got []int
	for _, m := range c.Observations {
		got = append(got, m.Code)
	}
	if !slices.Equal(got, []int{15014, 15015, 15017, 15018}) || !strings.Contains(c.Observations[0].Text, "202610;2;9") {
		t.Errorf("%+v", c.Observations)
	}
}

func durationUntil(h *house, at time.Time) desk.Duration { return desk.Duration(at.Sub(h.now())) }
