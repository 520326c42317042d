package arca

import (
	"context"
	"database/sql"
	"fmt"

	"folio/sandbox/desk"
)

// exports is WSFEXv1 (manual 3.1.1). Its answers have one error at most, and no result
// beside it; resending an Id that was approved returns what was given then.
var exports = &service{
	name: "wsfex", namespace: namespaceFX, release: "5.0.1.0", dummy: "FEXDummy", authorize: "FEXAuthorize",
	coded: codedFX, refuse: onlyError, unauthorized: unauthorizedFX, marks: marksOfExports, series: seriesOfExports,
	operations: map[string]handler{
		"FEXAuthorize":           (*Server).authorizeExport,
		"FEXGetCMP":              (*Server).consultExport,
		"FEXGetLast_CMP":         (*Server).lastExport,
		"FEXGetLast_ID":          (*Server).lastExportID,
		"FEXGetPARAM_Cbte_Tipo":  tableFX(exportTypes),
		"FEXGetPARAM_Tipo_Expo":  tableFX(exportKinds),
		"FEXGetPARAM_Incoterms":  tableFX(incotermTypes),
		"FEXGetPARAM_Idiomas":    tableFX(languageTypes),
		"FEXGetPARAM_UMed":       tableFX(unitTypes),
		"FEXGetPARAM_DST_pais":   tableFX(destinationTypes),
		"FEXGetPARAM_Opcionales": tableFX(exportOptionals),
		"FEXGetPARAM_Ctz":        (*Server).quotationFX,
	},
}

// onlyError is a result that refuses the request: the first of the messages, since
// there is room for one.
func onlyError(_ string, ms ...Message) string {
	var o out
	first := Message{0, "OK"}
	if len(ms) > 0 {
		first = ms[0]
	}
	o.in("FEXErr", func() {
		o.int("ErrCode", int64(first.Code))
		o.text("ErrMsg", first.Text)
	})
	o.in("FEXEvents", func() {
		o.int("EventCode", 0)
		o.text("EventMsg", "Ok")
	})
	return o.String()
}

// unauthorizedFX words a refusal of the ticket as WSFEXv1 does: code 1000 for all but a
// taxpayer that the ticket does not represent.
func unauthorizedFX(m Message) Message {
	const text = "Usuario no autorizado a realizar esta operacion. "
	switch {
	case m.Code == 500:
		return Message{1000, text}
	case notRepresented(m):
		return Message{1001, "Cuit solicitante no se encuentra entre sus representados"}
	}
	return Message{1000, text + m.Text}
}

// authorizeExport answers FEXAuthorize.
func (s *Server) authorizeExport(ctx context.Context, c *call, read *reader, o *out) error {
	e := read.export(read.child(c.node, "Cmp"))
	if read.err != nil {
		return nil
	}
	key := e.series(c)
	v := verdict{detail: e.detail()}
	var no *Message
	repeated := false
	err := s.store.Within(ctx, func(q *sql.Tx) (err error) {
		if v.granted, repeated, err = findRequest(ctx, q, c.environment, c.cuit, e.ID); err != nil || repeated {
			v.accepted = repeated
			return err
		}
		no, err = s.judgeExport(ctx, q, e, &v, c)
		return err
	})
	switch {
	case err != nil:
		return err
	case no != nil:
		c.saw(key, []verdict{v}, []Message{*no})
		o.WriteString(onlyError(c.operation, *no))
		return nil
	case v.accepted:
		s.forget(c, 0)
	}
	c.saw(key, []verdict{v}, nil)
	writeAuthorized(o, c.cuit, e, v, repeated)
	return nil
}

// series is the one that the document belongs to.
func (e export) series(c *call) series { return series{c.environment, c.cuit, e.PtoVta, e.Tipo} }

// judgeExport checks a document and keeps it. A message refuses the request; reasons in
// v.obs refuse the document (Motivos_Obs).
func (s *Server) judgeExport(ctx context.Context, q desk.Querier, e export, v *verdict, c *call) (*Message, error) {
	key := e.series(c)
	before, _, err := last(ctx, q, key)
	if err != nil {
		return nil, err
	}
	if e.Fch == "" {
		e.Fch = max(s.today(), before.Detail.Fch)
	}
	x := &exportExamination{export: &e, series: key, today: s.today(), month: s.today()[:6], knobs: c.knobs,
		before: before,
		find:   func(k series, n int64) (voucher, bool, error) { return find(ctx, q, k, n) }}
	no, err := x.run()
	if err != nil || no != nil {
		return no, err
	}
	var remarks []Message
	for _, f := range c.struck {
		m := message(f, c.service)
		switch f.Effect {
		case Reject:
			return &m, nil
		case Observe:
			remarks = append(remarks, m)
		}
	}
	if c.knobs.Registry[e.CuitPais] == FakeInvoices {
		v.obs = []Message{codedFX(21)}
		return nil, nil
	}
	v.detail = e.detail()
	if v.granted, err = s.grantExport(ctx, q, key,
		voucher{Detail: v.detail, Observations: remarks, Export: &e}); err != nil {
		return nil, err
	}
	v.accepted, v.obs = true, remarks
	return nil, nil
}

