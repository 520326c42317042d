package commands_test

import (
	"errors"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

func recent(t *testing.T, x *commands.Executor) string {
	t.Helper()
	s, _, err := commands.Bind(x, totals).Cached(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	return s.Seen
}

func TestWithoutNewsTheLogIsReadEachTime(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	l.foreign(t, "account-1", "a")
	first := recent(t, x)
	l.foreign(t, "account-1", "b")
	if second := recent(t, x); first != "a" || second != "ab" {
		t.Errorf("%q, then %q", first, second)
	}
}

func TestWithNewsTheMemoryIsBelievedUntilTheyTellOfAChange(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	x.Connected(true)
	a := l.foreign(t, "account-1", "a")
	if got := recent(t, x); got != "a" {
		t.Fatal(got)
	}
	reads := l.reads
	x.Heard(a) // old news change nothing
	if got := recent(t, x); got != "a" || l.reads != reads {
		t.Errorf("%q after %d more reads", got, l.reads-reads)
	}
	b := l.foreign(t, "account-1", "b")
	if got := recent(t, x); got != "a" {
		t.Errorf("%q before the news", got)
	}
	x.Heard(b)
	if got := recent(t, x); got != "ab" {
		t.Errorf("%q after the news", got)
	}
}

// A revoked key must stop: news that arrive between an append and its being remembered
// must not be forgotten.
func TestNewsHeardWhileAnAppendReturnsAreNotOverwritten(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	x.Connected(true)
	l.answer = func(err error) error {
		x.Heard(l.Stream("account-1")...)
		x.Heard(l.foreign(t, "account-1", "revoked"))
		return err
	}
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "issued", request("a")); err != nil {
		t.Fatal(err)
	}
	if got := recent(t, x); got != "issuedrevoked" {
		t.Errorf("%q is believed for ever", got)
	}
}

// A revoked key must stop at once, and not only when the news of its end arrive.
func TestNewsOfOthersLeaveNothingOlderThanAnAppend(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	x.Connected(true)
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "issued", request("a")); err != nil {
		t.Fatal(err)
	}
	l.answer = func(err error) error {
		x.Heard(l.foreign(t, "account-2", "other"))
		return err
	}
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "revoked", request("b")); err != nil {
		t.Fatal(err)
	}
	if got := recent(t, x); got != "issuedrevoked" {
		t.Errorf("%q is believed after the append", got)
	}
}

func TestAMinuteWithoutNewsIsUnavailable(t *testing.T) {
	l := newMemoryLog()
	now := noon
	x := commands.NewExecutor(l, func() time.Time { return now })
	l.foreign(t, "account-1", "a")
	x.Connected(true)
	recent(t, x)
	x.Connected(false)
	now = now.Add(59 * time.Second)
	x.Connected(false) // told again: the silence began before
	if got := recent(t, x); got != "a" {
		t.Error(got)
	}
	now = now.Add(2 * time.Second)
	_, _, err := commands.Bind(x, totals).Cached(t.Context(), "1")
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.Unavailable || f.RetryAfter < 1 {
		t.Errorf("%v", err)
	}
	x.Connected(true)
	if got := recent(t, x); got != "a" {
		t.Error(got)
	}
}

func TestDerivedIDsDependOnEveryPartAndItsPlace(t *testing.T) {
	seen := map[string][]string{}
	for _, parts := range [][]string{{}, {"a"}, {"a", "b"}, {"b", "a"}, {"ab"}, {"a", "", "b"}, {"a", "b", ""}} {
		id := commands.Derived(parts...).String()
		if other, twice := seen[id]; twice {
			t.Errorf("%q and %q are one", other, parts)
		}
		seen[id] = parts
		if commands.Derived(parts...).String() != id {
			t.Errorf("%q is drawn, not derived", parts)
		}
	}
}

func TestFoldIgnoresWhatADeciderDoesNotKnow(t *testing.T) {
	if s := totals.Fold(events.PasswordChanged{Secret: "a"}, events.APIKeyRevoked{}); s.Seen != "a" || s.N != 1 {
		t.Errorf("%+v", s)
	}
	if got := totals.Stream("7"); got != "account-7" {
		t.Error(got)
	}
}

// Two deciders may look at one stream. What the uncached one records is known to the other
// before the news of it have come around.
func TestAnAppendOfAnUncachedDeciderIsKnownAtOnce(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	x.Connected(true)
	whole := totals
	whole.Uncached = true
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "a", request("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := commands.Bind(x, whole).Execute(t.Context(), "1", "b", request("b")); err != nil {
		t.Fatal(err)
	}
	if got := recent(t, x); got != "ab" {
		t.Errorf("%q is believed after the append", got)
	}
	reads := l.reads
	for range 2 {
		if s, _, err := commands.Bind(x, whole).Load(t.Context(), "1"); err != nil || s.Seen != "ab" {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if _, ok := commands.Bind(x, whole).LastKnown("1"); ok || l.reads != reads+2 {
		t.Errorf("an uncached state was kept: %d reads", l.reads-reads)
	}
}

// What was read for a decider that keeps nothing is known to the one whose state it makes of that.
func TestABriefOfWhatWasReadIsKept(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	x.Connected(true)
	full := totals
	full.Uncached, full.Brief = true, commands.Briefly(func(s total) total { return s })
	l.foreign(t, "account-1", "a")
	if _, _, err := commands.Bind(x, full).Load(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	reads := l.reads
	if got := recent(t, x); got != "a" || l.reads != reads {
		t.Errorf("%q after %d more reads, want none", got, l.reads-reads)
	}
	out, err := commands.Bind(x, totals).Execute(t.Context(), "1", "b", request("b"))
	if err != nil || out.State.Seen != "ab" || l.reads != reads {
		t.Errorf("%q, %v after %d more reads, want ab after none", out.State.Seen, err, l.reads-reads)
	}
	// Full itself is read each time, and its own append is no state that is kept.
	if _, err := commands.Bind(x, full).Execute(t.Context(), "1", "c", request("c")); err != nil || l.reads == reads {
		t.Errorf("%v after %d more reads", err, l.reads-reads)
	}
	if got := recent(t, x); got != "abc" {
		t.Errorf("%q", got)
	}
}
