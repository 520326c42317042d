package node

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/emptypb"
)

// TestAnswersOfTheServer holds the node against what EventStoreDB 23.10.8 answered. The Node clients take the
// same table: conformance/node/answers.js.
func TestAnswersOfTheServer(t *testing.T) {
	text, err := os.ReadFile("../../conformance/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var table map[string]string
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	n := start(t, Options{})
	a := &asker{c: connect(t, n.Address()), bare: bare(t, n), groups: persistentClient(t, n)}
	for situation, want := range table {
		ask := situations[situation]
		if ask == nil {
			t.Errorf("nobody asks: %s", situation)
			continue
		}
		t.Run(situation, func(t *testing.T) {
			asked := *a
			asked.t, asked.stream = t, "año-"+situation
			if got := ask(&asked); got != want {
				t.Errorf("got %q, the server %q", got, want)
			}
		})
	}
	for situation := range situations {
		if _, known := table[situation]; !known {
			t.Errorf("not in the table: %s", situation)
		}
	}
}

// asker brings about one situation on a stream of its own.
type asker struct {
	t      *testing.T
	c      *esdb.Client
	bare   streams.StreamsClient
	groups persistent.PersistentSubscriptionsClient
	stream string
}

var situations = map[string]func(*asker) string{
	"10,000 appends to 20 streams, not awaited: out of order":          (*asker).pipelined,
	"200 chains of 20 appends at exact revisions, not awaited: failed": (*asker).chained,
	"read a tombstoned stream whose name is not ASCII": func(a *asker) string {
		a.fill(3)
		a.tombstone()
		return a.read(a.stream)
	},
	"delete a missing stream whose name is not ASCII": func(a *asker) string {
		_, err := a.c.DeleteStream(a.t.Context(), a.stream, esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}})
		return said(err)
	},
	"read under metadata with one field of the wrong kind": underMeta(`{"$tb":1,"$maxCount":"x"}`),
	"read under metadata with one field null":              underMeta(`{"$tb":1,"$maxCount":null}`),
	"read under metadata with a field twice":               underMeta(`{"$tb":1,"$tb":2}`),
	"read under metadata that is no JSON":                  underMeta(`{"$tb":1`),
	"subscribe to a missing stream, then append":           (*asker).subscribed,
	"subscribe to a deleted stream, then append": func(a *asker) string {
		a.fill(3)
		a.delete()
		return a.subscribed()
	},
	"a group from the start, unused, updated to the end: its first event after 3": (*asker).updatedGroup,
	"park 4, replay 2: parked before a consumer takes them":                       (*asker).replayed,
	"delete, then metadata that is no object: read": func(a *asker) string {
		a.fill(3)
		a.delete()
		a.meta(`[]`)
		return a.read(a.stream)
	},
	"tombstone, then set metadata": func(a *asker) string {
		a.fill(1)
		a.tombstone()
		_, err := a.c.SetStreamMetadata(a.t.Context(), a.stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}},
			esdb.StreamMetadata{})
		return said(err)
	},
	"tombstone, then read metadata": func(a *asker) string {
		a.fill(1)
		a.meta(`{}`)
		a.tombstone()
		return a.read(storage.MetadataPrefix + a.stream)
	},
	"append e, e again at the exact revision, e at any: next revision": func(a *asker) string {
		e := event("E", a.stream)
		write(a.t, a.c, a.stream, esdb.Any{}, e)
		write(a.t, a.c, a.stream, esdb.Revision(0), e)
		return fmt.Sprint(write(a.t, a.c, a.stream, esdb.Any{}, e).NextExpectedVersion)
	},
	"delete, then append nothing: read": func(a *asker) string {
		a.fill(3)
		a.delete()
		write(a.t, a.c, a.stream, esdb.Any{})
		return a.read(a.stream)
	},
	"read a stream forwards from its end": func(a *asker) string {
		a.fill(3)
		_, err := drainRead(a.c.ReadStream(a.t.Context(), a.stream, esdb.ReadStreamOptions{From: esdb.End{}}, 9))
		return said(err)
	},
	"read 0 events of a stream": func(a *asker) string {
		a.fill(3)
		_, err := drainRead(a.c.ReadStream(a.t.Context(), a.stream, esdb.ReadStreamOptions{}, 0))
		return said(err)
	},
}

