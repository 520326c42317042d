package arca_test

import (
	"slices"
	"strings"
	"testing"

	client "folio/authority/arca"
)

func TestTheManualsExampleIsAuthorizedAndResendingItIsNot(t *testing.T) {
	h := newHouse(t)
	v := h.must(1, invoiceA(1, h.day(0)))
	if v.Decision != client.Accepted || len(v.Messages) > 0 {
		t.Fatalf("%+v", v)
	}
	if len(v.CAE) != 14 || !strings.HasPrefix(v.CAE, "8650") {
		t.Errorf("CAE %s", v.CAE)
	}
	if v.Expires != "20261225" {
		t.Errorf("expires %s, want ten days after its date", v.Expires)
	}
	again, err := h.authorize(1, invoiceA(1, h.day(0)))
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Verdicts[0]; got.Decision != client.OutOfStep || !slices.Equal(codes(got), []int{10016}) ||
		len(again.Errors) != 1 {
		t.Errorf("resent: %+v", again)
	}
	if h.last(1) != 1 {
		t.Error("the number moved")
	}
}

// vector is one voucher, refused with codes or accepted (with remarks).
type vector struct {
	name   string
	tipo   int
	change func(h *house, v *client.Voucher)
	codes  []int
	ok     bool
}

var vectors = []vector{
	{"goods dated six days back leave the window", 1, func(h *house, v *client.Voucher) { v.CbteFch = h.day(-6) },
		[]int{10016}, false},
	{"goods dated five days back are within it", 1, func(h *house, v *client.Voucher) { v.CbteFch = h.day(-5) }, nil,
		true},
	{"services dated ten days back are within theirs", 1,
		func(h *house, v *client.Voucher) { services(h, v); v.CbteFch = h.day(-10) }, nil, true},
	{"services dated eleven days back leave it", 1,
		func(h *house, v *client.Voucher) { services(h, v); v.CbteFch = h.day(-11) }, []int{10016}, false},
	{"services without their dates", 1, func(_ *house, v *client.Voucher) { v.Concepto = 2 }, []int{10049}, false},
	{"goods with one of the service dates need all", 1, func(h *house, v *client.Voucher) { v.FchVtoPago = h.day(1) },
		[]int{10031, 10033}, false},
	{"payment due before the date", 1, func(h *house, v *client.Voucher) { services(h, v); v.FchVtoPago = h.day(-1) },
		[]int{10036}, false},
	{"class A for somebody without CUIT", 1, func(_ *house, v *client.Voucher) { v.DocTipo, v.DocNro = 96, 12345678 },
		[]int{10013}, false},
	{"a number that is no CUIT", 1, func(_ *house, v *client.Voucher) { v.DocNro = 20111111113 }, []int{10284}, false},
	{"an invoice to oneself", 1, func(_ *house, v *client.Voucher) { v.DocNro = issuer }, []int{10069}, false},
	{"no condition of the recipient", 1, func(_ *house, v *client.Voucher) { v.CondicionIVAReceptorId = nil },
		[]int{10246}, false},
	{"final consumer in class A", 1, func(_ *house, v *client.Voucher) { v.CondicionIVAReceptorId = ptr(5) }, []int{10243},
		false},
	{"a condition that does not exist", 1, func(_ *house, v *client.Voucher) { v.CondicionIVAReceptorId = ptr(77) },
		[]int{10242}, false},
	{"class A to a monotributista is authorized with the remark", 1,
		func(_ *house, v *client.Voucher) { v.CondicionIVAReceptorId = ptr(6) }, []int{10217}, true},
	{"total off by two cents", 1, func(_ *house, v *client.Voucher) { v.ImpTotal = dec("184.07") }, []int{10048}, false},
	{"total off by one cent", 1, func(_ *house, v *client.Voucher) { v.ImpTotal = dec("184.06") }, nil, true},
	{"IVA off by 0.07 on 260.40", 1, func(_ *house, v *client.Voucher) { vat(v, "260.33") }, []int{10051}, false},
	{"IVA off by 0.01 on 260.40", 1, func(_ *house, v *client.Voucher) { vat(v, "260.39") }, nil, true},
	{"the same rate twice", 1, func(_ *house, v *client.Voucher) {
		v.Iva[1].Id = 5
		v.Iva[1].Importe = dec("10.5")
		v.ImpIVA = dec("31.5")
		v.ImpTotal = dec("189.30")
	}, []int{10022}, false},
	{"tributos without their amount", 1, func(_ *house, v *client.Voucher) {
		v.ImpTrib = dec("0")
		v.ImpTotal = dec("176.25")
	}, []int{10024}, false},
	{"three decimals", 1, func(_ *house, v *client.Voucher) { v.ImpTotal = dec("184.055") }, []int{10056}, false},
	{"a currency that does not exist", 1, func(_ *house, v *client.Voucher) { v.MonId = "USD" }, []int{10037}, false},
	{"pesos at another rate than one", 1, func(_ *house, v *client.Voucher) { v.MonCotiz = ptr(dec("2")) }, []int{10039},
		false},
	{"dollars at the inverse rate", 1, func(_ *house, v *client.Voucher) {
		v.MonId, v.MonCotiz = "DOL", ptr(dec("0.000689"))
	}, []int{10119}, false},
	{"dollars near the official rate", 1, func(_ *house, v *client.Voucher) {
		v.MonId, v.MonCotiz = "DOL", ptr(dec("1431.5"))
	}, nil, true},
	{"dollars that are paid in dollars at a cent more than ARCA's rate", 1, func(_ *house, v *client.Voucher) {
		v.MonId, v.MonCotiz, v.CanMisMonExt = "DOL", ptr(dec("1450.01")), "S"
	}, []int{10240}, false},
	{"dollars that are paid in dollars without a rate", 1, func(_ *house, v *client.Voucher) {
		v.MonId, v.MonCotiz, v.CanMisMonExt = "DOL", nil, "S"
	}, nil, true},
	{"an invoice with a period", 1, func(_ *house, v *client.Voucher) {
		v.PeriodoAsoc = &client.PeriodoAsoc{FchDesde: "20261101", FchHasta: "20261130"}
	}, []int{10198}, false},
	{"a note that corrects nothing", 3, func(*house, *client.Voucher) {}, []int{10197}, false},
	{"a note on a period", 3, func(_ *house, v *client.Voucher) {
		v.PeriodoAsoc = &client.PeriodoAsoc{FchDesde: "20261101", FchHasta: "20261130"}
	}, nil, true},
	{"a note on a kind it may not correct", 3,
		func(_ *house, v *client.Voucher) { v.CbtesAsoc = []client.CbteAsoc{{Tipo: 6, PtoVta: 1, Nro: 1}} }, []int{10040},
		false},
	{"a note on a voucher that is not there gets a remark", 3,
		func(_ *house, v *client.Voucher) { v.CbtesAsoc = []client.CbteAsoc{{Tipo: 1, PtoVta: 1, Nro: 999}} }, []int{10041},
		true},
	{"a consumer without document below the threshold", 6,
		func(_ *house, v *client.Voucher) { *v = invoiceB(1, v.CbteFch, "9999999.99") }, nil, true},
	{"a consumer without document at the threshold", 6,
		func(_ *house, v *client.Voucher) { *v = invoiceB(1, v.CbteFch, "10000000.00") }, []int{10015}, false},
	{"class C with IVA", 11, func(_ *house, v *client.Voucher) {
		*v = invoiceC(1, v.CbteFch)
		v.Iva = []client.AlicIva{{Id: 5, BaseImp: dec("100"), Importe: dec("21")}}
	}, []int{10071}, false},
	{"class C", 11, func(_ *house, v *client.Voucher) { *v = invoiceC(1, v.CbteFch) }, nil, true},
	{"number zero", 1, func(_ *house, v *client.Voucher) { v.CbteDesde, v.CbteHasta = 0, 0 }, []int{10008}, false},
	{"a range in class A", 1, func(_ *house, v *client.Voucher) { v.CbteHasta = 3 }, []int{10012}, false},
	{"everything wrong at once is all told", 1, func(_ *house, v *client.Voucher) {
		v.CondicionIVAReceptorId = nil
		v.MonId = "XXX"
		v.ImpTotal = dec("1")
	}, []int{10246, 10037, 10048}, false},
}

