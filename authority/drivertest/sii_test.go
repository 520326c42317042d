package drivertest_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
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
	"folio/sandbox/desk"
	siisandbox "folio/sandbox/sii"
)

const (
	chileanIssuer = "77111222-6"
	chileanHolder = "12345678-5"
)

// chilean is made once: a certificate that holds, one that ended, and a CAF.
var chilean = sync.OnceValue(func() (m struct {
	ca          *sandbox.CA
	folios      *siisandbox.Folios
	credentials [2]authority.Credential
	caf         []byte
}) {
	m.ca, m.credentials = issue(siisandbox.Holder, chileanHolder, chileanIssuer)
	drivertest.InFolder(func(dir string) (err error) {
		if m.folios, err = siisandbox.OpenFolios(dir, clock); err != nil {
			return err
		}
		m.caf, err = m.folios.IssueCAF(siisandbox.CAF{TaxIdentifier: chileanIssuer, Name: "Almacén Ñandú", Type: 33, From: 1,
			To: 100})
		return err
	})
	return m
})

// issue makes a certificate that holds and one that ended.
func issue(as sandbox.Holder, holder, issuer string) (ca *sandbox.CA, out [2]authority.Credential) {
	ca = drivertest.OpenCA(clock)
	for i, days := range []int{100, -1} {
		out[i] = drivertest.Issue(ca, as, holder, issuer, days)
	}
	return ca, out
}

// ticking is a clock that a test moves.
type ticking struct{ seconds atomic.Int64 }

func (c *ticking) now() time.Time { return noon.Add(time.Duration(c.seconds.Load()) * time.Second) }

func TestSII(t *testing.T) {
	drivertest.RunRanged(t, func(t *testing.T) drivertest.Authority {
		m, time := chilean(), &ticking{}
		server, err := siisandbox.Open(t.Context(),
			siisandbox.Options{Dir: t.TempDir(), CA: m.ca, Folios: m.folios, Now: time.now,
				Knobs: siisandbox.Knobs{VerdictAfter: desk.Duration(verdictAfter)}})
		if err != nil {
			t.Fatal(err)
		}
		h := httptest.NewServer(server)
		t.Cleanup(func() {
			h.Close()
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
		client := wire.NewClient(callLimit)
		wire, vault := &drivertest.Line{RoundTripper: client.Transport}, &drivertest.Vault{}
		client.Transport = wire
		start := func(v sii.Vault) authority.Driver {
			return sii.NewDriver(map[authority.Environment]*sii.Client{authority.Testing: sii.New(sii.Options{
				Endpoints: sii.EndpointsAt("testing", h.URL+siisandbox.Prefix+siisandbox.Testing), Now: time.now, HTTP: client,
				Vault: v})})
		}
		next := func(f siisandbox.Fault) {
			f.Operation, f.Times = "DTEUpload", 1
			server.AddFaults(f)
		}
		series := authority.Series{Company: "company", Environment: authority.Testing, OfficialCode: 33}
		document := func(i int, number int64) authority.Document {
			c := chileanInvoice(t, i)
			return authority.Document{Invoice: fmt.Sprint("invoice ", i), Number: number, Document: c.Document, Taxes: c.Taxes,
				Profile: chileanCompany.Profile,
				Range:   &authority.Range{ID: "1", File: m.caf, From: 1, To: 100}}
		}
		return drivertest.Authority{
			Driver: start(vault), Credential: m.credentials[0], Refused: m.credentials[1], Series: series, Document: document,
			Lose:   func() { next(siisandbox.Fault{Effect: desk.Lose}) },
			Ignore: func() { next(siisandbox.Fault{Effect: desk.Reset}) },
			Refuse: func(int) { next(siisandbox.Fault{Effect: siisandbox.Reject, Code: "DTE-3-601", Text: "Folio anulado"}) },
			Take: func() {
				takeNumber(t, start(&drivertest.Vault{}), m.credentials[0], series, document(9, 1))
			},
			Cut:     func(cut bool) { wire.Cut.Store(cut) },
			Secrets: func() []string { return tokens(vault) },
			Wait:    func() { time.seconds.Add(1) },
			Restart: func() authority.Driver { return start(vault) },
			Printed: func(a events.Authorization) string { return a.Extra[cl.ExtraStamp] },
		}
	})
}

const (
	verdictAfter = 3 * time.Second
	callLimit    = 5 * time.Second
)

// takeNumber lets another system, which shares nothing but the numbering file, send a
// document of its own.
func takeNumber(t *testing.T, d authority.Driver, c authority.Credential, s authority.Series, doc authority.Document) {
	t.Helper()
	b := authority.Batch{Series: s, Documents: []authority.Document{doc}}
	p, err := d.Prepare(t.Context(), c, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Send(t.Context(), c, b, p, nil); err != nil && !strings.Contains(err.Error(), "received") {
		t.Fatal(err)
	}
}

var chileanCompany = country.Issuer{TaxIdentifier: chileanIssuer,
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú SpA", TaxIdentifier: chileanIssuer,
		Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Los Leones 567"}},
	Fields: map[string]string{cl.FieldGiro: "Ferretería", cl.FieldActeco: "475201", cl.FieldComuna: "Santiago",
		cl.FieldCity:             "Santiago",
		cl.FieldResolutionNumber: "80", cl.FieldResolutionDate: "2014-08-22", cl.FieldSIIOffice: "Santiago Centro"}}

// chileanInvoice is a factura electrónica of its own amount.
func chileanInvoice(t *testing.T, i int) country.Checked {
	t.Helper()
	d := events.Document{
		Type: "FAC", Date: "2026-12-15 10:00:00",
		Issuer: events.Party{LegalName: "Almacén Ñandú", DocumentType: "RUT", DocumentNumber: chileanIssuer},
		Recipient: events.Party{LegalName: "Peñalolén <Hnos> & Cía Ltda", DocumentType: "RUT", DocumentNumber: "76192083-9",
			Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Los Leones 567"}},
		Currency: events.Currency{Code: "CLP", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + i)),
			Description: "Artículo", Taxes: []events.ItemTax{{Type: "iva19"}}}},
		HeaderInfo: []byte(`{"recipient":{"giro":"Servicios","comuna":"Providencia","city":"Santiago"}}`),
	}
	var err error
	if d.Items, d.Totals, err = cl.Calculate(d.Type, d.Currency.Code, d.Items, money.Zero); err != nil {
		t.Fatal(err)
	}
	checked, wrong := cl.Rules{}.Check(d, chileanCompany, noon, country.Config{})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return checked
}
