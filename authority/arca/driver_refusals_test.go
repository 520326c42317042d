package arca_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"folio/authority"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
)

func TestBatchesWithARefusalInTheMiddle(t *testing.T) {
	b := newBench(t)
	b.server.AddFaults(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10195",
		Document: 1, Times: 1})
	d := document(t, "FCA", nil)
	a, err := b.send(t, batch(1, d, d, d))
	if err != nil {
		t.Fatal(err)
	}
	got := []events.Result{a.Outcomes[0].Result, a.Outcomes[1].Result, a.Outcomes[2].Result}
	if fmt.Sprint(got) != "[accepted rejected not_processed]" || a.Outcomes[1].Messages[0].Code != "10195" ||
		a.Outcomes[2].Messages != nil {
		t.Errorf("%+v", a.Outcomes)
	}
}

func TestAnEarlierDateWithinABatchIsThatInvoicesOwnFault(t *testing.T) {
	b := newBench(t)
	today := document(t, "FCA", nil)
	earlier := document(t, "FCA", func(d *events.Document) { d.Date = "2026-12-14 10:00:00" })
	a, err := b.send(t, batch(1, today, earlier, today))
	if err != nil {
		t.Fatal(err)
	}
	got := []events.Result{a.Outcomes[0].Result, a.Outcomes[1].Result, a.Outcomes[2].Result}
	if fmt.Sprint(got) != "[accepted rejected not_processed]" || a.Outcomes[1].Messages[0].Code != "10016" {
		t.Errorf("%+v", a.Outcomes)
	}
}

func TestErrorsSayWhatMayBeDoneNext(t *testing.T) {
	var said *authority.Message
	all := []error{authority.ErrNotSent, authority.ErrRefused, authority.ErrSeries, authority.ErrCredential,
		authority.ErrWrongNumber}
	for _, c := range []struct {
		name  string
		fault arcasandbox.Fault
		want  error // nil: ambiguous
	}{
		{"answer lost", arcasandbox.Fault{Effect: desk.Lose}, nil},
		{"page instead of an answer", arcasandbox.Fault{Effect: desk.HTML}, nil},
		{"HTTP 503", arcasandbox.Fault{Effect: desk.Down}, nil},
		{"internal error", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "500"}, nil},
		{"database error", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "501"}, nil},
		{"another transaction", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "502"}, nil},
		{"ticket refused again and again", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "600", Times: 2},
			authority.ErrNotSent},
		{"taxpayer not in the ticket", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "600",
			Text: "ValidacionDeToken: No apareció CUIT en lista de relaciones: 1", Times: 2}, authority.ErrCredential},
		{"issuer not entitled", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "10000"}, authority.ErrSeries},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			c.fault.Operation, c.fault.Times = "FECAESolicitar", max(c.fault.Times, 1)
			b.server.AddFaults(c.fault)
			in := batch(1, document(t, "FCA", nil))
			_, err := b.send(t, in)
			for _, sentinel := range all {
				if errors.Is(err, sentinel) != (sentinel == c.want) {
					t.Errorf("%v, want %v", err, c.want)
				}
			}
			broken := slices.Contains([]string{"500", "501", "502"}, c.fault.Code)
			if errors.As(err, &said) && said.Broken != broken {
				t.Errorf("that ARCA is broken is %v, want %v: %v", said.Broken, broken, err)
			}
			found, err := b.driver.Find(t.Context(), b.cred, in.Series, in.Documents[0], b.record)
			if err != nil || found.Exists != (c.fault.Effect == desk.Lose) || found.Exists && !found.Same {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

func TestOneRefusedTicketIsReplacedWithoutAWord(t *testing.T) {
	b := newBench(t)
	b.server.AddFaults(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "600", Times: 1})
	if a, err := b.send(t, batch(1, document(t, "FCA", nil))); err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestNumbersThatAreNotTheNext(t *testing.T) {
	b := newBench(t)
	if err := b.server.TakeNumbers(t.Context(),
		arcasandbox.Series{Environment: arcasandbox.Testing, CUIT: 30500010912, PointOfSale: 1, Type: 1}, 1); err != nil {
		t.Fatal(err)
	}
	in := batch(1, document(t, "FCA", nil))
	if _, err := b.send(t, in); !errors.Is(err, authority.ErrWrongNumber) {
		t.Errorf("%v", err)
	}
	found, err := b.driver.Find(t.Context(), b.cred, in.Series, in.Documents[0], b.record)
	if err != nil || !found.Exists || found.Same || !strings.Contains(found.Difference, "ImpTotal") {
		t.Errorf("%+v, %v", found, err)
	}
}

// An answer that lacks the last number, or has it empty, does not say that nothing was issued:
// taken for 0 it holds a series that has numbers, and begins a new one at 1 where another
// system has issued.
func TestALastNumberThatIsMissingIsNoAnswer(t *testing.T) {
	for element, series := range map[string]authority.Series{
		"CbteNro":  {Environment: authority.Testing, OfficialCode: 1, BranchOffice: 1},
		"Cbte_nro": {Environment: authority.Testing, OfficialCode: 19, BranchOffice: 1},
	} {
		for _, instead := range []string{"", "<" + element + "/>", "<" + element + ">NULL</" + element + ">"} {
			b := newBench(t)
			b.http.Config.Handler = replaced(b.server, regexp.MustCompile("<"+element+">0</"+element+">"), instead)
			last, err := b.driver.Last(t.Context(), b.cred, series, b.record)
			if err == nil || !strings.Contains(err.Error(), "holds no number") {
				t.Errorf("%s: %+v, %v", instead, last, err)
			}
			if heard := string(b.heard[len(b.heard)-1].Answer); strings.Contains(heard, element+">0<") {
				t.Errorf("the number is in it: %s", heard)
			}
		}
	}
}

// replaced serves h with what matches in its answers replaced.
func replaced(h http.Handler, match *regexp.Regexp, instead string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told := httptest.NewRecorder()
		h.ServeHTTP(told, r)
		w.Header().Set("Content-Type", told.Header().Get("Content-Type"))
		w.WriteHeader(told.Code)
		_, _ = w.Write(match.ReplaceAll(told.Body.Bytes(), []byte(instead)))
	})
}

