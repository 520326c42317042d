package sii

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"folio/sandbox"
)

// steps are an envelope's states before it is decided, each for as long as the others.
var steps = []string{"REC", "SOK", "CRT", "FOK", "PDR"}

// stateOf is the ESTADO of an envelope now.
func (c *call) stateOf(e envelope) string {
	after := time.Duration(c.Knobs().VerdictAfter)
	gone := c.Now().Sub(e.at)
	switch {
	case e.stuck:
		return "CRT"
	case after > 0 && gone < after:
		return steps[max(0, int(int64(gone)*int64(len(steps))/int64(after)))]
	}
	return e.state
}

var stateTexts = map[string]string{
	"REC": "Envio Recibido", "SOK": "Esquema Validado", "CRT": "Caratula OK", "FOK": "Firma de Envio Validada",
	"PDR": "Envio en Proceso",
	"EPR": "Envio Procesado", "RPT": "Rechazado por Repetido", "RFR": "Rechazado por Error en Firma",
	"RCT": "Rechazado por Error en Caratula", "RSC": "Rechazado por Error en Schema",
}

// bearer answers for a query whose token is not good. True: it was answered.
func (c *call) bearer(op, token string) bool {
	c.seen.Hide(token)
	if f, ok := c.fault(Error); ok {
		c.soapAnswer(op, response(f.Code, f.Text, ""))
		return true
	}
	holder, err := c.store.holder(c.r.Context(), c.environment, token, c.Now())
	switch {
	case err != nil:
		c.broken(err)
	case holder == "":
		c.soapAnswer(op, response("001", "TOKEN NO ESTA ACTIVO", ""))
	}
	return err != nil || holder == ""
}

func joined(args map[string]string, number, digit string) string {
	rut, err := sandbox.ParseRUT(args[number] + "-" + args[digit])
	if err != nil {
		return ""
	}
	return rut
}

// envelopeBySOAP is getEstUp.
func (c *call) envelopeBySOAP() {
	const op = "getEstUp"
	args := c.arguments(op)
	issuer := joined(args, "RutCompania", "DvCompania")
	if c.begin(op, issuer) || c.bearer(op, args["Token"]) {
		return
	}
	track, _ := strconv.ParseInt(args["TrackId"], 10, 64)
	e, found, err := c.store.envelope(c.r.Context(), c.environment, issuer, track)
	if err != nil {
		c.broken(err)
		return
	}
	if !found || e.receipt {
		c.soapAnswer(op, response("VOF", "Archivo no encontrado", ""))
		return
	}
	state, body := c.stateOf(e), ""
	c.seen.Verdict = fmt.Sprintf("track %d: %s %s", track, state, stateTexts[state])
	if state == "EPR" {
		for _, n := range counted(e.docs) {
			body += "<TIPO_DOCTO>" + strconv.Itoa(n.Type) + "</TIPO_DOCTO><INFORMADOS>" + strconv.Itoa(n.Sent) +
				"</INFORMADOS><ACEPTADOS>" + strconv.Itoa(n.Accepted) +
				"</ACEPTADOS><RECHAZADOS>" + strconv.Itoa(n.Rejected) + "</RECHAZADOS><REPAROS>" + strconv.Itoa(n.Remarked) +
				"</REPAROS>"
		}
	}
	c.soapAnswer(op, strings.Replace(response(state, stateTexts[state], body), "<ESTADO>",
		"<TRACKID>"+args["TrackId"]+"</TRACKID><ESTADO>", 1))
}

// counters are those of one document type, as the boletas' interface names them.
type counters struct {
	Type     int `json:"tipo"`
	Sent     int `json:"informados"`
	Accepted int `json:"aceptados"`
	Rejected int `json:"rechazados"`
	Remarked int `json:"reparos"`
}

func counted(docs []document) []counters {
	var out []counters
	for _, d := range docs {
		at := -1
		for i := range out {
			if out[i].Type == d.Type {
				at = i
			}
		}
		if at < 0 {
			out = append(out, counters{Type: d.Type})
			at = len(out) - 1
		}
		n := &out[at]
		n.Sent++
		switch d.Outcome {
		case passed:
			n.Accepted++
		case remarked:
			n.Remarked++
		case refused:
			n.Rejected++
		}
	}
	return out
}

var errNoBearer = errors.New("the call was answered")

// byREST checks the cookie of a query of boletas; its error says that it was answered.
func (c *call) byREST(op, issuer string) error {
	if c.begin(op, issuer) {
		return errNoBearer
	}
	if f, ok := c.fault(Error); ok {
		c.json(http.StatusBadRequest, map[string]string{"codigo": f.Code, "descripcion": f.Text})
		return errNoBearer
	}
	holder, err := c.cookie()
	switch {
	case err != nil:
		c.broken(err)
		return errNoBearer
	case holder == "" || !c.browser():
		c.answer(http.StatusUnauthorized, "text/plain", "NO ESTA AUTENTICADO")
		return errNoBearer
	}
	return nil
}

var (
	envelopePath = regexp.MustCompile(`/boleta\.electronica\.envio/(\d+-[\dK])-(\d+)$`)
	documentPath = regexp.MustCompile(`/boleta\.electronica/(\d+-[\dK])-(\d+)-(\d+)/estado$`)
)

// envelopeByREST is boleta.electronica.envio/{rut}-{dv}-{trackid}.
func (c *call) envelopeByREST() {
	parts := envelopePath.FindStringSubmatch(c.r.URL.Path)
	if parts == nil {
		http.NotFound(c.w, c.r)
		return
	}
	if c.byREST("boleta.electronica.envio.estado", parts[1]) != nil {
		return
	}
	track, _ := strconv.ParseInt(parts[2], 10, 64)
	e, found, err := c.store.envelope(c.r.Context(), c.environment, parts[1], track)
	switch {
	case err != nil:
		c.broken(err)
		return
	case !found || !e.receipt:
		c.json(http.StatusNotFound, map[string]string{"codigo": "VOF", "descripcion": "Archivo no encontrado"})
		return
	}
	state := c.stateOf(e)
	c.seen.Verdict = fmt.Sprintf("track %d: %s", track, state)
	out := map[string]any{"rut_emisor": parts[1], "trackid": track, "estado": state}
	if state == "EPR" {
		details := []map[string]any{}
		for _, d := range e.docs {
			if d.Outcome == passed {
				continue
			}
			code, text, errs := "RPR", "Aceptado con Reparos", []map[string]string{}
			if d.Outcome == refused {
				code, text = "RCH", "Rechazado"
			}
			for _, r := range d.Remarks {
				errs = append(errs, map[string]string{"codigo": r.Code, "descripcion": r.Text,
					"seccion": strings.SplitN(r.Code, "-", 2)[0]})
			}
			details = append(details, map[string]any{"tipo": d.Type, "folio": d.Folio, "estado": code, "descripcion": text,
				"error": errs})
		}
		out["estadistica"], out["detalle_rep_rech"] = counted(e.docs), details
	}
	c.json(http.StatusOK, out)
}