func services(h *house, v *client.Voucher) {
	v.Concepto, v.FchServDesde, v.FchServHasta, v.FchVtoPago = 2, h.day(-30), h.day(-1), h.day(10)
}

// vat makes it one rate of 21 % on 1240.00.
func vat(v *client.Voucher, tax string) {
	v.Iva = []client.AlicIva{{Id: 5, BaseImp: dec("1240.00"), Importe: dec(tax)}}
	v.Tributos, v.ImpTrib, v.ImpNeto, v.ImpIVA = nil, dec("0"), dec("1240.00"), dec(tax)
	v.ImpTotal = v.ImpNeto.Add(v.ImpIVA)
}

func TestChecks(t *testing.T) {
	for _, c := range vectors {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			v := invoiceA(1, h.day(0))
			c.change(h, &v)
			got := h.must(c.tipo, v)
			if (got.Decision == client.Accepted) != c.ok || !slices.Equal(codes(got), c.codes) {
				t.Errorf("%s with %v, want accepted %v with %v", got.Decision, got.Messages, c.ok, c.codes)
			}
			if want := map[bool]int64{true: 1}[c.ok]; h.last(c.tipo) != want {
				t.Errorf("last number %d, want %d", h.last(c.tipo), want)
			}
		})
	}
}

func TestABatchStopsAtItsFirstRefusal(t *testing.T) {
	h := newHouse(t)
	wrong := invoiceA(2, h.day(0))
	wrong.ImpTotal = dec("1")
	a, err := h.authorize(1, invoiceA(1, h.day(0)), wrong, invoiceA(3, h.day(0)))
	if err != nil {
		t.Fatal(err)
	}
	got := []client.Decision{a.Verdicts[0].Decision, a.Verdicts[1].Decision, a.Verdicts[2].Decision}
	if want := []client.Decision{client.Accepted, client.Rejected, client.NotProcessed}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(a.Verdicts[2].Messages) > 0 {
		t.Error("what was not processed has codes of its own")
	}
	if raw := string(h.calls[len(h.calls)-1].Answer); !strings.Contains(raw,
		"<CantReg>3</CantReg><Resultado>P</Resultado>") {
		t.Errorf("header: %s", raw)
	}
	if h.last(1) != 1 {
		t.Errorf("last is %d", h.last(1))
	}
}