func TestACertificateThatEndedIsToldApart(t *testing.T) {
	b := newBench(t)
	b.cred = credential(-1)
	_, err := b.driver.Last(t.Context(), b.cred, authority.Series{OfficialCode: 1, BranchOffice: 1}, b.record)
	var m *authority.Message
	if !errors.Is(err, authority.ErrCredential) || !errors.As(err, &m) || m.Code != "cms.cert.expired" {
		t.Errorf("%v", err)
	}
	b.http.Close()
	b.cred = credential(10)
	if _, err := b.driver.Last(t.Context(), b.cred, authority.Series{OfficialCode: 1, BranchOffice: 1},
		nil); !errors.Is(err, authority.ErrNotSent) {
		t.Errorf("nobody is there: %v", err)
	}
	if err := b.driver.Ping(t.Context(), authority.Testing); !errors.Is(err, authority.ErrNotSent) {
		t.Errorf("ping: %v", err)
	}
}

func TestNoSecretIsRecorded(t *testing.T) {
	b := newBench(t)
	b.server.AddFaults(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
	in := batch(1, document(t, "FCA", nil))
	_, _ = b.send(t, in)
	_, _ = b.driver.Find(t.Context(), b.cred, in.Series, in.Documents[0], b.record)
	if len(b.heard) != 2 || b.heard[0].Fault == "" || b.heard[0].Answer != nil || b.heard[1].Fault != "" {
		t.Fatalf("%d exchanges", len(b.heard))
	}
	for _, x := range b.heard {
		if all := string(x.Request) + string(x.Answer) + x.Fault; strings.Contains(all, "Token>") ||
			strings.Contains(all, "Sign>") {
			t.Error(all)
		}
	}
	if err := b.driver.Ping(t.Context(), authority.Testing); err != nil {
		t.Error(err)
	}
}

func TestTheSameBatchGivesTheSameBytes(t *testing.T) {
	b := newBench(t)
	in := batch(7, document(t, "FCB", nil))
	one, err := b.driver.Prepare(t.Context(), b.cred, in)
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.driver.Prepare(t.Context(), b.cred, in)
	if err != nil || one.SHA256 != two.SHA256 || string(one.Content) != string(two.Content) ||
		strings.Contains(string(one.Content), "Auth") {
		t.Errorf("%s %s %v", one.SHA256, two.SHA256, err)
	}
}
