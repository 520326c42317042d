package dgi_test

import (
	"net/http"
	"strings"
	"testing"

	"folio/authority"
)

const reporte = "EFACRECEPCIONREPORTE"

func ackReporte(state string, reasons ...string) func(http.ResponseWriter) {
	detail := ""
	for _, code := range reasons {
		detail += "<MotivosRechazo><Motivo>" + code + "</Motivo><Glosa>Glosa de " + code + "</Glosa></MotivosRechazo>"
	}
	return xmlData(`<ACKRepDiario xmlns="http://cfe.dgi.gub.uy" version="1.0"><Caratula><IDReceptor> 77 </IDReceptor></Caratula><Detalle><Estado>` +
		state + `</Estado>` + detail + `</Detalle></ACKRepDiario>`)
}

func TestAnswersToADailyReport(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter)
		want   authority.Reported
		err    error // of the contract; nil with ambiguous: any other
		fails  bool
	}{
		{name: "accepted", answer: ackReporte("AR"), want: authority.Reported{Accepted: true, Receipt: "77", Sandbox: true}},
		{name: "refused with its reasons", answer: ackReporte("BR", "R04"), want: authority.Reported{Sandbox: true}},
		{name: "there already", answer: respuesta("109"),
			want: authority.Reported{Accepted: true, Repeated: true, Sandbox: true}},
		{name: "not processed yet", answer: respuesta("105"), err: authority.ErrPending, fails: true},
		{name: "not an electronic issuer", answer: respuesta("103"), err: authority.ErrSeries, fails: true},
		{name: "a state that is not known", answer: ackReporte("XX"), fails: true},
		{name: "no answer of DGI's", answer: func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>no")) }, fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.on(reporte, c.answer)
			p, err := w.driver.SignReport(t.Context(), material().good,
				[]byte(`<Reporte xmlns="http://cfe.dgi.gub.uy"><Caratula version="1.0"></Caratula></Reporte>`))
			if err != nil {
				t.Fatal(err)
			}
			var heard []authority.Exchange
			got, err := w.driver.SendReport(t.Context(), material().good, p,
				func(e authority.Exchange) { heard = append(heard, e) })
			if (err != nil) != c.fails {
				t.Fatalf("error %v", err)
			}
			if c.err != nil {
				is(t, err, c.err)
			}
			if c.name == "refused with its reasons" {
				if len(got.Reasons) != 1 || got.Reasons[0].Code != "R04" {
					t.Errorf("reasons %+v", got.Reasons)
				}
				got.Reasons = nil
			}
			if got.Accepted != c.want.Accepted || got.Repeated != c.want.Repeated || got.Receipt != c.want.Receipt ||
				err == nil && !got.Sandbox {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if len(heard) != 1 || heard[0].Operation != reporte ||
				strings.Contains(string(heard[0].Request), "SignatureValue>M") {
				t.Errorf("exchanges %d", len(heard))
			}
			if !strings.Contains(w.bodies[0], "<ds:Signature") && !strings.Contains(w.bodies[0], "<Signature") {
				t.Error("the report goes out without its signature")
			}
		})
	}
}

func TestAReportIsNotSignedWithACertificateThatDGIRefuses(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]authority.Credential{"expired": material().expired,
		"of another company": material().foreign} {
		_, err := w.driver.SignReport(t.Context(), c, []byte(`<Reporte></Reporte>`))
		if err == nil {
			t.Errorf("%s: it is signed", name)
			continue
		}
		is(t, err, authority.ErrCredential)
	}
}
