package dgi

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"folio/sandbox/desk"
)

// notReady says whether DGI has not decided on an envelope's documents yet.
func (c *call) notReady(e envelope) bool { return e.stuck || c.Now().Before(e.ready) }

// envelopeState is EFACCONSULTARESTADOENVIO: it answers ACKCFE, or 13 before its time.
func (c *call) envelopeState() {
	id, token, ok := readConsulta(c.message.content)
	c.seen.Hide(token)
	if c.begin() {
		return
	}
	if !ok {
		c.refuse("1", "")
		return
	}
	if id <= 0 {
		c.refuse("2", "")
		return
	}
	e, found, err := c.store.envelope(c.r.Context(), c.environment, id)
	switch {
	case err != nil:
		c.broken(err)
	case !found || e.token != token:
		c.refuse("3", fmt.Sprintf("IdReceptor %d", id))
	case e.ruc != c.message.ruc:
		c.refuse("4", "")
	case c.notReady(e):
		c.refuse("13", "")
	default:
		c.tell(e)
	}
}

// tell sends the verdicts: where they come in two messages, the first half, then the
// rest, and all of them to whoever asks again.
func (c *call) tell(e envelope) {
	from, to := 0, len(e.documents)
	if half := to / 2; e.partial && half > 0 {
		switch e.told {
		case 0:
			to = half
		case 1:
			from = half
		}
	}
	if err := c.store.tell(c.r.Context(), e.id); err != nil {
		c.broken(err)
		return
	}
	text, err := c.verdicts(e, from, to)
	if err != nil {
		c.broken(err)
		return
	}
	c.seen.Verdict = fmt.Sprintf("ACKCFE %d of %d", to-from, len(e.documents))
	for _, d := range e.documents[from:to] {
		c.seen.Documents = append(c.seen.Documents, d.seen())
	}
	c.answer(text)
}

func (d document) seen() desk.Seen {
	return desk.Seen{Document: fmt.Sprintf("%d %s %d", d.Type, d.Series, d.Number), Recipient: d.Recipient,
		Total:   d.Total + " " + d.Currency,
		Verdict: strings.TrimSpace(d.State + " " + joined(d.Remarks)), Refused: d.State != accepted}
}

// readConsulta reads ConsultaCFE; false for anything else.
func readConsulta(text string) (id int64, token string, ok bool) {
	doc := etree.NewDocument()
	if strings.Contains(text, "<!") {
		return 0, "", false
	}
	if err := doc.ReadFromString(strings.TrimSpace(text)); err != nil || doc.Root() == nil ||
		doc.Root().Tag != "ConsultaCFE" {
		return 0, "", false
	}
	parts := doc.Root().ChildElements()
	if len(parts) != 2 || parts[0].Tag != "IdReceptor" || parts[1].Tag != "Token" {
		return 0, "", false
	}
	id, err := strconv.ParseInt(strings.TrimSpace(parts[0].Text()), 10, 64)
	return id, strings.TrimSpace(parts[1].Text()), err == nil
}

// documentState is EFACCONSULTARESTADOCFE: the state of a document of the caller's, with
// the parameters of the envelope in which it was accepted, or else of the first that
// brought it. Its arguments and its answer are
// elements, not text. One that is not known has no state and envelope 0, as far as
// anybody wrote down; one that is not decided yet has an envelope and no state.
func (c *call) documentState() {
	if c.begin() {
		return
	}
	asked := c.message.bare.SelectElement("Cfeid")
	if asked == nil {
		c.fault("soapenv:Client", "falta Cfeid")
		return
	}
	kind, badKind := strconv.Atoi(textAt(asked, "TipoCFE"))
	number, badNumber := strconv.ParseInt(textAt(asked, "Nro"), 10, 64)
	series := textAt(asked, "Serie")
	if badKind != nil || badNumber != nil || series == "" {
		c.fault("soapenv:Client", "Cfeid lleva TipoCFE, Serie y Nro")
		return
	}
	all, err := known(c.r.Context(), c.store, identity{c.environment, c.message.ruc, kind, series, number})
	if err != nil {
		c.broken(err)
		return
	}
	var e envelope
	state := ""
	for i, d := range all {
		if i > 0 && d.State != accepted {
			continue
		}
		if e, _, err = c.store.envelope(c.r.Context(), c.environment, d.Envelope); err != nil {
			c.broken(err)
			return
		}
		if state = d.State; c.notReady(e) {
			state = ""
		}
	}
	c.seen.Verdict = strings.TrimSpace(fmt.Sprintf("%d %s %d: %s", kind, series, number, cmp.Or(state, "no state")))
	c.seen.Hide(e.token)
	c.state(state, e)
}

func (c *call) state(state string, e envelope) {
	ready := "0000-00-00T00:00:00"
	if e.id > 0 {
		ready = stamp(e.ready)
	}
	name := c.service + "." + c.message.operation + "Response"
	c.send(http.StatusOK, `<`+name+` xmlns="`+namespaceWS+`"><Ackconsultaestadocfe>`+element("EstadoCFE", state)+
		element("IdEmisor", fmt.Sprint(e.idEmisor))+
		element("IdReceptor", fmt.Sprint(e.id))+`<ParamConsulta>`+element("Token", e.token)+element("Fechahora", ready)+
		`</ParamConsulta></Ackconsultaestadocfe></`+name+`>`)
}
