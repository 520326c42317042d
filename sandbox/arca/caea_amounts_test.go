package arca_test

import (
	"fmt"
	"slices"
	"testing"

	client "folio/authority/arca"
	"folio/sandbox/arca"
)

// amountRows are those of amounts, notes, currency and recipient.
var amountRows = []reportRow{
	{1443, false, "rates in class C", 11, ofMonotributo, func(_ *house, v *client.CAEAVoucher) {
		v.Iva = []client.AlicIva{{Id: 3, BaseImp: dec("100")}}
	}, false},
	{1434, false, "untaxed in class C", 11, ofMonotributo,
		func(_ *house, v *client.CAEAVoucher) { v.ImpTotConc = dec("1") }, false},
	{1435, false, "exempt in class C", 11, ofMonotributo,
		func(_ *house, v *client.CAEAVoucher) { v.ImpOpEx = dec("1") }, false},
	{1436, false, "a negative subtotal in class C", 11, ofMonotributo,
		func(_ *house, v *client.CAEAVoucher) { v.ImpNeto = dec("-1") }, false},
	{1437, false, "negative tributos in class C", 11, ofMonotributo,
		func(_ *house, v *client.CAEAVoucher) { v.ImpTrib = dec("-1") }, false},
	{1438, false, "IVA in class C", 11, ofMonotributo, func(_ *house, v *client.CAEAVoucher) { v.ImpIVA = dec("1") },
		false},
	{1439, false, "a total that is not the sum, class C", 11, ofMonotributo,
		func(_ *house, v *client.CAEAVoucher) { v.ImpTotal = dec("101") }, false},
	{724, true, "a total that is not the sum", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.ImpTotal = dec("190") }, false},
	{725, true, "IVA that is not its sum", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.ImpIVA, v.ImpTotal = dec("30"), dec("187.80")
	}, false},
	{1006, true, "IVA that does not follow from its rate", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.Iva[0].Importe, v.ImpIVA, v.ImpTotal = dec("20"), dec("25.25"), dec("183.05")
	}, false},
	{1408, true, "bases that are not the net amount", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.ImpNeto, v.ImpTotal = dec("151"), dec("185.05")
	}, false},
	{1406, true, "tributos that are not their sum", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.ImpTrib, v.ImpTotal = dec("9"), dec("185.25")
	}, false},
	{900, false, "a tributo that there is not", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Tributos[0].Id = 55 },
		false},
	{905, false, "a negative base of one", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.Tributos[0].BaseImp = dec("-1") }, false},
	{906, false, "a negative rate of one", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.Tributos[0].Alic = dec("-1") }, false},
	{908, false, "another tributo without a name", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.Tributos[0].Desc = "" }, false},
	{907, false, "a negative tributo", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.Tributos = append(v.Tributos, client.Tributo{Id: 1, BaseImp: dec("1"), Importe: dec("-1")})
	}, false},
	{1000, false, "a rate that there is not", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Iva[0].Id = 55 }, false},
	{1003, false, "a rate twice", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Iva[1].Id = 5 }, false},
	{1008, false, "negative IVA of a rate", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.Iva[0].Importe = dec("-1") }, false},
	{1009, false, "a base of zero", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Iva[0].BaseImp = dec("0") }, false},
	{1491, false, "a note about nothing", 3, nil, nil, false},
	{1492, false, "an invoice with a period", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.PeriodoAsoc = &client.PeriodoAsoc{FchDesde: "20261101", FchHasta: "20261130"}
	}, false},
	{801, true, "a note about a voucher that is not there", 3, nil, func(_ *house, v *client.CAEAVoucher) {
		v.CbtesAsoc = []client.CbteAsoc{{Tipo: 1, PtoVta: 1, Nro: 5}}
	}, false},
	{807, false, "a receipt with vouchers", 4, nil, func(_ *house, v *client.CAEAVoucher) {
		v.CbtesAsoc = []client.CbteAsoc{{Tipo: 1, PtoVta: 1, Nro: 5}}
	}, false},
	{804, false, "the same voucher twice", 3, nil, func(_ *house, v *client.CAEAVoucher) {
		v.CbtesAsoc = []client.CbteAsoc{{Tipo: 1, PtoVta: 1, Nro: 5}, {Tipo: 1, PtoVta: 1, Nro: 5}}
	}, false},
	{1426, false, "optional data in class C", 11, ofMonotributo, func(_ *house, v *client.CAEAVoucher) {
		v.Opcionales = []client.Opcional{{Id: "23", Valor: "OC-17"}}
	}, false},
	{820, false, "a payment that is neither S nor N", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CanMisMonExt = "X" }, false},
	{822, true, "pesos in the same currency", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CanMisMonExt = "S" }, false},
	{821, true, "a rate that is not ARCA's", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.MonId, v.MonCotiz, v.CanMisMonExt = "DOL", ptr(dec("1400")), "S"
	}, false},
	{726, false, "no rate", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.MonId, v.MonCotiz = "DOL", nil }, false},
	{1401, false, "a currency that there is not", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.MonId = "XXX" },
		false},
	{713, false, "a concept that there is not", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Concepto = 7 }, false},
	{826, false, "no condition of the recipient", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CondicionIVAReceptorId = nil }, false},
	{823, false, "a condition that there is not", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CondicionIVAReceptorId = ptr(77) }, false},
	{824, true, "a condition of another class", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CondicionIVAReceptorId = ptr(5) }, false},
	{827, true, "an inactive recipient", 1,
		func(k *arca.Knobs) { k.Registry = map[int64]arca.Taxpayer{20111111112: arca.Inactive} }, nil, false},
	{829, true, "a recipient who died", 1,
		func(k *arca.Knobs) { k.Registry = map[int64]arca.Taxpayer{20111111112: arca.Deceased} }, nil, false},
	{1489, true, "a recipient of fake invoices", 1,
		func(k *arca.Knobs) { k.Registry = map[int64]arca.Taxpayer{20111111112: arca.FakeInvoices} }, nil, false},
	{1425, true, "nobody categorised without tributo 13", 6, nil, func(_ *house, v *client.CAEAVoucher) {
		v.DocTipo, v.DocNro, v.CondicionIVAReceptorId = 80, 23000000000, ptr(7)
		v.ImpOpEx, v.ImpNeto = dec("0"), dec("100")
		v.Iva = []client.AlicIva{{Id: 3, BaseImp: dec("100")}}
	}, false},
	{1411, true, "payment due before the date", 1, nil, func(h *house, v *client.CAEAVoucher) {
		services(h, &v.Voucher)
		v.FchVtoPago = "20261201"
	}, false},
	{1412, true, "a service that ends before it begins", 1, nil, func(h *house, v *client.CAEAVoucher) {
		services(h, &v.Voucher)
		v.FchServDesde, v.FchServHasta = "20261210", "20261209"
	}, false},
	{1413, true, "services without their dates", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Concepto = 2 }, false},
	{727, true, "goods with the days of a service", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.FchServHasta, v.FchVtoPago = "20261215", "20261220"
	}, false},
}

