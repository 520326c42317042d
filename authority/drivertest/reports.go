package drivertest

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"folio/authority"
)

func (a *ahead) givesOnce() {
	if _, ok, err := a.can.Consult(a.t.Context(), a.Credential, a.of.Fortnight, a.record); ok || err != nil {
		a.t.Fatalf("there is a code that nobody asked for: %v, %v", ok, err)
	}
	c := a.code()
	if c.Code == "" || c.Fortnight != a.of.Fortnight || c.From == "" || c.To < c.From || c.ReportUntil < c.To ||
		!c.Sandbox {
		a.t.Errorf("%+v", c)
	}
	_, err := a.can.Ask(a.t.Context(), a.Credential, a.of.Fortnight, a.record)
	if !errors.Is(err, authority.ErrCodeExists) || !errors.Is(err, authority.ErrRefused) {
		a.t.Errorf("asked again: %v", err)
	}
	again, ok, err := a.can.Consult(a.t.Context(), a.Credential, a.of.Fortnight, a.record)
	if err != nil || !ok || again.Code != c.Code || again.ReportUntil != c.ReportUntil {
		a.t.Errorf("consulted: %+v, %v, %v", again, ok, err)
	}
}

func (a *ahead) outsideWindow() {
	_, err := a.can.Ask(a.t.Context(), a.Credential, a.of.Over, a.record)
	if !errors.Is(err, authority.ErrWindow) || !errors.Is(err, authority.ErrRefused) {
		a.t.Error(err)
	}
	for _, none := range []authority.Fortnight{{Period: "202613", Order: 1}, {Period: "202612", Order: 3}, {}} {
		if _, err := a.can.Ask(a.t.Context(), a.Credential, none, a.record); !errors.Is(err, authority.ErrNotSent) {
			a.t.Errorf("%+v: %v", none, err)
		}
	}
}

func (a *ahead) losesCode() {
	a.last() // a ticket at hand, so that it is the call whose answer is lost
	a.Lose()
	_, err := a.can.Ask(a.t.Context(), a.Credential, a.of.Fortnight, a.record)
	a.is(err, nil)
	if c, ok, err := a.can.Consult(a.t.Context(), a.Credential, a.of.Fortnight, a.record); err != nil || !ok ||
		c.Code == "" {
		a.t.Errorf("%+v, %v, %v", c, ok, err)
	}
}

func (a *ahead) freezes() {
	c := a.code()
	heard := len(a.heard)
	a.Cut(true)
	one, two := a.frozen(c.Code, 0, 1), a.frozen(c.Code, 0, 1)
	if !bytes.Equal(one.Content, two.Content) || one.SHA256 != authority.Prepare(one.Content).SHA256 || one.Number != 1 ||
		one.Invoice == "" || len(a.heard) != heard {
		a.t.Errorf("frozen twice: %+v and %+v", one, two)
	}
	if other := a.frozen(c.Code, 0, 2); other.SHA256 == one.SHA256 {
		a.t.Error("another number is other bytes")
	}
	later, err := a.can.Freeze(a.Document(0, 1), c.Code, a.of.Now.Add(time.Second))
	if err != nil || later.SHA256 == one.SHA256 {
		a.t.Errorf("another moment is other bytes: %v", err)
	}
}

func (a *ahead) reports() {
	c := a.code()
	batch := a.series(c.Code, 3)
	if a.last().Number != 0 {
		a.t.Error("what was not reported is known")
	}
	out, err := a.report(batch...)
	if err != nil || became(out) != "reported reported reported" {
		a.t.Fatalf("%s, %v", became(out), err)
	}
	for i, o := range out {
		if o.Invoice != batch[i].Invoice || o.Number != batch[i].Number || !o.Sandbox || len(o.Messages) > 0 {
			a.t.Errorf("document %d: %+v", i, o)
		}
		f := a.findReported(batch[i])
		if !f.Exists || !f.Same || f.Authorization.Code != c.Code || f.Authorization.ExpiresOn != c.To {
			a.t.Errorf("document %d is found as %+v", i, f)
		}
	}
	if a.last().Number != 3 {
		a.t.Errorf("the last number is %d", a.last().Number)
	}
	gap := a.frozen(c.Code, 5, 6)
	if out, err := a.report(gap); err != nil || became(out) != "refused number" || len(out[0].Messages) == 0 {
		a.t.Errorf("a number too far: %+v, %v", out, err)
	}
}

