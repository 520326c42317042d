package arca_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	client "folio/authority/arca"
	"folio/money"
	"folio/sandbox"
	"folio/sandbox/arca"
)

const issuer = 30500010912

// noon is a Tuesday, the first day on which manual v4.8 holds.
var noon = time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)

// material is made once: keys are what takes time here.
var material = sync.OnceValues(func() (*sandbox.CA, client.Credential) {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	// Certificates start well before the tests' clock, whatever the real one says.
	ca, err := sandbox.OpenCA(dir, func() time.Time { return noon.AddDate(0, 0, -1) })
	if err != nil {
		panic(err)
	}
	key, cert, err := ca.Issue(sandbox.Certificate{Holder: arca.Holder, TaxIdentifier: "30500010912", Days: 700})
	if err != nil {
		panic(err)
	}
	return ca, client.Credential{Certificate: cert, Key: key}
})

// house is a sandbox on loopback with a client that shares its clock.
type house struct {
	t      *testing.T
	dir    string
	server *arca.Server
	http   *httptest.Server
	client *client.Client
	cred   client.Credential
	mu     sync.Mutex
	at     time.Time
	calls  []client.Exchange
}

func newHouse(t *testing.T) *house {
	t.Helper()
	_, cred := material()
	h := &house{t: t, dir: t.TempDir(), cred: cred, at: noon}
	h.start()
	t.Cleanup(h.stop)
	return h
}

func (h *house) start() {
	h.t.Helper()
	ca, _ := material()
	var err error
	h.server, err = arca.Open(context.Background(), arca.Options{Dir: h.dir, CA: ca, Now: h.now})
	if err != nil {
		h.t.Fatal(err)
	}
	h.http = httptest.NewServer(h.server)
	h.client = client.New(client.Options{Endpoints: client.EndpointsAt("testing", h.http.URL+"/testing"),
		HTTP: client.NewHTTPClient(5 * time.Second), Now: h.now})
}

func (h *house) stop() {
	h.http.CloseClientConnections()
	h.http.Close()
	if err := h.server.Close(); err != nil {
		h.t.Error(err)
	}
}

func (h *house) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *house) advance(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

func (h *house) session() *client.Session {
	return h.client.Session(h.cred, issuer, func(x client.Exchange) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.calls = append(h.calls, x)
	})
}

// day is today plus n days, yyyymmdd.
func (h *house) day(n int) string { return h.now().In(client.Zone).AddDate(0, 0, n).Format("20060102") }

func (h *house) authorize(tipo int, vs ...client.Voucher) (client.Authorization, error) {
	h.t.Helper()
	r := client.Request{PtoVta: 1, CbteTipo: tipo, Vouchers: vs}
	content, err := r.XML()
	if err != nil {
		h.t.Fatal(err)
	}
	return h.session().Authorize(context.Background(), r, content)
}

// must authorizes one voucher and returns its verdict.
func (h *house) must(tipo int, v client.Voucher) client.Verdict {
	h.t.Helper()
	a, err := h.authorize(tipo, v)
	if err != nil {
		h.t.Fatal(err)
	}
	return a.Verdicts[0]
}

func (h *house) last(tipo int) int64 {
	h.t.Helper()
	n, err := h.session().Last(context.Background(), 1, tipo)
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

func dec(s string) money.Decimal { return money.MustParse(s) }

func ptr[T any](v T) *T { return &v }

// invoiceA is the example of the manual: two rates and a tributo, 184.05 in all.
func invoiceA(number int64, date string) client.Voucher {
	return client.Voucher{
		Concepto: 1, DocTipo: 80, DocNro: 20111111112, CbteDesde: number, CbteHasta: number, CbteFch: date,
		ImpTotal: dec("184.05"), ImpNeto: dec("150"), ImpTrib: dec("7.80"), ImpIVA: dec("26.25"),
		MonId: "PES", MonCotiz: ptr(dec("1")), CondicionIVAReceptorId: ptr(1),
		Tributos: []client.Tributo{{Id: 99, Desc: "Impuesto Municipal Matanza", BaseImp: dec("150"), Alic: dec("5.2"),
			Importe: dec("7.80")}},
		Iva: []client.AlicIva{{Id: 5, BaseImp: dec("100"), Importe: dec("21")},
			{Id: 4, BaseImp: dec("50"), Importe: dec("5.25")}},
	}
}

// invoiceB is for an unidentified consumer.
func invoiceB(number int64, date, total string) client.Voucher {
	return client.Voucher{
		Concepto: 1, DocTipo: 99, CbteDesde: number, CbteHasta: number, CbteFch: date,
		ImpTotal: dec(total), ImpOpEx: dec(total), MonId: "PES", MonCotiz: ptr(dec("1")), CondicionIVAReceptorId: ptr(5),
	}
}

func invoiceC(number int64, date string) client.Voucher {
	v := invoiceB(number, date, "100")
	v.ImpNeto, v.ImpOpEx = v.ImpOpEx, dec("0")
	return v
}

func codes(v client.Verdict) []int {
	var out []int
	for _, m := range v.Messages {
		out = append(out, m.Code)
	}
	return out
}

func as[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("got %T %v, want %T", err, err, e)
	}
	return e
}

// endpoints are those of the house's client.
func (h *house) endpoints() client.Endpoints {
	return client.EndpointsAt("testing", h.http.URL+"/testing")
}

// login has the client get a ticket, if it has none, for a call that changes nothing.
func (h *house) login() error {
	_, err := h.session().Limit(context.Background())
	return err
}
