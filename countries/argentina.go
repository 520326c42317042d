package countries

import (
	"folio/authority"
	"folio/authority/arca"
	"folio/country/ar"
	arcasandbox "folio/sandbox/arca"
)

var argentina = Country{
	Name:     "Argentina",
	Rules:    ar.Rules{},
	Words:    []string{"CAE"},
	Services: services[arca.Endpoints](),
	Driver: func(s Settings) authority.Driver {
		at := place[arca.Endpoints]{"arca", arca.Production, arca.Homologation, arca.EndpointsAt, "/"}
		return arca.NewDriver(clients(s, at, func(e arca.Endpoints) *arca.Client {
			return arca.New(arca.Options{Endpoints: e, HTTP: arca.NewHTTPClient(s.Timeout), Vault: s.Vault, Log: s.Log})
		}))
	},
	Sandbox: arcasandbox.Authority,
}
