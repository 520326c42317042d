package dgi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"folio/authority"
	"folio/authority/dgi"
	"folio/events"
)

// det is DGI's word on the document 111 A under a number, which is its place as well.
func det(number int, state string, codes ...string) string {
	return detAt("2026-11-27T12:00:00-03:00", number, state, codes...)
}

// detAt is det of a document that was signed at a time.
func detAt(at string, number int, state string, codes ...string) string {
	n := strconv.Itoa(number)
	out := `<ACKCFE_Det><Nro_ordinal>` + n + `</Nro_ordinal><TipoCFE>111</TipoCFE><Serie>A</Serie><NroCFE>
` + n + `</NroCFE><TmstCFE>` + at + `</TmstCFE><Estado>` + state + `</Estado>`
	for _, c := range codes {
		tag := "MotivosRechazoCF"
		if c[0] == 'C' {
			tag = "ObsCFC"
		}
		out += `<` + tag + `><Motivo>` + c + `</Motivo><Glosa>Glosa de ` + c + `</Glosa></` + tag + `>`
	}
	return out + `</ACKCFE_Det>`
}

func ackCFE(details ...string) func(http.ResponseWriter) {
	return xmlData(`<ACKCFE xmlns="http://cfe.dgi.gub.uy" version="1.0"><Caratula><IDEmisor>` + envelope1 +
		`</IDEmisor><IDReceptor>129</IDReceptor></Caratula>` +
		strings.Join(details, "") + `</ACKCFE>`)
}

func consulta(state, sender, receiver string, token bool) func(http.ResponseWriter) {
	ask := ""
	if token {
		ask = `<ParamConsulta><Token>dG9rZW4=</Token><Fechahora>` + now + `</Fechahora></ParamConsulta>`
	}
	return bare(`<Ackconsultaestadocfe><EstadoCFE>` + state + `</EstadoCFE><IdEmisor>` + sender +
		`</IdEmisor><IdReceptor>` + receiver + `</IdReceptor>` + ask + `</Ackconsultaestadocfe>`)
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, detail string
		rejected     bool
		codes        string
	}{
		{"accepted", det(1, "AE"), false, ""},
		{"observed", det(1, "CE", "C03"), false, "C03"},
		{"re-liquidated", det(1, "FE"), false, ""},
		{"by its place alone", `<ACKCFE_Det><Nro_ordinal>1</Nro_ordinal><Estado>AE</Estado></ACKCFE_Det>`, false, ""},
		{"rejected for two reasons", det(1, "BE", "E04", "E05"), true, "E04 E05"},
		{"the number is another document's", det(1, "BE", "E02"), true, "E02"},
		{"the number was reported as annulled", det(1, "BE", "E01"), true, "E01"},
		{"rejected without a reason", det(1, "BE"), true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, ackSobre("AS", now))
			w.on(envio, ackCFE(c.detail))
			b := batch(t, "EFA", 1, 1)
			a, err := w.send(b)
			if err != nil || len(a.Outcomes) != 1 {
				t.Fatal(err)
			}
			w.start(dgi.Options{}) // what is decided needs no further question
			f, o := w.found(b, 0), a.Outcomes[0]
			if !f.Exists || !f.Same || f.Pending || f.Rejected != c.rejected || (o.Result == events.Rejected) != c.rejected ||
				(o.Authorization == nil) != c.rejected {
				t.Errorf("%+v, %+v", f, o)
			}
			if got := codes(f.Observations); got != c.codes || codes(o.Messages) != c.codes {
				t.Errorf("codes %s, want %s", got, c.codes)
			}
			if !c.rejected && (f.Authorization.Extra["id_receptor"] != "129" || len(f.Authorization.Extra["hash"]) != 44 ||
				!f.Sandbox || !o.Sandbox) {
				t.Errorf("%+v", f)
			}
			if w.calls() != sobre+" "+envio {
				t.Errorf("calls: %s", w.calls())
			}
		})
	}
}

func codes(messages []events.AuthorityMessage) string {
	var out []string
	for _, m := range messages {
		out = append(out, m.Code)
		if m.Text == "" {
			return "no text"
		}
	}
	return strings.Join(out, " ")
}

