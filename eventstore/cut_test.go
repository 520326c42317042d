package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/events"
	"folio/eventstore"
)

// operator is somebody with the server's own tools.
func operator(t *testing.T, address string) *esdb.Client {
	t.Helper()
	config, err := esdb.ParseConnectionString("esdb://localhost:2113?tls=false")
	if err != nil {
		t.Fatal(err)
	}
	config.Address, config.Logger = address, func(esdb.LogLevel, string, ...any) {}
	c, err := esdb.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestAStreamThatAnOperatorTouchedIsTrouble(t *testing.T) {
	e := newEmbedded(t)
	c := operator(t, e.node.Address())
	metadata := func(set func(*esdb.StreamMetadata)) func(stream string) error {
		return func(stream string) error {
			var m esdb.StreamMetadata
			set(&m)
			_, err := c.SetStreamMetadata(t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}}, m)
			return err
		}
	}
	remove := func(stream string) error {
		_, err := c.DeleteStream(t.Context(), stream, esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}})
		return err
	}
	for i, x := range []struct {
		name  string
		touch func(stream string) error
		from  uint64
		want  *events.Trouble
	}{
		{"nobody", func(string) error { return nil }, 0, nil},
		{"$maxCount", metadata(func(m *esdb.StreamMetadata) { m.SetMaxCount(1) }), 0,
			&events.Trouble{Kind: events.Cut, Next: 2}},
		{"$maxCount behind the reader", metadata(func(m *esdb.StreamMetadata) { m.SetMaxCount(1) }), 2, nil},
		{"$maxCount ahead of the reader", metadata(func(m *esdb.StreamMetadata) { m.SetMaxCount(1) }), 1,
			&events.Trouble{Kind: events.Cut, Revision: 1, Next: 2}},
		{"$maxCount that cuts nothing", metadata(func(m *esdb.StreamMetadata) { m.SetMaxCount(3) }), 0, nil},
		{"$tb", metadata(func(m *esdb.StreamMetadata) { m.SetTruncateBefore(1) }), 0,
			&events.Trouble{Kind: events.Cut, Next: 1}},
		{"$tb of everything", metadata(func(m *esdb.StreamMetadata) { m.SetTruncateBefore(9) }), 0,
			&events.Trouble{Kind: events.Deleted}},
		{"a deletion", remove, 0, &events.Trouble{Kind: events.Deleted}},
		{"a deletion, and somebody writes again", func(stream string) error {
			if err := remove(stream); err != nil {
				return err
			}
			_, err := c.AppendToStream(t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}},
				esdb.EventData{EventType: "Happened", ContentType: esdb.ContentTypeJson, Data: []byte(`{}`)})
			return err
		}, 0, &events.Trouble{Kind: events.Cut, Next: 3}},
		{"a tombstone", func(stream string) error {
			_, err := c.TombstoneStream(t.Context(), stream, esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}})
			return err
		}, 0, &events.Trouble{Kind: events.Deleted}},
	} {
		for _, prefix := range []string{"", "folio.test-"} {
			t.Run(x.name+", prefix "+prefix, func(t *testing.T) {
				l, err := eventstore.Open(t.Context(), eventstore.Options{Address: e.node.Address(), Prefix: prefix})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { l.Close() })
				stream := fmt.Sprintf("touched-%d", i)
				fill(t, l, stream, 3)
				if err := x.touch(prefix + stream); err != nil {
					t.Fatal(err)
				}
				got, err := collect(l.Read(t.Context(), stream, x.from))
				var trouble *events.Trouble
				if x.want == nil {
					if err != nil || len(got) != 3-int(x.from) {
						t.Fatalf("%d events, %v", len(got), err)
					}
					return
				}
				x.want.Stream = stream
				if !errors.As(err, &trouble) || trouble.Kind != x.want.Kind || trouble.Stream != stream ||
					trouble.Revision != x.want.Revision || trouble.Next != x.want.Next || len(got) > 0 {
					t.Fatalf("%d events and %v, want %v", len(got), err, x.want)
				}
				if x.name == "a tombstone" && !errors.Is(err, eventstore.ErrStreamDeleted) {
					t.Errorf("%v is not ErrStreamDeleted", err)
				}
			})
		}
	}
}

func TestAPrefixSeparatesWhoSharesAServer(t *testing.T) {
	e := newEmbedded(t)
	logs := map[string]*eventstore.Log{}
	for _, prefix := range []string{"", "a.", "ab."} {
		l, err := eventstore.Open(t.Context(), eventstore.Options{Address: e.node.Address(), Prefix: prefix})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		logs[prefix] = l
		if _, err := l.Append(t.Context(), "thing-1", eventstore.NoStream, pending("Happened", "by "+prefix)); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, l := range logs {
		for _, f := range []eventstore.Filter{{Types: []string{"Happened"}}, {Streams: []string{"thing-"}}, {}} {
			if prefix == "" && len(f.Streams) == 0 {
				continue // without a prefix a log's callers tell what is theirs by the streams' names
			}
			all, err := collect(l.All(t.Context(), events.Position{}, f))
			if err != nil || len(all) != 1 || all[0].Stream != "thing-1" {
				t.Errorf("prefix %q, all of %+v: %v, %v", prefix, f, all, err)
			}
			var followed []events.Recorded
			enough := errors.New("enough")
			err = l.Follow(t.Context(), events.Position{}, f, eventstore.FollowOptions{},
				func(_ context.Context, b eventstore.Batch) error {
					followed = append(followed, b.Events...)
					if b.CaughtUp {
						return enough
					}
					return nil
				})
			if err != enough || len(followed) != 1 || followed[0].Stream != "thing-1" {
				t.Errorf("prefix %q, following %+v: %v, %v", prefix, f, followed, err)
			}
		}
		last, found, err := l.ReadLast(t.Context(), "thing-1")
		if err != nil || !found || last.Stream != "thing-1" || string(last.Raw) != fmt.Sprintf(`{"name":%q}`, "by "+prefix) {
			t.Errorf("prefix %q: last is %+v, %v, %v", prefix, last, found, err)
		}
	}
	if _, err := eventstore.Open(t.Context(), eventstore.Options{Address: e.node.Address(), Prefix: "$x"}); err == nil {
		t.Error("a prefix of the server's own is taken")
	}
}
