//lint:file-ignore SA1019 The deprecated fields are what older clients send.

package node

import (
	"context"
	"fmt"
	"testing"

	"folio/eventstore/node/group"
	"folio/eventstore/node/groups"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestRefusalsOfPersistentSubscriptions(t *testing.T) {
	n := start(t, Options{})
	c := persistentClient(t, n)
	good := func() *persistent.CreateReq_Options {
		return &persistent.CreateReq_Options{GroupName: "g", StreamIdentifier: streamNamed("s"),
			Settings: &persistent.CreateReq_Settings{HistoryBufferSize: 20, LiveBufferSize: 20, ReadBatchSize: 10,
				MaxSubscriberCount: 1}}
	}
	create := func(spoil func(*persistent.CreateReq_Options)) error {
		o := good()
		spoil(o)
		_, err := c.Create(t.Context(), &persistent.CreateReq{Options: o})
		return err
	}
	if err := create(func(*persistent.CreateReq_Options) {}); err != nil {
		t.Fatal(err)
	}
	read := func(o *persistent.ReadReq_Options) error {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		call, err := c.Read(ctx)
		if err == nil {
			_ = call.Send(&persistent.ReadReq{Content: &persistent.ReadReq_Options_{Options: o}})
			_, err = call.Recv()
		}
		return err
	}
	options := &persistent.ReadReq_Options{GroupName: "g",
		StreamOption: &persistent.ReadReq_Options_StreamIdentifier{StreamIdentifier: streamNamed("s")},
		UuidOption: &persistent.ReadReq_Options_UUIDOption{
			Content: &persistent.ReadReq_Options_UUIDOption_String_{String_: &shared.Empty{}}}}
	if err := read(options); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		err  error
		code codes.Code
	}{
		{"a second group of the same name", create(func(*persistent.CreateReq_Options) {}), codes.AlreadyExists},
		{"no name", create(func(o *persistent.CreateReq_Options) { o.GroupName = "" }), codes.InvalidArgument},
		{"no stream", create(func(o *persistent.CreateReq_Options) { o.StreamIdentifier = nil }), codes.InvalidArgument},
		{"no settings", create(func(o *persistent.CreateReq_Options) { o.Settings, o.GroupName = nil, "h" }), codes.Internal},
		{"a batch as large as the buffer", create(func(o *persistent.CreateReq_Options) {
			o.Settings.ReadBatchSize, o.GroupName = 20, "h"
		}), codes.Internal},
		{"one subscriber too many", read(options), codes.FailedPrecondition},
		{"no form of ids", read(&persistent.ReadReq_Options{GroupName: "g", StreamOption: options.StreamOption}),
			codes.InvalidArgument},
		{"an unknown group", read(&persistent.ReadReq_Options{GroupName: "x", StreamOption: options.StreamOption,
			UuidOption: options.UuidOption}), codes.NotFound},
	} {
		if status.Code(tc.err) != tc.code {
			t.Errorf("%s: got %v, want %s", tc.name, tc.err, tc.code)
		}
	}
	if len(n.groups.List("")) != 1 {
		t.Error("a refused request left a group behind")
	}
}

func TestTheConfigurationIsTheNodesOwn(t *testing.T) {
	c := open(t)
	for _, stream := range []string{groups.ConfigStream, "$$" + groups.ConfigStream} {
		if _, err := c.AppendToStream(t.Context(), stream, esdb.AppendToStreamOptions{},
			event("E", 1)); code(err) != esdb.ErrorCodeAccessDenied {
			t.Errorf("%s: %v", stream, err)
		}
	}
}

// A subscriber that takes nothing costs what its group may hold, not what the log has.
func TestADeafSubscriberIsBounded(t *testing.T) {
	n := start(t, Options{})
	c := connect(t, n.Address())
	for i := range 20 {
		write(t, c, "s", esdb.Any{}, events("E", "s", i*100, i*100+100)...)
	}
	createGroup(t, c, "s", esdb.Start{}, quick(func(s *esdb.PersistentSubscriptionSettings) { s.HistoryBufferSize = 50 }))
	call, err := persistentClient(t, n).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = call.Send(&persistent.ReadReq{Content: &persistent.ReadReq_Options_{
		Options: &persistent.ReadReq_Options{GroupName: "g", BufferSize: 1<<31 - 1,
			StreamOption: &persistent.ReadReq_Options_StreamIdentifier{StreamIdentifier: streamNamed("s")},
			UuidOption: &persistent.ReadReq_Options_UUIDOption{
				Content: &persistent.ReadReq_Options_UUIDOption_String_{String_: &shared.Empty{}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := n.groups.Find("s", "g")
	if err != nil {
		t.Fatal(err)
	}
	held := func() int {
		r := g.Report()
		return r.Flying + r.Waiting + r.Retrying
	}
	eventually(t, "the buffer is full", func() bool { return held() == 50 })
	write(t, c, "s", esdb.Any{}, event("E", "s", "more"))
	if got := held(); got != 50 {
		t.Errorf("%d are held", got)
	}
}

func fuzzSettings() group.Settings {
	return group.Settings{HistoryBufferSize: 20, LiveBufferSize: 20, ReadBatchSize: 10, MaxRetryCount: 1,
		Strategy: group.RoundRobin}
}

func TestANewGroupKnowsNothingOfAnOldOneOfItsName(t *testing.T) {
	n := start(t, Options{})
	c := connect(t, n.Address())
	write(t, c, "s", esdb.NoStream{}, events("E", "s", 0, 3)...)
	// What a crash in the middle of a deletion leaves behind.
	left := storage.Record{Kind: []byte("$SubscriptionCheckpoint"), JSON: true, Data: []byte(`"1"`)}
	if err := n.store.AppendOwn(t.Context(), "$persistentsubscription-s::g-checkpoint", left); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		createGroup(t, c, "s", esdb.Start{}, quick(nil))
		sub := subscribeGroup(t, c, "s", 5)
		if got := take(t, sub, 3, acking(t, sub)); fmt.Sprint(got) != "[0 1 2]" {
			t.Errorf("got %v", got)
		}
		if err := c.DeletePersistentSubscription(t.Context(), "s", "g",
			esdb.DeletePersistentSubscriptionOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}
