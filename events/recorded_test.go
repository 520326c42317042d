package events_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"folio/events"
)

func TestPositionsAreReadAsTheyAreWritten(t *testing.T) {
	for _, p := range []events.Position{{}, {Commit: 12, Prepare: 11}, {Commit: math.MaxUint64, Prepare: math.MaxUint64}} {
		got, err := events.ParsePosition(p.String())
		if err != nil || got != p {
			t.Errorf("%s is read as %v, %v", p, got, err)
		}
	}
	for _, text := range []string{"", "12", "C:12", "C:12/P:", "C:12/P:12 ", " C:12/P:12", "C:12/P:12x", "C:+12/P:12",
		"C:-1/P:1",
		"C:012/P:12", "c:12/p:12", "C:12 /P:12", "C:1_2/P:12", "C:0x1/P:1", "C:18446744073709551616/P:1", "C:１２/P:12",
		"C:12/P:12\n", "C:12/P:13", "C:0/P:1", "C:" + strings.Repeat("9", 100_000) + "/P:1"} {
		if got, err := events.ParsePosition(text); err == nil {
			t.Errorf("%.40q is read as %v", text, got)
		} else if len(err.Error()) > 200 {
			t.Errorf("%.40q gives an error of %d bytes", text, len(err.Error()))
		}
	}
}

func TestAPositionOfAnEventHasOneNumberTwice(t *testing.T) {
	want := events.Position{Commit: 12, Prepare: 12}
	if got, err := events.ParseEventPosition("C:12/P:12"); err != nil || got != want {
		t.Errorf("C:12/P:12 is read as %v, %v", got, err)
	}
	for _, text := range []string{"", "12", "C:0/P:0", "C:12/P:11", "C:12/P:13", "2026-03-02T15:04:05Z"} {
		if got, err := events.ParseEventPosition(text); err == nil || !got.IsZero() {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
}

func FuzzParsePosition(f *testing.F) {
	for _, s := range []string{"C:12/P:12", "C:0/P:0", "C:18446744073709551615/P:1", "C: 1/P:1", "%d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := events.ParsePosition(s); err == nil && p.String() != s {
			t.Errorf("%q is read as %s", s, p)
		}
	})
}

func TestPositionsAreOrderedByCommitThenPrepare(t *testing.T) {
	order := []events.Position{{}, {Commit: 1, Prepare: 9}, {Commit: 2, Prepare: 1}, {Commit: 2, Prepare: 2}}
	for i, p := range order {
		for j, q := range order {
			if p.Before(q) != (i < j) || (p.Compare(q) == 0) != (i == j) {
				t.Errorf("%s and %s are in the wrong order", p, q)
			}
		}
		if p.IsZero() != (i == 0) {
			t.Errorf("%s: IsZero is %v", p, p.IsZero())
		}
	}
}

func TestOpenDecodesOnceAndNamesTheEventThatItCannot(t *testing.T) {
	r := events.Recorded{Stream: "apikey-K", Revision: 1, Type: "APIKeyRevoked", Meta: events.Meta{Schema: 1},
		Raw: json.RawMessage(`{}`)}
	opened, err := events.Open(r)
	if err != nil || opened.Event != events.Event(events.APIKeyRevoked{}) {
		t.Fatalf("%+v, %v", opened, err)
	}
	opened.Raw = nil // decoded already
	if again, err := events.Open(opened); err != nil || again.Event == nil {
		t.Errorf("%+v, %v", again, err)
	}
	r.Meta.Schema = 2
	if _, err := events.Open(r); err == nil || !strings.Contains(err.Error(), "event 1 of apikey-K (APIKeyRevoked) is "+
		"unreadable: events: APIKeyRevoked has schema 2") {
		t.Errorf("err is %v", err)
	}
}
