package arca_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"folio/authority"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

func lastCall(t *testing.T, b *bench, operation string) desk.Call {
	t.Helper()
	for _, c := range b.server.Calls() {
		if c.Operation == operation {
			return c
		}
	}
	t.Fatalf("no call of %s", operation)
	return desk.Call{}
}

func TestWhatAnExportTellsReachesTheAuthority(t *testing.T) {
	b := newBench(t)
	a, err := b.send(t, batch(1, document(t, "FCX", func(d *events.Document) {
		d.Observations = "Embarque parcial"
		d.ExportInfo = []byte(`{"client_tax_id":"PJ54482221-1","incoterms":"CIF","incoterms_description":"Santos","payment_form":"30 dias","language":"en",
			"permits":[{"id":"09052EC01006154G","destination_country":"BR"}]}`)
		d.HeaderInfo = []byte(`{"activities":[620100],"same_currency_payment":"N"}`)
		d.BillingReference = []events.Reference{{Type: "91", BranchOffice: 3, Number: 44}}
	})))
	if err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Fatalf("%+v, %v", a, err)
	}
	received := lastCall(t, b, "FEXAuthorize").Request
	for _, want := range []string{"<Permiso_existente>S</Permiso_existente><Permisos><Permiso><Id_permiso>09052EC01006154G</Id_permiso><Dst_merc>203</Dst_merc></Permiso></Permisos><Dst_cmp>203</Dst_cmp>",
		"<Cuit_pais_cliente>55000000050</Cuit_pais_cliente><Domicilio_cliente>Rua 76, " +
			"Alagoas</Domicilio_cliente><Id_impositivo>PJ54482221-1</Id_impositivo>",
		"<Moneda_Id>DOL</Moneda_Id><Moneda_ctz>1450.5</Moneda_ctz><CanMisMonExt>N</CanMisMonExt><Obs_comerciales>Embarque " +
			"parcial</Obs_comerciales><Imp_total>1000.00</Imp_total>",
		"<Cmps_asoc><Cmp_asoc><Cbte_tipo>91</Cbte_tipo><Cbte_punto_vta>3</Cbte_punto_vta><Cbte_nro>44</Cbte_nro><Cbte_cuit>30500010912</Cbte_cuit></Cmp_asoc></Cmps_asoc>",
		"<Forma_pago>30 dias</Forma_pago><Incoterms>CIF</Incoterms><Incoterms_Ds>Santos</Incoterms_Ds><Idioma_cbte>2</Idioma_cbte>",
		"<Pro_qty>1</Pro_qty><Pro_umed>7</Pro_umed><Pro_precio_uni>1000.00</Pro_precio_uni><Pro_bonificacion>0</Pro_bonificacion><Pro_total_item>1000.00</Pro_total_item>",
		"<Actividades><Actividad><Id>620100</Id></Actividad></Actividades>"} {
		if !strings.Contains(received, want) {
			t.Errorf("%s\nis not in\n%s", want, received)
		}
	}
}

func TestExportsOfServices(t *testing.T) {
	b := newBench(t)
	services := func(d *events.Document) {
		d.Concept = "2"
		if d.Type == "FCX" {
			d.PaymentDueDate = "2027-01-15"
			d.ExportInfo = []byte(`{"client_tax_id":"PJ54482221-1","payment_form":"transferencia"}`)
		}
	}
	for _, kind := range []string{"FCX", "NDX"} {
		if a, err := b.send(t, batch(1, document(t, kind, services))); err != nil || a.Outcomes[0].Result != events.Accepted {
			t.Fatalf("%s: %+v, %v", kind, a, err)
		}
		sent := lastCall(t, b, "FEXAuthorize").Request
		if strings.Contains(sent, "<Fecha_pago>20270115</Fecha_pago>") != (kind == "FCX") ||
			!strings.Contains(sent, "<Permiso_existente></Permiso_existente>") {
			t.Errorf("%s", sent)
		}
	}
}

