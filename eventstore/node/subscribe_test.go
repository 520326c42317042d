package node

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// heard is what a subscription said, in short: an event's stream@revision, "caught up", "checkpoint",
// or the code of the error that ended it.
type heard struct {
	*esdb.Subscription
	t *testing.T
}

func (h heard) next() string {
	h.t.Helper()
	type answer struct{ e *esdb.SubscriptionEvent }
	got := make(chan answer, 1)
	go func() { got <- answer{h.Recv()} }()
	select {
	case a := <-got:
		return describe(a.e)
	case <-time.After(2 * time.Minute):
		h.t.Fatal("the subscription said nothing for two minutes")
		return ""
	}
}

func describe(e *esdb.SubscriptionEvent) string {
	switch {
	case e.EventAppeared != nil:
		return fmt.Sprintf("%s@%d", e.EventAppeared.OriginalEvent().StreamID, e.EventAppeared.OriginalEvent().EventNumber)
	case e.CaughtUp != nil:
		return "caught up"
	case e.CheckPointReached != nil:
		return "checkpoint"
	case e.SubscriptionDropped != nil:
		return "dropped " + grpcCode(e.SubscriptionDropped.Error).String()
	}
	return fmt.Sprintf("%+v", e)
}

func (h heard) expect(want ...string) {
	h.t.Helper()
	for i, w := range want {
		if got := h.next(); got != w {
			h.t.Fatalf("message %d: got %q, want %q", i, got, w)
		}
	}
}

func hear(t *testing.T, s *esdb.Subscription, err error) heard {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return heard{s, t}
}

func TestSubscribeToStream(t *testing.T) {
	for _, tc := range []struct {
		name string
		from esdb.StreamPosition
		want []string
		live []string
	}{
		{"from the start hears everything", esdb.Start{}, []string{"s@0", "s@1", "s@2", "caught up"}, []string{"s@3", "s@4"}},
		{"from a revision hears what follows it", esdb.Revision(1), []string{"s@2", "caught up"}, []string{"s@3", "s@4"}},
		{"from the last revision hears what is new", esdb.Revision(2), []string{"caught up"}, []string{"s@3", "s@4"}},
		{"from the end hears what is new", esdb.End{}, []string{"caught up"}, []string{"s@3", "s@4"}},
		{"from past the end skips until there", esdb.Revision(3), []string{"caught up"}, []string{"s@4"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := open(t)
			write(t, c, "s", esdb.NoStream{}, events("E", "s", 0, 3)...)
			s, err := c.SubscribeToStream(t.Context(), "s", esdb.SubscribeToStreamOptions{From: tc.from})
			h := hear(t, s, err)
			h.expect(tc.want...)
			write(t, c, "other", esdb.Any{}, event("E", "other"))
			write(t, c, "s", esdb.Revision(2), events("E", "s", 3, 5)...)
			h.expect(tc.live...)
		})
	}
}

func TestSubscribeToStreamNotYetThere(t *testing.T) {
	c := open(t)
	s, err := c.SubscribeToStream(t.Context(), "later", esdb.SubscribeToStreamOptions{From: esdb.Start{}})
	h := hear(t, s, err) // nobody has caught up with a stream that is not there
	s, err = c.SubscribeToStream(t.Context(), "later", esdb.SubscribeToStreamOptions{From: esdb.End{}})
	hear(t, s, err).expect("caught up")
	write(t, c, "later", esdb.NoStream{}, events("E", "later", 0, 2)...)
	h.expect("later@0", "later@1", "caught up")
	if _, err := c.TombstoneStream(t.Context(), "later",
		esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	h.expect("later@9223372036854775807", "dropped FailedPrecondition")
	if _, err := c.SubscribeToStream(t.Context(), "later",
		esdb.SubscribeToStreamOptions{From: esdb.Start{}}); code(err) != esdb.ErrorCodeStreamDeleted {
		t.Errorf("subscribing to a tombstoned stream: %v", err)
	}
}

func TestSubscribeToAll(t *testing.T) {
	c := open(t)
	write(t, c, "a", esdb.NoStream{}, events("E", "a", 0, 2)...)
	b := write(t, c, "b", esdb.NoStream{}, event("E", "b"))
	at := esdb.Position{Commit: b.CommitPosition, Prepare: b.PreparePosition}
	beyond := esdb.Position{Commit: at.Commit + 1, Prepare: at.Commit + 1}
	subscribe := func(from esdb.AllPosition) heard {
		s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{From: from})
		return hear(t, s, err)
	}
	start, mid, end, past := subscribe(esdb.Start{}), subscribe(at), subscribe(esdb.End{}), subscribe(beyond)
	start.expect("a@0", "a@1", "b@0", "caught up")
	mid.expect("caught up")
	end.expect("caught up")
	past.expect("caught up")
	write(t, c, "c", esdb.NoStream{}, event("E", "c"))
	for _, h := range []heard{start, mid, end, past} {
		h.expect("c@0")
	}
}

