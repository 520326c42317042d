package arca

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/sandbox"
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
		x := &examination{detail: &d, kind: kinds[tipo], series: series{Testing, 30500010912, 1, tipo}, now: server().Now(),
			knobs: DefaultKnobs(),
			find:  func(series, int64) (voucher, bool, error) { return voucher{Detail: detail{Fch: "20261214"}}, true, nil }}
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

// FuzzReport puts any detail past the checks of a report: they refuse or accept, and never panic.
func FuzzReport(f *testing.F) {
	seed := strings.ReplaceAll(strings.Replace(detailSeed, "</FECAEDetRequest>",
		"<CAEA>36482345678901</CAEA><CbteFchHsGen>20261215120000</CbteFchHsGen></FECAEDetRequest>", 1), "CAED", "CAEAD")
	for _, tipo := range []int{1, 3, 6, 11, 51, 201, 203} {
		f.Add(tipo, seed)
	}
	f.Fuzz(func(t *testing.T, tipo int, body string) {
		root, err := parse([]byte(`<a xmlns="` + namespace + `">` + body + `</a>`))
		if err != nil || len(root.children) == 0 {
			return
		}
		read := &reader{}
		n := root.children[0]
		d := reportedDetail{detail: read.detail(n), caea: read.text(n, "CAEA"), generated: read.text(n, "CbteFchHsGen")}
		if read.err != nil || !slices.Contains(reportable, tipo) {
			return
		}
		r := &report{detail: d, key: series{Testing, 30500010912, 1, tipo}, knobs: DefaultKnobs(), now: server().Now(),
			code: code{CAEA: d.caea, From: "20261201", To: "20261215"}}
		if len(r.form()) > 0 || len(r.ofCode(true, 30500010912)) > 0 {
			return
		}
		reasons, remarks, err := r.content(func(series, int64) (voucher, bool, error) {
			return voucher{Detail: detail{Fch: "20261214"}}, true, nil
		})
		if err != nil {
			t.Error(err)
		}
		for _, m := range append(reasons, remarks...) {
			if m.Code >= 10000 && m.Code < 15000 {
				t.Errorf("%d is a code of FECAESolicitar", m.Code)
			}
		}
	})
}

const exportSeed = `<Cmp><Id>1</Id><Fecha_cbte>20261215</Fecha_cbte><Cbte_Tipo>19</Cbte_Tipo><Punto_vta>1</Punto_vta><Cbte_nro>1</Cbte_nro><Tipo_expo>1</Tipo_expo>` +
	`<Permiso_existente>S</Permiso_existente><Permisos><Permiso><Id_permiso>09052EC01006154G</Id_permiso><Dst_merc>203</Dst_merc></Permiso></Permisos><Dst_cmp>203</Dst_cmp>` +
	`<Cliente>x</Cliente><Domicilio_cliente>y</Domicilio_cliente><Id_impositivo>z</Id_impositivo><Moneda_Id>DOL</Moneda_Id><Moneda_ctz>1450</Moneda_ctz><Imp_total>250</Imp_total>` +
	`<Cmps_asoc><Cmp_asoc><Cbte_tipo>91</Cbte_tipo><Cbte_punto_vta>1</Cbte_punto_vta><Cbte_nro>1</Cbte_nro></Cmp_asoc></Cmps_asoc><Forma_pago>p</Forma_pago><Incoterms>FOB</Incoterms>` +
	`<Idioma_cbte>1</Idioma_cbte><Items><Item><Pro_ds>d</Pro_ds><Pro_qty>2</Pro_qty><Pro_umed>7</Pro_umed><Pro_precio_uni>150</Pro_precio_uni><Pro_bonificacion>50</Pro_bonificacion>` +
	`<Pro_total_item>250</Pro_total_item></Item></Items><Opcionales><Opcional><Id>2402</Id><Valor>1</Valor></Opcional></Opcionales></Cmp>`

// FuzzExport puts any export past the checks: they refuse or accept, and never panic.
func FuzzExport(f *testing.F) {
	f.Add(exportSeed)
	f.Add(strings.Replace(exportSeed, "<Pro_qty>2<", "<Pro_qty>9999999999999999999<", 1))
	f.Add(strings.Replace(strings.Replace(exportSeed, "Tipo>19<", "Tipo>21<", 1), "Cbte_tipo>91<", "Cbte_tipo>19<", 1))
	f.Fuzz(func(t *testing.T, body string) {
		root, err := parse([]byte(`<a xmlns="` + namespaceFX + `">` + body + `</a>`))
		if err != nil || len(root.children) == 0 {
			return
		}
		read := &reader{}
		e := read.export(root.children[0])
		if read.err != nil {
			return
		}
		x := &exportExamination{export: &e, series: series{Testing, 30500010912, 1, e.Tipo}, today: "20261215",
			month: "202612", knobs: DefaultKnobs(),
			find: func(series, int64) (voucher, bool, error) {
				return voucher{Detail: detail{Fch: "20261214", Concepto: 2}, Export: &export{}}, true, nil
			}}
		if _, err := x.run(); err != nil {
			t.Error(err)
		}
		var o out
		voucher{Export: &e}.writeExport(&o, x.series)
		if _, err := parse([]byte("<a>" + o.String() + "</a>")); err != nil {
			t.Errorf("what is written cannot be read: %v in %s", err, o.String())
		}
	})
}

// FuzzMark reads any text as a mark: whatever it is, it ends in faults that are valid.
func FuzzMark(f *testing.F) {
	f.Add("SANDBOX:reject=10195,slow=2s")
	f.Add("SANDBOX:=,,,")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range server().faults(carrier{texts: []string{text}}) {
			if err := server().Validate(m); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

// FuzzRequests sends any body to both services: there is always an answer.
func FuzzRequests(f *testing.F) {
	soap := func(inner string) string {
		return `<s:Envelope xmlns:s="` + envelope11 + `"><s:Body>` + inner + `</s:Body></s:Envelope>`
	}
	f.Add(true, soap(`<FECAESolicitar xmlns="`+namespace+`"><Auth><Token>`+
		base64.StdEncoding.EncodeToString([]byte("<sso/>"))+`</Token><Sign>x</Sign><Cuit>1</Cuit></Auth></FECAESolicitar>`))
	f.Add(false, soap(`<loginCms><in0>MIIB</in0></loginCms>`))
	f.Add(false, soap(`<loginCms><in0>MAsGCSqGSIb3DQEHAg==</in0></loginCms>`))
	f.Add(true, "<a><b")
	f.Add(true, soap(`<FEXAuthorize xmlns="`+namespaceFX+`"><Auth><Cuit>1</Cuit></Auth>`+exportSeed+`</FEXAuthorize>`))
	f.Fuzz(func(t *testing.T, invoices bool, body string) {
		path := "/testing/ws/services/LoginCms"
		switch {
		case invoices && strings.Contains(body, namespaceFX):
			path = "/production/wsfexv1/service.asmx"
		case invoices:
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
