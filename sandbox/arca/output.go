package arca

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"folio/money"
	"folio/sandbox/desk"
)

const (
	namespace   = "http://ar.gov.afip.dif.FEV1/"  // of WSFEv1
	namespaceFX = "http://ar.gov.afip.dif.fexv1/" // of WSFEXv1
	envelope11  = "http://schemas.xmlsoap.org/soap/envelope/"
	envelope12  = "http://www.w3.org/2003/05/soap-envelope"
	soap11      = "text/xml; charset=utf-8"
	soap12      = "application/soap+xml; charset=utf-8"
	declaration = `<?xml version="1.0" encoding="utf-8"?>`
)

// out writes XML the way .NET's serializer does: one line, empty texts as <X />,
// numbers without padding.
type out struct{ strings.Builder }

// text writes an element even when it is empty.
func (o *out) text(name, value string) {
	if value == "" {
		o.WriteString("<" + name + " />")
		return
	}
	o.WriteString("<" + name + ">" + desk.Escape(value) + "</" + name + ">")
}

// some writes an element unless it is empty.
func (o *out) some(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *out) int(name string, v int64) { o.text(name, fmt.Sprint(v)) }

func (o *out) decimal(name string, v money.Decimal) { o.text(name, v.Trim().String()) }

func (o *out) in(name string, inside func()) {
	o.WriteString("<" + name + ">")
	inside()
	o.WriteString("</" + name + ">")
}

// messages writes a list of codes unless it is empty.
func (o *out) messages(list, item string, ms []Message) {
	if len(ms) == 0 {
		return
	}
	o.in(list, func() {
		for _, m := range ms {
			o.in(item, func() {
				o.int("Code", int64(m.Code))
				o.text("Msg", m.Text)
			})
		}
	})
}

// version answers in the version of SOAP that the request used.
type version struct{ space, contentType string }

func versionOf(r *http.Request) version {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/soap+xml") {
		return version{envelope12, soap12}
	}
	return version{envelope11, soap11}
}

// answer wraps the result of an operation of a service.
func (v version) answer(svc *service, operation, result string, now time.Time) string {
	return declaration + `<soap:Envelope xmlns:soap="` + v.space + `"><soap:Header><FEHeaderInfo xmlns="` + svc.namespace +
		`"><ambiente>` +
		Ambiente + `</ambiente><fecha>` + now.In(zone).Format("2006-01-02T15:04:05.0000000-07:00") + `</fecha><id>` +
		svc.release + `</id></FEHeaderInfo></soap:Header>` +
		`<soap:Body><` + operation + `Response xmlns="` + svc.namespace + `"><` + operation + `Result>` + result +
		`</` + operation + `Result></` + operation + `Response></soap:Body></soap:Envelope>`
}

// fault answers HTTP 500 in .NET's shape.
func (v version) fault(w http.ResponseWriter, text string) {
	body := `<soap:Fault><faultcode>soap:Client</faultcode><faultstring>` + desk.Escape(text) +
		`</faultstring><detail /></soap:Fault>`
	if v.space == envelope12 {
		body = `<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">` +
			desk.Escape(text) + `</soap:Text></soap:Reason><detail /></soap:Fault>`
	}
	w.Header().Set("Content-Type", v.contentType)
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = fmt.Fprint(w, declaration, `<soap:Envelope xmlns:soap="`, v.space, `"><soap:Body>`, body,
		`</soap:Body></soap:Envelope>`)
}
