//lint:file-ignore SA1019 The deprecated fields are what older clients send.

package node

import (
	"fmt"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

const soon = time.Minute

func quick(change func(*esdb.PersistentSubscriptionSettings)) *esdb.PersistentSubscriptionSettings {
	s := esdb.SubscriptionSettingsDefault()
	s.CheckpointAfter, s.CheckpointLowerBound = 20, 1
	if change != nil {
		change(&s)
	}
	return &s
}

func createGroup(t *testing.T, c *esdb.Client, stream string, from esdb.StreamPosition,
	s *esdb.PersistentSubscriptionSettings) {
	t.Helper()
	if err := c.CreatePersistentSubscription(t.Context(), stream, "g",
		esdb.PersistentStreamSubscriptionOptions{StartFrom: from, Settings: s}); err != nil {
		t.Fatal(err)
	}
}

func subscribeGroup(t *testing.T, c *esdb.Client, stream string, buffer uint32) *esdb.PersistentSubscription {
	t.Helper()
	sub, err := c.SubscribeToPersistentSubscription(t.Context(), stream, "g",
		esdb.SubscribeToPersistentSubscriptionOptions{BufferSize: buffer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sub.Close() })
	return sub
}

// take waits for n messages and does something with each.
func take(t *testing.T, sub *esdb.PersistentSubscription, n int, do func(*esdb.EventAppeared)) (revisions []uint64) {
	t.Helper()
	timeout := time.AfterFunc(soon, func() { _ = sub.Close() })
	defer timeout.Stop()
	for range n {
		m := sub.Recv()
		if m.EventAppeared == nil {
			t.Fatalf("dropped after %v: %v", revisions, m.SubscriptionDropped.Error)
		}
		revisions = append(revisions, m.EventAppeared.Event.OriginalEvent().EventNumber)
		do(m.EventAppeared)
	}
	return revisions
}

func acking(t *testing.T, sub *esdb.PersistentSubscription) func(*esdb.EventAppeared) {
	return func(e *esdb.EventAppeared) {
		if err := sub.Ack(e.Event); err != nil {
			t.Fatal(err)
		}
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(soon); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not in time", what)
		}
	}
}

