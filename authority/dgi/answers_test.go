package dgi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/events"
)

const (
	sobre  = "EFACRECEPCIONSOBRE"
	envio  = "EFACCONSULTARESTADOENVIO"
	estado = "EFACCONSULTARESTADOCFE"
)

// the Idemisor of an envelope of 111 A from number 1 on.
const envelope1 = "790000001"

// ackSobre is a receipt whose verdicts may be asked for at a time ("" for no token).
func ackSobre(state, at string, reasons ...string) func(http.ResponseWriter) {
	var detail strings.Builder
	for _, code := range reasons {
		detail.WriteString("<MotivosRechazo><Motivo>" + code + "</Motivo><Glosa>Glosa de " + code +
			"</Glosa><Detalle>detalle</Detalle></MotivosRechazo>")
	}
	if at != "" {
		detail.WriteString("<ParamConsulta><Token>dG9rZW4=</Token><Fechahora>" + at + "</Fechahora></ParamConsulta>")
	}
	return xmlData(`<ns0:ACKSobre xmlns:ns0="http://cfe.dgi.gub.uy" xmlns="http://cfe.dgi.gub.uy" version="1.0"><Caratula><IDEmisor>` + envelope1 +
		`</IDEmisor><IDReceptor> 129 </IDReceptor></Caratula><Detalle><Estado>` + state + `</Estado>` + detail.String() +
		`</Detalle></ns0:ACKSobre>`)
}

// now is a time at which the verdicts may be asked for at once, without a zone.
const now = "2026-11-27T12:00:00"

func respuesta(code string) func(http.ResponseWriter) {
	return xmlData(`<Respuestas><Respuesta><codigo>` + code + `</codigo><descripcion>descripción de ` + code +
		`</descripcion><detalle/></Respuesta></Respuestas>`)
}

var sentinels = []error{authority.ErrNotSent, authority.ErrRefused, authority.ErrSeries, authority.ErrCredential,
	authority.ErrWrongNumber, authority.ErrPending, authority.ErrHidden}

func is(t *testing.T, err, want error) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %v", want)
	}
	for _, s := range sentinels {
		if errors.Is(err, s) != (s == want) {
			t.Errorf("%v: is %v, want %v", err, s, want)
		}
	}
}

func TestAnswersToAnEnvelope(t *testing.T) {
	type row struct {
		name   string
		answer func(http.ResponseWriter)
		want   error  // nil: ambiguous
		code   string // of the Message
	}
	rows := []row{
		{"it is received, and decided later", ackSobre("AS", "2026-11-27T12:00:30-03:00"), authority.ErrPending, "AS"},
		{"the RUC of the certificate is another", ackSobre("BS", "", "S02"), authority.ErrCredential, "S02"},
		{"the certificate is invalid", ackSobre("BS", "", "S03"), authority.ErrCredential, "S03"},
		{"the documents' certificate is another", ackSobre("BS", "", "S06"), authority.ErrCredential, "S06"},
		{"the certificate is one reason of several", ackSobre("BS", "", "S04", "S03"), authority.ErrCredential, "S03"},
		{"the file's format", ackSobre("BS", "", "S01"), authority.ErrRefused, "S01"},
		{"the envelope's format", ackSobre("BS", "", "S04"), authority.ErrRefused, "S04"},
		{"the count", ackSobre("BS", "", "S05"), authority.ErrRefused, "S05"},
		{"the size", ackSobre("BS", "", "S07"), authority.ErrRefused, "S07"},
		{"a reason of next year", ackSobre("BS", "", "S99"), authority.ErrRefused, "S99"},
		{"rejected without a reason", ackSobre("BS", ""), authority.ErrRefused, "BS"},
		{"a state of the schema that no manual explains", ackSobre("BA", ""), nil, "BA"},
		{"a SOAP fault", raw(500, `<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultcode>Client</faultcode><faultstring>No signature in message!</faultstring></s:Fault></s:Body></s:Envelope>`), nil, ""},
		{"a SOAP fault under HTTP 200", raw(200, `<s:Envelope xmlns:s="x"><s:Body><s:Fault>`+
			`<faultstring>Internal Error</faultstring></s:Fault></s:Body></s:Envelope>`), nil, ""},
		{"a page", raw(200, `<html><body>Mantenimiento</body></html>`), nil, "-"},
		{"nothing", raw(200, ``), nil, "-"},
		{"an acknowledgement without a state", xmlData(`<ACKSobre/>`), nil, "-"},
		{"a document type declaration", xmlData(
			`<!DOCTYPE a [<!ENTITY b "c">]><ACKSobre><Detalle><Estado>&b;</Estado></Detalle></ACKSobre>`), nil, "-"},
		{"HTTP 500", raw(500, `oops`), nil, "-"},
		{"HTTP 502", raw(502, `<html/>`), nil, "-"},
		{"HTTP 404", raw(404, `<html/>`), authority.ErrNotSent, "-"},
		{"a cut connection", hangUp, nil, "-"},
	}
	for code, want := range map[string]error{
		"5": authority.ErrCredential, "12": authority.ErrCredential, "8": authority.ErrCredential,
		"9": authority.ErrCredential, "10": authority.ErrCredential,
		"101": authority.ErrCredential, "6": authority.ErrSeries, "7": authority.ErrSeries, "103": authority.ErrSeries,
		"201": authority.ErrSeries, "227": authority.ErrSeries,
		"11": authority.ErrRefused, "111": authority.ErrRefused, "1": nil, "2": nil, "3": nil, "4": nil, "100": nil,
		"102": nil, "104": nil, "228": nil, "999": nil,
	} {
		rows = append(rows, row{"service error " + code, respuesta(code), want, code})
	}
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, c.answer)
			_, err := w.send(batch(t, "EFA", 1, 1))
			is(t, err, c.want)
			var m *authority.Message
			if errors.As(err, &m) != (c.code != "-") || m != nil && (m.Code != c.code || m.Text == "") {
				t.Errorf("it says %+v", m)
			}
			if m != nil && strings.HasPrefix(m.Code, "S") &&
				(!strings.Contains(m.Text, "Glosa de "+m.Code) || !strings.Contains(m.Text, "detalle")) {
				t.Errorf("%q leaves out what DGI said", m.Text)
			}
			if c.want == authority.ErrRefused && strings.Contains(m.Text, "issue the invoice again") != (m.Code == "BS" ||
				strings.HasPrefix(m.Code, "S")) {
				t.Errorf("%q does not say what to do about a refused envelope", m.Text)
			}
		})
	}
}

