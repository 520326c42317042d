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

// RegisteredExport is an export as the authority holds it (FEXGetCMP).
type RegisteredExport struct {
	ExportVoucher
	Code        string // the CAE
	Expires     string
	Observation string
}

// exportFound is FEXGetCMPResult.
type exportFound struct {
	Get *registeredExport `xml:"FEXResultGet"`
	fexFailures
}

// registeredExport reads FEXResultGet; amounts and numbers tolerate what ExportVoucher,
// which is for writing, would not.
type registeredExport struct {
	Id               integer `xml:"Id"`
	Fecha            text    `xml:"Fecha_cbte"`
	Tipo             integer `xml:"Cbte_tipo"`
	PtoVta           integer `xml:"Punto_vta"`
	Nro              integer `xml:"Cbte_nro"`
	TipoExpo         integer `xml:"Tipo_expo"`
	PermisoExistente text    `xml:"Permiso_existente"`
	Permisos         []struct {
		ID  text    `xml:"Id_permiso"`
		Dst integer `xml:"Dst_merc"`
	} `xml:"Permisos>Permiso"`
	Dst            integer `xml:"Dst_cmp"`
	Cliente        text    `xml:"Cliente"`
	CuitPais       integer `xml:"Cuit_pais_cliente"`
	Domicilio      text    `xml:"Domicilio_cliente"`
	IDImpositivo   text    `xml:"Id_impositivo"`
	MonedaID       text    `xml:"Moneda_Id"`
	MonedaCtz      amount  `xml:"Moneda_ctz"`
	CanMisMonExt   text    `xml:"CanMisMonExt"`
	ObsComerciales text    `xml:"Obs_comerciales"`
	ImpTotal       amount  `xml:"Imp_total"`
	CmpsAsoc       []struct {
		Tipo   integer `xml:"Cbte_tipo"`
		PtoVta integer `xml:"Cbte_punto_vta"`
		Nro    integer `xml:"Cbte_nro"`
		Cuit   text    `xml:"Cbte_cuit"`
	} `xml:"Cmps_asoc>Cmp_asoc"`
	FormaPago   text    `xml:"Forma_pago"`
	Incoterms   text    `xml:"Incoterms"`
	IncotermsDs text    `xml:"Incoterms_Ds"`
	Idioma      integer `xml:"Idioma_cbte"`
	Items       []struct {
		Codigo text    `xml:"Pro_codigo"`
		Ds     text    `xml:"Pro_ds"`
		Qty    amount  `xml:"Pro_qty"`
		Umed   integer `xml:"Pro_umed"`
		Precio amount  `xml:"Pro_precio_uni"`
		Bonif  amount  `xml:"Pro_bonificacion"`
		Total  amount  `xml:"Pro_total_item"`
	} `xml:"Items>Item"`
	Opcionales []struct {
		ID    text `xml:"Id"`
		Valor text `xml:"Valor"`
	} `xml:"Opcionales>Opcional"`
	FechaPago   text `xml:"Fecha_pago"`
	Actividades []struct {
		ID integer `xml:"Id"`
	} `xml:"Actividades>Actividad"`
	FchVencCae  text `xml:"Fch_venc_Cae"`
	Cae         text `xml:"Cae"`
	Observacion text `xml:"Motivos_Obs"`
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
	v := ExportVoucher{Id: int64(g.Id), FechaCbte: string(g.Fecha), CbteTipo: int(g.Tipo), PuntoVta: int(g.PtoVta), CbteNro: int64(g.Nro),
		TipoExpo: int(g.TipoExpo), PermisoExistente: string(g.PermisoExistente), DstCmp: int(g.Dst), Cliente: string(g.Cliente),
		CuitPaisCliente: int64(g.CuitPais), DomicilioCliente: string(g.Domicilio), IdImpositivo: string(g.IDImpositivo),
		MonedaId: string(g.MonedaID), MonedaCtz: g.MonedaCtz.Decimal, CanMisMonExt: string(g.CanMisMonExt),
		ObsComerciales: string(g.ObsComerciales), ImpTotal: g.ImpTotal.Decimal, FormaPago: string(g.FormaPago), Incoterms: string(g.Incoterms),
		IncotermsDs: string(g.IncotermsDs), IdiomaCbte: int(g.Idioma), FechaPago: string(g.FechaPago)}
	g.fill(&v)
	return RegisteredExport{ExportVoucher: v, Code: string(g.Cae), Expires: string(g.FchVencCae), Observation: string(g.Observacion)}
}

// fill puts the arrays into a voucher.
func (g *registeredExport) fill(v *ExportVoucher) {
	var permits []Permiso
	for _, p := range g.Permisos {
		permits = append(permits, Permiso{string(p.ID), int(p.Dst)})
	}
	var associated []CmpAsoc
	for _, a := range g.CmpsAsoc {
		associated = append(associated, CmpAsoc{int(a.Tipo), int(a.PtoVta), int64(a.Nro), string(a.Cuit)})
	}
	var optionals []Opcional
	for _, o := range g.Opcionales {
		optionals = append(optionals, Opcional{string(o.ID), string(o.Valor)})
	}
	var activities []Actividad
	for _, a := range g.Actividades {
		activities = append(activities, Actividad{int64(a.ID)})
	}
	for _, i := range g.Items {
		v.Items = append(v.Items, ExportItem{string(i.Codigo), string(i.Ds), i.Qty.Decimal, int(i.Umed), i.Precio.Decimal, i.Bonif.Decimal, i.Total.Decimal})
	}
	v.Permisos, v.CmpsAsoc, v.Opcionales, v.Actividades = filled(permits), filled(associated), filled(optionals), filled(activities)
}