func TestSubscribeToAllFiltered(t *testing.T) {
	c := open(t)
	for i := range 10 {
		write(t, c, fmt.Sprintf("invoice-%d", i), esdb.NoStream{}, event("Created", "i", i))
		write(t, c, fmt.Sprintf("company-%d", i), esdb.NoStream{}, event("Registered", "c", i))
	}
	every := []string{"invoice-0@0", "invoice-1@0", "invoice-2@0", "invoice-3@0", "invoice-4@0", "invoice-5@0",
		"invoice-6@0", "invoice-7@0", "invoice-8@0", "invoice-9@0"}
	for _, tc := range []struct {
		name   string
		filter *esdb.SubscriptionFilter
		window int
		want   []string
	}{
		{"stream prefix", &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"invoice-", "x"}}, 1000,
			append(slices.Clone(every), "caught up")},
		{"type prefix", &esdb.SubscriptionFilter{Type: esdb.EventFilterType, Prefixes: []string{"Creat"}}, 1000,
			append(slices.Clone(every), "caught up")},
		{"stream expression", &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Regex: "^invoice-[02]$"}, 1000,
			[]string{"invoice-0@0", "invoice-2@0", "caught up"}},
		{"expression with a look-ahead", &esdb.SubscriptionFilter{Type: esdb.EventFilterType, Regex: "^(?!Created)"}, 8,
			[]string{"company-0@0", "company-1@0", "company-2@0", "company-3@0", "checkpoint", "company-4@0", "company-5@0",
				"company-6@0", "company-7@0", "checkpoint", "company-8@0", "company-9@0", "caught up"}},
		{"nothing matches", &esdb.SubscriptionFilter{Type: esdb.EventFilterType, Prefixes: []string{"-"}}, 10,
			[]string{"checkpoint", "caught up"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := c.SubscribeToAll(t.Context(),
				esdb.SubscribeToAllOptions{From: esdb.Start{}, Filter: tc.filter, MaxSearchWindow: tc.window,
					CheckpointInterval: 1})
			hear(t, s, err).expect(tc.want...)
		})
	}
	t.Run("no stream matches until one does", func(t *testing.T) {
		s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{From: esdb.Start{}, MaxSearchWindow: 2,
			CheckpointInterval: 1,
			Filter:             &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"invoicf", "rare-"}}})
		h := hear(t, s, err)
		end := write(t, c, "other", esdb.NoStream{}, event("E", "o")) // in the past or live: it is passed over
		write(t, c, "rare-1", esdb.NoStream{}, event("E", "r"))
		var got []string
		for len(got) == 0 || got[len(got)-1] != "rare-1@0" {
			got = append(got, h.next())
		}
		if slices.ContainsFunc(got[:len(got)-1], func(s string) bool { return s != "checkpoint" && s != "caught up" }) {
			t.Errorf("heard %v", got)
		}
		again, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{From: esdb.Start{}, MaxSearchWindow: 1000,
			CheckpointInterval: 1,
			Filter:             &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"invoicf", "rare-"}}})
		hear(t, again, err).expect("rare-1@0", "caught up")
		none, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{From: esdb.Start{}, MaxSearchWindow: 2,
			CheckpointInterval: 1,
			Filter:             &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"invoicf"}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = none.Close() })
		if e := none.Recv(); e.CheckPointReached == nil || e.CheckPointReached.Commit < end.CommitPosition {
			t.Errorf("first heard %s, want the checkpoint of the end of the log", describe(e))
		}
		hear(t, none, nil).expect("caught up")
	})
	t.Run("an expression that never ends is refused", func(t *testing.T) {
		write(t, c, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", esdb.NoStream{}, event("E", "evil"))
		s, err := c.SubscribeToAll(t.Context(),
			esdb.SubscribeToAllOptions{From: esdb.Start{},
				Filter: &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Regex: "^(a+)+$"}})
		hear(t, s, err).expect("dropped InvalidArgument")
	})
	t.Run("an expression that is none is refused", func(t *testing.T) {
		_, err := c.SubscribeToAll(t.Context(),
			esdb.SubscribeToAllOptions{Filter: &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Regex: "("}})
		if err == nil {
			t.Error("it was taken")
		}
	})
}

