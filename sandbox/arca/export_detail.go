package arca

import (
	"context"
	"time"

	"folio/money"
	"folio/sandbox/desk"
)

// export is Cmp of FEXAuthorize as the service understood it.
type export struct {
	ID                    int64
	Fch                   string
	Tipo, PtoVta          int
	Nro                   int64
	TipoExpo              int
	Permiso               string
	HasPermisos           bool      `json:",omitempty"`
	Permisos              []permiso `json:",omitempty"`
	Dst                   int
	Cliente               string
	CuitPais              int64
	Domicilio, IDImp      string
	MonID                 string
	MonCotiz              money.Decimal
	HasCanMis             bool `json:",omitempty"`
	CanMis, ObsComercial  string
	Total                 money.Decimal
	Obs                   string
	HasAsoc               bool   `json:",omitempty"`
	Asoc                  []asoc `json:",omitempty"`
	FormaPago             string
	Incoterms, IncotermDs string
	Idioma                int
	Items                 []exportItem
	HasOpcionales         bool       `json:",omitempty"`
	Opcionales            []opcional `json:",omitempty"`
	FechaPago             string
	Actividades           []actividadID `json:",omitempty"`
}

type (
	permiso struct {
		ID  string
		Dst int
	}
	exportItem struct {
		Codigo, Ds              string
		Umed                    int
		Qty, Precio, Bonif, Tot money.Decimal
	}
)

// export reads Cmp. Names are those of the WSDL, whose capitals differ between
// operations.
func (r *reader) export(n *node) export {
	e := export{
		ID: r.int(n, "Id", 64), Fch: r.text(n, "Fecha_cbte"), Tipo: int(r.int(n, "Cbte_Tipo", 16)), PtoVta: int(r.int(n, "Punto_vta", 32)),
		Nro: r.int(n, "Cbte_nro", 64), TipoExpo: int(r.int(n, "Tipo_expo", 16)), Permiso: r.text(n, "Permiso_existente"), Dst: int(r.int(n, "Dst_cmp", 16)),
		Cliente: r.text(n, "Cliente"), CuitPais: r.int(n, "Cuit_pais_cliente", 64), Domicilio: r.text(n, "Domicilio_cliente"), IDImp: r.text(n, "Id_impositivo"),
		MonID: r.text(n, "Moneda_Id"), MonCotiz: r.decimal(n, "Moneda_ctz"), CanMis: r.text(n, "CanMisMonExt"), HasCanMis: r.child(n, "CanMisMonExt") != nil,
		ObsComercial: r.text(n, "Obs_comerciales"), Total: r.decimal(n, "Imp_total"), Obs: r.text(n, "Obs"), FormaPago: r.text(n, "Forma_pago"),
		Incoterms: r.text(n, "Incoterms"), IncotermDs: r.text(n, "Incoterms_Ds"), Idioma: int(r.int(n, "Idioma_cbte", 16)), FechaPago: r.text(n, "Fecha_pago"),
	}
	var items []*node
	items, e.HasPermisos = r.all(n, "Permisos", "Permiso")
	for _, i := range items {
		e.Permisos = append(e.Permisos, permiso{r.text(i, "Id_permiso"), int(r.int(i, "Dst_merc", 32))})
	}
	items, e.HasAsoc = r.all(n, "Cmps_asoc", "Cmp_asoc")
	for _, i := range items {
		e.Asoc = append(e.Asoc, asoc{Tipo: int(r.int(i, "Cbte_tipo", 16)), PtoVta: int(r.int(i, "Cbte_punto_vta", 32)), Nro: r.int(i, "Cbte_nro", 64), Cuit: r.text(i, "Cbte_cuit")})
	}
	items, _ = r.all(n, "Items", "Item")
	for _, i := range items {
		e.Items = append(e.Items, exportItem{r.text(i, "Pro_codigo"), r.text(i, "Pro_ds"), int(r.int(i, "Pro_umed", 32)),
			r.decimal(i, "Pro_qty"), r.decimal(i, "Pro_precio_uni"), r.decimal(i, "Pro_bonificacion"), r.decimal(i, "Pro_total_item")})
	}
	items, e.HasOpcionales = r.all(n, "Opcionales", "Opcional")
	for _, i := range items {
		e.Opcionales = append(e.Opcionales, opcional{r.text(i, "Id"), r.text(i, "Valor")})
	}
	items, _ = r.all(n, "Actividades", "Actividad")
	for _, i := range items {
		e.Actividades = append(e.Actividades, r.int(i, "Id", 64))
	}
	return e
}

// detail is what an export has in common with other vouchers.
func (e export) detail() detail {
	d := detail{Concepto: e.TipoExpo, DocTipo: 80, DocNro: e.CuitPais, Desde: e.Nro, Hasta: e.Nro, Fch: e.Fch, Total: e.Total, MonID: e.MonID, MonCotiz: e.MonCotiz}
	if e.CuitPais == 0 {
		d.DocTipo = 99
	}
	return d
}

