package drivertest

import (
	"bytes"
	"context"
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

func (a *ahead) series(code string, n int) (out []authority.Frozen) {
	for i := range n {
		out = append(out, a.frozen(code, i, int64(i)+1))
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
	if out, err := a.report(a.series(c.Code, 1)...); err != nil || became(out) != "observed" {
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