// A server's checkpoints of the past lag by a window and lack the prepare position; none comes at its end.
func TestCheckpointsAreThoseOfTheServer(t *testing.T) {
	c := open(t)
	var at []uint64
	put := func(n int) {
		for range n {
			i := len(at)
			at = append(at, write(t, c, fmt.Sprint("s-", i), esdb.NoStream{}, event("E", "e", i)).CommitPosition)
		}
	}
	put(20)
	never := &esdb.SubscriptionFilter{Type: esdb.EventFilterType, Prefixes: []string{"never"}}
	from := func(p esdb.AllPosition, f *esdb.SubscriptionFilter) *esdb.Subscription {
		s, err := c.SubscribeToAll(t.Context(),
			esdb.SubscribeToAllOptions{From: p, Filter: f, MaxSearchWindow: 6, CheckpointInterval: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	expect := func(s *esdb.Subscription, want ...string) {
		t.Helper()
		for i, w := range want {
			e, got := s.Recv(), ""
			if got = describe(e); e.CheckPointReached != nil {
				got = fmt.Sprint(e.CheckPointReached.Commit, "/", e.CheckPointReached.Prepare)
			}
			if got != w {
				t.Fatalf("message %d: %s, want %s", i, got, w)
			}
		}
	}
	s := from(esdb.Start{}, never) // windows of 6, 6, 6 and 2 events
	half := func(i int) string { return fmt.Sprint(at[i], "/0") }
	whole := func(i int) string { return fmt.Sprint(at[i], "/", at[i]) }
	expect(s, "0/0", half(6), half(12), "caught up")
	put(12)
	expect(s, whole(25), whole(31))

	every := &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"s-13", "s-14", "s-31"}}
	expect(from(esdb.Position{Commit: at[12]}, every), "s-13@0", "s-14@0", whole(14), half(18), half(24), "s-31@0",
		"caught up")
	// Resumed at such a checkpoint, the event there is heard again.
	all := &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"s-"}}
	expect(from(esdb.Position{Commit: at[30]}, all), "s-30@0", "s-31@0", "caught up")
	expect(from(esdb.Position{Commit: at[30], Prepare: at[30]}, all), "s-31@0", "caught up")
}

// A subscription that reads slower than events arrive must miss nothing, repeat nothing and cost no memory.
func TestSlowSubscriptionFallsBackToTheDatabase(t *testing.T) {
	n := start(t, Options{})
	n.store.Hub.Limit = 20_000 // about 70 events
	c := connect(t, n.Address())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sub, err := c.SubscribeToAll(ctx, esdb.SubscribeToAllOptions{From: esdb.Start{}})
	h := hear(t, sub, err)
	h.expect("caught up")
	const total = 1500
	big := make([]byte, 2000)
	for i := range total / 50 {
		es := events("E", "big", i*50, i*50+50)
		for j := range es {
			es[j].ContentType, es[j].Data = esdb.ContentTypeBinary, big
		}
		write(t, c, fmt.Sprintf("s-%d", i), esdb.NoStream{}, es...)
	}
	caughtUp := 0
	for i := 0; i < total; {
		got := h.next()
		if got == "caught up" {
			caughtUp++
			continue
		}
		if want := fmt.Sprintf("s-%d@%d", i/50, i%50); got != want {
			t.Fatalf("event %d: got %s, want %s", i, got, want)
		}
		i++
	}
	if caughtUp == 0 {
		t.Error("it never fell behind: the test proves nothing")
	}
}

func TestSubscriptionsEndWithTheNode(t *testing.T) {
	n, err := Open(t.Context(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, n.Address())
	s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{From: esdb.End{}})
	h := hear(t, s, err)
	h.expect("caught up")
	if got := n.Stats().Subscriptions; got != 1 {
		t.Errorf("stats count %d subscriptions", got)
	}
	stop(t, n)
	h.expect("dropped Unavailable")
}

func TestTooManySubscriptionsAreRefused(t *testing.T) {
	c := connect(t, start(t, Options{MaxSubscriptions: 1}).Address())
	s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{})
	hear(t, s, err).expect("caught up")
	if _, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{}); err == nil {
		t.Error("the second was taken")
	}
	write(t, c, "s", esdb.NoStream{}, event("E", 1))
}

func TestLiveDelay(t *testing.T) {
	c := open(t)
	s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{})
	h := hear(t, s, err)
	h.expect("caught up")
	var delays []time.Duration
	for i := range 50 {
		write(t, c, "s", esdb.Any{}, event("E", i))
		answered := time.Now()
		h.next()
		delays = append(delays, time.Since(answered))
	}
	slices.Sort(delays)
	// The aim is 1 ms on an idle machine; tests share theirs.
	if median := delays[len(delays)/2]; median > 20*time.Millisecond {
		t.Errorf("median delay after the append's answer is %s", median)
	}
}
