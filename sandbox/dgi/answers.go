package dgi

import (
	"fmt"
	"strings"

	"folio/sandbox/desk"
)

func element(name, text string) string {
	return "<" + name + ">" + desk.Escape(text) + "</" + name + ">"
}

// reasons are MotivosRechazo or MotivosRechazoCF.
func reasons(name string, all []remark) string {
	out := ""
	for _, r := range all {
		out += "<" + name + ">" + element("Motivo", r.Code) + element("Glosa", r.glosa())
		if r.Detail != "" {
			out += element("Detalle", cut(r.Detail, 500))
		}
		out += "</" + name + ">"
	}
	return out
}

func cut(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}

// ack begins an answer's Caratula, up to IDReceptor. NomArch is empty over web services.
func (c *call) ack(root string, e envelope) string {
	return `<?xml version="1.0" encoding="UTF-8"?><` + root + ` xmlns="` + namespace + `" version="1.0"><Caratula>` +
		element("RUCReceptor", "214844360018") + element("RUCEmisor", e.ruc) + element("IDRespuesta", fmt.Sprint(e.id)) +
		`<NomArch></NomArch>` +
		element("FecHRecibido", stamp(e.at)) + element("IDEmisor", fmt.Sprint(e.idEmisor)) +
		element("IDReceptor", fmt.Sprint(e.id))
}

// receipt is ACKSobre: AS with how to ask for the verdicts, or BS with why not.
func (c *call) receipt(e envelope) (string, error) {
	text := c.ack("ACKSobre", e) + element("CantidadCFE", fmt.Sprint(e.count)) + element("Tmst", stamp(c.Now())) +
		`</Caratula><Detalle>`
	if e.bad != nil {
		text += element("Estado", "BS") + reasons("MotivosRechazo", []remark{*e.bad})
	} else {
		text += element("Estado", "AS") + `<ParamConsulta>` + element("Token", e.token) +
			element("Fechahora", stamp(e.ready)) + `</ParamConsulta>`
	}
	return c.signed(text+`</Detalle>`, "ACKSobre")
}

// verdicts is ACKCFE over some documents of an envelope, from the given one on.
func (c *call) verdicts(e envelope, from, to int) (string, error) {
	good, details := 0, ""
	for i, d := range e.documents[from:to] {
		if d.State == accepted {
			good++
		}
		details += `<ACKCFE_Det>` + element("Nro_ordinal", fmt.Sprint(from+i+1)) + element("TipoCFE", fmt.Sprint(d.Type)) +
			element("Serie", d.Series) +
			element("NroCFE", fmt.Sprint(d.Number)) + element("FechaCFE", d.Date) + element("TmstCFE", d.SignedAt) +
			element("Estado", d.State) +
			reasons("MotivosRechazoCF", d.Remarks) + `</ACKCFE_Det>`
	}
	n := to - from
	text := c.ack("ACKCFE", e) + element("CantenSobre", fmt.Sprint(e.count)) + element("CantResponden", fmt.Sprint(n)) +
		element("CantCFEAceptados", fmt.Sprint(good)) +
		element("CantCFERechazados", fmt.Sprint(n-good)) + element("CantCFCAceptados", "0") +
		element("CantCFCObservados", "0") + element("CantOtrosRechazados", "0") +
		element("Tmst", stamp(c.Now())) + `</Caratula>` + details
	return c.signed(text, "ACKCFE")
}

// signed signs an answer of DGI's.
func (s *Server) signed(before, root string) (string, error) {
	head, rest, _ := strings.Cut(before, "?>")
	text, err := s.numbers.sign(rest, `</`+root+`>`, false)
	return head + "?>" + text, err
}