func TestVerdictsInParts(t *testing.T) {
	w := newWorld(t)
	w.on(sobre, ackSobre("AS", now))
	w.on(envio, ackCFE(det(2, "AE")))
	b := batch(t, "EFA", 1, 3)
	_, err := w.send(b)
	is(t, err, authority.ErrPending)
	if f := w.found(b, 1); f.Pending || f.Rejected {
		t.Errorf("%+v", f)
	}
	if f := w.found(b, 2); !f.Exists || !f.Pending {
		t.Errorf("%+v", f)
	}
	if w.calls() != sobre+" "+envio {
		t.Errorf("one answer serves all its documents: %s", w.calls())
	}
	// The next message tells the rest only.
	w.mu.Lock()
	w.answers[envio] = nil
	w.mu.Unlock()
	w.on(envio, ackCFE(det(1, "BE", "E05"), det(3, "AE")))
	if f := w.found(b, 0); !f.Rejected {
		t.Errorf("%+v", f)
	}
	if f := w.found(b, 1); f.Pending || f.Rejected {
		t.Errorf("what was decided before: %+v", f)
	}
	if f := w.found(b, 2); f.Pending || f.Rejected {
		t.Errorf("%+v", f)
	}
	if w.calls() != sobre+" "+envio+" "+envio {
		t.Errorf("calls: %s", w.calls())
	}
}

func TestWhatDoesNotDecide(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"13": respuesta("13"), "99": respuesta("99"), "105": respuesta("105"), "a state of next year": ackCFE(det(1, "ZE")),
		"another document": ackCFE(det(7, "AE")),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, ackSobre("AS", now))
			w.on(envio, answer)
			b := batch(t, "EFA", 1, 2)
			_, err := w.send(b)
			is(t, err, authority.ErrPending)
			for i := range 2 {
				if f := w.found(b, i); !f.Exists || !f.Pending {
					t.Errorf("%+v", f)
				}
			}
			if n := strings.Count(w.calls(), envio); n != 2 {
				t.Errorf("%d questions, want one for each time round", n)
			}
		})
	}
	for name, answer := range map[string]func(http.ResponseWriter){
		"another envelope": xmlData(`<ACKCFE><Caratula><IDEmisor>7</IDEmisor></Caratula>` + det(1, "AE") + `</ACKCFE>`),
		"a page":           raw(200, "<html/>"), "service error 100": respuesta("100"), "HTTP 503": raw(503, ""),
		"a cut connection": hangUp,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, ackSobre("AS", now))
			w.on(envio, answer)
			b := batch(t, "EFA", 1, 1)
			_, err := w.send(b)
			is(t, err, authority.ErrPending)
			if f, err := w.find(b, 0); err == nil {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestALostReply(t *testing.T) {
	for _, c := range []struct {
		name   string
		number func(http.ResponseWriter)
		envio  func(http.ResponseWriter) // nil: not asked
		want   string
		codes  string
	}{
		{"it did not arrive", consulta("", "", "", false), nil, "absent", ""},
		{"DGI has it in no envelope", consulta("AE", "0", "0", false), nil, "absent", ""},
		{"it arrived and is accepted", consulta("AE", envelope1, "130", true), ackCFE(det(1, "AE")), "accepted", ""},
		{"it is accepted and the envelope is not to be had", consulta("AE", envelope1, "130", false), nil, "accepted", ""},
		{"another system signed an envelope of this number", consulta("AE", envelope1, "130", true),
			ackCFE(detAt("2026-11-27T11:59:59-03:00", 1, "AE")), "foreign", ""},
		{"another system's is dated another day", consulta("AE", envelope1, "130", true),
			ackCFE(strings.Replace(det(1, "AE"), "<TmstCFE>", "<FechaCFE>2026-11-26</FechaCFE><TmstCFE>", 1)), "foreign", ""},
		{"the time of signing names no zone", consulta("AE", envelope1, "130", true),
			ackCFE(detAt("2026-11-27T12:00:00", 1, "AE")), "accepted", ""},
		{"it is in an envelope and has no state", consulta("", envelope1, "130", true), nil, "pending", ""},
		{"it arrived and is rejected", consulta("BE", envelope1, "130", true), ackCFE(det(1, "BE", "E03")), "rejected",
			"E03"},
		{"it is rejected and the reasons are not to be had", consulta("BE", envelope1, "130", false), nil, "rejected", "BE"},
		{"it arrived and waits", consulta("AS", envelope1, "130", true), nil, "pending", ""},
		{"DGI is at it", respuesta("105"), nil, "pending", ""},
		{"another system has the number", consulta("AE", "17", "130", true), nil, "foreign", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.on(sobre, hangUp)
			w.on(estado, c.number)
			if c.envio != nil {
				w.on(envio, c.envio)
			}
			b := batch(t, "EFA", 1, 1)
			_, err := w.send(b)
			is(t, err, nil)
			w.start(dgi.Options{})
			f := w.found(b, 0)
			got := "accepted"
			switch {
			case !f.Exists:
				got = "absent"
			case f.Pending:
				got = "pending"
			case !f.Same && f.Difference != "":
				got = "foreign"
			case f.Rejected:
				got = "rejected"
			}
			if got != c.want || codes(f.Observations) != c.codes {
				t.Errorf("%+v", f)
			}
			if got == "accepted" && (f.Authorization.Extra["id_receptor"] != "130" || f.Authorization.Extra["hash"] == "") {
				t.Errorf("%+v", f.Authorization)
			}
		})
	}
}

