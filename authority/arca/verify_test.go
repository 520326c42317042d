package arca_test

import (
	"errors"
	"testing"

	"folio/authority"
	"folio/authority/arca"
	"folio/country"
	"folio/events"
	"folio/money"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
)

// bought is the voucher that batch(1, document(t, "FCA", nil)) makes, as its recipient
// has it.
func bought(b authority.Batch, cae string) country.Purchase {
	d := b.Documents[0].Document
	return country.Purchase{OfficialCode: d.OfficialCode, BranchOffice: d.BranchOffice, Number: 1, Date: d.Date[:10],
		Supplier: events.Party{DocumentNumber: issuer}, Recipient: d.Recipient.DocumentNumber, Total: money.MustParse("1210"),
		Authorization: cae}
}

func TestAVoucherIsConfirmedByWSCDC(t *testing.T) {
	b := newBench(t)
	sold := batch(1, document(t, "FCA", nil))
	answer, err := b.send(t, sold)
	if err != nil {
		t.Fatal(err)
	}
	good := bought(sold, answer.Outcomes[0].Authorization.Code)
	for _, c := range []struct {
		name   string
		change func(*country.Purchase)
		codes  []string // nil: confirmed
	}{
		{"as it was issued", func(*country.Purchase) {}, nil},
		{"a peso less, which is tolerated", func(p *country.Purchase) { p.Total = money.MustParse("1209.00") }, nil},
		{"two pesos less", func(p *country.Purchase) { p.Total = money.MustParse("1208.00") }, []string{"110"}},
		{"another CAE", func(p *country.Purchase) { p.Authorization = "75000000000000" }, []string{"100"}},
		{"a number that was never issued", func(p *country.Purchase) { p.Number = 2 }, []string{"100"}},
		{"another supplier", func(p *country.Purchase) { p.Supplier.DocumentNumber = "20111111112" }, []string{"100"}},
		{"another day and total", func(p *country.Purchase) { p.Date, p.Total = "2026-12-01", money.MustParse("5") },
			[]string{"103", "110"}},
		{"a DNI on an invoice A", func(p *country.Purchase) { p.RecipientType, p.Recipient = 96, "12345678" },
			[]string{"113"}},
		{"nobody on an invoice A", func(p *country.Purchase) { p.RecipientType, p.Recipient = 99, "" }, []string{"114"}},
		{"before 2013", func(p *country.Purchase) { p.Date = "2012-12-31" }, []string{"101"}},
		{"a CAEA that is a CAE", func(p *country.Purchase) { p.AuthorizationType = "CAEA" }, []string{"100"}},
	} {
		p := good
		c.change(&p)
		b.heard = nil
		v, err := b.driver.Verify(t.Context(), b.cred, p, b.record)
		if err != nil || v.Confirmed != (c.codes == nil) || len(v.Messages) != len(c.codes) || v.Announced == "" {
			t.Errorf("%s: %+v, %v", c.name, v, err)
			continue
		}
		for i, m := range v.Messages {
			if m.Code != c.codes[i] {
				t.Errorf("%s: %+v", c.name, v.Messages)
			}
		}
		if len(b.heard) != 1 || b.heard[0].Operation != "ComprobanteConstatar" {
			t.Errorf("%s: heard %+v", c.name, b.heard)
		}
	}
}

func TestWhenWSCDCGivesNoVerdict(t *testing.T) {
	b := newBench(t)
	p := bought(batch(1, document(t, "FCA", nil)), "75000000000000")
	for _, f := range []arcasandbox.Fault{
		{Effect: desk.Down}, {Effect: desk.HTML}, {Effect: desk.Lose},
		{Effect: arcasandbox.Error, Code: "501"},
		{Effect: arcasandbox.Error, Code: "600"}, {Effect: desk.Truncate},
	} {
		f.Operation, f.Times = "ComprobanteConstatar", 2 // a ticket that is refused is replaced once
		b.server.AddFaults(f)
		if v, err := b.driver.Verify(t.Context(), b.cred, p, nil); err == nil || errors.Is(err, authority.ErrRefused) {
			t.Errorf("%s %s: %+v, %v", f.Effect, f.Code, v, err)
		}
		b.server.ClearFaults("")
		if v, err := b.driver.Verify(t.Context(), b.cred, p, nil); err != nil || v.Confirmed {
			t.Errorf("after %s: %+v, %v", f.Effect, v, err)
		}
	}
	refused := arcasandbox.Fault{Operation: "loginCms", Effect: arcasandbox.Error, Text: "coe.notAuthorized"}
	fresh := newBench(t)
	fresh.server.AddFaults(refused)
	if _, err := fresh.driver.Verify(t.Context(), fresh.cred, p, nil); !errors.Is(err, authority.ErrCredential) {
		t.Errorf("a certificate without the service: %v", err)
	}
	if _, err := arca.NewDriver(nil).Verify(t.Context(), b.cred, p, nil); !errors.Is(err, authority.ErrNotSent) {
		t.Errorf("an environment without an address: %v", err)
	}
}

// A buyer who asks before the report does not find a voucher under a CAEA, and finds it after.
func TestAVoucherUnderACAEAIsConfirmedOnceItIsReported(t *testing.T) {
	b, code := contingency(t, arcasandbox.Registered)
	c := document(t, "FCA", nil)
	s, f := b.freeze(t, c, 1, code.Code)
	p := bought(batch(1, c), code.Code)
	p.AuthorizationType, p.BranchOffice = "CAEA", contingencyPoint
	if v, err := b.driver.Verify(t.Context(), b.cred, p, nil); err != nil || v.Confirmed {
		t.Errorf("before: %+v, %v", v, err)
	}
	if _, err := b.driver.Report(t.Context(), b.cred, s, []authority.Frozen{f}, nil); err != nil {
		t.Fatal(err)
	}
	if v, err := b.driver.Verify(t.Context(), b.cred, p, nil); err != nil || !v.Confirmed {
		t.Errorf("after: %+v, %v", v, err)
	}
	p.AuthorizationType = "CAE"
	if v, err := b.driver.Verify(t.Context(), b.cred, p, nil); err != nil || v.Confirmed {
		t.Errorf("as a CAE: %+v, %v", v, err)
	}
}