func writeAuthorized(o *out, cuit int64, e export, v verdict, repeated bool) {
	tipo, ptoVta := e.Tipo, e.PtoVta
	if repeated && v.granted.Export != nil { // what was approved then, whatever is asked now
		tipo, ptoVta = v.granted.Export.Tipo, v.granted.Export.PtoVta
	}
	number, date := e.Nro, e.Fch
	if v.accepted {
		number, date = v.granted.Detail.Desde, v.granted.Detail.Fch
	}
	o.in("FEXResultAuth", func() {
		o.int("Id", e.ID)
		o.int("Cuit", cuit)
		o.int("Cbte_tipo", int64(tipo))
		o.int("Punto_vta", int64(ptoVta))
		o.int("Cbte_nro", number)
		o.text("Cae", v.granted.CAE)
		o.text("Fch_venc_Cae", v.granted.Expires)
		o.text("Fch_cbte", date)
		o.text("Resultado", map[bool]string{true: "A", false: "R"}[v.accepted])
		o.text("Reproceso", map[bool]string{true: "S", false: "N"}[repeated])
		reasons := v.obs
		if v.accepted {
			reasons = v.granted.Observations
		}
		o.text("Motivos_Obs", motives(reasons))
	})
	o.WriteString(onlyError(""))
}

// motives is Motivos_Obs, 40 characters at most.
func motives(ms []Message) string {
	text := ""
	for i, m := range ms {
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%d: %s", m.Code, m.Text)
	}
	letters := []rune(text)
	return string(letters[:min(len(letters), 40)])
}

// lastExport answers FEXGetLast_CMP, whose arguments stand inside of Auth.
func (s *Server) lastExport(ctx context.Context, c *call, read *reader, o *out) error {
	auth := read.child(c.node, "Auth")
	ptoVta, tipo := int(read.int(auth, "Pto_venta", 32)), int(read.int(auth, "Cbte_Tipo", 16))
	switch {
	case read.err != nil:
		return nil
	case !isExport(tipo):
		o.WriteString(c.refuse(codedFX(1606)))
		return nil
	case ptoVta < 1 || ptoVta > 99998 || !c.knobs.mayUse(c.environment, c.cuit, ptoVta):
		o.WriteString(c.refuse(codedFX(1607)))
		return nil
	}
	v, _, err := last(ctx, s.store, series{c.environment, c.cuit, ptoVta, tipo})
	if err != nil {
		return err
	}
	o.in("FEXResult_LastCMP", func() {
		o.int("Cbte_nro", v.Detail.Hasta)
		o.text("Cbte_fecha", v.Detail.Fch)
	})
	o.WriteString(onlyError(""))
	return nil
}

// lastExportID answers FEXGetLast_ID: the highest Id that was approved.
func (s *Server) lastExportID(ctx context.Context, c *call, _ *reader, o *out) error {
	id, err := lastRequest(ctx, s.store, c.environment, c.cuit)
	if err != nil {
		return err
	}
	o.in("FEXResultGet", func() { o.int("Id", id) })
	o.WriteString(onlyError(""))
	return nil
}

// consultExport answers FEXGetCMP.
func (s *Server) consultExport(ctx context.Context, c *call, read *reader, o *out) error {
	cmp := read.child(c.node, "Cmp")
	ptoVta, tipo, number := int(read.int(cmp, "Punto_vta", 32)), int(read.int(cmp, "Cbte_tipo", 16)),
		read.int(cmp, "Cbte_nro", 64)
	if read.err != nil {
		return nil
	}
	v, ok, err := find(ctx, s.store, series{c.environment, c.cuit, ptoVta, tipo}, number)
	if err != nil {
		return err
	}
	if !ok || !isExport(tipo) {
		o.WriteString(c.refuse(codedFX(1020)))
		return nil
	}
	o.in("FEXResultGet", func() { v.writeExport(o, series{c.environment, c.cuit, ptoVta, tipo}) })
	o.WriteString(onlyError(""))
	return nil
}

// quotationFX answers FEXGetPARAM_Ctz.
func (s *Server) quotationFX(_ context.Context, c *call, read *reader, o *out) error {
	rate, ok := c.knobs.Quotations[read.text(c.node, "Mon_id")]
	if !ok {
		o.WriteString(c.refuse(codedFX(1590)))
		return nil
	}
	o.in("FEXResultGet", func() {
		o.decimal("Mon_ctz", rate)
		o.text("Mon_fecha", s.calendar().In(zone).AddDate(0, 0, -1).Format(dateForm))
	})
	o.WriteString(onlyError(""))
	return nil
}

// marksOfExports finds the document of FEXAuthorize: its mark stands in Obs_comerciales,
// or is the CUIT of the buyer.
func marksOfExports(read *reader, op *node) []carrier {
	n := read.child(op, "Cmp")
	return []carrier{{texts: []string{read.text(n, "Obs_comerciales")}, docTipo: 80,
		docNro:   read.int(n, "Cuit_pais_cliente", 64),
		identity: identity(n, "Id", "Cbte_nro") + identity(read.child(op, "Auth"), "Token", "Sign")}}
}

func seriesOfExports(read *reader, c *call) series {
	n := read.child(c.node, "Cmp")
	return series{c.environment, c.cuit, int(read.int(n, "Punto_vta", 32)), int(read.int(n, "Cbte_Tipo", 16))}
}

// isExport says whether a type is one of WSFEXv1 (1530).
func isExport(tipo int) bool { return tipo >= 19 && tipo <= 21 }