// A token that DGI does not take any more is not asked with again; the numbers are.
func TestATokenThatIsRefused(t *testing.T) {
	for code := 1; code <= 4; code++ {
		w := newWorld(t)
		w.on(sobre, ackSobre("AS", now))
		w.on(envio, respuesta(strconv.Itoa(code)))
		w.on(estado, consulta("AE", envelope1, "129", false))
		if a, err := w.send(batch(t, "EFA", 1, 1)); err != nil || a.Outcomes[0].Result != events.Accepted {
			t.Errorf("code %d: %+v, %v", code, a, err)
		}
	}
}

func TestNumbersThatWereNotSent(t *testing.T) {
	for _, c := range []struct {
		name, sender string
		exists       bool
	}{
		{"nobody has it", "", false},
		{"another system has it", "17", true},
		{"it came in an envelope of ours whose receipt is lost", "790000003", false},
		{"it came in an envelope of ours that cannot hold it", "790000009", true},
		{"it came in an envelope of another series of ours", "800000003", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.on(estado, consulta(map[bool]string{true: "AE"}[c.sender != ""], c.sender, c.sender, false))
			b := batch(t, "EFA", 5, 1)
			if f := w.found(b, 0); f.Exists != c.exists || f.Same || (f.Difference != "") != c.exists {
				t.Errorf("%+v", f)
			}
			if !strings.Contains(w.bodies[0], "<dgi:TipoCFE>111</dgi:TipoCFE><dgi:Serie>A</dgi:Serie><dgi:Nro>5</dgi:Nro>") {
				t.Errorf("asked for %s", w.bodies[0])
			}
		})
	}
}

func TestAnotherInvoiceUnderTheNumber(t *testing.T) {
	w := newWorld(t)
	w.on(sobre, ackSobre("AS", now))
	w.on(envio, ackCFE(det(1, "AE")))
	w.on(estado, consulta("AE", envelope1, "129", false))
	b := batch(t, "EFA", 1, 1)
	if _, err := w.send(b); err != nil {
		t.Fatal(err)
	}
	b.Documents[0].Invoice = "another"
	if f := w.found(b, 0); !f.Exists || f.Same || f.Difference == "" {
		t.Errorf("%+v", f)
	}
}

func TestOutOfReach(t *testing.T) {
	w := newWorld(t)
	b := batch(t, "EFA", 1, 1)
	w.start(dgi.Options{})
	w.url = "http://127.0.0.1:1"
	w.start(dgi.Options{})
	_, err := w.send(b)
	is(t, err, authority.ErrNotSent)
	if f, err := w.find(b, 0); err == nil {
		t.Errorf("silence was taken for an answer: %+v", f)
	}
	if err := w.driver.Ping(t.Context(), authority.Testing); !errors.Is(err, authority.ErrNotSent) {
		t.Error(err)
	}
}

func TestPing(t *testing.T) {
	w := newWorld(t)
	w.on("wsdl", raw(503, ""))
	w.on("wsdl", raw(200, "<definitions/>"))
	if err := w.driver.Ping(t.Context(), authority.Testing); err == nil {
		t.Error("a service that is not available is there")
	}
	if err := w.driver.Ping(t.Context(), authority.Testing); err != nil {
		t.Error(err)
	}
	if err := w.driver.Ping(t.Context(), "Nowhere"); !errors.Is(err, authority.ErrNotSent) ||
		!strings.Contains(fmt.Sprint(err), "Nowhere") {
		t.Error(err)
	}
}