// said names the error that a client tells apart from others.
func said(err error) string {
	switch {
	case err == nil:
		return "done"
	case code(err) == esdb.ErrorCodeStreamDeleted:
		return "stream deleted"
	case code(err) == esdb.ErrorCodeResourceNotFound:
		return "not found"
	case strings.Contains(err.Error(), "WrongExpectedVersion"):
		return "wrong expected version"
	case grpcCode(err) == codes.Unknown:
		return "unknown"
	}
	return err.Error()
}

func underMeta(text string) func(*asker) string {
	return func(a *asker) string {
		a.fill(3)
		a.meta(text)
		return a.read(a.stream)
	}
}

func (a *asker) fill(n int) {
	a.t.Helper()
	write(a.t, a.c, a.stream, esdb.Any{}, events("E", a.stream, 0, n)...)
}

func (a *asker) meta(text string) {
	a.t.Helper()
	e := event(storage.MetadataType, "meta", a.stream, text)
	e.Data = []byte(text)
	write(a.t, a.c, storage.MetadataPrefix+a.stream, esdb.Any{}, e)
}

func (a *asker) delete() {
	a.t.Helper()
	if _, err := a.c.DeleteStream(a.t.Context(), a.stream,
		esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		a.t.Fatal(err)
	}
}

func (a *asker) tombstone() {
	a.t.Helper()
	if _, err := a.c.TombstoneStream(a.t.Context(), a.stream,
		esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		a.t.Fatal(err)
	}
}

// read answers the revisions that a reader sees, or the error.
func (a *asker) read(stream string) string {
	got, err := drainRead(a.c.ReadStream(a.t.Context(), stream, esdb.ReadStreamOptions{}, 100))
	switch {
	case err != nil:
		return said(err)
	case len(got) == 0:
		return "nothing"
	}
	return strings.Trim(fmt.Sprint(revisions(got)), "[]")
}

// subscribed answers the first two messages after an append.
func (a *asker) subscribed() string {
	s, err := a.c.SubscribeToStream(a.t.Context(), a.stream, esdb.SubscribeToStreamOptions{From: esdb.Start{}})
	h := hear(a.t, s, err)
	write(a.t, a.c, a.stream, esdb.Any{}, event("E", "after", a.stream))
	_, first, _ := strings.Cut(h.next(), "@")
	return first + ", " + h.next()
}

func (a *asker) updatedGroup() string {
	a.fill(3)
	createGroup(a.t, a.c, a.stream, esdb.Start{}, quick(nil))
	updated := &persistent.UpdateReq_Settings{HistoryBufferSize: 500, LiveBufferSize: 500, ReadBatchSize: 20,
		MinCheckpointCount: 1,
		MessageTimeout:     &persistent.UpdateReq_Settings_MessageTimeoutMs{MessageTimeoutMs: 30_000},
		CheckpointAfter:    &persistent.UpdateReq_Settings_CheckpointAfterMs{CheckpointAfterMs: 1000}}
	_, err := a.groups.Update(a.t.Context(),
		&persistent.UpdateReq{Options: &persistent.UpdateReq_Options{GroupName: "g", Settings: updated,
			// The Go client says the start where its caller says the end.
			StreamOption: &persistent.UpdateReq_Options_Stream{Stream: &persistent.UpdateReq_StreamOptions{
				StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte(a.stream)},
				RevisionOption:   &persistent.UpdateReq_StreamOptions_End{End: &shared.Empty{}}}}}})
	if err != nil {
		a.t.Fatal(err)
	}
	sub := subscribeGroup(a.t, a.c, a.stream, 10)
	write(a.t, a.c, a.stream, esdb.Any{}, event("E", "after", a.stream))
	return strings.Trim(fmt.Sprint(take(a.t, sub, 1, acking(a.t, sub))), "[]")
}