func TestDatesOfASeriesNeverGoBack(t *testing.T) {
	h := newHouse(t)
	if v := h.must(1, invoiceA(1, h.day(3))); v.Decision != client.Accepted {
		t.Fatalf("%+v", v)
	}
	if v := h.must(1, invoiceA(2, h.day(0))); v.Decision != client.OutOfStep {
		t.Errorf("%+v", v)
	}
}

func TestHeaderIsRefusedAsAWhole(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		name string
		r    client.Request
		code int
	}{
		{"unknown kind", client.Request{PtoVta: 1, CbteTipo: 19, Vouchers: []client.Voucher{invoiceA(1, h.day(0))}}, 10007},
		{"point of sale zero", client.Request{PtoVta: 0, CbteTipo: 1, Vouchers: []client.Voucher{invoiceA(1, h.day(0))}},
			10004},
		{"two credit invoices at once", client.Request{PtoVta: 1, CbteTipo: 201,
			Vouchers: []client.Voucher{invoiceA(1, h.day(0)), invoiceA(2, h.day(0))}}, 10003},
		{"nothing", client.Request{PtoVta: 1, CbteTipo: 1}, 10001},
	} {
		t.Run(c.name, func(t *testing.T) {
			content, err := c.r.XML()
			if err != nil {
				t.Fatal(err)
			}
			_, err = h.session().Authorize(t.Context(), c.r, content)
			if r := as[*client.Refused](t, err); !r.Has(c.code) || r.Transient() {
				t.Errorf("%v, want %d", err, c.code)
			}
		})
	}
}

func TestCreditInvoices(t *testing.T) {
	h := newHouse(t)
	fce := func(number int64) client.Voucher {
		v := invoiceA(number, h.day(0))
		v.FchVtoPago = h.day(30)
		v.Opcionales = []client.Opcional{{Id: "2101", Valor: "2850590940090418135201"}, {Id: "27", Valor: "SCA"}}
		return v
	}
	bare := invoiceA(1, h.day(0))
	if v := h.must(201, bare); v.Decision != client.Rejected ||
		!slices.Equal(codes(v), []int{10162, 10170, 10168, 10216, 10163}) {
		t.Errorf("without its extras: %+v", v)
	}
	if v := h.must(201, fce(1)); v.Decision != client.Accepted {
		t.Fatalf("%+v", v)
	}
	note := invoiceA(1, h.day(0))
	note.Opcionales = []client.Opcional{{Id: "22", Valor: "N"}}
	note.CbtesAsoc = []client.CbteAsoc{{Tipo: 201, PtoVta: 1, Nro: 1, Cuit: "30500010912"}}
	if v := h.must(203, note); !slices.Contains(codes(v), 10158) {
		t.Errorf("a note without the date of its invoice: %+v", v)
	}
	note.CbtesAsoc[0].CbteFch = h.day(0)
	if v := h.must(203, note); v.Decision != client.Accepted {
		t.Errorf("%+v", v)
	}
}
