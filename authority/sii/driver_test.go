package sii_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/country/cl"
	"folio/country/cl/stamptest"
	"folio/events"
	"folio/sandbox/desk"
	siisandbox "folio/sandbox/sii"
)

func TestEveryKindIsIssued(t *testing.T) {
	w := newWorld(t)
	for i, k := range (cl.Rules{}).DocumentTypes() {
		b := w.batch(k.InvoiceType, i, 7)
		l, err := w.driver.Last(t.Context(), material().good, b.Series, w.record)
		if err != nil || l.BatchLimit != 1 {
			t.Fatalf("%s: %+v, %v", k.InvoiceType, l, err)
		}
		p := w.prepare(b)
		a, err := w.send(b, p)
		if err != nil || len(a.Outcomes) != 1 {
			t.Fatalf("%s: %v", k.InvoiceType, err)
		}
		o := a.Outcomes[0]
		if o.Result != events.Accepted || !o.Sandbox || o.Number != 7 || o.Authorization.Type != "CAF" ||
			o.Authorization.Code == "" || len(o.Messages) > 0 {
			t.Errorf("%s: %+v %+v", k.InvoiceType, o, o.Authorization)
			continue
		}
		stamp, err := cl.ToLatin1(o.Authorization.Extra[cl.ExtraStamp])
		if err != nil || stamptest.Verify(stamp) != nil || !strings.Contains(string(p.Content), string(stamp)) {
			t.Errorf("%s: the stamp that is printed is not the one that was sent: %v", k.InvoiceType, err)
		}
		if f := w.find(b); !f.Same || f.Pending || f.Rejected || f.Authorization.Code != o.Authorization.Code {
			t.Errorf("%s is found as %+v", k.InvoiceType, f)
		}
	}
}

func TestPreparedTwiceIsTheSame(t *testing.T) {
	w := newWorld(t)
	b := w.batch("FAC", 0, 1)
	w.line.Cut.Store(true)
	one := w.prepare(b)
	if two := w.prepare(b); one.SHA256 != two.SHA256 {
		t.Error("the same moment gave other bytes")
	}
	w.now.Add(1)
	if two := w.prepare(b); one.SHA256 == two.SHA256 {
		t.Error("another moment gave the same bytes")
	}
	if !strings.Contains(string(one.Content), "<TmstFirma>2026-11-27T12:00:00</TmstFirma>") {
		t.Error("it is not signed at noon in Chile")
	}
}

func TestTheVerdictComesLater(t *testing.T) {
	for _, kind := range []string{"FAC", "BOL"} {
		w := newWorld(t)
		w.server.SetKnobs(siisandbox.Knobs{VerdictAfter: desk.Duration(time.Minute)})
		b := w.batch(kind, 0, 1)
		_, err := w.send(b, w.prepare(b))
		var m *authority.Message
		if !errors.Is(err, authority.ErrPending) || !errors.As(err, &m) {
			t.Fatalf("%s: %v", kind, err)
		}
		for range 6 {
			if f := w.find(b); !f.Exists || !f.Pending {
				t.Errorf("%s: %+v", kind, f)
			}
			w.now.Add(9)
		}
		w.now.Add(9)
		if f := w.find(b); f.Pending || !f.Same || f.Authorization.Extra[cl.ExtraState] != "EPR" {
			t.Errorf("%s: %+v", kind, f)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, kind, operation string
		fault                 siisandbox.Fault
		result                events.Result
		code                  string
	}{
		{"a document", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Reject, Code: "DTE-3-601",
			Text: "Folio anulado"}, events.Rejected, "DTE-3-601"},
		{"a boleta", "BOL", "boleta.electronica.envio",
			siisandbox.Fault{Effect: siisandbox.Reject, Code: "DTE-3-601", Text: "Folio anulado"}, events.Rejected, "DTE-3-601"},
		{"the cover", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Cover}, events.Rejected, "RCT"},
		{"the signature", "BOL", "boleta.electronica.envio", siisandbox.Fault{Effect: siisandbox.Cover, Code: "RFR"},
			events.Rejected, "RFR"},
		{"a remark", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Remark, Code: "HED-2-100", Text: "Reparo"},
			events.Accepted, "EPR"},
		{"a remark on a boleta", "BOL", "boleta.electronica.envio",
			siisandbox.Fault{Effect: siisandbox.Remark, Code: "HED-2-100", Text: "Reparo"}, events.Accepted, "HED-2-100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.next(c.operation, c.fault)
			b := w.batch(c.kind, 0, 1)
			a, err := w.send(b, w.prepare(b))
			if err != nil {
				t.Fatal(err)
			}
			o := a.Outcomes[0]
			if o.Result != c.result || (o.Authorization == nil) != (c.result == events.Rejected) ||
				!strings.Contains(fmt.Sprint(o.Messages), c.code) {
				t.Errorf("%+v", o)
			}
			if f := w.find(b); f.Rejected != (c.result == events.Rejected) || !f.Exists || !f.Same {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestAnswersOfAnUpload(t *testing.T) {
	for _, c := range []struct {
		name, kind, operation string
		fault                 siisandbox.Fault
		want                  error // nil: ambiguous
	}{
		{"the sender has no right", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "1"},
			authority.ErrCredential},
		{"the company is not authorised", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "6"},
			authority.ErrCredential},
		{"too large", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "2"}, authority.ErrRefused},
		{"the schema", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "7"}, authority.ErrRefused},
		{"cut off", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "3"}, authority.ErrNotSent},
		{"locked", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "9"}, authority.ErrNotSent},
		{"a status of nowhere", "FAC", "DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "-1"}, nil},
		{"a page", "FAC", "DTEUpload", siisandbox.Fault{Effect: desk.HTML}, nil},
		{"a page for a boleta", "BOL", "boleta.electronica.envio", siisandbox.Fault{Effect: desk.HTML}, nil},
		{"HTTP 500", "FAC", "DTEUpload", siisandbox.Fault{Effect: desk.HTTP500}, nil},
		{"half an answer", "FAC", "DTEUpload", siisandbox.Fault{Effect: desk.Truncate}, nil},
		{"a cut connection", "BOL", "boleta.electronica.envio", siisandbox.Fault{Effect: desk.Reset}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.next(c.operation, c.fault)
			b := w.batch(c.kind, 0, 1)
			p := w.prepare(b)
			_, err := w.send(b, p)
			for _, s := range []error{authority.ErrNotSent, authority.ErrRefused, authority.ErrCredential,
				authority.ErrWrongNumber, authority.ErrPending} {
				if errors.Is(err, s) != (s == c.want) {
					t.Errorf("%v: is %v", err, s)
				}
			}
			if err == nil {
				t.Fatal("no error")
			}
			if c.fault.Effect == desk.Truncate {
				return // it arrived
			}
			if f := w.find(b); f.Exists {
				t.Errorf("%+v", f)
			}
			if a, err := w.send(b, p); err != nil || a.Outcomes[0].Result != events.Accepted {
				t.Errorf("the same bytes again: %+v, %v", a, err)
			}
		})
	}
}