func TestAPersistentSubscriptionGoesOnAfterARestart(t *testing.T) {
	dir := t.TempDir()
	n := start(t, Options{Dir: dir})
	c := connect(t, n.Address())
	write(t, c, "s", esdb.NoStream{}, events("E", "s", 0, 10)...)
	createGroup(t, c, "s", esdb.Start{}, quick(nil))
	sub := subscribeGroup(t, c, "s", 5)
	take(t, sub, 4, acking(t, sub))
	info := func(c *esdb.Client) *esdb.PersistentSubscriptionInfo {
		i, err := c.GetPersistentSubscriptionInfo(t.Context(), "s", "g", esdb.GetPersistentSubscriptionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	eventually(t, "checkpoint", func() bool {
		at := info(c).Stats.LastCheckpointedEventRevision
		return at != nil && *at == 3
	})
	_ = sub.Close()
	stop(t, n)

	c = connect(t, start(t, Options{Dir: dir}).Address())
	if i := info(c); i.Settings.CheckpointAfter != 20 ||
		i.Settings.ConsumerStrategyName != esdb.ConsumerStrategyRoundRobin {
		t.Errorf("configuration after the restart: %+v", i.Settings)
	}
	sub = subscribeGroup(t, c, "s", 10)
	if got := take(t, sub, 6, acking(t, sub)); got[0] != 4 {
		t.Errorf("after the restart: %v", got)
	}
}

func TestParkedMessagesSurviveARestartAndAreReplayedOnce(t *testing.T) {
	dir := t.TempDir()
	n := start(t, Options{Dir: dir})
	c := connect(t, n.Address())
	write(t, c, "s", esdb.NoStream{}, events("E", "s", 0, 3)...)
	createGroup(t, c, "s", esdb.Start{}, quick(nil))
	sub := subscribeGroup(t, c, "s", 5)
	take(t, sub, 3, func(e *esdb.EventAppeared) {
		if err := sub.Nack("bad", esdb.NackActionPark, e.Event); err != nil {
			t.Fatal(err)
		}
	})
	parked := func(c *esdb.Client) int64 {
		i, err := c.GetPersistentSubscriptionInfo(t.Context(), "s", "g", esdb.GetPersistentSubscriptionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return i.Stats.ParkedMessagesCount
	}
	eventually(t, "three parked", func() bool { return parked(c) == 3 })
	_ = sub.Close()
	stop(t, n)

	c = connect(t, start(t, Options{Dir: dir}).Address())
	if got := parked(c); got != 3 {
		t.Fatalf("%d parked after the restart", got)
	}
	sub = subscribeGroup(t, c, "s", 5)
	if err := c.ReplayParkedMessages(t.Context(), "s", "g", esdb.ReplayParkedMessagesOptions{StopAt: 2}); err != nil {
		t.Fatal(err)
	}
	if got := take(t, sub, 2, acking(t, sub)); fmt.Sprint(got) != "[0 1]" {
		t.Errorf("replayed %v", got)
	}
	eventually(t, "truncation", func() bool {
		es, err := drainRead(c.ReadStream(t.Context(), "$persistentsubscription-s::g-parked", esdb.ReadStreamOptions{}, 10))
		return err == nil && len(es) == 1
	})
	if got := parked(c); got != 1 {
		t.Errorf("%d left", got)
	}
}

func TestRetriesCountAndEndAmongTheParked(t *testing.T) {
	c := open(t)
	write(t, c, "s", esdb.NoStream{}, event("E", 1))
	createGroup(t, c, "s", esdb.Start{}, quick(func(s *esdb.PersistentSubscriptionSettings) { s.MaxRetryCount = 2 }))
	sub := subscribeGroup(t, c, "s", 5)
	tries := 0
	take(t, sub, 3, func(e *esdb.EventAppeared) {
		if e.RetryCount != tries {
			t.Errorf("try %d says %d", tries, e.RetryCount)
		}
		tries++
		_ = sub.Nack("again", esdb.NackActionRetry, e.Event)
	})
	eventually(t, "parked", func() bool {
		es, err := drainRead(c.ReadStream(t.Context(), "$persistentsubscription-s::g-parked",
			esdb.ReadStreamOptions{ResolveLinkTos: true}, 10))
		return err == nil && len(es) == 1 && es[0].Event.EventID == testID(1)
	})
}

func TestAGroupOnAllFiltersAndStartsAtTheEnd(t *testing.T) {
	c := open(t)
	write(t, c, "order-1", esdb.NoStream{}, event("E", 1))
	err := c.CreatePersistentSubscriptionToAll(t.Context(), "g",
		esdb.PersistentAllSubscriptionOptions{StartFrom: esdb.End{}, Settings: quick(nil),
			Filter: &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{"order-"}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, c, "other-1", esdb.NoStream{}, event("E", 2))
	write(t, c, "order-2", esdb.NoStream{}, event("E", 3))
	sub, err := c.SubscribeToPersistentSubscriptionToAll(t.Context(), "g", esdb.SubscribeToPersistentSubscriptionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	take(t, sub, 1, func(e *esdb.EventAppeared) {
		if e.Event.Event.StreamID != "order-2" {
			t.Errorf("got %s", e.Event.Event.StreamID)
		}
		_ = sub.Ack(e.Event)
	})
	write(t, c, "order-3", esdb.NoStream{}, event("E", 4))
	take(t, sub, 1, acking(t, sub))
}

func TestChangesOfAGroupDropItsSubscribers(t *testing.T) {
	c := open(t)
	for name, change := range map[string]func() error{
		"update": func() error {
			return c.UpdatePersistentSubscription(t.Context(), "update", "g",
				esdb.PersistentStreamSubscriptionOptions{Settings: quick(nil)})
		},
		"delete": func() error {
			return c.DeletePersistentSubscription(t.Context(), "delete", "g", esdb.DeletePersistentSubscriptionOptions{})
		},
		"restart": func() error {
			return c.RestartPersistentSubscriptionSubsystem(t.Context(), esdb.RestartPersistentSubscriptionSubsystemOptions{})
		},
	} {
		createGroup(t, c, name, esdb.Start{}, quick(nil))
		sub := subscribeGroup(t, c, name, 5)
		if err := change(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m := sub.Recv(); m.SubscriptionDropped == nil || status.Code(m.SubscriptionDropped.Error) != codes.Canceled {
			t.Errorf("%s: got %+v", name, m)
		}
	}
}

func persistentClient(t *testing.T, n *Node) persistent.PersistentSubscriptionsClient {
	t.Helper()
	conn, err := grpc.NewClient(n.Address(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return persistent.NewPersistentSubscriptionsClient(conn)
}

func streamNamed(name string) *shared.StreamIdentifier {
	return &shared.StreamIdentifier{StreamName: []byte(name)}
}

// The Node clients name the stream beside the options and put the start into the settings.
func TestTheOldShapeOfACreateRequest(t *testing.T) {
	c := persistentClient(t, start(t, Options{}))
	_, err := c.Create(t.Context(), &persistent.CreateReq{
		Options: &persistent.CreateReq_Options{StreamIdentifier: streamNamed("s"), GroupName: "g",
			Settings: &persistent.CreateReq_Settings{Revision: 7, HistoryBufferSize: 20, LiveBufferSize: 20, ReadBatchSize: 10,
				ConsumerStrategy: "PinnedByCorrelation",
				CheckpointAfter:  &persistent.CreateReq_Settings_CheckpointAfterTicks{CheckpointAfterTicks: 10_000_000}}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.GetInfo(t.Context(), &persistent.GetInfoReq{Options: &persistent.GetInfoReq_Options{GroupName: "g",
		StreamOption: &persistent.GetInfoReq_Options_StreamIdentifier{StreamIdentifier: streamNamed("s")}}})
	if err != nil {
		t.Fatal(err)
	}
	if i := got.SubscriptionInfo; i.StartFrom != "7" || i.CheckPointAfterMilliseconds != 1000 ||
		i.NamedConsumerStrategy != "PinnedByCorrelation" {
		t.Errorf("got %v", i)
	}
}
