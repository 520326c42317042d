package sii_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/drivertest"
	"folio/authority/sii"
	"folio/authority/wire"
	"folio/country"
	"folio/country/cl"
	"folio/events"
	"folio/money"
	"folio/sandbox"
	siisandbox "folio/sandbox/sii"
)

const (
	issuerRUT    = "77111222-6"
	recipientRUT = "76192083-9"
	holderRUT    = "12345678-5"
	successorRUT = "11111111-1"
)

// noon of a Friday in Chile.
var noon = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

var company = country.Issuer{TaxIdentifier: issuerRUT,
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú & Cía \"Prueba\" SpA", TaxIdentifier: issuerRUT,
		Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Av. Libertador Bernardo O'Higgins 1234, of. 56",
			Phone: "+56 2 2345 6789"}},
	Fields: map[string]string{cl.FieldGiro: "Venta al por menor de artículos de ferretería",
		cl.FieldActeco: "475201,466301", cl.FieldComuna: "Santiago",
		cl.FieldCity: "Santiago", cl.FieldResolutionNumber: "80", cl.FieldResolutionDate: "2014-08-22",
		cl.FieldSIIOffice: "Santiago Centro"}}

func dec(s string) money.Decimal { return money.MustParse(s) }

// document is one of this kind with one line, checked; i makes it another.
func document(t testing.TB, kind string, i int) country.Checked {
	t.Helper()
	k, ok := cl.Rules{}.DocumentType(kind)
	if !ok {
		t.Fatal(kind)
	}
	d := events.Document{
		Type: kind, Date: "2026-11-27 10:00:00", Observations: "Gracias",
		Issuer: events.Party{LegalName: "Almacén Ñandú", DocumentType: "RUT", DocumentNumber: issuerRUT},
		Recipient: events.Party{LegalName: "Peñalolén <Hnos> & Cía Ltda", DocumentType: "RUT", DocumentNumber: recipientRUT,
			Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Los Leones 567"}},
		Currency: events.Currency{Code: "CLP", Rate: dec("1")},
		Items: []events.Item{{Quantity: dec("2"), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(10_500 + i)),
			Description: "Taladro 1/2\" \"Ñuñoa\" & más",
			Taxes:       []events.ItemTax{{Type: "iva19"}}}},
		HeaderInfo: []byte(`{"recipient":{"giro":"Servicios informáticos","comuna":"Providencia","city":"Santiago"}}`),
	}
	if slices.Contains([]int{34, 41, 110, 111, 112}, k.Code) {
		d.Items[0].Taxes[0].Type = "exempt"
	}
	switch k.Code {
	case 39, 41:
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case 52:
		d.HeaderInfo = []byte(`{"transfer_type":5,"dispatch_type":2,"transport":{"plate":"ABCD12","driver_rut":"12.345.678-5","driver_name":"Juan Pérez","carrier_rut":"76.192.083-9","address":"Ruta 5","comuna":"San Bernardo","departure_at":"2026-11-27 14:30:00"},"recipient":{"giro":"Servicios","comuna":"Providencia"}}`)
	case 56, 61:
		d.BillingReference = []events.Reference{{Type: "FAC", Number: 60, Date: "2026-11-20", ReasonCode: "3"}}
	case 110, 111, 112:
		d.Currency = events.Currency{Code: "USD", Rate: dec("945.12")}
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "EXTRANJERO", DocumentNumber: "US-123",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.HeaderInfo, d.ExportInfo = nil, []byte(
			`{"nationality":"225","sale_mode":1,"sale_clause":5,"clause_total":31.65,"packages":[{"type":73,"count":1}],"freight":2.5}`)
		if k.Code != 110 {
			d.BillingReference = []events.Reference{{Type: "110", Number: 7, Date: "2026-11-20", ReasonCode: "3"}}
		}
	}
	var err error
	if d.Items, d.Totals, err = cl.Calculate(d.Type, d.Currency.Code, d.Items, money.Zero); err != nil {
		t.Fatal(err)
	}
	checked, wrong := cl.Rules{}.Check(d, company, noon, country.Config{})
	if len(wrong) > 0 {
		t.Fatalf("%s: %v", kind, wrong)
	}
	return checked
}