// Resending the same invoice returns what it was given: the Id follows from it alone.
func TestAnExportIsGivenOneNumberHoweverOftenItIsSent(t *testing.T) {
	b := newBench(t)
	b.server.AddFaults(arcasandbox.Fault{Operation: "FEXAuthorize", Effect: desk.Lose, Times: 1})
	in := batch(1, document(t, "FCX", nil))
	if _, err := b.send(t, in); err == nil {
		t.Fatal("the answer was not lost")
	}
	found, err := b.driver.Find(t.Context(), b.cred, in.Series, in.Documents[0], b.record)
	if err != nil || !found.Exists || !found.Same || !found.Sandbox {
		t.Fatalf("%+v, %v", found, err)
	}
	again, err := b.send(t, in)
	if err != nil || again.Outcomes[0].Authorization.Code != found.Authorization.Code {
		t.Fatalf("sent again: %+v, %v", again, err)
	}
	if call := lastCall(t, b, "FEXAuthorize"); !strings.Contains(call.Answer, "<Reproceso>S</Reproceso>") {
		t.Errorf("%s", call.Answer)
	}
	moved := in
	moved.Documents = []authority.Document{in.Documents[0]}
	moved.Documents[0].Number = 2
	if a, err := b.send(t, moved); err == nil {
		t.Errorf("the same invoice under another number: %+v", a)
	}
	if last, err := b.driver.Last(t.Context(), b.cred, in.Series, b.record); err != nil || last.Number != 1 {
		t.Errorf("%+v, %v", last, err)
	}
	other := in.Documents[0]
	other.Invoice = "another"
	if found, err = b.driver.Find(t.Context(), b.cred, in.Series, other, b.record); err != nil || !found.Exists ||
		found.Same || found.Difference != "Id" {
		t.Errorf("two exports that are alike in all but their identifier: %+v, %v", found, err)
	}
}

