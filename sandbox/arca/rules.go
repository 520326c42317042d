package arca

import (
	"fmt"
	"time"

	"folio/money"
)

// examination is one voucher under the checks of FECAESolicitar. Codes and conditions
// are those of the WSFEv1 manual's tables.
type examination struct {
	detail *detail
	kind   kind
	series series
	now    time.Time
	knobs  Knobs
	// find looks up authorized vouchers, for the ones that a note refers to.
	find func(series, int64) (voucher, bool, error)
	// reported: it was issued under a CAEA.
	reported bool

	reasons, remarks []Message
}

// run returns every reason to refuse the voucher and every remark on it.
func (x *examination) run() (reasons, remarks []Message, err error) {
	if x.precision() {
		x.recipient()
		x.condition()
		x.dates()
		x.services()
		x.currency()
		x.amounts()
		x.vat()
		x.tributes()
		x.optionals()
		x.buyers()
		if err := x.associated(); err != nil {
			return nil, nil, err
		}
		x.period()
		x.fce()
	}
	return x.reasons, x.remarks, nil
}

func (x *examination) refuse(code int) { x.reasons = append(x.reasons, coded(code)) }

func (x *examination) refuseIf(condition bool, code int) {
	if condition {
		x.refuse(code)
	}
}

func (x *examination) remark(code int) { x.remarks = append(x.remarks, coded(code)) }

func (x *examination) today() string { return x.now.In(zone).Format(dateForm) }

func (x *examination) validDate(text string) bool {
	_, err := time.Parse(dateForm, text)
	return err == nil
}

// numbers checks what a number may be at all (10008 to 10012).
func (x *examination) numbers() []Message {
	d := x.detail
	valid := func(n int64) bool { return n >= 1 && n <= 99_999_999 }
	switch {
	case !valid(d.Desde):
		return []Message{coded(10008)}
	case !valid(d.Hasta):
		return []Message{coded(10010)}
	case d.Hasta < d.Desde:
		return []Message{coded(10011)}
	case d.Hasta != d.Desde && (x.kind.class != classB || x.kind.fce):
		return []Message{coded(10012)}
	}
	return nil
}

// precision checks that amounts have 13 whole digits and 2 decimals at most, the rate 4
// and 6 (10056). Without it no sum is made.
func (x *examination) precision() bool {
	d, ok := x.detail, true
	fits := func(whole, decimals int, vs ...money.Decimal) {
		for _, v := range vs {
			ok = ok && v.WholeDigits() <= whole && v.Decimals() <= decimals
		}
	}
	fits(13, 2, d.Total, d.TotConc, d.Neto, d.OpEx, d.Trib, d.IVA)
	fits(4, 6, d.MonCotiz)
	for _, i := range d.Iva {
		fits(13, 2, i.Base, i.Importe)
	}
	for _, t := range d.Tributos {
		fits(13, 2, t.Base, t.Importe)
		fits(3, 2, t.Alic)
	}
	for _, c := range d.Compradores {
		fits(3, 2, c.Porcentaje)
	}
	x.refuseIf(!ok, 10056)
	return ok
}

// within says whether two amounts agree: by n cents, or by 0.01 % of what was reported
// (manual, margins of error of 10023, 10029, 10048, 10051 and 10061). The error is
// rounded half to even as the service does.
func within(calculated, reported money.Decimal, n int) bool {
	diff := calculated.Sub(reported).Abs()
	if diff.RoundEven(2).Cmp(cent.Mul(money.FromInt(int64(n)))) <= 0 {
		return true
	}
	return diff.Cmp(reported.Abs().Mul(cent).Percent(money.FromInt(1))) <= 0
}

var (
	cent = money.MustParse("0.01")
	one  = money.FromInt(1)
)

// taxpayer is what the registry says of a CUIT.
func (x *examination) taxpayer(cuit int64) Taxpayer {
	if t, ok := x.knobs.Registry[cuit]; ok {
		return t
	}
	return Registered
}

// texted is coded with a text of its own.
func (x *examination) texted(code int, format string, args ...any) {
	x.reasons = append(x.reasons, Message{code, fmt.Sprintf(format, args...)})
}
