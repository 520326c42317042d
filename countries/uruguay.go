package countries

import (
	"folio/authority"
	"folio/authority/dgi"
	"folio/authority/wire"
	"folio/country/uy"
	dgisandbox "folio/sandbox/dgi"
)

var uruguay = Country{
	Name:     "Uruguay",
	Rules:    uy.Rules{},
	Words:    []string{"RUC"},
	Services: services[dgi.Endpoints](),
	NoLastNumber: "DGI's list of CFEs that were sent lacks e-Tickets below the threshold, so that it does not tell the " +
		"last number",
	Driver: func(s Settings) authority.Driver {
		at := place[dgi.Endpoints]{"dgi", dgi.Production, dgi.Test, dgi.EndpointsAt, dgisandbox.Prefix}
		return dgi.NewDriver(clients(s, at, func(e dgi.Endpoints) *dgi.Client {
			return dgi.New(dgi.Options{Endpoints: e, HTTP: wire.NewClient(s.Timeout), Vault: s.Vault,
				Hash: s.DGIHash, MessageHash: s.DGIMessageHash})
		}))
	},
	Sandbox: dgisandbox.Authority,
	Commands: []any{&struct {
		Cae caeCmd `cmd:"" help:"Make a numbering file of Uruguay (CAE) that the service of a data folder takes."`
	}{}},
	Demo: demoUruguay,
}