func (a *ahead) remarks() {
	a.last()
	a.of.Remark()
	c := a.code()
	if len(c.Remarks) != 1 || c.Code == "" {
		a.t.Fatalf("%+v", c)
	}
	a.of.Remark()
	if out, err := a.report(a.series(c.Code, 1)...); err != nil || became(out) != "observed" ||
		len(out[0].Messages) != 1 {
		a.t.Errorf("%+v, %v", out, err)
	}
}

func (a *ahead) refusesReport() {
	c := a.code()
	a.Refuse(1)
	batch := a.series(c.Code, 3)
	out, err := a.report(batch...)
	if err != nil || became(out) != "reported refused not_processed" {
		a.t.Fatalf("%s, %v", became(out), err)
	}
	for i, o := range out {
		if (i == 1) != (len(o.Messages) > 0) || a.findReported(batch[i]).Exists != (i == 0) {
			a.t.Errorf("document %d: %+v", i, o)
		}
	}
	if out, err := a.report(batch[1:]...); err != nil || became(out) != "reported reported" {
		a.t.Errorf("the same again: %s, %v", became(out), err)
	}
}

func (a *ahead) losesReport() {
	c := a.code()
	a.Lose()
	batch := a.series(c.Code, 2)
	_, err := a.report(batch...)
	a.is(err, nil)
	for _, f := range batch {
		if found := a.findReported(f); !found.Same {
			a.t.Errorf("%+v", found)
		}
	}
	if out, err := a.report(batch...); err != nil || became(out) != "refused number not_processed" {
		a.t.Errorf("the same again: %s, %v", became(out), err)
	}
	if a.last().Number != 2 {
		a.t.Errorf("the last number is %d", a.last().Number)
	}
}

func (a *ahead) ignoresReport() {
	c := a.code()
	a.Ignore()
	batch := a.series(c.Code, 1)
	_, err := a.report(batch...)
	a.is(err, nil)
	if found := a.findReported(batch[0]); found.Exists || found.Same {
		a.t.Errorf("%+v", found)
	}
	if out, err := a.report(batch...); err != nil || became(out) != "reported" {
		a.t.Errorf("%s, %v", became(out), err)
	}
}

func (a *ahead) tellsReportsApart() {
	c := a.code()
	if out, err := a.report(a.series(c.Code, 1)...); err != nil || became(out) != "reported" {
		a.t.Fatalf("%s, %v", became(out), err)
	}
	if f := a.findReported(a.frozen(c.Code, 7, 1)); !f.Exists || f.Same || f.Difference == "" {
		a.t.Errorf("%+v", f)
	}
	other := strings.Repeat("1", len(c.Code))
	if f := a.findReported(a.frozen(other, 0, 1)); !f.Exists || f.Same || f.Difference == "" {
		a.t.Errorf("under another code: %+v", f)
	}
	a.Take()
	if f := a.findReported(a.frozen(c.Code, 0, 2)); !f.Exists || f.Same {
		a.t.Errorf("another system's: %+v", f)
	}
}

func (a *ahead) tooEarly() {
	a.of.Begin()
	c, err := a.can.Ask(a.t.Context(), a.Credential, a.of.First, a.record)
	if err != nil {
		a.t.Fatal(err)
	}
	d := a.Document(0, 1)
	d.Document.Date = c.From + " 10:00:00"
	f, err := a.can.Freeze(d, c.Code, a.of.Now)
	if err != nil {
		a.t.Fatal(err)
	}
	if out, err := a.report(f); err != nil || became(out) != "refused early" {
		a.t.Errorf("%s, %v", became(out), err)
	}
	m, err := a.can.NoMovement(a.t.Context(), a.Credential, c.Code, a.Series.BranchOffice, a.record)
	if err != nil || m.Result != authority.MovementEarly {
		a.t.Errorf("%+v, %v", m, err)
	}
}
