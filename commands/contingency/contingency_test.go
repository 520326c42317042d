package contingency_test

import (
	"errors"
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/contingency"
	"folio/events"
	"folio/fault"
)

type row = commandtest.Case[contingency.Command]

func TestAContingencyOpensAndCloses(t *testing.T) {
	opened := events.ContingencyOpened{Company: "C1", Environment: "Testing", PointOfSale: 3, Point: 9003,
		Cause: "ARCA is away", By: "A1"}
	closed := events.ContingencyClosed{Reason: "it is back", By: "A1"}
	given := []events.Event{opened}
	commandtest.Run(t, contingency.Decider,
		row{Name: "opened by hand", When: contingency.Open{Opened: opened, Mode: events.ContingencyManual}, Then: given},
		row{Name: "or by an outage", When: contingency.Open{Opened: opened, Mode: events.ContingencyAutomatic}, Then: given},
		row{Name: "open already", Given: given, When: contingency.Open{Opened: opened, Mode: events.ContingencyManual}},
		row{Name: "off", When: contingency.Open{Opened: opened, Mode: events.ContingencyOff}, Err: contingency.ErrOff},
		row{Name: "never set", When: contingency.Open{Opened: opened}, Err: contingency.ErrOff},
		row{Name: "closed", Given: given, When: contingency.Close{Closed: closed}, Then: []events.Event{closed}},
		row{Name: "closed already", When: contingency.Close{Closed: closed}},
		row{Name: "closed, but never set", When: contingency.Close{Closed: closed, Unset: true}, Err: contingency.ErrOff},
		row{Name: "open, and set no more", Given: given, When: contingency.Close{Closed: closed, Unset: true},
			Then: []events.Event{closed}},
		row{Name: "again", Given: []events.Event{opened, closed},
			When: contingency.Open{Opened: opened, Mode: events.ContingencyManual}, Then: given},
	)
	silent := opened
	silent.Cause = " "
	for _, c := range []contingency.Command{contingency.Open{Opened: silent, Mode: events.ContingencyManual},
		contingency.Close{}} {
		_, err := contingency.Decider.Decide(c, contingency.Decider.Fold(given...))
		if f := (*fault.Error)(nil); !errors.As(err, &f) || f.Constant != "REASON_MISSING" {
			t.Errorf("%T without a reason: %v", c, err)
		}
	}
}

func TestSinceWhenAContingencyIsOpen(t *testing.T) {
	at := time.Date(2026, time.December, 3, 15, 0, 0, 0, time.UTC)
	s := contingency.Decider.Next(contingency.State{}, events.ContingencyOpened{}, at)
	if !s.Since.Equal(at) || s.Times != 1 {
		t.Errorf("%+v", s)
	}
	if s = contingency.Decider.Next(s, events.ContingencyClosed{}, at.Add(time.Hour)); s.Open != nil ||
		!s.Closed.Equal(at.Add(time.Hour)) {
		t.Errorf("%+v", s)
	}
}

func TestWindowNames(t *testing.T) {
	w := contingency.Window{Company: "C1", Environment: "Testing", PointOfSale: 3}
	if got, err := contingency.Parse(w.ID()); err != nil || got != w {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "C1-Testing", "C1-Testing-x", "C1-Testing-03"} {
		if w, err := contingency.Parse(bad); err == nil {
			t.Errorf("%q is %v", bad, w)
		}
	}
}
