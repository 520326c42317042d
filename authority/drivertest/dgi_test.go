package drivertest_test

import (
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
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
	"folio/sandbox/desk"
	dgisandbox "folio/sandbox/dgi"
)

const uruguayanIssuer = "217111220014"

// uruguayan is made once: a certificate that holds, one that ended, and the key that
// signs CAEs.
var uruguayan = sync.OnceValue(func() (m struct {
	ca          *sandbox.CA
	credentials [2]authority.Credential
	numbers     []byte
}) {
	m.ca, m.credentials = issue(dgisandbox.Holder, uruguayanIssuer, uruguayanIssuer)
	drivertest.InFolder(func(dir string) (err error) {
		if _, err = dgisandbox.OpenNumbers(dir, clock); err != nil {
			return err
		}
		m.numbers, err = os.ReadFile(filepath.Join(dir, dgisandbox.NumbersFile))
		return err
	})
	return m
})

func TestDGI(t *testing.T) {
	for name, knobs := range map[string]dgisandbox.Knobs{
		"it decides later, and a repetition is S08":         {VerdictAfter: desk.Duration(verdictAfter), RepeatsS08: true},
		"it decides at once, and a repetition is error 108": {},
	} {
		t.Run(name, func(t *testing.T) {
			drivertest.RunRanged(t, func(t *testing.T) drivertest.Authority { return openDGI(t, knobs) })
		})
	}
}

func openDGI(t *testing.T, knobs dgisandbox.Knobs) drivertest.Authority {
	m, at, dir := uruguayan(), &ticking{}, t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, dgisandbox.NumbersFile), m.numbers, 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := dgisandbox.Open(t.Context(), dgisandbox.Options{Dir: dir, CA: m.ca, Now: at.now, Knobs: knobs})
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
	file, err := server.Numbers().IssueCAE(dgisandbox.CAE{TaxIdentifier: uruguayanIssuer, Type: 111, Series: "A", From: 1,
		To: 100})
	if err != nil {
		t.Fatal(err)
	}
	client := wire.NewClient(callLimit)
	cable, vault := &drivertest.Line{RoundTripper: client.Transport}, &drivertest.Vault{}
	client.Transport = cable
	start := func(v dgi.Vault, now func() time.Time) authority.Driver {
		return dgi.NewDriver(map[authority.Environment]*dgi.Client{authority.Testing: dgi.New(dgi.Options{
			Endpoints: dgi.EndpointsAt("testing", h.URL+dgisandbox.Prefix+dgisandbox.Testing), Now: now, HTTP: client,
			Vault: v})})
	}
	next := func(f dgisandbox.Fault) {
		f.Operation, f.Times = "EFACRECEPCIONSOBRE", 1
		server.AddFaults(f)
	}
	series := authority.Series{Company: "company", Environment: authority.Testing, OfficialCode: 111}
	document := func(i int, number int64) authority.Document {
		c := uruguayanInvoice(t, i)
		return authority.Document{Invoice: fmt.Sprint("invoice ", i), Number: number, Document: c.Document, Taxes: c.Taxes,
			Profile: uruguayanCompany.Profile,
			Range:   &authority.Range{ID: "1", Series: "A", File: file, From: 1, To: 100}}
	}
	earlier := func() time.Time { return at.now().Add(-time.Minute) }
	return drivertest.Authority{
		Driver: start(vault, at.now), Credential: m.credentials[0], Refused: m.credentials[1], Series: series,
		Document:  document,
		Lose:      func() { next(dgisandbox.Fault{Effect: desk.Lose}) },
		Ignore:    func() { next(dgisandbox.Fault{Effect: desk.Reset}) },
		Refuse:    func(i int) { next(dgisandbox.Fault{Effect: dgisandbox.Reject, Code: "E05", Document: i}) },
		RefuseAll: func() { next(dgisandbox.Fault{Effect: dgisandbox.Cover, Code: "S04"}) },
		Take:      func() { takeNumber(t, start(nil, earlier), m.credentials[0], series, document(9, 1)) },
		Cut:       func(cut bool) { cable.Cut.Store(cut) },
		Secrets: func() []string {
			return []string{base64.StdEncoding.EncodeToString(m.credentials[0].Certificate.Certificate[0])}
		},
		Wait:    func() { at.seconds.Add(1) },
		Restart: func() authority.Driver { return start(vault, at.now) },
		Printed: func(a events.Authorization) string { return a.Extra[uy.ExtraHash] },
	}
}

var uruguayanCompany = country.Issuer{TaxIdentifier: uruguayanIssuer,
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú S.A.", TaxIdentifier: uruguayanIssuer,
		Address: events.Address{Country: "UY", Region: "UY-MO", Address: "18 de Julio 1234"}},
	Fields: map[string]string{uy.FieldBranchCode: "1", uy.FieldCity: "Montevideo", uy.FieldDepartment: "Montevideo",
		uy.FieldResolution: "4055/2024"}}

// uruguayanInvoice is an e-Factura of its own amount.
func uruguayanInvoice(t *testing.T, i int) country.Checked {
	t.Helper()
	d := events.Document{
		Type: "EFA", Date: "2026-12-15 10:00:00",
		Issuer: events.Party{LegalName: "Almacén Ñandú S.A.", DocumentType: "RUT", DocumentNumber: uruguayanIssuer},
		Recipient: events.Party{LegalName: "Peñarol <Hnos> & Cía S.R.L.", DocumentType: "RUT", DocumentNumber: "214844360018",
			Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Av. Italia 567"}},
		Currency: events.Currency{Code: "UYU", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + i)),
			Description: "Artículo", Taxes: []events.ItemTax{{Type: "iva22"}}}},
		HeaderInfo: []byte(`{"recipient":{"city":"Montevideo"}}`),
	}
	var err error
	if d.Items, d.Totals, err = uy.Calculate(d.Type, false, d.Items, money.Zero); err != nil {
		t.Fatal(err)
	}
	checked, wrong := uy.Rules{}.Check(d, uruguayanCompany, noon, country.Config{})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return checked
}
