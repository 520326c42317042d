package dgi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/dgi"
	"folio/authority/drivertest"
	"folio/authority/wire"
	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/money"
	"folio/sandbox"
	dgisandbox "folio/sandbox/dgi"
)

const (
	issuerRUC    = "217111220014"
	recipientRUC = "214844360018"
	otherRUC     = "219999830019"
)

// noon of a Friday in Uruguay.
var noon = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

var company = country.Issuer{TaxIdentifier: issuerRUC,
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú & Cía \"Prueba\" S.A.", TaxIdentifier: issuerRUC,
		Address: events.Address{Country: "UY", Region: "UY-MO", Address: "18 de Julio 1234, of. 56"}},
	Fields: map[string]string{uy.FieldBranchCode: "1", uy.FieldCity: "Montevideo", uy.FieldDepartment: "Montevideo",
		uy.FieldResolution: "4055/2024"}}

func dec(s string) money.Decimal { return money.MustParse(s) }

// material is made once, since keys take time.
var material = sync.OnceValue(func() (m struct {
	ca                                *sandbox.CA
	numbers                           *dgisandbox.Numbers
	good, expired, foreign, successor authority.Credential
}) {
	clock := func() time.Time { return noon }
	m.ca = drivertest.OpenCA(clock)
	drivertest.InFolder(func(dir string) (err error) {
		m.numbers, err = dgisandbox.OpenNumbers(dir, clock)
		return err
	})
	m.good = drivertest.Issue(m.ca, dgisandbox.Holder, issuerRUC, issuerRUC, 100)
	m.expired = drivertest.Issue(m.ca, dgisandbox.Holder, issuerRUC, issuerRUC, -1)
	m.foreign = drivertest.Issue(m.ca, dgisandbox.Holder, otherRUC, issuerRUC, 100)
	m.successor = drivertest.Issue(m.ca, dgisandbox.Holder, issuerRUC, issuerRUC, 200)
	return m
})

var (
	caes   = map[string][]byte{}
	caesMu sync.Mutex
)

// cae is the numbering file 1 to 1000 of a type and series.
func cae(t testing.TB, code int, series string) *authority.Range {
	t.Helper()
	caesMu.Lock()
	defer caesMu.Unlock()
	name := fmt.Sprint(code, series)
	if caes[name] == nil {
		file, err := material().numbers.IssueCAE(dgisandbox.CAE{TaxIdentifier: issuerRUC, Type: code, Series: series, From: 1,
			To: 1000})
		if err != nil {
			t.Fatal(err)
		}
		caes[name] = file
	}
	return &authority.Range{ID: "1", Series: series, File: caes[name], From: 1, To: 1000}
}

// batch are n documents of a kind from a number on.
func batch(t testing.TB, kind string, first int64, n int) authority.Batch {
	t.Helper()
	var b authority.Batch
	for i := range n {
		c := document(t, kind, int(first)+i)
		b.Series = authority.Series{Company: "company", Environment: authority.Testing, OfficialCode: c.Document.OfficialCode}
		b.Documents = append(b.Documents, authority.Document{Invoice: fmt.Sprint("invoice ", first+int64(i)),
			Number: first + int64(i), Document: c.Document,
			Taxes: c.Taxes, Profile: company.Profile, Range: cae(t, c.Document.OfficialCode, "A")})
	}
	return b
}

// world is a driver and a server that answers what it is told to.
type world struct {
	t      *testing.T
	vault  *drivertest.Vault
	driver *dgi.Driver
	url    string
	now    atomic.Int64 // Unix seconds

	mu      sync.Mutex
	answers map[string][]func(http.ResponseWriter) // by operation; the last one stays
	asked   []string                               // operations
	bodies  []string
	heard   []authority.Exchange
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, vault: &drivertest.Vault{}, answers: map[string][]func(http.ResponseWriter){}}
	w.now.Store(noon.Unix())
	h := httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(h.Close)
	w.url = h.URL
	w.start(dgi.Options{})
	return w
}

// start makes another driver, as after a restart.
func (w *world) start(o dgi.Options) {
	o.Endpoints = dgi.EndpointsAt("testing", w.url+"/")
	o.HTTP, o.Vault = wire.NewClient(5*time.Second), w.vault
	o.Now = func() time.Time { return time.Unix(w.now.Load(), 0) }
	w.driver = dgi.NewDriver(map[authority.Environment]*dgi.Client{authority.Testing: dgi.New(o),
		authority.Production: dgi.New(o)})
}

func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.t.Error(err)
	}
	op := strings.Trim(r.Header.Get("SOAPAction"), `"`)
	op = op[strings.LastIndex(op, ".")+1:]
	if r.Method == http.MethodGet {
		op = r.URL.RawQuery
	}
	w.mu.Lock()
	w.asked, w.bodies = append(w.asked, op), append(w.bodies, string(body))
	queue := w.answers[op]
	if len(queue) > 1 {
		w.answers[op] = queue[1:]
	}
	w.mu.Unlock()
	if len(queue) == 0 {
		w.t.Errorf("%s was not expected", op)
		rw.WriteHeader(http.StatusNotFound)
		return
	}
	queue[0](rw)
}

// on adds an answer to an operation.
func (w *world) on(op string, answer func(http.ResponseWriter)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers[op] = append(w.answers[op], answer)
}

// raw answers with bytes.
func raw(status int, body string) func(http.ResponseWriter) {
	return func(rw http.ResponseWriter) {
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, body)
	}
}

// xmlData is an answer inside Dataout/xmlData, as WS_eFactura gives it.
func xmlData(content string) func(http.ResponseWriter) {
	return raw(200, `<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Header><wsse:Security xmlns:wsse="w"><wsse:BinarySecurityToken>MIIC</wsse:BinarySecurityToken></wsse:Security></SOAP-ENV:Header><SOAP-ENV:Body>`+
		`<WS_eFactura.Response xmlns="http://dgi.gub.uy"><Dataout><xmlData><![CDATA[<?xml version="1.0" encoding="iso-8859-1"?>`+content+`]]></xmlData></Dataout></WS_eFactura.Response></SOAP-ENV:Body></SOAP-ENV:Envelope>`)
}

// bare is an answer as an element of its own, as WS_eFactura_Consultas gives it.
func bare(content string) func(http.ResponseWriter) {
	return raw(200, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><WS_eFactura_Consultas.EFACCONSULTARESTADOCFEResponse xmlns="http://dgi.gub.uy">`+content+`</WS_eFactura_Consultas.EFACCONSULTARESTADOCFEResponse></s:Body></s:Envelope>`)
}

func hangUp(rw http.ResponseWriter) {
	conn, _, err := rw.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func (w *world) record(x authority.Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = append(w.heard, x)
}

func (w *world) calls() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.asked, " ")
}

func (w *world) prepare(b authority.Batch) authority.Prepared {
	w.t.Helper()
	p, err := w.driver.Prepare(w.t.Context(), material().good, b)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) send(b authority.Batch) (authority.Answer, error) {
	return w.driver.Send(w.t.Context(), material().good, b, w.prepare(b), w.record)
}

func (w *world) find(b authority.Batch, i int) (authority.Found, error) {
	return w.driver.Find(w.t.Context(), material().good, b.Series, b.Documents[i], w.record)
}

// found is what find says, without an error.
func (w *world) found(b authority.Batch, i int) authority.Found {
	w.t.Helper()
	f, err := w.find(b, i)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}
