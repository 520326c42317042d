package arca

import (
	"context"

	"folio/money"
	"folio/sandbox/desk"
)

// export is Cmp of FEXAuthorize as the service understood it, in the order of FEXResultGet.
// Names are those of the WSDL, whose capitals differ between operations.
type export struct {
	ID            int64         `asmx:"Id"`
	Fch           string        `asmx:"Fecha_cbte"`
	Tipo          int           `asmx:"Cbte_Tipo/Cbte_tipo,16"`
	PtoVta        int           `asmx:"Punto_vta"`
	Nro           int64         `asmx:"Cbte_nro"`
	TipoExpo      int           `asmx:"Tipo_expo,16"`
	Permiso       string        `asmx:"Permiso_existente"`
	HasPermisos   bool          `asmx:"Permisos" json:",omitempty"`
	Permisos      []permiso     `asmx:"Permisos>Permiso" json:",omitempty"`
	Dst           int           `asmx:"Dst_cmp,16"`
	Cliente       string        `asmx:"Cliente"`
	CuitPais      int64         `asmx:"Cuit_pais_cliente"`
	Domicilio     string        `asmx:"Domicilio_cliente"`
	IDImp         string        `asmx:"Id_impositivo"`
	MonID         string        `asmx:"Moneda_Id"`
	MonCotiz      money.Decimal `asmx:"Moneda_ctz"`
	HasCanMis     bool          `asmx:"CanMisMonExt" json:",omitempty"`
	CanMis        string        `asmx:"CanMisMonExt,some"`
	ObsComercial  string        `asmx:"Obs_comerciales"`
	Total         money.Decimal `asmx:"Imp_total"`
	Obs           string        `asmx:"Obs"`
	HasAsoc       bool          `asmx:"Cmps_asoc" json:",omitempty"`
	Asoc          []exportAsoc  `asmx:"Cmps_asoc>Cmp_asoc" json:",omitempty"`
	FormaPago     string        `asmx:"Forma_pago"`
	Incoterms     string        `asmx:"Incoterms"`
	IncotermDs    string        `asmx:"Incoterms_Ds"`
	Idioma        int           `asmx:"Idioma_cbte,16"`
	Items         []exportItem  `asmx:"Items>Item"`
	HasOpcionales bool          `asmx:"Opcionales" json:",omitempty"`
	Opcionales    []opcional    `asmx:"Opcionales>Opcional" json:",omitempty"`
	FechaPago     string        `asmx:"Fecha_pago,some"`
	Actividades   []int64       `asmx:"Actividades>Actividad>Id" json:",omitempty"`
}

type (
	permiso struct {
		ID  string `asmx:"Id_permiso"`
		Dst int    `asmx:"Dst_merc"`
	}
	exportAsoc struct {
		Tipo   int    `asmx:"Cbte_tipo,16"`
		PtoVta int    `asmx:"Cbte_punto_vta"`
		Nro    int64  `asmx:"Cbte_nro"`
		Cuit   string `asmx:"Cbte_cuit,some"`
	}
	exportItem struct {
		Codigo string        `asmx:"Pro_codigo"`
		Ds     string        `asmx:"Pro_ds"`
		Qty    money.Decimal `asmx:"Pro_qty"`
		Umed   int           `asmx:"Pro_umed"`
		Precio money.Decimal `asmx:"Pro_precio_uni"`
		Bonif  money.Decimal `asmx:"Pro_bonificacion"`
		Tot    money.Decimal `asmx:"Pro_total_item"`
	}
)

// export reads Cmp.
func (r *reader) export(n *node) (e export) {
	r.fields(n, &e)
	return e
}

// detail is what an export has in common with other vouchers.
func (e export) detail() detail {
	d := detail{Concepto: e.TipoExpo, DocTipo: 80, DocNro: e.CuitPais, Desde: e.Nro, Hasta: e.Nro, Fch: e.Fch,
		Total: e.Total, MonID: e.MonID, MonCotiz: e.MonCotiz}
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
		e = &export{Fch: v.Detail.Fch, Tipo: key.tipo, PtoVta: key.ptoVta, Nro: v.Detail.Desde, TipoExpo: 1,
			MonID: v.Detail.MonID, Idioma: 1}
	}
	o.fields(*e, map[string]func(){"Opcionales": func() {
		o.text("Fch_venc_Cae", v.Expires)
		o.text("Cae", v.CAE)
		o.text("Resultado", "A")
		o.text("Motivos_Obs", motives(v.Observations))
	}})
}

// grantExport gives an export its CAE and keeps it under its Id.
func (s *Server) grantExport(ctx context.Context, q desk.Querier, key series, v voucher) (voucher, error) {
	v, err := s.grant(ctx, q, key, v)
	if err != nil {
		return v, err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO export_request VALUES (?,?,?,?,?,?)`, key.environment, key.cuit, v.Export.ID,
		key.ptoVta, key.tipo, v.Export.Nro)
	return v, err
}

// findRequest is what was approved under an Id.
func findRequest(ctx context.Context, q desk.Querier, environment string, cuit,
	id int64) (v voucher, ok bool, err error) {
	key := series{environment: environment, cuit: cuit}
	var number int64
	err = q.QueryRowContext(ctx, `SELECT ptovta, tipo, desde FROM export_request WHERE environment=? AND cuit=? AND id=?`,
		environment, cuit, id).
		Scan(&key.ptoVta, &key.tipo, &number)
	if found, err := desk.Found(err); !found {
		return v, false, err
	}
	return find(ctx, q, key, number)
}

// lastRequest is the highest Id that was approved, 0 before the first.
func lastRequest(ctx context.Context, q desk.Querier, environment string, cuit int64) (id int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM export_request WHERE environment=? AND cuit=?`,
		environment, cuit).Scan(&id)
	return id, err
}
