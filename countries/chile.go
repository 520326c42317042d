package countries

import (
	"folio/authority"
	"folio/authority/sii"
	"folio/authority/wire"
	"folio/country/cl"
	siisandbox "folio/sandbox/sii"
)

var chile = Country{
	Name:         "Chile",
	Rules:        cl.Rules{},
	Words:        []string{"CAF"},
	Services:     services[sii.Endpoints](),
	NoLastNumber: "SII has no query for the last folio used",
	Driver: func(s Settings) authority.Driver {
		at := place[sii.Endpoints]{"sii", sii.Production, sii.Certification, sii.EndpointsAt, siisandbox.Prefix}
		return sii.NewDriver(clients(s, at, func(e sii.Endpoints) *sii.Client {
			return sii.New(sii.Options{Endpoints: e, HTTP: wire.NewClient(s.Timeout), Vault: s.Vault, Log: s.Log})
		}))
	},
	Sandbox: siisandbox.Authority,
	Commands: []any{&struct {
		Caf cafCmd `cmd:"" help:"Make a numbering file of Chile (CAF) that the service of a data folder takes."`
	}{}},
	Demo: demoChile,
}
