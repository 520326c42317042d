package main

import (
	"context"
	"strings"
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
		if err := come(context.Background(), s.log, "--until", c.until); (err == nil) != c.ok {
			t.Errorf("until %+v: %v", c.until, err)
		}
	}
}

// Each command that reads the log up to a moment refuses one that has not come. A day that has begun has.
func TestEveryReportRefusesAMomentThatHasNotCome(t *testing.T) {
	dir := t.TempDir()
	shut(t, open(t, dir))
	tomorrow, later := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly), "C:9000000000000/P:9000000000000"
	for _, c := range []struct {
		line, says string // what the refusal says; empty: it is none
	}{
		{"replay --until " + later, "--until: the event log has not come"},
		{"replay --until 2999-01-01T00:00:00Z", "--until: this time has not come"},
		{"replay --until 2999-01-01T00:00:00Z --diff --projection companies", "--until: this time has not come"},
		{"replay", ""},
		{"export events --until 2999-01-01T00:00:00Z", "--until: this time has not come"},
		{"export events --until " + later, "--until: the event log has not come"},
		{"export events --after " + later, "--after: the event log has not come"},
		{"export events --after C:4/P:5", "--after: \"C:4/P:5\" is no position"},
		{"export events --after C:5/P:4", "--after: \"C:5/P:4\" is the position of no event"},
		{"export events --until C:5/P:4", "--until: \"C:5/P:4\" is the position of no event"},
		{"history --from C:4/P:5", "--from: \"C:4/P:5\" is no position"},
		{"history --to 2999-01-01T00:00:00Z", "--to: this time has not come"},
		{"history --from 2026-01-02 --to 2026-01-01", "--to is before --from"},
		{"history --from 2026-13-01", "nor a day like 2026-03-02"},
		{"history --from C:9/P:9 --to C:4/P:4", "--to is before --from"},
		{"history --from 2026-01-01T10:00:00Z --to 2026-01-01", "there is no fact of the period"},
		{"history --to " + later, "--to: the event log has not come"},
		{"history --from " + later, "--from: the event log has not come"},
		{"history --to " + tomorrow, "--to: this time has not come"},
		{"history --from " + tomorrow, "--from: this time has not come"},
		{"history --to " + time.Now().UTC().Format(time.DateOnly), ""},
	} {
		_, err := run(t, strings.Fields(c.line+" --data "+dir)...)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.line, err, c.says)
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
