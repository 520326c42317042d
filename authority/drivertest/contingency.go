package drivertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/authority"
)

// InAdvance is a driver whose authority gives codes in advance, fresh for one case: no code was
// asked for. Series is of a point of sale for documents under such codes, of which the authority
// knows the one and no other.
type InAdvance struct {
	Authority
	// Now is the authority's clock, within Fortnight and past its first day.
	Now       time.Time
	Fortnight authority.Fortnight
	// Over is a fortnight for which no code is given any more, First one of whose first day it
	// is once Begin was called.
	Over, First authority.Fortnight
	Begin       func()
	// Remark lets the next code or document be taken with a remark.
	Remark func()
}

// RunContingency runs the suite of drivers that are an authority.Contingency.
func RunContingency(t *testing.T, open func(*testing.T) InAdvance) {
	for name, f := range inAdvance {
		t.Run(name, func(t *testing.T) {
			a := open(t)
			f(&ahead{bench: bench{Authority: a.Authority, t: t}, of: a, can: a.Driver.Can().Contingency})
		})
	}
}

var inAdvance = map[string]func(*ahead){
	"a code is given once, and found again":                    (*ahead).givesOnce,
	"no code is given of a fortnight that is over":             (*ahead).outsideWindow,
	"a code whose answer was lost is found by consulting":      (*ahead).losesCode,
	"what is frozen is the same each time, without a call":     (*ahead).freezes,
	"documents are reported in order, and found":               (*ahead).reports,
	"a remark does not lessen a code or a document":            (*ahead).remarks,
	"a refusal leaves those behind it unprocessed":             (*ahead).refusesReport,
	"a lost report is found, and the same again is no second":  (*ahead).losesReport,
	"a report that never arrived is not found, and goes again": (*ahead).ignoresReport,
	"another document under the number is told apart":          (*ahead).tellsReportsApart,
	"a code is not reported on its first day":                  (*ahead).tooEarly,
	"no movement is told once, and not of what was used":       (*ahead).noMovement,
	"the points of sale are told apart by their kind":          (*ahead).points,
	"an authority out of reach was surely not sent anything":   (*ahead).reportOutOfReach,
	"a credential that is refused is told apart":               (*ahead).refusesHolder,
	"exchanges are kept, once each, without secrets":           (*ahead).recordsReports,
}

type ahead struct {
	bench
	of  InAdvance
	can authority.Contingency
}

