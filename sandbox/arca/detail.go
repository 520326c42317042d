package arca

import (
	"folio/money"
)

// detail is FECAEDetRequest as the service understood it. Has... tell an empty array
// from an absent one.
type detail struct {
	Concepto, DocTipo             int
	DocNro, Desde, Hasta          int64
	Fch                           string
	Total, TotConc, Neto          money.Decimal
	OpEx, Trib, IVA               money.Decimal
	ServDesde, ServHasta, VtoPago string
	MonID                         string
	MonCotiz                      money.Decimal
	CanMis                        string
	Condicion                     int
	HasAsoc                       bool          `json:",omitempty"`
	Asoc                          []asoc        `json:",omitempty"`
	HasTributos                   bool          `json:",omitempty"`
	Tributos                      []tributo     `json:",omitempty"`
	HasIva                        bool          `json:",omitempty"`
	Iva                           []alicuota    `json:",omitempty"`
	HasOpcionales                 bool          `json:",omitempty"`
	Opcionales                    []opcional    `json:",omitempty"`
	HasCompradores                bool          `json:",omitempty"`
	Compradores                   []comprador   `json:",omitempty"`
	Periodo                       *periodoAsoc  `json:",omitempty"`
	HasActividades                bool          `json:",omitempty"`
	Actividades                   []actividadID `json:",omitempty"`
}

type (
	asoc struct {
		Tipo, PtoVta int
		Nro          int64
		Cuit, Fch    string
	}
	tributo struct {
		ID                  int
		Desc                string
		Base, Alic, Importe money.Decimal
	}
	alicuota struct {
		ID            int
		Base, Importe money.Decimal
	}
	opcional  struct{ ID, Valor string }
	comprador struct {
		DocTipo    int
		DocNro     int64
		Porcentaje money.Decimal
	}
	periodoAsoc struct{ Desde, Hasta string }
	actividadID = int64
)

// detail reads one FECAEDetRequest.
func (r *reader) detail(n *node) detail {
	d := detail{
		Concepto: int(r.int(n, "Concepto", 32)), DocTipo: int(r.int(n, "DocTipo", 32)), DocNro: r.int(n, "DocNro", 64),
		Desde: r.int(n, "CbteDesde", 64), Hasta: r.int(n, "CbteHasta", 64), Fch: r.text(n, "CbteFch"),
		Total: r.decimal(n, "ImpTotal"), TotConc: r.decimal(n, "ImpTotConc"), Neto: r.decimal(n, "ImpNeto"),
		OpEx: r.decimal(n, "ImpOpEx"), Trib: r.decimal(n, "ImpTrib"), IVA: r.decimal(n, "ImpIVA"),
		ServDesde: r.text(n, "FchServDesde"), ServHasta: r.text(n, "FchServHasta"), VtoPago: r.text(n, "FchVtoPago"),
		MonID: r.text(n, "MonId"), MonCotiz: r.decimal(n, "MonCotiz"), CanMis: r.text(n, "CanMisMonExt"),
		Condicion: int(r.int(n, "CondicionIVAReceptorId", 32)),
	}
	r.associations(n, &d)
	r.taxes(n, &d)
	var items []*node
	items, d.HasOpcionales = r.all(n, "Opcionales", "Opcional")
	for _, i := range items {
		d.Opcionales = append(d.Opcionales, opcional{r.text(i, "Id"), r.text(i, "Valor")})
	}
	items, d.HasCompradores = r.all(n, "Compradores", "Comprador")
	for _, i := range items {
		d.Compradores = append(d.Compradores, comprador{int(r.int(i, "DocTipo", 32)), r.int(i, "DocNro", 64), r.decimal(i, "Porcentaje")})
	}
	items, d.HasActividades = r.all(n, "Actividades", "Actividad")
	for _, i := range items {
		d.Actividades = append(d.Actividades, r.int(i, "Id", 64))
	}
	return d
}

