package arca

import (
	"context"
	"encoding/xml"
	"errors"
)

// Registered is a voucher as the authority holds it (FECompConsultar, ResultGet).
// Amounts come normalised (122 for 122.00) and absent dates empty.
type Registered struct {
	Voucher
	PtoVta       int
	CbteTipo     int
	Result       string // A
	Code         string // CodAutorizacion: the CAE
	EmissionType string // CAE or CAEA
	Expires      string // yyyymmdd
	Processed    string // yyyymmddhhmmss
	Observations []Message
}

// registered reads ResultGet; amounts and numbers tolerate what Voucher, which is for
// writing, would not.
type registered struct {
	Concepto        integer   `xml:"Concepto"`
	DocTipo         integer   `xml:"DocTipo"`
	DocNro          integer   `xml:"DocNro"`
	CbteDesde       integer   `xml:"CbteDesde"`
	CbteHasta       integer   `xml:"CbteHasta"`
	CbteFch         text      `xml:"CbteFch"`
	ImpTotal        amount    `xml:"ImpTotal"`
	ImpTotConc      amount    `xml:"ImpTotConc"`
	ImpNeto         amount    `xml:"ImpNeto"`
	ImpOpEx         amount    `xml:"ImpOpEx"`
	ImpTrib         amount    `xml:"ImpTrib"`
	ImpIVA          amount    `xml:"ImpIVA"`
	FchServDesde    text      `xml:"FchServDesde"`
	FchServHasta    text      `xml:"FchServHasta"`
	FchVtoPago      text      `xml:"FchVtoPago"`
	MonId           text      `xml:"MonId"`
	MonCotiz        amount    `xml:"MonCotiz"`
	CanMisMonExt    text      `xml:"CanMisMonExt"`
	Condicion       integer   `xml:"CondicionIVAReceptorId"`
	Resultado       text      `xml:"Resultado"`
	CodAutorizacion text      `xml:"CodAutorizacion"`
	EmisionTipo     text      `xml:"EmisionTipo"`
	FchVto          text      `xml:"FchVto"`
	FchProceso      text      `xml:"FchProceso"`
	Observaciones   []message `xml:"Observaciones>Obs"`
	PtoVta          integer   `xml:"PtoVta"`
	CbteTipo        integer   `xml:"CbteTipo"`
	registeredLists
}

// registeredLists are the arrays of ResultGet; an absent one is empty.
type registeredLists struct {
	CbtesAsoc []struct {
		Tipo    integer `xml:"Tipo"`
		PtoVta  integer `xml:"PtoVta"`
		Nro     integer `xml:"Nro"`
		Cuit    text    `xml:"Cuit"`
		CbteFch text    `xml:"CbteFch"`
	} `xml:"CbtesAsoc>CbteAsoc"`
	Tributos []struct {
		ID      integer `xml:"Id"`
		Desc    text    `xml:"Desc"`
		BaseImp amount  `xml:"BaseImp"`
		Alic    amount  `xml:"Alic"`
		Importe amount  `xml:"Importe"`
	} `xml:"Tributos>Tributo"`
	Iva []struct {
		ID      integer `xml:"Id"`
		BaseImp amount  `xml:"BaseImp"`
		Importe amount  `xml:"Importe"`
	} `xml:"Iva>AlicIva"`
	Opcionales []struct {
		ID    text `xml:"Id"`
		Valor text `xml:"Valor"`
	} `xml:"Opcionales>Opcional"`
	Compradores []struct {
		DocTipo    integer `xml:"DocTipo"`
		DocNro     integer `xml:"DocNro"`
		Porcentaje amount  `xml:"Porcentaje"`
	} `xml:"Compradores>Comprador"`
	Periodo struct {
		Desde text `xml:"FchDesde"`
		Hasta text `xml:"FchHasta"`
	} `xml:"PeriodoAsoc"`
	Actividades []struct {
		ID integer `xml:"Id"`
	} `xml:"Actividades>Actividad"`
}

// fill puts the arrays into a voucher.
func (l registeredLists) fill(v *Voucher) {
	for _, a := range l.CbtesAsoc {
		v.CbtesAsoc = append(v.CbtesAsoc, CbteAsoc{int(a.Tipo), int(a.PtoVta), int64(a.Nro), string(a.Cuit), string(a.CbteFch)})
	}
	for _, t := range l.Tributos {
		v.Tributos = append(v.Tributos, Tributo{int(t.ID), string(t.Desc), t.BaseImp.Decimal, t.Alic.Decimal, t.Importe.Decimal})
	}
	for _, i := range l.Iva {
		v.Iva = append(v.Iva, AlicIva{int(i.ID), i.BaseImp.Decimal, i.Importe.Decimal})
	}
	for _, o := range l.Opcionales {
		v.Opcionales = append(v.Opcionales, Opcional{string(o.ID), string(o.Valor)})
	}
	for _, c := range l.Compradores {
		v.Compradores = append(v.Compradores, Comprador{int(c.DocTipo), int64(c.DocNro), c.Porcentaje.Decimal})
	}
	if l.Periodo.Desde != "" || l.Periodo.Hasta != "" {
		v.PeriodoAsoc = &PeriodoAsoc{string(l.Periodo.Desde), string(l.Periodo.Hasta)}
	}
	for _, a := range l.Actividades {
		v.Actividades = append(v.Actividades, Actividad{int64(a.ID)})
	}
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
	if g == nil || int(g.PtoVta) != ptoVta || int(g.CbteTipo) != cbteTipo ||
		number < int64(g.CbteDesde) || number > int64(g.CbteHasta) || !digits(string(g.CodAutorizacion), 14) {
		return Registered{}, false, &Ambiguous{op, errors.New("the answer is not about the voucher that was asked for")}
	}
	return g.plain(), true, nil
}

func (g *registered) plain() Registered {
	r := Registered{
		Voucher: Voucher{
			Concepto: int(g.Concepto), DocTipo: int(g.DocTipo), DocNro: int64(g.DocNro),
			CbteDesde: int64(g.CbteDesde), CbteHasta: int64(g.CbteHasta), CbteFch: string(g.CbteFch),
			ImpTotal: g.ImpTotal.Decimal, ImpTotConc: g.ImpTotConc.Decimal, ImpNeto: g.ImpNeto.Decimal,
			ImpOpEx: g.ImpOpEx.Decimal, ImpTrib: g.ImpTrib.Decimal, ImpIVA: g.ImpIVA.Decimal,
			FchServDesde: string(g.FchServDesde), FchServHasta: string(g.FchServHasta), FchVtoPago: string(g.FchVtoPago),
			MonId: string(g.MonId), MonCotiz: &g.MonCotiz.Decimal, CanMisMonExt: string(g.CanMisMonExt),
		},
		PtoVta: int(g.PtoVta), CbteTipo: int(g.CbteTipo),
		Result: string(g.Resultado), Code: string(g.CodAutorizacion), EmissionType: string(g.EmisionTipo),
		Expires: string(g.FchVto), Processed: string(g.FchProceso), Observations: plain(g.Observaciones),
	}
	if g.Condicion != 0 {
		id := int(g.Condicion)
		r.CondicionIVAReceptorId = &id
	}
	g.fill(&r.Voucher)
	return r
}