// writeExport writes FEXResultGet. A number that another system took has no more than
// its amounts.
func (v voucher) writeExport(o *out, key series) {
	e := v.Export
	if e == nil {
		e = &export{Fch: v.Detail.Fch, Tipo: key.tipo, PtoVta: key.ptoVta, Nro: v.Detail.Desde, TipoExpo: 1, MonID: v.Detail.MonID, Idioma: 1}
	}
	o.int("Id", e.ID)
	o.text("Fecha_cbte", e.Fch)
	o.int("Cbte_tipo", int64(e.Tipo))
	o.int("Punto_vta", int64(e.PtoVta))
	o.int("Cbte_nro", e.Nro)
	o.int("Tipo_expo", int64(e.TipoExpo))
	o.text("Permiso_existente", e.Permiso)
	list(o, "Permisos", "Permiso", e.Permisos, func(p permiso) { o.text("Id_permiso", p.ID); o.int("Dst_merc", int64(p.Dst)) })
	o.int("Dst_cmp", int64(e.Dst))
	o.text("Cliente", e.Cliente)
	o.int("Cuit_pais_cliente", e.CuitPais)
	o.text("Domicilio_cliente", e.Domicilio)
	o.text("Id_impositivo", e.IDImp)
	o.text("Moneda_Id", e.MonID)
	o.decimal("Moneda_ctz", e.MonCotiz)
	o.some("CanMisMonExt", e.CanMis)
	o.text("Obs_comerciales", e.ObsComercial)
	o.decimal("Imp_total", e.Total)
	o.text("Obs", e.Obs)
	list(o, "Cmps_asoc", "Cmp_asoc", e.Asoc, func(a asoc) {
		o.int("Cbte_tipo", int64(a.Tipo))
		o.int("Cbte_punto_vta", int64(a.PtoVta))
		o.int("Cbte_nro", a.Nro)
		o.some("Cbte_cuit", a.Cuit)
	})
	o.text("Forma_pago", e.FormaPago)
	o.text("Incoterms", e.Incoterms)
	o.text("Incoterms_Ds", e.IncotermDs)
	o.int("Idioma_cbte", int64(e.Idioma))
	list(o, "Items", "Item", e.Items, func(i exportItem) {
		o.text("Pro_codigo", i.Codigo)
		o.text("Pro_ds", i.Ds)
		o.decimal("Pro_qty", i.Qty)
		o.int("Pro_umed", int64(i.Umed))
		o.decimal("Pro_precio_uni", i.Precio)
		o.decimal("Pro_bonificacion", i.Bonif)
		o.decimal("Pro_total_item", i.Tot)
	})
	o.text("Fch_venc_Cae", v.Expires)
	o.text("Cae", v.CAE)
	o.text("Resultado", "A")
	o.text("Motivos_Obs", motives(v.Observations))
	list(o, "Opcionales", "Opcional", e.Opcionales, func(p opcional) { o.text("Id", p.ID); o.text("Valor", p.Valor) })
	o.some("Fecha_pago", e.FechaPago)
	list(o, "Actividades", "Actividad", e.Actividades, func(a actividadID) { o.int("Id", a) })
}

// grantExport gives an export its CAE and keeps it under its Id.
func (s *Server) grantExport(ctx context.Context, q desk.Querier, key series, e export, d detail, remarks []Message, out *voucher) error {
	n, err := count(ctx, q, key.environment)
	if err != nil {
		return err
	}
	now := s.Now().In(zone)
	issued, err := time.Parse(dateForm, e.Fch)
	if err != nil {
		return err
	}
	*out = voucher{Detail: d, CAE: cae(now, n), Expires: issued.AddDate(0, 0, 10).Format(dateForm), Processed: now.Format("20060102150405"),
		Observations: remarks, Export: &e}
	if err := keep(ctx, q, key, *out); err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO export_request VALUES (?,?,?,?,?,?)`, key.environment, key.cuit, e.ID, key.ptoVta, key.tipo, e.Nro)
	return err
}

// findRequest is what was approved under an Id.
func findRequest(ctx context.Context, q desk.Querier, environment string, cuit, id int64) (v voucher, ok bool, err error) {
	key := series{environment: environment, cuit: cuit}
	var number int64
	err = q.QueryRowContext(ctx, `SELECT ptovta, tipo, desde FROM export_request WHERE environment=? AND cuit=? AND id=?`, environment, cuit, id).
		Scan(&key.ptoVta, &key.tipo, &number)
	if found, err := desk.Found(err); !found {
		return v, false, err
	}
	return find(ctx, q, key, number)
}

// lastRequest is the highest Id that was approved, 0 before the first.
func lastRequest(ctx context.Context, q desk.Querier, environment string, cuit int64) (id int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM export_request WHERE environment=? AND cuit=?`, environment, cuit).Scan(&id)
	return id, err
}
