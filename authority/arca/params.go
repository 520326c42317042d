package arca

import (
	"context"
	"errors"
	"strings"

	"folio/money"
)

// Row is one line of a table of the service. Empty dates mean no limit.
type Row struct {
	ID    string
	Text  string
	From  string // yyyymmdd
	Until string // yyyymmdd
	Class string // classes of voucher, FEParamGetCondicionIvaReceptor only: "A/ALEY/C"
}

// Table is the name of an operation without arguments that returns rows.
type Table string

// The tables of the service (manual, "FEParamGet...").
const (
	VoucherTypes     Table = "FEParamGetTiposCbte"
	Concepts         Table = "FEParamGetTiposConcepto"
	DocumentTypes    Table = "FEParamGetTiposDoc"
	VATRates         Table = "FEParamGetTiposIva"
	Currencies       Table = "FEParamGetTiposMonedas"
	OptionalData     Table = "FEParamGetTiposOpcional"
	OtherTaxes       Table = "FEParamGetTiposTributos"
	Countries        Table = "FEParamGetTiposPaises"
	Activities       Table = "FEParamGetActividades"
	ReceiverVATConds Table = "FEParamGetCondicionIvaReceptor"
)

type row struct {
	ID       text `xml:"Id"`
	Desc     text `xml:"Desc"`
	FchDesde text `xml:"FchDesde"`
	FchHasta text `xml:"FchHasta"`
	Class    text `xml:"Cmp_Clase"`
}

// Rows reads a table.
func (s *Session) Rows(ctx context.Context, t Table) ([]Row, error) {
	type answer struct {
		Rows struct {
			All []row `xml:",any"`
		} `xml:"ResultGet"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: string(t)}, always[answer])
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(res.Rows.All))
	for i, r := range res.Rows.All {
		rows[i] = Row{string(r.ID), string(r.Desc), string(r.FchDesde), string(r.FchHasta), string(r.Class)}
	}
	return rows, nil
}

// PointOfSale is one that the taxpayer registered for web services.
type PointOfSale struct {
	Number       int
	EmissionType string // "CAE - Ri Iva"
	Blocked      bool
	Closed       string // yyyymmdd
}

// PointsOfSale lists them. In homologation the service has none and says so with its
// code 602, which is an empty list here; any number can be used there.
func (s *Session) PointsOfSale(ctx context.Context) ([]PointOfSale, error) {
	type answer struct {
		Rows []struct {
			Nro         integer `xml:"Nro"`
			EmisionTipo text    `xml:"EmisionTipo"`
			Bloqueado   text    `xml:"Bloqueado"`
			FchBaja     text    `xml:"FchBaja"`
		} `xml:"ResultGet>PtoVenta"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: "FEParamGetPtosVenta"}, always[answer])
	if notFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make([]PointOfSale, len(res.Rows))
	for i, r := range res.Rows {
		out[i] = PointOfSale{int(r.Nro), string(r.EmisionTipo), strings.EqualFold(string(r.Bloqueado), "S"), string(r.FchBaja)}
	}
	return out, nil
}

// Rate is what the authority holds as the price of one unit of monID in pesos; date is
// yyyymmdd or empty for the latest. False: it has none (for PES always).
func (s *Session) Rate(ctx context.Context, monID, date string) (rate money.Decimal, of string, ok bool, err error) {
	const op = "FEParamGetCotizacion"
	parts := []any{field("MonId", monID)}
	if date != "" {
		parts = append(parts, field("FchCotiz", date))
	}
	in, err := args(parts...)
	if err != nil {
		return money.Zero, "", false, &NotSent{op, err}
	}
	type answer struct {
		MonCotiz amount `xml:"ResultGet>MonCotiz"`
		FchCotiz text   `xml:"ResultGet>FchCotiz"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, always[answer])
	if notFound(err) {
		return money.Zero, "", false, nil
	}
	return res.MonCotiz.Decimal, string(res.FchCotiz), err == nil, err
}

func notFound(err error) bool {
	var r *Refused
	return errors.As(err, &r) && r.Has(CodeNotFound)
}
