package arca_test

import (
	client "folio/authority/arca"
	"folio/sandbox/arca"
)

// reportRow is one voucher that is reported, and what is said of it.
type reportRow struct {
	code   int // refused with, or remarked with when taken
	taken  bool
	name   string
	tipo   int
	knobs  func(*arca.Knobs)
	change func(*house, *client.CAEAVoucher)
	whole  bool // the request is refused
}

// reportRows has a row for every code of the contingency law's page that a sandbox can judge.
var reportRows = []reportRow{
	{0, true, "nothing wrong", 1, nil, nil, false},
	{10000, false, "an inactive issuer", 1,
		func(k *arca.Knobs) { k.Registry = map[int64]arca.Taxpayer{issuer: arca.Inactive} }, nil, true},
	{700, false, "used goods", 49, nil, nil, true},
	{701, false, "a point of sale of CAE", 1,
		func(k *arca.Knobs) { k.ContingencyPoints[issuer] = []arca.Point{{Number: 8}} }, nil, true},
	{701, false, "a blocked point of sale", 1,
		func(k *arca.Knobs) { k.ContingencyPoints[issuer][0].Blocked = true }, nil, true},
	{702, false, "a date in the next fortnight", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CbteFch = "20261216" }, false},
	{702, false, "a date in the one before", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CbteFch = "20261130" }, false},
	{703, false, "a number that is not the next", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CbteDesde, v.CbteHasta = 2, 2 }, false},
	{705, false, "somebody else's code", 1, nil, nil, false},
	{709, false, "a point of sale created after the fortnight", 1,
		func(k *arca.Knobs) { k.ContingencyPoints[issuer][0].Created = "20261216" }, nil, false},
	{781, false, "a point of sale created after the date", 1,
		func(k *arca.Knobs) { k.ContingencyPoints[issuer][0].Created = "20261212" },
		func(_ *house, v *client.CAEAVoucher) { v.CbteFch = "20261211" }, false},
	{780, false, "a code that nobody gave", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CAEA = "12345678901234" }, false},
	{782, false, "no code", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.CAEA = "1234" }, false},
	{783, false, "no date", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.CbteFch = "" }, false},
	{784, false, "no number", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.CbteDesde, v.CbteHasta = 0, 0 }, false},
	{711, false, "two numbers in class A", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.CbteHasta = 2 }, false},
	{1433, false, "two numbers in class C", 11, ofMonotributo,
		func(_ *house, v *client.CAEAVoucher) { v.CbteHasta = 2 }, false},
	{1416, false, "the last number before the first", 6, nil,
		func(_ *house, v *client.CAEAVoucher) { v.CbteDesde, v.CbteHasta = 3, 2 }, false},
	{1422, false, "a batch of class B above the threshold each", 6, nil, func(_ *house, v *client.CAEAVoucher) {
		v.CbteHasta, v.ImpTotal, v.ImpOpEx = 2, dec("20000000"), dec("20000000")
	}, false},
	{1415, false, "a batch of class B for somebody", 6, nil, func(_ *house, v *client.CAEAVoucher) {
		v.CbteHasta, v.DocTipo, v.DocNro = 2, 96, 28765432
	}, false},
	{0, true, "a batch of class B", 6, nil, func(_ *house, v *client.CAEAVoucher) { v.CbteHasta = 2 }, false},
	{1487, false, "a credit invoice for a DNI", 201, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocTipo, v.DocNro = 96, 28765432 }, false},
	{1459, false, "a credit invoice without optional data", 201, nil, nil, false},
	{1460, false, "one without a day of payment", 201, nil, nil, false},
	{1467, false, "one without a CBU", 201, nil, nil, false},
	{1515, false, "one without a system of transfer", 201, nil, nil, false},
	{1450, false, "a credit note about no credit invoice", 203, nil, nil, false},
	{1470, false, "one that does not say whether it cancels", 203, nil, nil, false},
	{1440, false, "no hour of its making", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Generated = "" }, false},
	{1441, false, "an hour that is none", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.Generated = "20261215 1200" }, false},
	{1445, true, "made six days after its date", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.Generated = "20261221120000"; v.CbteFch = "20261215" }, false},
	{1432, false, "several buyers", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.Compradores = []client.Comprador{{DocTipo: 80, DocNro: 20111111112, Porcentaje: dec("60")},
			{DocTipo: 80, DocNro: 27000000006, Porcentaje: dec("40")}}
	}, false},
	{1444, false, "class C at a point of sale of RI IVA", 11, nil, nil, false},
	{1444, false, "class B at one of Monotributo", 6, func(k *arca.Knobs) {
		k.ContingencyPoints[issuer][0].Emission = "CAEA - Fact. Elect. (RECE) - Monotributo - Contingencias"
	}, nil, false},
	{1403, false, "class A for a DNI", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocTipo, v.DocNro = 96, 12345678 }, false},
	{1421, false, "class A for a number out of range", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocNro = 12345678901 }, false},
	{1528, false, "a number that is no CUIT", 1, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocNro = 20111111113 }, false},
	{788, false, "an invoice to oneself", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.DocNro = issuer }, false},
	{1404, false, "a kind of document that there is not", 6, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocTipo, v.DocNro = 77, 1 }, false},
	{1405, false, "a document of twelve digits", 6, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocTipo, v.DocNro = 96, 123456789012 }, false},
	{1417, false, "an unidentified consumer above the threshold", 6, nil,
		func(_ *house, v *client.CAEAVoucher) { v.ImpTotal, v.ImpOpEx = dec("10000000"), dec("10000000") }, false},
	{1418, false, "nobody with a number", 6, nil, func(_ *house, v *client.CAEAVoucher) { v.DocNro = 5 }, false},
	{1419, false, "somebody without one", 6, nil, func(_ *house, v *client.CAEAVoucher) { v.DocTipo = 96 }, false},
	{1420, true, "a CUIT that nobody has, in class B", 6, nil,
		func(_ *house, v *client.CAEAVoucher) { v.DocTipo, v.DocNro = 80, 20111111113 }, false},
	{715, false, "IVA without its rates", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Iva = nil }, false},
	{1427, true, "a net amount without rates", 1, nil, func(_ *house, v *client.CAEAVoucher) {
		v.Iva, v.ImpIVA, v.ImpTotal = nil, dec("0"), dec("157.80")
	}, false},
	{1423, false, "tributos without their rows", 1, nil, func(_ *house, v *client.CAEAVoucher) { v.Tributos = nil },
		false},
}
