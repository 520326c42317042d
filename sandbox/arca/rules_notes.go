package arca

import (
	"regexp"
	"slices"
	"strconv"
)

// associated checks CbtesAsoc (10040, 10041, 10057 to 10062, 10151, 10210, 10213).
func (x *examination) associated() error {
	d := x.detail
	if d.HasAsoc && len(d.Asoc) == 0 {
		x.refuse(10062)
	}
	seen := map[[3]int64]bool{}
	for _, a := range d.Asoc {
		key := [3]int64{int64(a.Tipo), int64(a.PtoVta), a.Nro}
		x.refuseIf(a.Tipo <= 0, 10057)
		x.refuseIf(a.PtoVta <= 0 || a.PtoVta >= 99999, 10058)
		x.refuseIf(a.Nro <= 0 || a.Nro >= 99_999_999, 10059)
		x.refuseIf(seen[key], 10060)
		x.refuseIf(!slices.Contains(x.kind.associates, a.Tipo), 10040)
		x.refuseIf(a.Cuit != "" && !cuitForm.MatchString(a.Cuit), 10151)
		x.refuseIf(a.Fch != "" && !x.validDate(a.Fch), 10213)
		seen[key] = true
		if err := x.exists(a); err != nil {
			return err
		}
	}
	return nil
}

var cuitForm = regexp.MustCompile(`^\d{11}$`)

// exists looks for an associated voucher among those that the sandbox authorized. Only
// a credit invoice must find it (10160); for the rest it is a remark.
func (x *examination) exists(a asoc) error {
	issuer := x.series.cuit
	if n, err := strconv.ParseInt(a.Cuit, 10, 64); err == nil {
		issuer = n
	}
	if !kinds[a.Tipo].authorizable() {
		return nil
	}
	found, ok, err := x.find(series{x.series.environment, issuer, a.PtoVta, a.Tipo}, a.Nro)
	switch {
	case err != nil:
		return err
	case x.kind.fce && x.kind.note:
		x.refuseIf(!ok || found.Detail.Fch != a.Fch, 10160)
	case !ok:
		x.remark(10041)
	case x.kind.note:
		x.refuseIf(found.Detail.Fch > x.detail.Fch && found.Detail.Fch[:6] != x.detail.Fch[:6], 10210)
	}
	return nil
}

// option is the first value given for an optional datum.
func (x *examination) option(id string) (string, bool) {
	for _, o := range x.detail.Opcionales {
		if o.ID == id {
			return o.Valor, true
		}
	}
	return "", false
}

// optionals checks the Opcionales array as a whole (10052 to 10055, 10169, 10189, 10190).
func (x *examination) optionals() {
	d := x.detail
	x.refuseIf(d.HasOpcionales && len(d.Opcionales) == 0, 10052)
	seen, references := map[string]bool{}, map[string]bool{}
	for _, o := range d.Opcionales {
		x.refuseIf(!listedText(optionalTypes, o.ID), 10053)
		x.refuseIf(o.Valor == "", 10055)
		repeatable := slices.Contains([]string{"1801", "1802", "2901", "2902", "23"}, o.ID)
		x.refuseIf(seen[o.ID] && !repeatable, 10054)
		x.refuseIf(!x.kind.fce && slices.Contains([]string{"2101", "2102", "22", "27"}, o.ID), 10169)
		if o.ID == "23" {
			x.refuseIf(len([]rune(o.Valor)) > 50, 10189)
			x.refuseIf(references[o.Valor], 10190)
			references[o.Valor] = true
		}
		seen[o.ID] = true
	}
	ids := map[int64]bool{}
	for _, a := range d.Actividades {
		x.refuseIf(ids[a], 10221)
		ids[a] = true
	}
	x.refuseIf(d.HasActividades && len(d.Actividades) == 0, 10218)
}

var (
	cbuForm   = regexp.MustCompile(`^\d{22}$`)
	aliasForm = regexp.MustCompile(`^[0-9A-Za-z.\-]{6,20}$`)
)

// fce checks what credit invoices of small companies and their notes need (10153 to
// 10175, 10214 to 10216).
func (x *examination) fce() {
	if !x.kind.fce {
		return
	}
	x.refuseIf(!x.detail.HasOpcionales, 10162)
	cbu, hasCBU := x.option("2101")
	alias, hasAlias := x.option("2102")
	cancels, hasCancels := x.option("22")
	transfer, hasTransfer := x.option("27")
	x.refuseIf(!hasCBU && !hasCancels && !hasTransfer, 10170)
	x.refuseIf(hasCBU && !cbuForm.MatchString(cbu), 10165)
	x.refuseIf(hasAlias && !aliasForm.MatchString(alias), 10166)
	x.refuseIf(hasCancels && cancels != "S" && cancels != "N", 10167)
	x.refuseIf(hasTransfer && len(transfer) != 3, 10214)
	x.refuseIf(hasTransfer && len(transfer) == 3 && transfer != "SCA" && transfer != "ADC", 10215)
	if x.kind.note {
		x.refuseIf(hasCBU || hasAlias || hasTransfer, 10172)
		x.refuseIf(!hasCancels, 10173)
		x.refuseIf(x.detail.VtoPago != "" && cancels != "S", 10175)
		x.fceAssociated()
		return
	}
	x.refuseIf(!hasCBU, 10168)
	x.refuseIf(hasCancels, 10171)
	x.refuseIf(!hasTransfer, 10216)
	due := x.detail.VtoPago
	x.refuseIf(due == "", 10163)
	x.refuseIf(due != "" && (due < x.detail.Fch || due < x.today()), 10164)
}

// fceAssociated checks what a note on a credit invoice refers to.
func (x *examination) fceAssociated() {
	d := x.detail
	x.refuseIf(len(d.Asoc) == 0, 10153)
	invoices := 0
	for _, a := range d.Asoc {
		x.refuseIf(a.Cuit == "", 10151)
		x.refuseIf(a.Cuit != "" && a.Cuit != strconv.FormatInt(x.series.cuit, 10), 10155)
		x.refuseIf(a.Fch == "", 10158)
		x.refuseIf(a.Fch > d.Fch, 10159)
		if k := kinds[a.Tipo]; k.fce && !k.note {
			invoices++
		}
	}
	cancels, _ := x.option("22")
	x.refuseIf(len(d.Asoc) > 0 && cancels == "N" && invoices != 1, 10156)
}
