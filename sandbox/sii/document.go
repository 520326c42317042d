package sii

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"folio/sandbox/desk"
)

// asked is what a query says of a document.
type asked struct {
	issuer, recipient, date, amount string
	code                            int
	folio                           int64
}

// verdict is the ESTADO of a document by its number.
func (c *call) verdict(a asked) (state, text string, said []remark, err error) {
	all, err := known(c.r.Context(), c.store, numbered{c.environment, a.issuer, a.code, a.folio})
	if err != nil {
		return "", "", nil, err
	}
	state, text = "FAU", "DTE No Recibido"
	defer func() { c.seen.Verdict = fmt.Sprintf("%d %d: %s %s", a.code, a.folio, state, text) }()
	for _, d := range all {
		e, _, err := c.store.envelope(c.r.Context(), c.environment, a.issuer, d.Track)
		if err != nil {
			return "", "", nil, err
		}
		switch {
		case c.stateOf(e) != "EPR":
		case d.Outcome == refused:
			state, text, said = "FNA", "DTE No Autorizado", d.Remarks
		case d.Recipient == a.recipient && d.Date == a.date && d.Amount == a.amount:
			return "DOK", "DTE Recibido", nil, nil
		default:
			return "DNK", "DTE Recibido pero Datos No Coinciden", nil, nil
		}
	}
	return state, text, said, nil
}

// documentBySOAP is getEstDte.
func (c *call) documentBySOAP() {
	const op = "getEstDte"
	args := c.arguments(op)
	a := asked{issuer: joined(args, "RutCompania", "DvCompania"), recipient: joined(args, "RutReceptor", "DvReceptor"),
		amount: args["MontoDte"]}
	a.code, _ = strconv.Atoi(args["TipoDte"])
	a.folio, _ = strconv.ParseInt(args["FolioDte"], 10, 64)
	if day, err := time.Parse("02012006", args["FechaEmisionDte"]); err == nil {
		a.date = day.Format(time.DateOnly)
	}
	if c.begin(op, a.issuer) || c.bearer(op, args["Token"]) {
		return
	}
	state, text, said, err := c.verdict(a)
	if err != nil {
		c.broken(err)
		return
	}
	code, detail := "0", ""
	if len(said) > 0 {
		code = said[0].Code
		var texts []string
		for _, r := range said {
			texts = append(texts, r.Code+" "+r.Text)
		}
		detail = strings.Join(texts, "; ")
	}
	c.soapAnswer(op, `<?xml version="1.0" encoding="UTF-8"?><SII:RESPUESTA xmlns:SII="http://www.sii.cl/XMLSchema"><SII:RESP_HDR><ESTADO>`+state+
		`</ESTADO><GLOSA_ESTADO>`+desk.Escape(text)+`</GLOSA_ESTADO><ERR_CODE>`+desk.Escape(code)+`</ERR_CODE><GLOSA_ERR>`+
		desk.Escape(detail)+
		`</GLOSA_ERR><NUM_ATENCION>1</NUM_ATENCION></SII:RESP_HDR></SII:RESPUESTA>`)
}

// documentBySignature is getEstDteAv: a document of that signature that came in an envelope
// which was taken, with the track id. One in an envelope that was refused as a whole was not
// received. The form of the answer is that of another client, unverified against SII.
func (c *call) documentBySignature() {
	const op = "getEstDteAv"
	args := c.arguments(op)
	issuer := joined(args, "RutEmpresa", "DvEmpresa")
	if c.begin(op, issuer) || c.bearer(op, args["Token"]) {
		return
	}
	code, _ := strconv.Atoi(args["TipoDte"])
	folio, _ := strconv.ParseInt(args["FolioDte"], 10, 64)
	all, err := known(c.r.Context(), c.store, numbered{c.environment, issuer, code, folio})
	if err != nil {
		c.broken(err)
		return
	}
	body := "<RECIBIDO>NO</RECIBIDO>"
	for _, d := range all {
		if d.Signature != "" && d.Signature == args["FirmaDte"] {
			body = fmt.Sprintf("<RECIBIDO>SI</RECIBIDO><ESTADO>DOK</ESTADO><TRACKID>%d</TRACKID>", d.Track)
			break
		}
	}
	c.seen.Verdict = fmt.Sprintf("%d %d: %s", code, folio, body)
	c.soapAnswer(op, response("00", "", body))
}

// documentByREST is boleta.electronica/{rut}-{dv}-{tipo}-{folio}/estado.
func (c *call) documentByREST() {
	parts := documentPath.FindStringSubmatch(c.r.URL.Path)
	if parts == nil {
		http.NotFound(c.w, c.r)
		return
	}
	if c.byREST("boleta.electronica.estado", parts[1]) != nil {
		return
	}
	q := c.r.URL.Query()
	a := asked{issuer: parts[1], recipient: q.Get("rut_receptor") + "-" + q.Get("dv_receptor"), amount: q.Get("monto")}
	a.code, _ = strconv.Atoi(parts[2])
	a.folio, _ = strconv.ParseInt(parts[3], 10, 64)
	if day, err := time.Parse("02-01-2006", q.Get("fechaEmision")); err == nil {
		a.date = day.Format(time.DateOnly)
	}
	state, text, _, err := c.verdict(a)
	switch {
	case err != nil:
		c.broken(err)
	case state == "FAU":
		c.json(http.StatusNotFound, map[string]string{"codigo": state, "descripcion": text})
	default:
		c.json(http.StatusOK, map[string]string{"codigo": state, "descripcion": text})
	}
}