func TestTheVerdictIsNotAskedForEarly(t *testing.T) {
	w := newWorld(t)
	w.on(sobre, ackSobre("AS", "2026-11-27T12:00:30-03:00"))
	b := batch(t, "EFA", 1, 2)
	_, err := w.send(b)
	for range 2 {
		var m *authority.Message
		if !errors.Is(err, authority.ErrPending) || !errors.As(err, &m) || !m.At.Equal(noon.Add(30*time.Second)) {
			t.Fatalf("%v, %+v", err, m)
		}
		_, err = w.find(b, 0)
	}
	if w.calls() != sobre {
		t.Errorf("calls: %s", w.calls())
	}
	w.now.Add(30)
	w.on(envio, ackCFE(det(1, "AE"), det(2, "AE")))
	for i := range 2 {
		if f := w.found(b, i); f.Pending || !f.Same || f.Authorization.Code == "" {
			t.Errorf("%+v", f)
		}
	}
	if w.calls() != sobre+" "+envio {
		t.Errorf("calls: %s", w.calls())
	}
}

func TestAnEnvelopeThatIsThereIsAskedFor(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){"S08": ackSobre("BS", "", "S08"), "108": respuesta("108")} {
		t.Run(name+" and accepted", func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, answer)
			w.on(estado, consulta("AE", envelope1, "129", true))
			w.on(envio, ackCFE(det(1, "AE"), det(2, "BE", "E05")))
			a, err := w.send(batch(t, "EFA", 1, 2))
			if err != nil || a.Outcomes[0].Result != events.Accepted || a.Outcomes[1].Result != events.Rejected {
				t.Fatalf("%+v, %v", a, err)
			}
		})
		t.Run(name+" and not shown", func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, answer)
			w.on(estado, consulta("", "", "", false))
			b := batch(t, "EFA", 1, 1)
			_, err := w.send(b)
			is(t, err, authority.ErrHidden)
			if f := w.found(b, 0); f.Exists {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestNothingGoesOutThatIsNotKept(t *testing.T) {
	w := newWorld(t)
	w.vault.Broken.Store(true)
	_, err := w.send(batch(t, "EFA", 1, 1))
	is(t, err, authority.ErrNotSent)
	if w.calls() != "" {
		t.Errorf("calls: %s", w.calls())
	}
}

func TestAReplacedCertificateIsFinal(t *testing.T) {
	w := newWorld(t)
	w.on(sobre, ackSobre("BS", "", "S03"))
	b := batch(t, "EFA", 1, 1)
	p := w.prepare(b)
	_, err := w.driver.Send(t.Context(), material().good, b, p, nil)
	is(t, err, authority.ErrCredential)
	_, err = w.driver.Send(t.Context(), material().successor, b, p, nil)
	is(t, err, authority.ErrRefused)
	if !strings.Contains(fmt.Sprint(err), "issue it again") {
		t.Errorf("%v does not say what to do", err)
	}
}
