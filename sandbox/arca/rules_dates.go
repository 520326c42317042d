package arca

import (
	"fmt"
	"time"
)

// dates checks the date of the voucher against the day of the request, N, in Argentina
// (10016 as an observation, 10152).
func (x *examination) dates() {
	d := x.detail
	x.refuseIf(d.Concepto < 1 || d.Concepto > 3, 10030)
	back, ahead, who := 5, 5, "1 - Productos"
	switch {
	case x.kind.fce && x.kind.note:
		back, ahead = 5, 0
	case x.kind.fce:
		back, ahead, who = 5, 1, "Facturas de Credito"
	case d.Concepto == 2:
		back, ahead, who = 10, 10, "2 - Servicios"
	case d.Concepto == 3:
		back, ahead, who = 10, 10, "3 - Productos y Servicios"
	}
	n := x.now.In(zone)
	date, err := time.ParseInLocation(dateForm, d.Fch, zone)
	day := func(k int) string { return n.AddDate(0, 0, k).Format(dateForm) }
	if err != nil || d.Fch < day(-back) || d.Fch > day(ahead) {
		x.texted(10016, "%s", windowText(x.kind, back, ahead, who))
		return
	}
	goods := d.Concepto == 1 || x.kind.fce
	x.refuseIf(goods && d.Fch > day(0) && (date.Month() != n.Month() || date.Year() != n.Year()), 10152)
}

// windowText repeats the spaces of the real texts.
func windowText(k kind, back, ahead int, who string) string {
	if k.fce && k.note {
		return "Campo CbteFch Debe estar comprendido  en el  rango  N-5 y N siendo N la fecha de envio del pedido de " +
			"autorizacion para Facturas de Credito del tipo Nota de Debito o Nota de Credito"
	}
	return fmt.Sprintf("Campo CbteFch Debe estar comprendido  en el  rango  N-%d y N+%d siendo N la fecha de envio del "+
		"pedido  de autorizacion para %s", back, ahead, who)
}

// services checks the dates of services and payment (10031 to 10036, 10049).
func (x *examination) services() {
	d := x.detail
	if x.kind.fce && d.Concepto == 1 {
		// A credit invoice for goods has a due date and no period.
		x.refuseIf(d.VtoPago != "" && !x.validDate(d.VtoPago), 10049)
		return
	}
	if d.Concepto != 1 && (d.ServDesde == "" || d.ServHasta == "" || d.VtoPago == "" && !x.kind.fce) {
		x.refuse(10049)
		return
	}
	if d.ServDesde == "" && d.ServHasta == "" && d.VtoPago == "" {
		return
	}
	for _, date := range []string{d.ServDesde, d.ServHasta, d.VtoPago} {
		if date != "" && !x.validDate(date) {
			x.refuse(10049)
			return
		}
	}
	x.refuseIf(d.ServDesde == "", 10031)
	x.refuseIf(d.ServHasta == "", 10033)
	x.refuseIf(d.VtoPago == "" && !x.kind.fce, 10035)
	x.refuseIf(d.ServDesde > d.ServHasta && d.ServHasta != "", 10032)
	x.refuseIf(d.VtoPago != "" && d.VtoPago < d.Fch && !x.kind.fce, 10036)
}

// period checks PeriodoAsoc (10196 to 10199, 10203 to 10208).
func (x *examination) period() {
	d := x.detail
	if x.kind.note && !x.kind.fce && len(d.Asoc) == 0 && d.Periodo == nil {
		x.refuse(10197)
	}
	if d.Periodo == nil {
		return
	}
	switch p := d.Periodo; {
	case x.kind.fce:
		x.refuse(10196)
	case !x.kind.note:
		x.refuse(10198)
	case p.Desde == "":
		x.refuse(10199)
	case p.Hasta == "":
		x.refuse(10203)
	case !x.validDate(p.Desde):
		x.refuse(10204)
	case !x.validDate(p.Hasta):
		x.refuse(10205)
	case p.Desde <= "20060101" || p.Hasta <= "20060101":
		x.refuse(10206)
	case p.Hasta < p.Desde:
		x.refuse(10207)
	case p.Hasta > d.Fch:
		x.refuse(10208)
	}
}
