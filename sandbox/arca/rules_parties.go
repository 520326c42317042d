package arca

import (
	"strings"

	"folio/money"
	"folio/sandbox"
)

// uncategorised is the number that stands for every "sujeto no categorizado".
const uncategorised = 23000000000

// recipient checks who the voucher is for (10013 to 10015, 10069, 10284 and what the
// registry says).
func (x *examination) recipient() {
	d := x.detail
	if x.reported && x.reportedRecipient() {
		return
	}
	x.refuseIf((x.kind.class == classA || x.kind.class == classALEY) && d.DocTipo != 80, 10013)
	if x.kind.fce && d.DocTipo != 80 || !listed(documentTypes, d.DocTipo) {
		x.refuse(10015)
		return
	}
	registered := d.DocTipo == 80 || d.DocTipo == 86 || d.DocTipo == 87
	switch {
	case d.DocTipo == 99:
		x.unidentified()
	case d.DocNro <= 0:
		x.refuse(10015)
	case registered && d.DocNro == x.series.cuit:
		x.refuse(10069)
	case registered && d.DocNro == uncategorised && d.DocTipo == 80:
		x.refuseIf(x.kind.fce, 10178)
		x.refuseIf(x.kind.class == classB && d.Neto.Add(d.IVA).Sign() > 0 && d.Trib.IsZero(), 10067)
	case registered:
		x.inRegistry()
	}
}

// unidentified is a final consumer without document: in class B and C only, below the
// threshold in pesos.
func (x *examination) unidentified() {
	d := x.detail
	if d.DocNro != 0 || x.kind.class == classUsed {
		x.refuse(10015)
		return
	}
	if !x.dear() {
		return
	}
	if d.Hasta > d.Desde {
		x.refuse(10014)
		return
	}
	x.refuse(10015)
}

// dear says that a consumer must be identified: the total in pesos, of each voucher of a
// batch, reaches the threshold.
func (x *examination) dear() bool {
	d := x.detail
	rate := d.MonCotiz
	if rate.IsZero() {
		rate = one
	}
	each := d.Total.Mul(rate)
	if d.Hasta > d.Desde {
		each = each.Quo(money.FromInt(d.Hasta - d.Desde + 1))
	}
	return each.Cmp(x.knobs.ConsumerThreshold) >= 0
}

// unknown says that the recipient's CUIT, CUIL or CDI is in no registry.
func (x *examination) unknown() bool {
	d := x.detail
	registered := d.DocTipo == 80 || d.DocTipo == 86 || d.DocTipo == 87
	return registered && d.DocNro != uncategorised && d.DocNro != x.series.cuit &&
		(!sandbox.ValidCUIT(d.DocNro) || x.taxpayer(d.DocNro) == Unknown)
}

// inRegistry asks the registry about the recipient's CUIT.
func (x *examination) inRegistry() {
	d := x.detail
	who := x.taxpayer(d.DocNro)
	known := sandbox.ValidCUIT(d.DocNro) && who != Unknown
	credit := x.kind.note && x.series.tipo%10 == 3
	switch {
	case !known && x.kind.class == classB:
		x.texted(10015, "Factura B (CbteDesde igual a CbteHasta), DocTipo: %d, DocNro %d no se encuentra registrado en "+
			"los padrones de AFIP y no corresponde a una cuit pais.", d.DocTipo, d.DocNro)
	case !known && d.DocTipo == 80:
		x.refuse(10284)
	case !known:
		x.refuse(10015)
	case who == FakeInvoices && d.DocTipo == 80:
		x.refuse(10195)
	case who == Inactive && credit:
		x.remark(10247)
	case who == Inactive:
		x.refuse(10247)
	case who == Deceased:
		x.remark(10249)
	}
	if !known || x.kind.class != classA && x.kind.class != classALEY {
		return
	}
	if who == Exempt {
		x.remarks = append(x.remarks, Message{10063,
			strings.ReplaceAll(coded(10063).Text, "N ", money.FromInt(d.DocNro).String()+" ")})
	}
	if who == Monotributo || d.Condicion == 6 || d.Condicion == 13 || d.Condicion == 16 {
		x.remark(10217)
	}
}

// condition checks CondicionIVAReceptorId (RG 5616), compulsory as the profile says.
// ASMX reads an absent one as 0.
func (x *examination) condition() {
	id := x.detail.Condicion
	classes, ok := conditionClasses[id]
	switch {
	case id == 0 && !x.knobs.wantsCondition(x.series.environment, x.today()):
		x.remark(10245)
	case id == 0:
		x.refuse(10246)
	case !ok:
		x.refuse(10242)
	case !strings.ContainsRune(classes, rune(x.kind.class)):
		x.refuse(10243)
	}
}

// buyers checks Compradores (10133 to 10150, 10194).
func (x *examination) buyers() {
	d := x.detail
	if !d.HasCompradores {
		return
	}
	x.refuseIf(x.kind.fce, 10194)
	if len(d.Compradores) == 0 {
		x.refuse(10133)
		return
	}
	x.refuseIf(len(d.Compradores) < 2, 10145)
	x.refuseIf(d.Concepto != 1, 10150)
	x.refuseIf(d.DocTipo != 80 && d.DocTipo != 86 && d.DocTipo != 87, 10136)
	var sum money.Decimal
	top, seen := 0, map[int64]bool{}
	for i, c := range d.Compradores {
		sum = sum.Add(c.Porcentaje)
		if d.Compradores[top].Porcentaje.Less(c.Porcentaje) {
			top = i
		}
		x.refuseIf(c.DocTipo != 80 && c.DocTipo != 86 && c.DocTipo != 87, 10137)
		x.refuseIf(!sandbox.ValidCUIT(c.DocNro), 10139)
		x.refuseIf(c.DocNro == x.series.cuit, 10140)
		x.refuseIf(seen[c.DocNro], 10141)
		x.refuseIf(c.Porcentaje.Sign() <= 0, 10144)
		seen[c.DocNro] = true
	}
	x.refuseIf(d.Compradores[top].DocNro != d.DocNro, 10146)
	x.refuseIf(!sum.Equal(money.FromInt(100)), 10147)
}
