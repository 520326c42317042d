package group

import (
	"fmt"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func settings(change func(*Settings)) Settings {
	s := Settings{MaxRetryCount: 2, MinCheckpointCount: 2, MaxCheckpointCount: 100, LiveBufferSize: 50, ReadBatchSize: 5,
		HistoryBufferSize: 50, MessageTimeout: time.Minute, CheckpointAfter: time.Second, Strategy: RoundRobin}
	if change != nil {
		change(&s)
	}
	return s
}

func id(at int) [16]byte { return [16]byte{1, byte(at >> 8), byte(at)} }

func message(at int) Message {
	return Message{At: uint64(at), ID: id(at), Stream: fmt.Sprintf("s-%d", at%7), Size: 100}
}

func offer(g *Group, from, to int) {
	for at := from; at < to; at++ {
		g.Offer(message(at))
	}
	g.Dispatch(noon)
}

func join(t *testing.T, g *Group, name string, room int) *Consumer {
	t.Helper()
	c, err := g.Join(name, room)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func taken(c *Consumer) (out []uint64) {
	for _, m := range c.Take() {
		out = append(out, m.At)
	}
	return out
}

func TestNoMoreIsSentThanTheConsumerHasRoomFor(t *testing.T) {
	g := New(settings(nil), 0, false)
	if g.Room() != 0 {
		t.Error("a group without consumers wants messages")
	}
	c := join(t, g, "a", 2)
	offer(g, 0, 5)
	if got := fmt.Sprint(taken(c)); got != "[0 1]" {
		t.Fatalf("got %s", got)
	}
	g.Ack(c, id(0))
	if g.Dispatch(noon); fmt.Sprint(taken(c)) != "[2]" {
		t.Error("an acknowledgement makes room for one")
	}
	if got := g.Room(); got != 50-4 {
		t.Errorf("room for %d more", got)
	}
}

func TestStrategies(t *testing.T) {
	for _, tc := range []struct {
		name     string
		strategy Strategy
		a, b     string
	}{
		{"round robin takes turns", RoundRobin, "[0 2 4]", "[1 3 5]"},
		{"dispatch to single fills the first", DispatchToSingle, "[0 1 2 3]", "[4 5]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := New(settings(func(s *Settings) { s.Strategy = tc.strategy }), 0, false)
			a, b := join(t, g, "a", 4), join(t, g, "b", 4)
			offer(g, 0, 6)
			if x, y := fmt.Sprint(taken(a)), fmt.Sprint(taken(b)); x != tc.a || y != tc.b {
				t.Errorf("a got %s, b got %s", x, y)
			}
		})
	}
}

func TestPinnedKeepsAStreamWithOneConsumer(t *testing.T) {
	for _, strategy := range []Strategy{Pinned, PinnedByCorrelation} {
		g := New(settings(func(s *Settings) { s.Strategy = strategy }), 0, false)
		a, b := join(t, g, "a", 100), join(t, g, "b", 100)
		for at := range 40 {
			m := message(at)
			if strategy == PinnedByCorrelation {
				m.Correlation, m.Stream = m.Stream, "one"
			}
			g.Offer(m)
		}
		g.Dispatch(noon)
		owner := map[uint64]string{}
		counts := map[string]int{}
		for name, c := range map[string]*Consumer{"a": a, "b": b} {
			for _, at := range taken(c) {
				if o := owner[at%7]; o != "" && o != name {
					t.Errorf("%s: stream %d went to both", strategy, at%7)
				}
				owner[at%7] = name
				counts[name]++
			}
		}
		if counts["a"]+counts["b"] != 40 || counts["a"] == 0 || counts["b"] == 0 {
			t.Errorf("%s: shares %v", strategy, counts)
		}
	}
}

func TestAFullPinnedConsumerHoldsUpOnlyItsOwn(t *testing.T) {
	g := New(settings(func(s *Settings) { s.Strategy = Pinned }), 0, false)
	a, b := join(t, g, "a", 1), join(t, g, "b", 100)
	offer(g, 0, 40)
	first, second := taken(a), taken(b)
	if len(first) != 1 || len(second) < 10 {
		t.Fatalf("a got %d, b got %d", len(first), len(second))
	}
	g.Leave(a)
	g.Dispatch(noon)
	if got := len(taken(b)); got != 40-len(second) {
		t.Errorf("after a left b got %d more, want the rest", got)
	}
}

func TestWhatIsNotHandledIsTriedAgainThenParked(t *testing.T) {
	g := New(settings(nil), 0, false)
	c := join(t, g, "a", 10)
	offer(g, 0, 1)
	for try := range 3 {
		got := c.Take()
		if len(got) != 1 || got[0].Retries != try {
			t.Fatalf("try %d: %v", try, got)
		}
		parks := g.Nack(c, ToRetry, "no", id(0))
		if want := try == 2; want != (len(parks) == 1) {
			t.Fatalf("try %d: parked %v", try, parks)
		}
		g.Dispatch(noon)
	}
	if at, due := g.Checkpoint(true, true); due {
		t.Errorf("checkpoint %d before the message is parked", at)
	}
}

func TestTheActions(t *testing.T) {
	g := New(settings(nil), 0, false)
	c := join(t, g, "a", 10)
	offer(g, 0, 4)
	c.Take()
	if parks := g.Nack(c, ToPark, "why", id(0)); len(parks) != 1 || parks[0].Reason != "why" {
		t.Errorf("park: %v", parks)
	}
	g.Nack(c, ToSkip, "", id(1))
	g.Nack(c, Stop, "", id(2))
	g.Nack(c, Unknown, "", id(3))
	g.Ack(c, id(77))
	if r := g.Report(); r.Flying != 1 || r.Retrying != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestSilenceAndDepartureMeanAnotherTry(t *testing.T) {
	g := New(settings(nil), 0, false)
	a, b := join(t, g, "a", 2), join(t, g, "b", 2)
	offer(g, 0, 4)
	a.Take()
	g.Ack(b, id(1), id(3))
	b.Take()
	if got := g.Deadline(); !got.Equal(noon.Add(time.Minute)) {
		t.Errorf("deadline %v", got)
	}
	g.Expire(noon.Add(59 * time.Second))
	if g.Report().Retrying != 0 {
		t.Error("taken back too early")
	}
	g.Expire(noon.Add(time.Minute))
	g.Leave(a)
	g.Dispatch(noon)
	if got := len(taken(b)); got != 2 {
		t.Errorf("b got %d", got)
	}
	g.Leave(b)
	c := join(t, g, "c", 9)
	g.Dispatch(noon)
	for _, m := range c.Take() {
		if m.Retries != 2 {
			t.Errorf("message %d was tried %d times", m.At, m.Retries)
		}
	}
}

func TestCheckpointsStayBeforeWhatIsNotDone(t *testing.T) {
	g := New(settings(nil), 0, false)
	c := join(t, g, "a", 10)
	offer(g, 10, 15)
	g.Skip(15)
	c.Take()
	g.Ack(c, id(11), id(12))
	if _, due := g.Checkpoint(true, true); due {
		t.Error("message 10 is not done")
	}
	g.Ack(c, id(10))
	if at, due := g.Checkpoint(true, false); !due || at != 12 {
		t.Errorf("got %d, %v", at, due)
	}
	g.Saved(12)
	if _, due := g.Checkpoint(true, true); due {
		t.Error("saved already")
	}
	g.Ack(c, id(13))
	if _, due := g.Checkpoint(true, false); due {
		t.Error("one is fewer than the minimum")
	}
	if at, due := g.Checkpoint(false, true); !due || at != 13 {
		t.Errorf("at the end everything counts: %d, %v", at, due)
	}
	g.Ack(c, id(14))
	if at, _ := g.Checkpoint(true, true); at != 15 {
		t.Errorf("what was skipped counts as done: %d", at)
	}
}

func TestReplayedMessagesDoNotMoveTheCheckpoint(t *testing.T) {
	g := New(settings(nil), 20, true)
	c := join(t, g, "a", 10)
	m := message(3)
	m.Parked = 0
	g.Replay(m)
	g.Dispatch(noon)
	seen := 0
	g.Outstanding(func(m *Message) { seen++ })
	g.Ack(c, id(3))
	if at, due := g.Checkpoint(true, true); due || seen != 1 {
		t.Errorf("got %d, %v, seen %d", at, due, seen)
	}
}

func TestSubscribersAreLimited(t *testing.T) {
	g := New(settings(func(s *Settings) { s.MaxSubscriberCount = 1 }), 0, false)
	join(t, g, "a", 1)
	if _, err := g.Join("b", 1); err != ErrTooManyConsumers {
		t.Errorf("got %v", err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	g := New(settings(nil), 0, false)
	join(t, g, "a", 1)
	m := message(1)
	m.Size = maxBytes
	g.Offer(m)
	if g.Room() != 0 {
		t.Error("room in spite of what is held")
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		"strategy": func(s *Settings) { s.Strategy = "x" }, "buffer": func(s *Settings) { s.HistoryBufferSize = 0 },
		"batch": func(s *Settings) { s.ReadBatchSize = 50 }, "huge": func(s *Settings) { s.LiveBufferSize = 1 << 30 },
		"retries": func(s *Settings) { s.MaxRetryCount = -1 }, "timeout": func(s *Settings) { s.MessageTimeout = -1 },
	} {
		if s := settings(change); s.Validate() == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if s := settings(nil); s.Validate() != nil {
		t.Error(s.Validate())
	}
}
