package writeapi

import (
	"slices"
	"testing"
	"time"

	"folio/commands/company"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/events"
)

func TestWarningsThatDependOnCountryAndAuthority(t *testing.T) {
	now := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		rules   country.Rules
		company string
		issuer  string
		sandbox bool
		want    int
	}{
		{"in Argentina another's CUIT is a delegate's", ar.Rules{}, "30500010912", "CN=Computadores", false, 1},
		{"in Chile every certificate is a person's", cl.Rules{}, "77111222-6", "CN=E-Sign", false, 0},
		{"one for tests is not trusted by the real authority", cl.Rules{}, "77111222-6", "CN=Folio Sandbox", false, 1},
		{"one for tests is what a sandbox trusts", cl.Rules{}, "77111222-6", "CN=Folio Sandbox", true, 0},
		{"a sandbox does not make a delegate the company", ar.Rules{}, "30500010912", "CN=Folio Sandbox", true, 1},
	} {
		cert := Certificate{TaxIdentifier: "12345678-5", Issuer: c.issuer, ValidFrom: now.AddDate(-1, 0, 0),
			ValidTo: now.AddDate(1, 0, 0)}
		got := api{&wiring{Config: Config{Sandbox: c.sandbox}}}.warningsOf(cert, "Production",
			company.State{CompanyRegistered: events.CompanyRegistered{TaxIdentifier: c.company}}, c.rules, now)
		if len(got) != c.want || slices.Contains(got, "") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
