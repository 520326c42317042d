package arca

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// fexFailures is how WSFEXv1 reports: one error, 0 when there is none.
type fexFailures struct {
	Err struct {
		Code integer `xml:"ErrCode"`
		Msg  text    `xml:"ErrMsg"`
	} `xml:"FEXErr"`
}

func (f fexFailures) lists() failures {
	if f.Err.Code == 0 {
		return failures{}
	}
	return failures{Errors: []message{{Code: f.Err.Code, Msg: f.Err.Msg}}}
}

// ExportVerdict is the answer about an export.
type ExportVerdict struct {
	Verdict
	Repeated bool // the Id had been approved before (Reproceso)
}

// exportAnswer is FEXAuthorizeResult. Its capitals are not those of the request.
type exportAnswer struct {
	Auth *struct {
		CbteTipo   integer `xml:"Cbte_tipo"`
		PuntoVta   integer `xml:"Punto_vta"`
		CbteNro    integer `xml:"Cbte_nro"`
		Cae        text    `xml:"Cae"`
		FchVencCae text    `xml:"Fch_venc_Cae"`
		FchCbte    text    `xml:"Fch_cbte"`
		Resultado  text    `xml:"Resultado"`
		Reproceso  text    `xml:"Reproceso"`
		MotivosObs text    `xml:"Motivos_Obs"`
	} `xml:"FEXResultAuth"`
	fexFailures
}

// AuthorizeExport sends content, which is v.XML(), once (FEXAuthorize). Errors are those
// of Authorize; *Refused concerns this voucher, since the service takes one at a time.
// An Id that was approved under another number is *Ambiguous: it is somebody else's.
func (s *Session) AuthorizeExport(ctx context.Context, v ExportVoucher, content []byte) (ExportVerdict, error) {
	const op = "FEXAuthorize"
	res, err := call(ctx, s, request{web: wsfex, op: op, args: content}, always[exportAnswer])
	var refused *Refused
	if errors.As(err, &refused) && refused.Transient() && !refused.token() {
		return ExportVerdict{}, &Ambiguous{op, refused}
	}
	if err != nil {
		return ExportVerdict{}, err
	}
	verdict, err := res.judge(v)
	if err != nil {
		return ExportVerdict{}, &Ambiguous{op, err}
	}
	return verdict, nil
}

// judge gives the voucher its verdict; an answer about another one is an error.
func (res exportAnswer) judge(v ExportVoucher) (ExportVerdict, error) {
	a := res.Auth
	if a == nil {
		return ExportVerdict{}, errors.New("the answer holds neither a result nor an error")
	}
	if int(a.CbteTipo) != v.CbteTipo || int(a.PuntoVta) != v.PuntoVta || int64(a.CbteNro) != v.CbteNro {
		return ExportVerdict{}, fmt.Errorf("asked for number %d of type %d at point of sale %d, answered for %d of %d at %d: the identifier %d is taken",
			v.CbteNro, v.CbteTipo, v.PuntoVta, a.CbteNro, a.CbteTipo, a.PuntoVta, v.Id)
	}
	out := ExportVerdict{Verdict: Verdict{Number: v.CbteNro, Outcome: Unclear, Date: string(a.FchCbte), Messages: motives(string(a.MotivosObs))},
		Repeated: a.Reproceso == "S"}
	switch {
	case a.Resultado == "A" && digits(string(a.Cae), 14):
		out.Outcome, out.CAE, out.Expires = Accepted, string(a.Cae), string(a.FchVencCae)
	case a.Resultado == "R" && len(out.Messages) > 0:
		out.Outcome = Rejected
	}
	return out, nil
}

// motives reads Motivos_Obs, 40 letters that begin with a code.
func motives(text string) []Message {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	code, _ := strconv.Atoi(text[:end])
	return []Message{{Code: code, Text: text}}
}

// LastExport is the number of the last export of a series, 0 before the first
// (FEXGetLast_CMP).
func (s *Session) LastExport(ctx context.Context, ptoVta, cbteTipo int) (int64, error) {
	const op = "FEXGetLast_CMP"
	in, err := args(field("Pto_venta", ptoVta), field("Cbte_Tipo", cbteTipo))
	if err != nil {
		return 0, &NotSent{op, err}
	}
	type answer struct {
		Last *struct {
			CbteNro integer `xml:"Cbte_nro"`
		} `xml:"FEXResult_LastCMP"`
		fexFailures
	}
	res, err := call(ctx, s, request{web: wsfex, op: op, args: in, insideAuth: true}, always[answer])
	if err != nil {
		return 0, err
	}
	if res.Last == nil || res.Last.CbteNro < 0 {
		return 0, &Ambiguous{op, errors.New("the answer holds no number")}
	}
	return int64(res.Last.CbteNro), nil
}

// RegisteredExport is an export as the authority holds it (FEXGetCMP). Texts come back
// damaged where they have accents, so none is here.
type RegisteredExport struct {
	Id          int64
	FechaCbte   string
	TipoExpo    int
	DstCmp      int
	CuitPais    int64
	MonedaId    string
	MonedaCtz   amount
	ImpTotal    amount
	FechaPago   string
	Totals      []amount
	Code        string // the CAE
	Expires     string
	Observation string
}

