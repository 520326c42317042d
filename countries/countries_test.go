package countries

import (
	"log/slog"
	"testing"

	"folio/authority"
	"folio/authority/arca"
	"folio/authority/dgi"
)

func TestEveryCountryIsWired(t *testing.T) {
	drivers := Drivers(Settings{Base: "http://127.0.0.1:1/", Log: slog.New(slog.DiscardHandler)})
	for _, c := range All {
		if c.Rules == nil || drivers[c.Rules.Authority()] == nil || len(c.Services) == 0 ||
			c.Sandbox.Country != c.Rules.Code() {
			t.Errorf("%+v lacks something", c)
		}
		if c.Demo != nil {
			if _, err := c.Demo.Body("2026-11-27"); err != nil {
				t.Error(err)
			}
		}
	}
	if len(drivers) != len(All) {
		t.Errorf("%d drivers of %d countries", len(drivers), len(All))
	}
}

func TestOneServiceMovesAndTheOthersStay(t *testing.T) {
	own := func(e arca.Endpoints) arca.Endpoints { return e }
	at := place[arca.Endpoints]{"arca", arca.Production, arca.Homologation, arca.EndpointsAt, "/"}
	moved := Addresses{"arca": {authority.Production: {"wsaa": "https://wsaa.arca.gob.ar/ws/services/LoginCms"}},
		"dgi": {authority.Testing: {"queries": "x"}}}
	want := arca.Production
	want.WSAA = "https://wsaa.arca.gob.ar/ws/services/LoginCms"
	got := clients(Settings{Moved: moved}, at, own)
	if got[authority.Production] != want || got[authority.Testing] != arca.Homologation {
		t.Errorf("%+v", got)
	}
}

func TestAuthoritiesBelowOneBase(t *testing.T) {
	at := place[dgi.Endpoints]{"dgi", dgi.Production, dgi.Test, dgi.EndpointsAt, "/uy/"}
	got := clients(Settings{Base: "http://127.0.0.1:9/"}, at,
		func(e dgi.Endpoints) string { return e.Environment + " " + e.Reception })
	if got[authority.Production] != "production http://127.0.0.1:9/uy/production/ws_efactura" ||
		got[authority.Testing] != "testing http://127.0.0.1:9/uy/testing/ws_efactura" {
		t.Errorf("%v", got)
	}
}
