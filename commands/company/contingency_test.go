package company_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/company"
	"folio/events"
	"folio/fault"
)

func TestAContingencyPointIsNoOrdinaryOne(t *testing.T) {
	given := events.CompanyRegistered{Company: "C1", Country: "AR"}
	to := func(ordinary, point int, mode string) events.ContingencyConfigured {
		return events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{PointOfSale: point,
			Mode: mode, AfterMinutes: 30, MaxHours: 12}}
	}
	set := func(e events.ContingencyConfigured) company.Command {
		return company.ConfigureContingency{PointOfSale: e.PointOfSale, Contingency: e.Contingency}
	}
	const manual, off = events.ContingencyManual, events.ContingencyOff
	known := []events.Event{given, to(3, 9003, manual)}
	commandtest.Run(t, company.Decider,
		commandtest.Case[company.Command]{Name: "set", Given: known[:1], When: set(to(3, 9003, manual)),
			Then: []events.Event{to(3, 9003, manual)}},
		commandtest.Case[company.Command]{Name: "the same again", Given: known, When: set(to(3, 9003, manual))},
		commandtest.Case[company.Command]{Name: "off where nothing was set", Given: known[:1], When: set(to(3, 9003, off))},
		commandtest.Case[company.Command]{Name: "off", Given: known, When: set(to(3, 9003, off)),
			Then: []events.Event{to(3, 9003, off)}},
		commandtest.Case[company.Command]{Name: "off without a number keeps the point", Given: known,
			When: set(to(3, 0, off)),
			Then: []events.Event{to(3, 9003, off)}},
		commandtest.Case[company.Command]{Name: "off without a number again",
			Given: []events.Event{given, to(3, 9003, off)}, When: set(to(3, 0, off))},
		commandtest.Case[company.Command]{Name: "off with another point", Given: known, When: set(to(3, 5, off)),
			Err: fault.Field("contingency_point_of_sale", "NOT_THE_CONTINGENCY_POINT",
				"What is switched off keeps its contingency point, 9003: name that one, or leave the field out.")},
		commandtest.Case[company.Command]{Name: "two ordinary points share one", Given: known, When: set(to(4, 9003, manual)),
			Then: []events.Event{to(4, 9003, manual)}},
		commandtest.Case[company.Command]{Name: "its own", Given: known, When: set(to(5, 5, manual)), Err: company.ErrClash},
		commandtest.Case[company.Command]{Name: "an ordinary one", Given: known, When: set(to(5, 3, manual)),
			Err: company.ErrClash},
		commandtest.Case[company.Command]{Name: "for a contingency point", Given: known, When: set(to(9003, 9004, manual)),
			Err: company.ErrClash},
		commandtest.Case[company.Command]{Name: "of no company", When: set(to(3, 9003, manual)), Err: company.ErrUnknown},
	)
}

func TestTheNumberOfContingenciesIsBounded(t *testing.T) {
	s := company.Decider.Fold(events.CompanyRegistered{Company: "C1", Country: "AR"})
	set := func(n int) error {
		facts, err := company.Decider.Decide(company.ConfigureContingency{PointOfSale: n,
			Contingency: events.Contingency{PointOfSale: 9000 + n, Mode: events.ContingencyManual, AfterMinutes: 30,
				MaxHours: 12 + len(s.Contingencies)}}, s)
		for _, e := range facts {
			s = company.Decider.Evolve(s, e)
		}
		return err
	}
	for n := range company.MaxContingencies {
		if err := set(n + 1); err != nil {
			t.Fatalf("setting %d: %v", n+1, err)
		}
	}
	var refused *fault.Error
	err := set(company.MaxContingencies + 1)
	if !errors.As(err, &refused) || !namesPoint(refused) {
		t.Errorf("one more: %v", err)
	}
	if err := set(1); err != nil {
		t.Errorf("one that is there, changed: %v", err)
	}
}

func TestContingencyPointsOfEarlierSettingsAreKnown(t *testing.T) {
	s := company.Decider.Fold(events.CompanyRegistered{Company: "C1", Country: "AR"})
	set := func(ordinary, point int) error {
		facts, err := company.Decider.Decide(company.ConfigureContingency{PointOfSale: ordinary,
			Contingency: events.Contingency{PointOfSale: point, Mode: events.ContingencyManual, AfterMinutes: 30,
				MaxHours: 12}}, s)
		for _, e := range facts {
			s = company.Decider.Evolve(s, e)
		}
		return err
	}
	for _, point := range []int{9003, 9001, 9003, 9002} {
		if err := set(1, point); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(s.ContingencyPoints, []int{9001, 9002, 9003}) || s.OrdinaryOf(9001) != 0 || s.OrdinaryOf(9002) != 1 {
		t.Errorf("%v", s.ContingencyPoints)
	}
	for n := len(s.ContingencyPoints); n < company.MaxContingencyPoints; n++ {
		if err := set(1, 10_000+n); err != nil {
			t.Fatal(err)
		}
	}
	var refused *fault.Error
	if err := set(1, 20_000); !errors.As(err, &refused) || !namesPoint(refused) {
		t.Errorf("one more: %v", err)
	}
	if err := set(1, 9001); err != nil {
		t.Errorf("one of them: %v", err)
	}
}

func namesPoint(f *fault.Error) bool {
	return f.Constant == "TOO_MANY_CONTINGENCIES" && len(f.Violations) == 1 &&
		f.Violations[0].Path == "contingency_point_of_sale" && f.Violations[0].Code == f.Constant
}

// Whether a point had no documents is told of each fortnight in which a setting named it.
func TestWhenAContingencyPointWasLastNamedIsKnown(t *testing.T) {
	noon := time.Date(2026, 12, 3, 12, 0, 0, 0, time.UTC)
	s := company.Decider.Fold(events.CompanyRegistered{Company: "C1", Country: "AR"})
	for n, point := range []int{9001, 9002, 9001, 9003} { // one an hour
		s = company.Decider.Next(s, events.ContingencyConfigured{PointOfSale: 1, Contingency: events.Contingency{
			PointOfSale: point, Mode: events.ContingencyOff}}, noon.Add(time.Duration(n)*time.Hour))
	}
	for _, c := range []struct {
		point int
		hours int
		want  bool
	}{
		{9001, 2, true}, {9001, 3, false}, {9002, 1, true}, {9002, 2, false}, {9003, 99, true}, {9004, -99, false},
	} {
		if got := s.NamedAfter(c.point, noon.Add(time.Duration(c.hours)*time.Hour)); got != c.want {
			t.Errorf("%d after %d hours: %v", c.point, c.hours, got)
		}
	}
}