// exportFound is FEXGetCMPResult.
type exportFound struct {
	Get *struct {
		Id          integer  `xml:"Id"`
		Fecha       text     `xml:"Fecha_cbte"`
		Tipo        integer  `xml:"Cbte_tipo"`
		PtoVta      integer  `xml:"Punto_vta"`
		Nro         integer  `xml:"Cbte_nro"`
		TipoExpo    integer  `xml:"Tipo_expo"`
		Dst         integer  `xml:"Dst_cmp"`
		CuitPais    integer  `xml:"Cuit_pais_cliente"`
		MonedaID    text     `xml:"Moneda_Id"`
		MonedaCtz   amount   `xml:"Moneda_ctz"`
		ImpTotal    amount   `xml:"Imp_total"`
		FechaPago   text     `xml:"Fecha_pago"`
		Totals      []amount `xml:"Items>Item>Pro_total_item"`
		FchVencCae  text     `xml:"Fch_venc_Cae"`
		Cae         text     `xml:"Cae"`
		Observacion text     `xml:"Motivos_Obs"`
	} `xml:"FEXResultGet"`
	fexFailures
}

// FindExport asks what the authority holds under a number; false means nothing (its
// code 1020).
func (s *Session) FindExport(ctx context.Context, ptoVta, cbteTipo int, number int64) (RegisteredExport, bool, error) {
	const op = "FEXGetCMP"
	in, err := args(struct {
		XMLName  xml.Name `xml:"Cmp"`
		CbteTipo int      `xml:"Cbte_tipo"` // not Cbte_Tipo, as elsewhere
		PtoVta   int      `xml:"Punto_vta"`
		CbteNro  int64    `xml:"Cbte_nro"`
	}{CbteTipo: cbteTipo, PtoVta: ptoVta, CbteNro: number})
	if err != nil {
		return RegisteredExport{}, false, &NotSent{op, err}
	}
	res, err := call(ctx, s, request{web: wsfex, op: op, args: in}, always[exportFound])
	var refused *Refused
	if errors.As(err, &refused) && refused.Has(CodeExportNotFound) {
		return RegisteredExport{}, false, nil
	}
	if err != nil {
		return RegisteredExport{}, false, err
	}
	g := res.Get
	if g == nil || int(g.PtoVta) != ptoVta || int(g.Tipo) != cbteTipo || int64(g.Nro) != number || !digits(string(g.Cae), 14) {
		return RegisteredExport{}, false, &Ambiguous{op, errors.New("the answer is not about the voucher that was asked for")}
	}
	return res.plain(), true, nil
}

func (f exportFound) plain() RegisteredExport {
	g := f.Get
	return RegisteredExport{Id: int64(g.Id), FechaCbte: string(g.Fecha), TipoExpo: int(g.TipoExpo), DstCmp: int(g.Dst), CuitPais: int64(g.CuitPais),
		MonedaId: string(g.MonedaID), MonedaCtz: g.MonedaCtz, ImpTotal: g.ImpTotal, FechaPago: string(g.FechaPago), Totals: g.Totals,
		Code: string(g.Cae), Expires: string(g.FchVencCae), Observation: string(g.Observacion)}
}

// Differences names the fields in which what the authority holds is not what was sent.
// The identifier is among them: it is ours alone.
func (r RegisteredExport) Differences(sent ExportVoucher) []string {
	var out []string
	differ := func(name string, differs bool) {
		if differs {
			out = append(out, name)
		}
	}
	differ("Id", r.Id != sent.Id)
	differ("Fecha_cbte", r.FechaCbte != sent.FechaCbte)
	differ("Tipo_expo", r.TipoExpo != sent.TipoExpo)
	differ("Dst_cmp", r.DstCmp != sent.DstCmp)
	differ("Cuit_pais_cliente", r.CuitPais != sent.CuitPaisCliente)
	differ("Moneda_Id", r.MonedaId != sent.MonedaId)
	differ("Moneda_ctz", !r.MonedaCtz.Equal(sent.MonedaCtz))
	differ("Imp_total", !r.ImpTotal.Equal(sent.ImpTotal))
	differ("Fecha_pago", r.FechaPago != sent.FechaPago)
	differ("Items", len(r.Totals) != len(sent.Items))
	for i := range min(len(r.Totals), len(sent.Items)) {
		differ("Items."+strconv.Itoa(i+1), !r.Totals[i].Equal(sent.Items[i].ProTotalItem))
	}
	return out
}

// DummyExports asks WSFEXv1 for its status (FEXDummy). It needs no ticket.
func (c *Client) DummyExports(ctx context.Context) (Status, error) {
	type answer struct {
		AppServer  text `xml:"AppServer"`
		DbServer   text `xml:"DbServer"`
		AuthServer text `xml:"AuthServer"`
	}
	res, err := once[answer](ctx, c, request{web: wsfex, op: "FEXDummy"}, nil, func(Exchange) {})
	return Status{string(res.AppServer), string(res.DbServer), string(res.AuthServer)}, err
}
