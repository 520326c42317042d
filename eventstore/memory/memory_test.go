package memory_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/memory"
	"folio/eventstore/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Log { return memory.New() })
}

func pending(name string) eventstore.Pending {
	return eventstore.Pending{ID: uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)), Type: "Happened", Data: []byte(`{}`)}
}

func TestFaults(t *testing.T) {
	odd := errors.New("odd")
	l := memory.New()
	l.Break(memory.Faults{Append: func(string, int64, []eventstore.Pending) error { return odd }})
	if _, err := l.Append(t.Context(), "s", eventstore.NoStream, pending("a")); !errors.Is(err, odd) ||
		len(l.Stream("s")) > 0 {
		t.Errorf("refused: %v, %d events", err, len(l.Stream("s")))
	}
	l.Break(memory.Faults{Answer: func(string, error) error { return odd }})
	if _, err := l.Append(t.Context(), "s", eventstore.NoStream, pending("a")); !errors.Is(err, odd) ||
		len(l.Stream("s")) != 1 {
		t.Errorf("lost answer: %v, %d events", err, len(l.Stream("s")))
	}
	l.Break(memory.Faults{Read: func(string) error { return odd }})
	for _, err := range l.Read(t.Context(), "s", 0) {
		if !errors.Is(err, odd) {
			t.Errorf("broken read: %v", err)
		}
	}
	l.Break(memory.Faults{})
	if done, err := l.Append(t.Context(), "s", eventstore.NoStream, pending("a")); err != nil || done.Revision != 0 {
		t.Errorf("the append whose answer was lost, again: %+v, %v", done, err)
	}
}

func TestRecordedFactsComeBackOpened(t *testing.T) {
	l := memory.New()
	l.Record(t, events.Meta{Actor: "ana"}, "account-1", events.PasswordChanged{Secret: "a"},
		events.PasswordChanged{Secret: "b"})
	facts := l.Facts(t, "account-1")
	if len(facts) != 2 || facts[1] != (events.PasswordChanged{Secret: "b"}) ||
		l.Stream("account-1")[0].Meta.Actor != "ana" {
		t.Errorf("%+v", facts)
	}
	if got := l.Streams("account-"); len(got) != 1 || got[0] != "account-1" {
		t.Errorf("%v", got)
	}
}
