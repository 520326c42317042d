package arca

import (
	"context"
	"strconv"
	"strings"

	"folio/money"
)

const namespaceCDC = "http://servicios1.afip.gob.ar/wscdc/"

// constatations is WSCDC (manual of 2013-09-25), which confirms vouchers that others
// issued: those of this sandbox.
var constatations = &service{
	name: "wscdc", namespace: namespaceCDC, release: "1.0.0.0", dummy: "ComprobanteDummy",
	coded: codedCDC, refuse: onlyErrors, unauthorized: func(m Message) Message { return m },
	operations: map[string]handler{
		"ComprobanteConstatar":           (*Server).constate,
		"ComprobantesModalidadConsultar": (*Server).modes,
	},
}

// textsCDC are the reasons of a refusal. 100, 101, 113 and 114 are literal; 110 says the
// manual's condition. 103, of a voucher that is registered otherwise, is the sandbox's own
// choice among the manual's 100 to 153.
var textsCDC = map[int]string{
	1:   "El campo CmpReq no fue ingresado o esta mal formado.",
	2:   "El campo CbteModo debe ser CAI, CAE o CAEA.",
	100: "El N° de CAI/CAE/CAEA consultado no existe en las bases del organismo.",
	101: "Se podran constatar comprobantes con fecha de emision del 01/01/2013 en adelante.",
	103: "Los datos consultados no se corresponden con el comprobante registrado: ",
	110: "El importe total no se corresponde con el registrado.",
	113: "Para Comprobantes tipo A o tipo M, el documento del receptor debe ser CUIT.",
	114: "Para comprobantes tipo A o tipo M el documento del Receptor es obligatorio informarlo..",
}

func codedCDC(code int) Message {
	if text, ok := textsCDC[code]; ok {
		return Message{code, text}
	}
	return coded(code)
}

// asked is CmpReq.
type asked struct {
	modo, fch, code, docTipo, docNro string
	issuer                           series
	number                           int64
	total                            money.Decimal
}

func (r *reader) asked(environment string, n *node) asked {
	return asked{
		modo: r.text(n, "CbteModo"), fch: r.text(n, "CbteFch"), code: r.text(n, "CodAutorizacion"),
		docTipo: r.text(n, "DocTipoReceptor"), docNro: r.text(n, "DocNroReceptor"), number: r.int(n, "CbteNro", 64),
		total:  r.decimal(n, "ImpTotal"),
		issuer: series{environment, r.int(n, "CuitEmisor", 64), int(r.int(n, "PtoVta", 32)), int(r.int(n, "CbteTipo", 32))},
	}
}

// constate answers ComprobanteConstatar.
func (s *Server) constate(ctx context.Context, c *call, read *reader, o *out) error {
	n := read.child(c.node, "CmpReq")
	a := read.asked(c.environment, n)
	if read.err != nil {
		return nil
	}
	var form []Message
	switch {
	case n == nil:
		form = append(form, codedCDC(1))
	case a.modo != "CAE" && a.modo != "CAEA" && a.modo != "CAI":
		form = append(form, codedCDC(2))
	}
	var reasons []Message
	if len(form) == 0 {
		held, ok, err := find(ctx, s.store, a.issuer, a.number)
		if err != nil {
			return err
		}
		reasons = a.differences(held, ok)
	}
	reasons = append(reasons, scripted(c)...)
	a.write(o, s.calendar().In(zone).Format("20060102150405"), form, reasons)
	c.seen.Series, c.seen.Verdict = a.issuer.String(), "A"
	if len(form)+len(reasons) > 0 {
		c.seen.Verdict = "R " + joined(append(form, reasons...))
	}
	return nil
}

// scripted are the refusals that a fault adds.
func scripted(c *call) []Message {
	var out []Message
	for _, f := range c.struck {
		if f.Effect == Reject {
			out = append(out, message(f, c.service))
		}
	}
	return out
}

// differences are the reasons not to confirm: the voucher is unknown, or registered
// with other data. The total may differ by 1 or by 0.01 percent (110).
func (a asked) differences(held voucher, known bool) []Message {
	if a.fch < "20130101" {
		return []Message{codedCDC(101)}
	}
	if kinds[a.issuer.tipo].class == classA || kinds[a.issuer.tipo].class == classALEY {
		switch {
		case a.docNro == "" || a.docNro == "0":
			return []Message{codedCDC(114)}
		case a.docTipo != "80":
			return []Message{codedCDC(113)}
		}
	}
	if !known || held.CAE != a.code || a.modo != held.mode() {
		return []Message{codedCDC(100)}
	}
	var out []Message
	other := func(differs bool, field string) {
		if differs {
			m := codedCDC(103)
			out = append(out, Message{m.Code, m.Text + field + "."})
		}
	}
	d := held.Detail
	other(d.Fch != a.fch, "CbteFch")
	other(d.DocTipo != 99 && (strconv.Itoa(d.DocTipo) != a.docTipo ||
		strconv.FormatInt(d.DocNro, 10) != strings.TrimLeft(a.docNro, "0")), "DocNroReceptor")
	if off := d.Total.Sub(a.total).Abs(); money.FromInt(1).Less(off) &&
		d.Total.Abs().Percent(money.MustParse("0.01")).Less(off) {
		out = append(out, codedCDC(110))
	}
	return out
}

func (a asked) write(o *out, now string, form, reasons []Message) {
	o.in("CmpResp", func() {
		o.text("CbteModo", a.modo)
		o.int("CuitEmisor", a.issuer.cuit)
		o.int("PtoVta", int64(a.issuer.ptoVta))
		o.int("CbteTipo", int64(a.issuer.tipo))
		o.int("CbteNro", a.number)
		o.text("CbteFch", a.fch)
		o.decimal("ImpTotal", a.total)
		o.text("CodAutorizacion", a.code)
		o.some("DocTipoReceptor", a.docTipo)
		o.some("DocNroReceptor", a.docNro)
	})
	o.text("Resultado", map[bool]string{true: "A", false: "R"}[len(form)+len(reasons) == 0])
	o.messages("Observaciones", "Obs", reasons)
	o.text("FchProceso", now)
	o.messages("Errors", "Err", form)
}

// modes answers ComprobantesModalidadConsultar.
func (s *Server) modes(_ context.Context, _ *call, _ *reader, o *out) error {
	o.in("ResultGet", func() {
		for _, m := range [][2]string{{"CAI", "Código de Autorización de Impresión"},
			{"CAE", "Código de Autorización Electrónico"}, {"CAEA", "Código de Autorización Electrónico Anticipado"}} {
			o.in("FacModTipo", func() {
				o.text("Cod", m[0])
				o.text("Desc", m[1])
				o.text("FchDesde", "20130101")
				o.text("FchHasta", "")
			})
		}
	})
	return nil
}
