package arca

import (
	"context"
	"encoding/xml"
	"errors"
)

// Registered is a voucher as the authority holds it (FECompConsultar, ResultGet). Absent
// dates are empty.
type Registered struct {
	Voucher      `xml:"-"`
	PtoVta       int       `xml:"PtoVta"`
	CbteTipo     int       `xml:"CbteTipo"`
	Result       string    `xml:"Resultado"`       // A
	Code         string    `xml:"CodAutorizacion"` // the CAE
	EmissionType string    `xml:"EmisionTipo"`     // CAE or CAEA
	Expires      string    `xml:"FchVto"`          // yyyymmdd
	Processed    string    `xml:"FchProceso"`      // yyyymmddhhmmss
	Observations []Message `xml:"Observaciones>Obs"`
}

// registered reads ResultGet: the voucher is in it as it was written.
type registered struct {
	written
	Registered
}

func (g *registered) plain() Registered {
	r := g.Registered
	r.Voucher, r.Observations = g.voucher(), plain(r.Observations)
	return r
}

// Find asks what the authority holds under a number; false means nothing (its code
// 602). It never changes anything, so any error just means to ask again.
func (s *Session) Find(ctx context.Context, ptoVta, cbteTipo int, number int64) (Registered, bool, error) {
	const op = "FECompConsultar"
	in, err := args(struct {
		XMLName  xml.Name `xml:"FeCompConsReq"`
		CbteTipo int      `xml:"CbteTipo"`
		CbteNro  int64    `xml:"CbteNro"`
		PtoVta   int      `xml:"PtoVta"`
	}{CbteTipo: cbteTipo, CbteNro: number, PtoVta: ptoVta})
	if err != nil {
		return Registered{}, false, &NotSent{op, err}
	}
	type answer struct {
		ResultGet *registered `xml:"ResultGet"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, always[answer])
	var refused *Refused
	if errors.As(err, &refused) && refused.Has(CodeNotFound) && len(refused.Errors) == 1 {
		return Registered{}, false, nil
	}
	if err != nil {
		return Registered{}, false, err
	}
	g := res.ResultGet
	if g == nil || g.PtoVta != ptoVta || g.CbteTipo != cbteTipo || number < g.written.CbteDesde ||
		number > g.written.CbteHasta || !isCode(g.Code) {
		return Registered{}, false, &Ambiguous{op, errors.New("the answer is not about the voucher that was asked for")}
	}
	return g.plain(), true, nil
}