func (a *ahead) code() authority.ContingencyCode {
	a.t.Helper()
	c, err := a.can.Ask(a.t.Context(), a.Credential, a.of.Fortnight, a.record)
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

func (a *ahead) frozen(code string, i int, number int64) authority.Frozen {
	a.t.Helper()
	f, err := a.can.Freeze(a.Document(i, number), code, a.of.Now)
	if err != nil {
		a.t.Fatal(err)
	}
	return f
}

func (a *ahead) series(code string, first int64, n int) (out []authority.Frozen) {
	for i := range n {
		out = append(out, a.frozen(code, i, first+int64(i)))
	}
	return out
}

func (a *ahead) report(batch ...authority.Frozen) ([]authority.ReportOutcome, error) {
	a.t.Helper()
	return a.can.Report(a.t.Context(), a.Credential, a.Series, batch, a.record)
}

func (a *ahead) findReported(f authority.Frozen) authority.Found {
	a.t.Helper()
	found, err := a.can.FindReported(a.t.Context(), a.Credential, a.Series, f, a.record)
	if err != nil {
		a.t.Fatal(err)
	}
	return found
}

// became are the results of a report, one after the other.
func became(outcomes []authority.ReportOutcome) string {
	var out []string
	for _, o := range outcomes {
		text := string(o.Result)
		if o.WrongNumber {
			text += " number"
		}
		if o.TooEarly {
			text += " early"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

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
	batch := a.series(c.Code, 1, 3)
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
	if out, err := a.report(a.series(c.Code, 1, 1)...); err != nil || became(out) != "observed" ||
		len(out[0].Messages) != 1 {
		a.t.Errorf("%+v, %v", out, err)
	}
}

func (a *ahead) refusesReport() {
	c := a.code()
	a.Refuse(1)
	batch := a.series(c.Code, 1, 3)
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
	batch := a.series(c.Code, 1, 2)
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
	batch := a.series(c.Code, 1, 1)
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
	if out, err := a.report(a.series(c.Code, 1, 1)...); err != nil || became(out) != "reported" {
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

func (a *ahead) noMovement() {
	c := a.code()
	point := a.Series.BranchOffice
	told := func(want authority.MovementResult, code string, at int) {
		a.t.Helper()
		m, err := a.can.NoMovement(a.t.Context(), a.Credential, code, at, a.record)
		if err != nil || m.Result != want || (want == authority.MovementTaken) != (len(m.Messages) == 0) {
			a.t.Errorf("%+v, %v, want %s", m, err, want)
		}
	}
	known := func(want int) {
		a.t.Helper()
		for _, at := range []int{0, point} {
			all, err := a.can.NoMovementReported(a.t.Context(), a.Credential, c.Code, at, a.record)
			if err != nil || len(all) != want || want == 1 && (all[0].PointOfSale != point || all[0].Code != c.Code) {
				a.t.Errorf("point %d: %+v, %v", at, all, err)
			}
		}
	}
	known(0)
	told(authority.MovementRefused, strings.Repeat("1", len(c.Code)), point)
	told(authority.MovementRefused, c.Code, point+1)
	told(authority.MovementTaken, c.Code, point)
	told(authority.MovementKnown, c.Code, point)
	known(1)
	if out, err := a.report(a.series(c.Code, 1, 1)...); err != nil || became(out) != "observed" {
		a.t.Errorf("a document after all: %s, %v", became(out), err)
	}
	told(authority.MovementUsed, c.Code, point)
}

func (a *ahead) points() {
	all, ok, err := a.can.PointsOfSale(a.t.Context(), a.Credential, a.record)
	if err != nil || !ok || len(all) != 1 || all[0].Number != a.Series.BranchOffice || !all[0].Contingency ||
		all[0].Blocked || all[0].ClosedOn != "" || all[0].Emission == "" {
		a.t.Errorf("%+v, %v, %v", all, ok, err)
	}
}

func (a *ahead) reportOutOfReach() {
	c := a.code()
	f := a.frozen(c.Code, 0, 1)
	a.Cut(true)
	_, err := a.report(f)
	a.is(err, authority.ErrNotSent)
	if _, err := a.can.FindReported(a.t.Context(), a.Credential, a.Series, f, a.record); err == nil {
		a.t.Error("silence was taken for an answer")
	}
	_, err = a.can.NoMovement(a.t.Context(), a.Credential, c.Code, a.Series.BranchOffice, a.record)
	a.is(err, authority.ErrNotSent)
	if _, ok, err := a.can.Consult(a.t.Context(), a.Credential, a.of.Fortnight, a.record); ok || err == nil {
		a.t.Error("silence was taken for an answer")
	}
	if _, ok, err := a.can.PointsOfSale(a.t.Context(), a.Credential, a.record); ok || err == nil {
		a.t.Error("silence was taken for an answer")
	}
	a.Cut(false)
	ctx, cancel := context.WithCancel(a.t.Context())
	cancel()
	if _, err := a.can.Report(ctx, a.Credential, a.Series, []authority.Frozen{f}, a.record); err == nil {
		a.t.Error("reported for nobody")
	}
	if out, err := a.report(f); err != nil || became(out) != "reported" {
		a.t.Errorf("%s, %v", became(out), err)
	}
}

func (a *ahead) refusesHolder() {
	_, err := a.can.Ask(a.t.Context(), a.Refused, a.of.Fortnight, a.record)
	a.is(err, authority.ErrCredential)
}

func (a *ahead) recordsReports() {
	c := a.code()
	a.heard = nil
	a.Lose()
	f := a.frozen(c.Code, 0, 1)
	_, _ = a.report(f)
	a.findReported(f)
	if len(a.heard) != 2 || a.heard[0].Fault == "" || a.heard[1].Fault != "" ||
		!bytes.Contains(a.heard[0].Request, f.Content) {
		a.t.Fatalf("%d exchanges", len(a.heard))
	}
	for _, x := range a.heard {
		for i, secret := range a.Secrets() {
			if all := string(x.Request) + string(x.Answer) + x.Fault; secret == "" || strings.Contains(all, secret) {
				a.t.Errorf("secret %d is in the exchange %s: %s", i, x.Operation, fmt.Sprint(x.At))
			}
		}
	}
}
