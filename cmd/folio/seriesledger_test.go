package main

import (
	"context"
	"testing"
	"time"

	"folio/events"
)

// What a series will be is not known: a report until then would say that it is.
func TestAMomentThatHasNotComeIsRefused(t *testing.T) {
	s := open(t, t.TempDir())
	defer shut(t, s)
	end, err := s.log.End(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	later := events.Position{Commit: end.Commit + 1, Prepare: end.Prepare + 1}
	for _, c := range []struct {
		until events.Moment
		ok    bool
	}{
		{events.Moment{}, true}, {events.Moment{Position: end}, true}, {events.Moment{Time: time.Now()}, true},
		{events.Moment{Position: later}, false}, {events.Moment{Time: time.Now().Add(time.Hour)}, false},
	} {
		if err := come(context.Background(), s.log, c.until); (err == nil) != c.ok {
			t.Errorf("until %+v: %v", c.until, err)
		}
	}
}

func TestANumberOfASeriesIsOneOrMore(t *testing.T) {
	for number, ok := range map[int64]bool{-1: false, 0: false, 1: true} {
		if err := (&seriesLedgerCmd{Number: &number}).Validate(); (err == nil) != ok {
			t.Errorf("--number %d: %v", number, err)
		}
	}
	if err := (&seriesLedgerCmd{}).Validate(); err != nil {
		t.Error(err)
	}
}