func (a *asker) replayed() string {
	a.fill(4)
	createGroup(a.t, a.c, a.stream, esdb.Start{}, quick(nil))
	parked := func() int64 {
		info, err := a.c.GetPersistentSubscriptionInfo(a.t.Context(), a.stream, "g", esdb.GetPersistentSubscriptionOptions{})
		if err != nil {
			a.t.Fatal(err)
		}
		return info.Stats.ParkedMessagesCount
	}
	sub := subscribeGroup(a.t, a.c, a.stream, 10)
	take(a.t, sub, 4, func(e *esdb.EventAppeared) {
		if err := sub.Nack("later", esdb.NackActionPark, e.Event); err != nil {
			a.t.Fatal(err)
		}
	})
	eventually(a.t, "4 parked", func() bool { return parked() == 4 })
	if err := sub.Close(); err != nil {
		a.t.Fatal(err)
	}
	if err := a.c.ReplayParkedMessages(a.t.Context(), a.stream, "g",
		esdb.ReplayParkedMessagesOptions{StopAt: 2}); err != nil {
		a.t.Fatal(err)
	}
	return fmt.Sprint(parked())
}

// pipelined sends every append before it reads an answer, as the Node client does whose caller awaits none.
func (a *asker) pipelined() string {
	const total, spread = 10_000, 20
	name := func(i int) string { return fmt.Sprint(a.stream, i%spread) }
	failed := a.batches(total, func(i int) *streams.BatchAppendReq {
		o := batchOptions(name(i))
		o.ExpectedStreamPosition = &streams.BatchAppendReq_Options_Any{Any: &emptypb.Empty{}}
		return &streams.BatchAppendReq{CorrelationId: textID(a.stream, i), Options: o, IsFinal: true,
			ProposedMessages: batchEvents(a.stream, i)}
	})
	swapped := 0
	for s := range spread {
		got, err := drainRead(a.c.ReadStream(a.t.Context(), name(s), esdb.ReadStreamOptions{}, total))
		if err != nil || len(got) != total/spread || failed > 0 {
			a.t.Fatalf("%d events of %s, %d appends failed: %v", len(got), name(s), failed, err)
		}
		for i, e := range got {
			if e.Event.EventID != testID(a.stream, i*spread+s) {
				swapped++
			}
		}
	}
	return fmt.Sprint(swapped)
}

// chained appends to each of 200 streams 20 times, each append at the revision that the one before makes.
func (a *asker) chained() string {
	const chains, length = 200, 20
	return fmt.Sprint(a.batches(chains*length, func(i int) *streams.BatchAppendReq {
		o := batchOptions(fmt.Sprint(a.stream, i/length))
		if at := i % length; at > 0 {
			o.ExpectedStreamPosition = &streams.BatchAppendReq_Options_StreamPosition{StreamPosition: uint64(at - 1)}
		}
		return &streams.BatchAppendReq{CorrelationId: textID(a.stream, i), Options: o, IsFinal: true,
			ProposedMessages: batchEvents(a.stream, i)}
	}))
}

// batches sends n appends on one call and answers how many failed.
func (a *asker) batches(n int, request func(int) *streams.BatchAppendReq) (failed int) {
	call, err := a.bare.BatchAppend(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	sent := beside(func() error {
		for i := range n {
			if err := call.Send(request(i)); err != nil {
				return err
			}
		}
		return call.CloseSend()
	})
	for range n {
		r, err := call.Recv()
		if err != nil {
			a.t.Fatal(err)
		}
		if r.GetError() != nil {
			failed++
		}
	}
	if err := <-sent; err != nil {
		a.t.Fatal(err)
	}
	return failed
}

// beside runs f beside its caller.
func beside(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}
