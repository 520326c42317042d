package arca

import "folio/money"

// rates are the percentages of IVA by id.
var rates = map[int]money.Decimal{
	3: money.Zero, 4: money.MustParse("10.5"), 5: money.FromInt(21), 6: money.FromInt(27), 8: money.FromInt(5),
	9: money.MustParse("2.5"),
}

// amounts checks signs, what class C may not have, and the sum (10043 to 10048, 10065).
func (x *examination) amounts() {
	d, c := x.detail, x.kind.class == classC
	bad := func(v money.Decimal) bool { return v.Sign() < 0 || c && !v.IsZero() }
	x.refuseIf(bad(d.TotConc), 10043)
	x.refuseIf(bad(d.OpEx), 10044)
	x.refuseIf(d.Neto.Sign() < 0, 10045)
	x.refuseIf(d.Trib.Sign() < 0, 10046)
	x.refuseIf(bad(d.IVA), 10047)
	x.refuseIf(d.Total.Sign() < 0, 10065)
	if c {
		if !within(d.Neto.Add(d.Trib), d.Total, 1) {
			x.texted(10048, "El campo 'Importe Total' ImpTotal, debe ser igual a la suma de ImpNeto + ImpTrib. Donde ImpNeto "+
				"es igual al Sub Total")
		}
		return
	}
	x.refuseIf(!within(money.Sum(d.TotConc, d.Neto, d.OpEx, d.Trib, d.IVA), d.Total, 1), 10048)
}

// vat checks the Iva array (10018 to 10023, 10051, 10061, 10070, 10071).
func (x *examination) vat() {
	d := x.detail
	if x.kind.class == classC {
		x.refuseIf(d.HasIva, 10071)
		return
	}
	if len(d.Iva) == 0 {
		x.refuseIf(d.HasIva || d.IVA.Sign() > 0, 10018)
		x.refuseIf(d.Neto.Sign() > 0, 10070)
		return
	}
	var base, tax money.Decimal
	seen, zeroOnly, exact := map[int]bool{}, true, true
	for _, a := range d.Iva {
		rate, ok := rates[a.ID]
		x.refuseIf(!ok && !(x.kind.lenient() && a.ID == 0), 10019)
		x.refuseIf(seen[a.ID], 10022)
		x.refuseIf(a.Base.Sign() < 0 || a.Base.IsZero() && !x.kind.lenient(), 10020)
		x.refuseIf(a.Importe.Sign() < 0, 10021)
		seen[a.ID] = true
		zeroOnly = zeroOnly && a.ID == 3
		exact = exact && within(a.Base.Percent(rate), a.Importe, 1)
		base, tax = base.Add(a.Base), tax.Add(a.Importe)
	}
	x.refuseIf(d.IVA.IsZero() && !zeroOnly, 10018)
	x.refuseIf(!within(tax, d.IVA, len(d.Iva)), 10023)
	if !x.kind.lenient() {
		x.refuseIf(!exact, 10051)
		x.refuseIf(!within(base, d.Neto, len(d.Iva)), 10061)
	}
}

// tributes checks the Tributos array (10024 to 10029, 10042).
func (x *examination) tributes() {
	d := x.detail
	if d.Trib.Sign() > 0 != (len(d.Tributos) > 0) || d.HasTributos && len(d.Tributos) == 0 {
		x.refuse(10024)
		return
	}
	var sum money.Decimal
	for _, t := range d.Tributos {
		x.refuseIf(!listed(taxTypes, t.ID), 10025)
		x.refuseIf(t.Base.Sign() < 0, 10026)
		x.refuseIf(t.Alic.Sign() < 0, 10027)
		x.refuseIf(t.Importe.Sign() < 0, 10028)
		x.refuseIf(t.Desc == "" && (t.ID == 99 || x.kind.fce), 10042)
		sum = sum.Add(t.Importe)
	}
	x.refuseIf(len(d.Tributos) > 0 && !within(sum, d.Trib, len(d.Tributos)), 10029)
}

// currency checks MonId, MonCotiz and CanMisMonExt (10037 to 10039, 10119, 10239 to 10241).
func (x *examination) currency() {
	d := x.detail
	if !listedText(currencyTypes, d.MonID) {
		x.refuse(10037)
		return
	}
	x.refuseIf(d.CanMis != "" && d.CanMis != "S" && d.CanMis != "N", 10239)
	if d.MonID == "PES" {
		x.refuseIf(!d.MonCotiz.Equal(one), 10039)
		x.refuseIf(d.CanMis == "S", 10241)
		return
	}
	official, quoted := x.knobs.Quotations[d.MonID]
	switch {
	case d.CanMis == "S" && d.MonCotiz.IsZero():
	case d.MonCotiz.Sign() <= 0:
		x.refuse(10038)
	case quoted && d.CanMis == "S":
		x.refuseIf(!d.MonCotiz.Equal(official), 10240)
	case quoted:
		low, high := official.Percent(money.FromInt(2)), official.Mul(money.FromInt(4))
		x.refuseIf(d.MonCotiz.Cmp(low) < 0 || d.MonCotiz.Cmp(high) > 0, 10119)
	}
}