func ofMonotributo(k *arca.Knobs) {
	k.Registry = map[int64]arca.Taxpayer{issuer: arca.Monotributo}
}

func (h *house) sampleOf(tipo int, caea string) client.CAEAVoucher {
	v := invoiceA(1, h.day(0))
	switch tipo {
	case 6:
		v = invoiceB(1, h.day(0), "100")
	case 11:
		v = invoiceC(1, h.day(0))
	}
	return h.contingent(v, caea)
}

// One sandbox serves all rows, each at a point of sale of its own: so its first number is the next.
func TestEveryCodeOfAReport(t *testing.T) {
	h := contingencyHouse(t)
	base, code := h.server.Knobs(), h.code()
	for i, r := range slices.Concat(reportRows, amountRows) {
		t.Run(fmt.Sprint(r.code, " ", r.name), func(t *testing.T) {
			h.t = t
			point := 100 + i
			k := base
			k.ContingencyPoints = map[int64][]arca.Point{issuer: {{Number: point, Created: "20261101"}}}
			h.server.SetKnobs(k)
			v := h.sampleOf(r.tipo, code.Code)
			if r.code == 705 {
				v.CAEA = h.codeOfAnother()
			}
			if r.knobs != nil {
				k := h.server.Knobs()
				r.knobs(&k)
				h.server.SetKnobs(k)
			}
			if r.change != nil {
				r.change(h, &v)
			}
			a, err := h.reportAt(point, r.tipo, v)
			if r.whole {
				if refused := as[*client.Refused](t, err); !refused.Has(r.code) {
					t.Errorf("%v, want %d", refused, r.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := a.Verdicts[0]
			if taken := got.Decision == client.Accepted; taken != r.taken ||
				r.code != 0 && !slices.Contains(codes(got), r.code) {
				t.Errorf("%s with %v, want %d, taken %v", got.Decision, codes(got), r.code, r.taken)
			}
			found, there, err := h.session().Find(t.Context(), point, r.tipo, 1)
			if err != nil || there != r.taken || there && (found.EmissionType != "CAEA" || found.Code != code.Code ||
				found.Expires != code.To) {
				t.Errorf("found %v: %+v, %v", there, found, err)
			}
		})
	}
}

// codeOfAnother is a code that another taxpayer asked for.
func (h *house) codeOfAnother() string {
	h.t.Helper()
	const other = 20111111112
	k := h.server.Knobs()
	k.Represents = map[int64][]int64{issuer: {other}}
	h.server.SetKnobs(k)
	s := client.New(client.Options{Endpoints: h.endpoints(), Now: h.now}).Session(h.cred, other, nil)
	c, err := s.AskCAEA(h.t.Context(), 202612, 1)
	if err != nil {
		h.t.Fatal(err)
	}
	return c.Code
}
