package drivertest_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/arca"
	"folio/authority/drivertest"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
)

const issuer = "30500010912"

var noon = time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// material is made once, since keys take time: a certificate that holds, one that ended.
var material = sync.OnceValues(func() (*sandbox.CA, [2]authority.Credential) {
	return issue(arcasandbox.Holder, issuer, issuer)
})

// secrets are the tickets that the vault holds, to look for them where they must not be.
func secrets(v *drivertest.Vault) (out []string) {
	for _, secret := range v.Secrets() {
		var s struct{ Token, Sign string }
		if err := json.Unmarshal(secret, &s); err != nil {
			panic(err)
		}
		out = append(out, s.Token, s.Sign)
	}
	return out
}

// tokens are those that SII gave.
func tokens(v *drivertest.Vault) (out []string) {
	for ref, secret := range v.Secrets() {
		var s struct{ Token string }
		if strings.HasPrefix(ref, "token-") && json.Unmarshal(secret, &s) == nil {
			out = append(out, s.Token)
		}
	}
	return out
}

func TestARCA(t *testing.T) {
	drivertest.Run(t, func(t *testing.T) drivertest.Authority {
		a, _ := atARCA(t, 1, "FECAESolicitar")
		return a
	})
}

// TestARCAInAdvance: noon is the last day of a fortnight; a day later another begins.
func TestARCAInAdvance(t *testing.T) {
	drivertest.RunContingency(t, func(t *testing.T) drivertest.InAdvance {
		const point = 9
		a, server := atARCA(t, point, "")
		k := server.Knobs()
		k.ContingencyPoints = map[int64][]arcasandbox.Point{30500010912: {{Number: point}}}
		server.SetKnobs(k)
		return drivertest.InAdvance{Authority: a, Now: noon, Fortnight: authority.Fortnight{Period: "202612", Order: 1},
			Over: authority.Fortnight{Period: "202611", Order: 2}, First: authority.Fortnight{Period: "202612", Order: 2},
			Begin: func() {
				k.Clock = desk.Duration(24 * time.Hour)
				server.SetKnobs(k)
			},
			Remark: func() {
				server.AddFaults(arcasandbox.Fault{Effect: arcasandbox.Observe, Code: "15018", Times: 1})
			}}
	})
}

// atARCA is the sandbox with a driver. Faults strike the next call of an operation, or any.
func atARCA(t *testing.T, point int, operation string) (drivertest.Authority, *arcasandbox.Server) {
	t.Helper()
	ca, credentials := material()
	server, err := arcasandbox.Open(t.Context(), arcasandbox.Options{Dir: t.TempDir(), CA: ca, Now: clock})
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
	client := arca.NewHTTPClient(5 * time.Second)
	wire, vault := &drivertest.Line{RoundTripper: client.Transport}, &drivertest.Vault{}
	client.Transport = wire
	driver := arca.NewDriver(map[authority.Environment]*arca.Client{
		authority.Testing: arca.New(arca.Options{Endpoints: arca.EndpointsAt("testing", h.URL+"/testing"), Now: clock,
			HTTP: client, Vault: vault}),
	})
	next := func(f arcasandbox.Fault) {
		f.Operation, f.Times = operation, 1
		server.AddFaults(f)
	}
	return drivertest.Authority{
		Driver: driver, Credential: credentials[0], Refused: credentials[1],
		Series: authority.Series{Environment: authority.Testing, OfficialCode: 1, BranchOffice: point},
		Document: func(i int, number int64) authority.Document {
			c := invoice(t, i)
			return authority.Document{Invoice: fmt.Sprint("invoice ", i), Number: number, Document: c.Document, Taxes: c.Taxes}
		},
		Lose:   func() { next(arcasandbox.Fault{Effect: desk.Lose}) },
		Ignore: func() { next(arcasandbox.Fault{Effect: desk.Reset}) },
		Refuse: func(i int) { next(arcasandbox.Fault{Effect: arcasandbox.Reject, Code: "10015", Document: i}) },
		Take: func() {
			if err := server.TakeNumbers(t.Context(),
				arcasandbox.Series{Environment: arcasandbox.Testing, CUIT: 30500010912, PointOfSale: point, Type: 1},
				1); err != nil {
				t.Fatal(err)
			}
		},
		Cut:     func(cut bool) { wire.Cut.Store(cut) },
		Secrets: func() []string { return secrets(vault) },
	}, server
}

// invoice is an FCA of its own amount.
func invoice(t *testing.T, i int) country.Checked {
	t.Helper()
	d := events.Document{
		Type: "FCA", BranchOffice: 1, Date: "2026-12-15 10:00:00", Concept: "1",
		Issuer:    events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: issuer},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "33693450239"},
		Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + i)),
			Description: "Artículo",
			Taxes:       []events.ItemTax{{Type: "iva21"}}}},
	}
	who := country.Issuer{TaxIdentifier: issuer,
		Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.", TaxIdentifier: issuer,
			TaxCondition: "responsable_inscripto"}}
	var err error
	if d.Items, d.Totals, err = ar.Calculate(d.Items, nil, money.Zero, ar.PerRate); err != nil {
		t.Fatal(err)
	}
	checked, wrong := ar.Rules{}.Check(d, who, noon, country.Config{})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return checked
}
