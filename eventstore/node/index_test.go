package node

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

func targets(es []*esdb.ResolvedEvent) (out []string) {
	for _, e := range es {
		out = append(out, fmt.Sprintf("%d@%s", e.Event.EventNumber, e.Event.StreamID))
	}
	return out
}

func readIndex(t *testing.T, c *esdb.Client, name string, o esdb.ReadStreamOptions) []*esdb.ResolvedEvent {
	t.Helper()
	o.ResolveLinkTos = true
	es, err := drainRead(c.ReadStream(t.Context(), name, o, 100))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return es
}

func TestIndexStreams(t *testing.T) {
	c := open(t)
	write(t, c, "order-1", esdb.NoStream{}, event("Placed", 1), event("Paid", 2))
	write(t, c, "plain", esdb.NoStream{}, event("Placed", 3))
	write(t, c, "order-2-x", esdb.NoStream{}, event("Placed", 4))
	for _, tc := range []struct{ name, want string }{
		{"$ce-order", "[0@order-1 1@order-1 0@order-2-x]"},
		{"$et-Placed", "[0@order-1 0@plain 0@order-2-x]"},
		{"$et-Paid", "[1@order-1]"},
		{"$streams", "[0@order-1 0@plain 0@order-2-x]"},
	} {
		es := readIndex(t, c, tc.name, esdb.ReadStreamOptions{})
		if got := fmt.Sprint(targets(es)); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		for i, e := range es {
			if e.Link.StreamID != tc.name || e.Link.EventNumber != uint64(i) || e.Link.Position != e.Event.Position {
				t.Errorf("%s: link %d is %d of %s", tc.name, i, e.Link.EventNumber, e.Link.StreamID)
			}
		}
	}
	back := readIndex(t, c, "$ce-order", esdb.ReadStreamOptions{Direction: esdb.Backwards, From: esdb.Revision(1)})
	if got := fmt.Sprint(targets(back)); got != "[1@order-1 0@order-1]" {
		t.Errorf("backwards: %s", got)
	}
	if _, err := drainRead(c.ReadStream(t.Context(), "$ce-nothing", esdb.ReadStreamOptions{}, 1)); code(
		err) != esdb.ErrorCodeResourceNotFound {
		t.Errorf("an empty category: %v", err)
	}
	if _, err := c.AppendToStream(t.Context(), "$ce-order", esdb.AppendToStreamOptions{},
		event("E", 9)); code(err) != esdb.ErrorCodeAccessDenied {
		t.Errorf("an append to an index: %v", err)
	}
}

func TestAnIndexIsFollowedLiveAndByGroups(t *testing.T) {
	c := open(t)
	write(t, c, "order-1", esdb.NoStream{}, event("E", 1))
	sub, err := c.SubscribeToStream(t.Context(), "$ce-order",
		esdb.SubscribeToStreamOptions{From: esdb.Start{}, ResolveLinkTos: true})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	timeout := time.AfterFunc(soon, func() { _ = sub.Close() })
	defer timeout.Stop()
	var got []string
	for caught := 0; len(got) < 3; {
		switch e := sub.Recv(); {
		case e.SubscriptionDropped != nil:
			t.Fatalf("dropped after %v", got)
		case e.EventAppeared != nil:
			got = append(got, e.EventAppeared.Event.StreamID)
		case e.CaughtUp != nil:
			if caught++; caught > 1 {
				t.Error("caught up twice")
			}
			write(t, c, "other-1", esdb.NoStream{}, event("E", 2))
			write(t, c, "order-2", esdb.NoStream{}, event("E", 3))
			write(t, c, "order-3", esdb.NoStream{}, event("E", 4))
		}
	}
	if fmt.Sprint(got) != "[order-1 order-2 order-3]" {
		t.Errorf("got %v", got)
	}
	createGroup(t, c, "$ce-order", esdb.Start{},
		quick(func(s *esdb.PersistentSubscriptionSettings) { s.ResolveLinkTos = true }))
	group := subscribeGroup(t, c, "$ce-order", 10)
	if got := take(t, group, 3, acking(t, group)); fmt.Sprint(got) != "[0 1 2]" {
		t.Errorf("the group got %v", got)
	}
	write(t, c, "order-4", esdb.NoStream{}, event("E", 5))
	take(t, group, 1, acking(t, group))
}

func TestAnIndexThatDoesNotFitIsMadeAnew(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for i, d := range []string{dir, other} {
		n := start(t, Options{Dir: d})
		c := connect(t, n.Address())
		write(t, c, "order-1", esdb.NoStream{}, event("E", i, "a"))
		readIndex(t, c, "$ce-order", esdb.ReadStreamOptions{})
		stop(t, n)
	}
	for name, spoil := range map[string]func(file string) error{
		"another log's": func(file string) error {
			b, err := os.ReadFile(filepath.Join(other, storage.IndexFile))
			if err == nil {
				err = os.WriteFile(file, b, 0o600)
			}
			return err
		},
		"junk":    func(file string) error { return os.WriteFile(file, make([]byte, 9000), 0o600) },
		"nothing": os.Remove,
	} {
		if err := spoil(filepath.Join(dir, storage.IndexFile)); err != nil {
			t.Fatal(err)
		}
		n := start(t, Options{Dir: dir})
		if got := targets(readIndex(t, connect(t, n.Address()), "$ce-order", esdb.ReadStreamOptions{})); fmt.Sprint(
			got) != "[0@order-1]" {
			t.Errorf("%s: got %v", name, got)
		}
		stop(t, n)
	}
}
