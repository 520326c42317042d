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
		Code int    `xml:"ErrCode"`
		Msg  string `xml:"ErrMsg"`
	} `xml:"FEXErr"`
}

func (f fexFailures) lists() failures {
	if f.Err.Code == 0 {
		return failures{}
	}
	return failures{Errors: []Message{{Code: f.Err.Code, Text: f.Err.Msg}}}
}

// ExportVerdict is the answer about an export.
type ExportVerdict struct {
	Verdict
	Repeated bool // the Id had been approved before (Reproceso)
}

// exportAnswer is FEXAuthorizeResult. Its capitals are not those of the request.
type exportAnswer struct {
	Auth *struct {
		CbteTipo   int64  `xml:"Cbte_tipo"`
		PuntoVta   int64  `xml:"Punto_vta"`
		CbteNro    int64  `xml:"Cbte_nro"`
		Cae        string `xml:"Cae"`
		FchVencCae string `xml:"Fch_venc_Cae"`
		FchCbte    string `xml:"Fch_cbte"`
		Resultado  string `xml:"Resultado"`
		Reproceso  string `xml:"Reproceso"`
		MotivosObs string `xml:"Motivos_Obs"`
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
	if int(a.CbteTipo) != v.CbteTipo || int(a.PuntoVta) != v.PuntoVta || a.CbteNro != v.CbteNro {
		return ExportVerdict{}, fmt.Errorf("asked for number %d of type %d at point of sale %d, answered for %d of %d at "+
			"%d: the identifier %d is taken",
			v.CbteNro, v.CbteTipo, v.PuntoVta, a.CbteNro, a.CbteTipo, a.PuntoVta, v.Id)
	}
	out := ExportVerdict{Verdict: Verdict{Number: v.CbteNro, Decision: Unclear, Date: a.FchCbte,
		Messages: motives(a.MotivosObs)},
		Repeated: a.Reproceso == "S"}
	switch {
	case a.Resultado == "A" && isCode(a.Cae):
		out.Decision, out.CAE, out.Expires = Accepted, a.Cae, a.FchVencCae
	case a.Resultado == "R" && len(out.Messages) > 0:
		out.Decision = Rejected
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
			CbteNro *int64 `xml:"Cbte_nro"` // none is no answer: 0 would say that nothing was issued
		} `xml:"FEXResult_LastCMP"`
		fexFailures
	}
	res, err := call(ctx, s, request{web: wsfex, op: op, args: in, insideAuth: true}, always[answer])
	if err != nil {
		return 0, err
	}
	if res.Last == nil || res.Last.CbteNro == nil || *res.Last.CbteNro < 0 {
		return 0, &Ambiguous{op, errors.New("the answer holds no number")}
	}
	return *res.Last.CbteNro, nil
}

// RegisteredExport is an export as the authority holds it (FEXGetCMP, FEXResultGet).
type RegisteredExport struct {
	ExportVoucher
	Tipo        int    `xml:"Cbte_tipo"` // Cbte_Tipo of the request
	Code        string `xml:"Cae"`
	Expires     string `xml:"Fch_venc_Cae"`
	Observation string `xml:"Motivos_Obs"`
}

// exportFound is FEXGetCMPResult.
type exportFound struct {
	Get *RegisteredExport `xml:"FEXResultGet"`
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
	if g == nil || g.PuntoVta != ptoVta || g.Tipo != cbteTipo || g.CbteNro != number || !isCode(g.Code) {
		return RegisteredExport{}, false, &Ambiguous{op, errors.New("the answer is not about the voucher that was asked for")}
	}
	g.CbteTipo = g.Tipo
	return *g, true, nil
}