// material is made once, since keys take time.
var material = sync.OnceValue(func() (m struct {
	ca      *sandbox.CA
	folios  *siisandbox.Folios
	good    authority.Credential
	expired authority.Credential
	// successor is another person's for the same company.
	successor authority.Credential
}) {
	clock := func() time.Time { return noon }
	m.ca = drivertest.OpenCA(clock)
	drivertest.InFolder(func(dir string) (err error) {
		m.folios, err = siisandbox.OpenFolios(dir, clock)
		return err
	})
	m.good = drivertest.Issue(m.ca, siisandbox.Holder, holderRUT, issuerRUT, 100)
	m.expired = drivertest.Issue(m.ca, siisandbox.Holder, holderRUT, issuerRUT, -1)
	m.successor = drivertest.Issue(m.ca, siisandbox.Holder, successorRUT, issuerRUT, 200)
	return m
})

// world is a driver and its sandbox, fresh.
type world struct {
	t      *testing.T
	server *siisandbox.Server
	url    string
	vault  *drivertest.Vault
	line   *drivertest.Line
	driver *sii.Driver
	now    atomic.Int64 // Unix seconds
	serves atomic.Pointer[siisandbox.Server]
	mu     sync.Mutex
	heard  []authority.Exchange
	cafs   map[int]*authority.Range
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, vault: &drivertest.Vault{}, cafs: map[int]*authority.Range{}}
	w.now.Store(noon.Unix())
	clock := func() time.Time { return time.Unix(w.now.Load(), 0) }
	var err error
	if w.server, err = siisandbox.Open(t.Context(),
		siisandbox.Options{Dir: t.TempDir(), CA: material().ca, Folios: material().folios, Now: clock}); err != nil {
		t.Fatal(err)
	}
	w.swap(w.server)
	h := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.serves.Load().ServeHTTP(rw, r)
	}))
	t.Cleanup(func() {
		h.Close()
		if err := w.server.Close(); err != nil {
			t.Error(err)
		}
	})
	client := wire.NewClient(5 * time.Second)
	w.line = &drivertest.Line{RoundTripper: client.Transport}
	client.Transport = w.line
	w.url = h.URL + siisandbox.Prefix + siisandbox.Testing
	w.driver = sii.NewDriver(map[authority.Environment]*sii.Client{
		authority.Testing: sii.New(sii.Options{Endpoints: sii.EndpointsAt("testing", w.url), Now: clock, HTTP: client,
			Vault: w.vault}),
	})
	return w
}

func (w *world) record(x authority.Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = append(w.heard, x)
}

// caf is the numbering file 1 to 1000 of a type.
func (w *world) caf(code int) *authority.Range {
	w.t.Helper()
	if w.cafs[code] == nil {
		file, err := material().folios.IssueCAF(siisandbox.CAF{TaxIdentifier: issuerRUT, Name: "Almacén Ñandú & Cía",
			Type: code, From: 1, To: 1000})
		if err != nil {
			w.t.Fatal(err)
		}
		w.cafs[code] = &authority.Range{ID: "1", File: file, From: 1, To: 1000}
	}
	return w.cafs[code]
}

// batch is one document of a kind under a folio.
func (w *world) batch(kind string, i int, folio int64) authority.Batch {
	w.t.Helper()
	c := document(w.t, kind, i)
	code := c.Document.OfficialCode
	return authority.Batch{Series: authority.Series{Environment: authority.Testing, OfficialCode: code},
		Documents: []authority.Document{{
			Invoice: "invoice", Number: folio, Document: c.Document, Taxes: c.Taxes, Profile: company.Profile,
			Range: w.caf(code)}}}
}

func (w *world) prepare(b authority.Batch) authority.Prepared {
	w.t.Helper()
	p, err := w.driver.Prepare(w.t.Context(), material().good, b)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) send(b authority.Batch, p authority.Prepared) (authority.Answer, error) {
	return w.driver.Send(w.t.Context(), material().good, b, p, w.record)
}

func (w *world) find(b authority.Batch) authority.Found {
	w.t.Helper()
	f, err := w.driver.Find(w.t.Context(), material().good, b.Series, b.Documents[0], w.record)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// next lets a fault happen to the next call of an operation.
func (w *world) next(operation string, f siisandbox.Fault) {
	f.Operation, f.Times = operation, 1
	w.server.AddFaults(f)
}

// swap lets another sandbox answer at the same address.
func (w *world) swap(s *siisandbox.Server) { w.serves.Store(s) }

// sent is how often an operation was called.
func (w *world) sent(operation string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.heard {
		if x.Operation == operation {
			n++
		}
	}
	return n
}
