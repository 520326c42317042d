package dgi

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/uy"
	"folio/events"
)

// answer is any of DGI's: ACKSobre, ACKRepDiario, ACKCFE, Ackconsultaestadocfe. Texts are
// trimmed: DGI's own examples have line breaks around numbers.
type answer struct {
	XMLName xml.Name
	Cover   cover     `xml:"Caratula"`
	Detail  detail    `xml:"Detalle"`
	Details []verdict `xml:"ACKCFE_Det"`
	// The rest is Ackconsultaestadocfe.
	State    string `xml:"EstadoCFE"`
	Sender   string `xml:"IdEmisor"`
	Receiver string `xml:"IdReceptor"`
	Ask      *ask   `xml:"ParamConsulta"`
	// Errors are those of Respuestas, in which the service itself refuses.
	Errors []serviceError `xml:"Respuesta"`
}

type cover struct {
	Sender   string `xml:"IDEmisor"`   // Idemisor of the envelope
	Receiver string `xml:"IDReceptor"` // DGI's number of it
}

type detail struct {
	State   string   `xml:"Estado"`
	Reasons []reason `xml:"MotivosRechazo"`
	Ask     *ask     `xml:"ParamConsulta"`
}

// ask is what it takes to ask for the verdicts of an envelope, and the earliest time.
type ask struct {
	Token string `xml:"Token"`
	At    string `xml:"Fechahora"`
}

// notBefore is Fechahora; zero when it cannot be read.
func (a ask) notBefore() time.Time { return timeOf(a.At) }

// timeOf reads a dateTime, in Uruguay's time where it names no zone; zero when it is none.
func timeOf(text string) time.Time {
	text = strings.TrimSpace(text)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		at, err = time.ParseInLocation("2006-01-02T15:04:05", text, uy.Rules{}.Location())
	}
	if err != nil {
		return time.Time{}
	}
	return at
}

// verdict is DGI's word on one document of an envelope.
type verdict struct {
	Ordinal int      `xml:"Nro_ordinal"` // its place in the envelope, from 1
	Type    int      `xml:"TipoCFE"`
	Series  string   `xml:"Serie"`
	Number  int64    `xml:"NroCFE"`
	Date    string   `xml:"FechaCFE"`
	Signed  string   `xml:"TmstCFE"`
	State   string   `xml:"Estado"`
	Reasons []reason `xml:"MotivosRechazoCF"`
	Remarks []reason `xml:"ObsCFC"`
}

type reason struct {
	Code   string `xml:"Motivo"`
	Text   string `xml:"Glosa"`
	Detail string `xml:"Detalle"`
}

type serviceError struct {
	Code   string `xml:"codigo"`
	Text   string `xml:"descripcion"`
	Detail string `xml:"detalle"`
}

// messages are reasons as an invoice keeps them: code, and text with its detail.
func messages(reasons []reason) []events.AuthorityMessage {
	var out []events.AuthorityMessage
	for _, r := range reasons {
		out = append(out, events.AuthorityMessage{Code: strings.TrimSpace(r.Code), Text: joined(r.Text, r.Detail)})
	}
	return out
}

func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, ": ")
}

// errNoAnswer is an answer that cannot be read: HTML, something else, nothing.
var errNoAnswer = errors.New("the answer is not in DGI's form")

// roots are the elements that an answer may be.
var roots = map[string]bool{"acksobre": true, "ackcfe": true, "ackrepdiario": true, "ackconsultaestadocfe": true,
	"respuestas": true}

// readReply reads the answer to a call. Errors of the service come back in an
// authority.Message. A SOAP Fault (HTTP 500) says nothing about what was done before it.
func readReply(o operation, r wire.Reply) (answer, error) {
	if r.Status != http.StatusOK && r.Status != http.StatusInternalServerError {
		return answer{}, r.Fine(o.name)
	}
	a, err := readAnswer(o.name, wire.Decoder(r.Body), true)
	if errors.Is(err, errNoAnswer) && r.Status != http.StatusOK {
		return a, r.Fine(o.name)
	}
	if err != nil {
		return a, err
	}
	if len(a.Errors) > 0 {
		return a, refusal(a.Errors[0])
	}
	return a, nil
}

// readAnswer looks for an answer in XML: as an element, or as the text of xmlData.
func readAnswer(op string, d *xml.Decoder, outside bool) (answer, error) {
	missing := fmt.Errorf("%s: %w", op, errNoAnswer)
	for {
		t, err := d.Token()
		if err != nil {
			return answer{}, missing
		}
		start, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case roots[strings.ToLower(start.Name.Local)]:
			var a answer
			if err := d.DecodeElement(&a, &start); err != nil || !a.whole() {
				return answer{}, missing
			}
			return a, nil
		case outside && start.Name.Local == "xmlData":
			var text struct {
				Text  string `xml:",chardata"`
				Inner string `xml:",innerxml"`
			}
			if err := d.DecodeElement(&text, &start); err != nil {
				return answer{}, missing
			}
			content := text.Text
			if strings.TrimSpace(content) == "" {
				content = text.Inner
			}
			return readAnswer(op, wire.TextDecoder(strings.TrimSpace(content)), false)
		case outside && start.Name.Local == "Fault":
			var f struct {
				Code string `xml:"faultcode"`
				Text string `xml:"faultstring"`
			}
			if err := d.DecodeElement(&f, &start); err != nil {
				return answer{}, missing
			}
			return answer{}, &authority.Message{Text: fmt.Sprintf("%s: SOAP fault: %.300s", op, joined(f.Code, f.Text))}
		}
	}
}

// whole says that an answer answers: it has a state, verdicts, or errors.
func (a answer) whole() bool {
	return strings.TrimSpace(a.Detail.State) != "" || len(a.Details) > 0 || len(a.Errors) > 0 ||
		strings.EqualFold(a.XMLName.Local, "ackconsultaestadocfe")
}
