package arca

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/authority/sandbox"
)

// server is one sandbox for all inputs of a fuzz target.
var server = sync.OnceValue(func() *Server {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	now := func() time.Time { return time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC) }
	ca, err := sandbox.OpenCA(dir, now)
	if err != nil {
		panic(err)
	}
	s, err := Open(context.Background(), Options{Dir: dir, CA: ca, Now: now})
	if err != nil {
		panic(err)
	}
	return s
})

const detailSeed = `<FECAEDetRequest><Concepto>1</Concepto><DocTipo>99</DocTipo><CbteDesde>1</CbteDesde><CbteHasta>1</CbteHasta><CbteFch>20261215</CbteFch>` +
	`<ImpTotal>121.00</ImpTotal><ImpNeto>100</ImpNeto><ImpIVA>21</ImpIVA><MonId>PES</MonId><MonCotiz>1</MonCotiz><CondicionIVAReceptorId>5</CondicionIVAReceptorId>` +
	`<CbtesAsoc><CbteAsoc><Tipo>6</Tipo><PtoVta>1</PtoVta><Nro>1</Nro><CbteFch>2</CbteFch></CbteAsoc></CbtesAsoc><PeriodoAsoc/>` +
	`<Iva><AlicIva><Id>5</Id><BaseImp>100</BaseImp><Importe>21</Importe></AlicIva></Iva></FECAEDetRequest>`

// FuzzDetail puts any detail past the checks: they refuse or accept, and never panic.
func FuzzDetail(f *testing.F) {
	for _, tipo := range []int{1, 3, 6, 11, 49, 201, 203} {
		f.Add(tipo, detailSeed)
	}
	f.Add(6, `<FECAEDetRequest><ImpTotal>9999999999999.99</ImpTotal><MonCotiz>9999.999999</MonCotiz><DocTipo>99</DocTipo></FECAEDetRequest>`)
	f.Add(8, `<FECAEDetRequest><ImpTotal>-1e18</ImpTotal></FECAEDetRequest>`)
	f.Fuzz(func(t *testing.T, tipo int, body string) {
		root, err := parse([]byte(`<a xmlns="` + namespace + `">` + body + `</a>`))
		if err != nil || len(root.children) == 0 {
			return
		}
		read := &reader{}
		d := read.detail(root.children[0])
		if read.err != nil {
			return
		}
		x := &examination{detail: &d, kind: kinds[tipo], series: series{Testing, 30500010912, 1, tipo}, now: server().now(), knobs: DefaultKnobs(),
			find: func(series, int64) (voucher, bool, error) { return voucher{Detail: detail{Fch: "20261214"}}, true, nil }}
		if _, _, err := x.run(); err != nil {
			t.Error(err)
		}
		var o out
		d.write(&o)
		if _, err := parse([]byte("<a>" + o.String() + "</a>")); err != nil {
			t.Errorf("what is written cannot be read: %v in %s", err, o.String())
		}
	})
}

// FuzzRequests sends any body to both services: there is always an answer.
func FuzzRequests(f *testing.F) {
	soap := func(inner string) string {
		return `<s:Envelope xmlns:s="` + envelope11 + `"><s:Body>` + inner + `</s:Body></s:Envelope>`
	}
	f.Add(true, soap(`<FECAESolicitar xmlns="`+namespace+`"><Auth><Token>`+base64.StdEncoding.EncodeToString([]byte("<sso/>"))+`</Token><Sign>x</Sign><Cuit>1</Cuit></Auth></FECAESolicitar>`))
	f.Add(false, soap(`<loginCms><in0>MIIB</in0></loginCms>`))
	f.Add(false, soap(`<loginCms><in0>MAsGCSqGSIb3DQEHAg==</in0></loginCms>`))
	f.Add(true, "<a><b")
	f.Fuzz(func(t *testing.T, invoices bool, body string) {
		path := "/testing/ws/services/LoginCms"
		if invoices {
			path = "/production/wsfev1/service.asmx"
		}
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("SOAPAction", "")
		w := httptest.NewRecorder()
		server().ServeHTTP(w, r)
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusInternalServerError:
		default:
			t.Errorf("HTTP %d", w.Code)
		}
	})
}