func (r *reader) associations(n *node, d *detail) {
	var items []*node
	items, d.HasAsoc = r.all(n, "CbtesAsoc", "CbteAsoc")
	for _, i := range items {
		d.Asoc = append(d.Asoc, asoc{int(r.int(i, "Tipo", 32)), int(r.int(i, "PtoVta", 32)), r.int(i, "Nro", 64), r.text(i, "Cuit"), r.text(i, "CbteFch")})
	}
	if p := r.child(n, "PeriodoAsoc"); p != nil {
		d.Periodo = &periodoAsoc{r.text(p, "FchDesde"), r.text(p, "FchHasta")}
	}
}

func (r *reader) taxes(n *node, d *detail) {
	var items []*node
	items, d.HasTributos = r.all(n, "Tributos", "Tributo")
	for _, i := range items {
		d.Tributos = append(d.Tributos, tributo{int(r.int(i, "Id", 16)), r.text(i, "Desc"), r.decimal(i, "BaseImp"), r.decimal(i, "Alic"), r.decimal(i, "Importe")})
	}
	items, d.HasIva = r.all(n, "Iva", "AlicIva")
	for _, i := range items {
		d.Iva = append(d.Iva, alicuota{int(r.int(i, "Id", 32)), r.decimal(i, "BaseImp"), r.decimal(i, "Importe")})
	}
}

// write writes a voucher as FECompConsultar returns it: the fields of the request,
// absent texts empty.
func (d *detail) write(o *out) {
	o.int("Concepto", int64(d.Concepto))
	o.int("DocTipo", int64(d.DocTipo))
	o.int("DocNro", d.DocNro)
	o.int("CbteDesde", d.Desde)
	o.int("CbteHasta", d.Hasta)
	o.text("CbteFch", d.Fch)
	for _, a := range []struct {
		name  string
		value money.Decimal
	}{{"ImpTotal", d.Total}, {"ImpTotConc", d.TotConc}, {"ImpNeto", d.Neto}, {"ImpOpEx", d.OpEx}, {"ImpTrib", d.Trib}, {"ImpIVA", d.IVA}} {
		o.decimal(a.name, a.value)
	}
	o.text("FchServDesde", d.ServDesde)
	o.text("FchServHasta", d.ServHasta)
	o.text("FchVtoPago", d.VtoPago)
	o.text("MonId", d.MonID)
	o.decimal("MonCotiz", d.MonCotiz)
	o.some("CanMisMonExt", d.CanMis)
	o.int("CondicionIVAReceptorId", int64(d.Condicion))
	d.writeArrays(o)
}

func (d *detail) writeArrays(o *out) {
	list(o, "CbtesAsoc", "CbteAsoc", d.Asoc, func(a asoc) {
		o.int("Tipo", int64(a.Tipo))
		o.int("PtoVta", int64(a.PtoVta))
		o.int("Nro", a.Nro)
		o.some("Cuit", a.Cuit)
		o.some("CbteFch", a.Fch)
	})
	list(o, "Tributos", "Tributo", d.Tributos, func(t tributo) {
		o.int("Id", int64(t.ID))
		o.some("Desc", t.Desc)
		o.decimal("BaseImp", t.Base)
		o.decimal("Alic", t.Alic)
		o.decimal("Importe", t.Importe)
	})
	list(o, "Iva", "AlicIva", d.Iva, func(a alicuota) {
		o.int("Id", int64(a.ID))
		o.decimal("BaseImp", a.Base)
		o.decimal("Importe", a.Importe)
	})
	list(o, "Opcionales", "Opcional", d.Opcionales, func(p opcional) {
		o.text("Id", p.ID)
		o.text("Valor", p.Valor)
	})
	list(o, "Compradores", "Comprador", d.Compradores, func(c comprador) {
		o.int("DocTipo", int64(c.DocTipo))
		o.int("DocNro", c.DocNro)
		o.decimal("Porcentaje", c.Porcentaje)
	})
	if p := d.Periodo; p != nil {
		o.in("PeriodoAsoc", func() { o.text("FchDesde", p.Desde); o.text("FchHasta", p.Hasta) })
	}
	list(o, "Actividades", "Actividad", d.Actividades, func(a actividadID) { o.int("Id", a) })
}

func list[T any](o *out, array, item string, items []T, write func(T)) {
	if len(items) == 0 {
		return
	}
	o.in(array, func() {
		for _, i := range items {
			o.in(item, func() { write(i) })
		}
	})
}
