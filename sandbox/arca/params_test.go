package arca_test

import (
	"testing"

	client "folio/authority/arca"
	"folio/sandbox/arca"
)

func TestTables(t *testing.T) {
	h := newHouse(t)
	for table, want := range map[client.Table]struct {
		rows  int
		first client.Row
	}{
		client.VoucherTypes:     {36, client.Row{ID: "1", Text: "Factura A", From: "20100917"}},
		client.Concepts:         {3, client.Row{ID: "1", Text: "Producto", From: "20100917"}},
		client.DocumentTypes:    {36, client.Row{ID: "80", Text: "CUIT", From: "20080725"}},
		client.VATRates:         {6, client.Row{ID: "3", Text: "0%", From: "20090220"}},
		client.Currencies:       {50, client.Row{ID: "PES", Text: "Pesos Argentinos", From: "20090403"}},
		client.OptionalData:     {26, client.Row{ID: "2", Text: "RG Empresas Promovidas - Indentificador de proyecto vinculado a Régimen de Promoción Industrial", From: "20100917"}},
		client.OtherTaxes:       {11, client.Row{ID: "1", Text: "Impuestos nacionales", From: "20100917"}},
		client.Countries:        {6, client.Row{ID: "200", Text: "ARGENTINA"}},
		client.Activities:       {1, client.Row{ID: "620100", Text: "SERVICIOS DE CONSULTORES EN INFORMATICA Y SUMINISTROS DE PROGRAMAS DE INFORMATICA"}},
		client.ReceiverVATConds: {11, client.Row{ID: "1", Text: "IVA Responsable Inscripto", Class: "A/ALEY/C"}},
	} {
		rows, err := h.session().Rows(t.Context(), table)
		if err != nil || len(rows) != want.rows || rows[0] != want.first {
			t.Errorf("%s: %d rows, %v, first %+v", table, len(rows), err, rows)
		}
	}
}

func TestPointsOfSaleAndRates(t *testing.T) {
	h := newHouse(t)
	if list, err := h.session().PointsOfSale(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("none is registered: %v, %v", list, err)
	}
	k := h.server.Knobs()
	k.PointsOfSale = map[int64][]int{issuer: {7}}
	h.server.SetKnobs(k)
	if list, err := h.session().PointsOfSale(t.Context()); err != nil || len(list) != 1 || list[0] != (client.PointOfSale{Number: 7, EmissionType: "CAE - Ri Iva"}) {
		t.Errorf("%+v, %v", list, err)
	}
	_, err := h.session().Last(t.Context(), 1, 1)
	if r := as[*client.Refused](t, err); !r.Has(11002) {
		t.Error(err)
	}
	rate, of, ok, err := h.session().Rate(t.Context(), "DOL", "20261214")
	if err != nil || !ok || rate.String() != "1450" || of != "20261214" {
		t.Errorf("%s of %s, %v, %v", rate, of, ok, err)
	}
	if _, _, ok, err := h.session().Rate(t.Context(), "PES", ""); ok || err != nil {
		t.Errorf("pesos have a rate: %v", err)
	}
	if n, err := h.session().Limit(t.Context()); n != 250 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if s, err := h.client.Dummy(t.Context()); err != nil || !s.OK() {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestTheRegistryDecidesWhoMayIssueAndReceive(t *testing.T) {
	h := newHouse(t)
	const recipient = 20111111112
	for _, c := range []struct {
		who    arca.Taxpayer
		code   int
		passes bool
	}{
		{arca.Monotributo, 10217, true}, {arca.Exempt, 10063, true}, {arca.Deceased, 10249, true},
		{arca.Inactive, 10247, false}, {arca.FakeInvoices, 10195, false}, {arca.Unknown, 10284, false},
	} {
		h.server.SetKnobs(arca.Knobs{Registry: map[int64]arca.Taxpayer{recipient: c.who}})
		v := h.must(1, invoiceA(h.last(1)+1, h.day(0)))
		if (v.Outcome == client.Accepted) != c.passes || len(v.Messages) != 1 || v.Messages[0].Code != c.code {
			t.Errorf("%s: %+v", c.who, v)
		}
	}
	h.server.SetKnobs(arca.Knobs{Registry: map[int64]arca.Taxpayer{issuer: arca.Monotributo}})
	_, err := h.authorize(1, invoiceA(h.last(1)+1, h.day(0)))
	if r := as[*client.Refused](t, err); !r.Has(10000) {
		t.Error(err)
	}
	if v := h.must(11, invoiceC(1, h.day(0))); v.Outcome != client.Accepted {
		t.Errorf("%+v", v)
	}
}

func TestACertificateActsForThoseWhoDelegated(t *testing.T) {
	h := newHouse(t)
	const other = 33693450239
	if _, err := h.client.Session(h.cred, other, nil).Last(t.Context(), 1, 1); err == nil {
		t.Fatal("it acts for a stranger")
	}
	h.server.SetKnobs(arca.Knobs{Represents: map[int64][]int64{issuer: {other}}})
	fresh := client.New(client.Options{Endpoints: h.client.Endpoints(), Now: h.now})
	if n, err := fresh.Session(h.cred, other, nil).Last(t.Context(), 1, 1); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
}