func TestErrorsOfExportsSayWhatMayBeDoneNext(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault arcasandbox.Fault
		want  error // nil: ambiguous
	}{
		{"answer lost", arcasandbox.Fault{Effect: desk.Lose}, nil},
		{"page instead of an answer", arcasandbox.Fault{Effect: desk.HTML}, nil},
		{"HTTP 503", arcasandbox.Fault{Effect: desk.Down}, nil},
		{"database error", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "501"}, nil},
		{"another transaction", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "505"}, nil},
		{"ticket refused again and again", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "1000", Times: 2},
			authority.ErrNotSent},
		{"taxpayer not in the ticket", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "1001", Times: 2},
			authority.ErrCredential},
		{"number or date", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "1535"}, authority.ErrWrongNumber},
		{"number taken", arcasandbox.Fault{Effect: arcasandbox.TakeNumber}, authority.ErrWrongNumber},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			c.fault.Operation, c.fault.Times = "FEXAuthorize", max(c.fault.Times, 1)
			b.server.AddFaults(c.fault)
			in := batch(1, document(t, "FCX", nil))
			_, err := b.send(t, in)
			for _, sentinel := range []error{authority.ErrNotSent, authority.ErrRefused, authority.ErrCredential,
				authority.ErrWrongNumber} {
				if errors.Is(err, sentinel) != (sentinel == c.want) {
					t.Errorf("%v, want %v", err, c.want)
				}
			}
			found, err := b.driver.Find(t.Context(), b.cred, in.Series, in.Documents[0], b.record)
			if err != nil || found.Exists != (c.fault.Effect == desk.Lose || c.fault.Effect == arcasandbox.TakeNumber) ||
				found.Exists && found.Same != (c.fault.Effect == desk.Lose) {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

func TestVerdictsOfExports(t *testing.T) {
	b := newBench(t)
	b.server.AddFaults(arcasandbox.Fault{Operation: "FEXAuthorize", Effect: arcasandbox.Observe, Code: "16",
		Text: "Zona Franca", Times: 1})
	a, err := b.send(t, batch(1, document(t, "FCX", nil)))
	if err != nil || a.Outcomes[0].Result != events.Accepted ||
		fmt.Sprint(a.Outcomes[0].Messages) != "[{16 16: Zona Franca}]" {
		t.Errorf("with a remark: %+v, %v", a, err)
	}
	b.server.AddFaults(arcasandbox.Fault{Operation: "FEXAuthorize", Effect: arcasandbox.Reject, Code: "1668",
		Text: "Deberá estar registrado como exportador.", Times: 1})
	in := batch(2, document(t, "FCX", nil))
	in.Documents[0].Invoice = "second"
	a, err = b.send(t, in)
	if err != nil || a.Outcomes[0].Result != events.Rejected || a.Outcomes[0].Messages[0].Code != "1668" {
		t.Errorf("refused with a code: %+v, %v", a, err)
	}
	k := b.server.Knobs()
	k.Registry = map[int64]arcasandbox.Taxpayer{55000000050: arcasandbox.FakeInvoices}
	b.server.SetKnobs(k)
	if a, err = b.send(t, in); err != nil || a.Outcomes[0].Result != events.Rejected ||
		a.Outcomes[0].Messages[0].Code != "21" {
		t.Errorf("refused with a motive: %+v, %v", a, err)
	}
	_, err = b.driver.Prepare(t.Context(), b.cred, batch(1, document(t, "FCX", nil), document(t, "FCX", nil)))
	if err == nil {
		t.Error("two exports in one call")
	}
}

func TestMarksInTheObservationsOfAnExport(t *testing.T) {
	b := newBench(t)
	a, err := b.send(t, batch(1, document(t, "FCX",
		func(d *events.Document) { d.Observations = "Pedido 7. SANDBOX:reject=1668" })))
	if err != nil || a.Outcomes[0].Result != events.Rejected || a.Outcomes[0].Messages[0].Code != "1668" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestWhatTheRulesAcceptTheAuthorityAcceptsOfExports sends random exports through the
// rules, the driver and the sandbox's own arithmetic (1610, 1815).
func TestWhatTheRulesAcceptTheAuthorityAcceptsOfExports(t *testing.T) {
	b := newBench(t)
	base := document(t, "FCX", nil).Document
	who := country.Issuer{TaxIdentifier: issuer, Profile: events.IssuerProfile{TaxIdentifier: issuer}}
	next := int64(1)
	rapid.Check(t, func(rt *rapid.T) {
		d := base
		d.Items = rapid.SliceOfN(rapid.Custom(line), 1, 8).Draw(rt, "items")
		for i := range d.Items {
			d.Items[i].Taxes = nil
		}
		order := rapid.SampledFrom([]ar.Order{ar.PerRate, ar.PerLine}).Draw(rt, "order")
		whole := money.Zero
		if rapid.Bool().Draw(rt, "discounted") {
			whole = money.MustParse("0.01")
		}
		items, totals, err := ar.Calculate(d.Items, nil, whole, order)
		if err != nil {
			rt.Fatal(err)
		}
		d.Items, d.Totals = items, totals
		checked, wrong := ar.Rules{}.Check(d, who, noon, country.Config{})
		if len(wrong) > 0 {
			return
		}
		in := batch(next, checked)
		in.Documents[0].Invoice = fmt.Sprint("random ", next)
		p, err := b.driver.Prepare(t.Context(), b.cred, in)
		if err != nil {
			rt.Fatal(err)
		}
		a, err := b.driver.Send(t.Context(), b.cred, in, p, b.record)
		if err != nil || a.Outcomes[0].Result != events.Accepted {
			rt.Fatalf("%v %+v\n%s", err, a.Outcomes, p.Content)
		}
		next++
	})
	if next < 20 {
		t.Errorf("only %d got as far as the authority", next)
	}
}
