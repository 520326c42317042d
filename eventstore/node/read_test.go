package node

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/codes"
)

func TestReadStream(t *testing.T) {
	c := open(t)
	write(t, c, "ten", esdb.NoStream{}, events("E", "ten", 0, 10)...)
	long := make([]uint64, 0, 300)
	for i := range 300 {
		long = append(long, uint64(i))
	}
	write(t, c, "long", esdb.NoStream{}, events("E", "long", 0, 300)...)
	reversed := slices.Clone(long)
	slices.Reverse(reversed)
	for _, tc := range []struct {
		name   string
		stream string
		back   bool
		from   esdb.StreamPosition
		count  uint64
		want   []uint64
	}{
		{"forwards from the start", "ten", false, esdb.Start{}, 3, []uint64{0, 1, 2}},
		{"forwards from a revision, inclusive", "ten", false, esdb.Revision(8), 9, []uint64{8, 9}},
		{"forwards from past the end", "ten", false, esdb.Revision(10), 9, nil},
		{"backwards from the end", "ten", true, esdb.End{}, 2, []uint64{9, 8}},
		{"backwards from a revision, inclusive", "ten", true, esdb.Revision(1), 9, []uint64{1, 0}},
		{"backwards from past the end", "ten", true, esdb.Revision(100), 1, []uint64{9}},
		{"backwards from the start", "ten", true, esdb.Start{}, 9, []uint64{0}},
		{"no more than the count", "ten", false, esdb.Start{}, 1, []uint64{0}},
		{"everything over several pages", "long", false, esdb.Start{}, math.MaxInt64, long},
		{"everything backwards over several pages", "long", true, esdb.End{}, math.MaxInt64, reversed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := esdb.ReadStreamOptions{From: tc.from}
			if tc.back {
				o.Direction = esdb.Backwards
			}
			got, err := drainRead(c.ReadStream(t.Context(), tc.stream, o, tc.count))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(revisions(got), tc.want) {
				t.Errorf("got revisions %v, want %v", revisions(got), tc.want)
			}
		})
	}
	t.Run("forwards from the end, or nothing at all, is an error as at the server", func(t *testing.T) {
		for from, count := range map[esdb.StreamPosition]uint64{esdb.End{}: 9, esdb.Start{}: 0} {
			if _, err := drainRead(c.ReadStream(t.Context(), "ten", esdb.ReadStreamOptions{From: from}, count)); grpcCode(
				err) != codes.Unknown {
				t.Errorf("%d from %T: %v", count, from, err)
			}
		}
	})
	t.Run("a stream that is not there", func(t *testing.T) {
		if _, err := drainRead(c.ReadStream(t.Context(), "nothing", esdb.ReadStreamOptions{}, 1)); code(
			err) != esdb.ErrorCodeResourceNotFound {
			t.Errorf("got %v, want not found", err)
		}
	})
}

func TestEventsComeBackAsTheyWereWritten(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 30, 0, 123456700, time.UTC)
	c := connect(t, start(t, Options{Now: func() time.Time { return at }}).Address())
	binary := esdb.EventData{EventID: testID("binary"), EventType: "Scan", ContentType: esdb.ContentTypeBinary,
		Data: []byte{0, 255, 10}}
	empty := esdb.EventData{EventID: testID("empty"), EventType: "ñandú", ContentType: esdb.ContentTypeJson}
	r := write(t, c, "año-1", esdb.NoStream{}, event("Created", "a"), binary, empty)
	got, err := drainRead(c.ReadStream(t.Context(), "año-1", esdb.ReadStreamOptions{}, 10))
	if err != nil || len(got) != 3 {
		t.Fatal(len(got), err)
	}
	for i, want := range []esdb.EventData{event("Created", "a"), binary, empty} {
		e := got[i].Event
		if e.EventID != want.EventID || e.EventType != want.EventType || string(e.Data) != string(want.Data) ||
			string(e.UserMetadata) != string(want.Metadata) || e.StreamID != "año-1" || e.EventNumber != uint64(i) {
			t.Errorf("event %d: got %+v, want %+v", i, e, want)
		}
		if !e.CreatedDate.Equal(at) {
			t.Errorf("event %d: created %s, want %s", i, e.CreatedDate, at)
		}
	}
	if got[1].Event.ContentType != "application/octet-stream" || got[0].Event.ContentType != "application/json" {
		t.Errorf("content types %q and %q", got[0].Event.ContentType, got[1].Event.ContentType)
	}
	if last := got[2].Event.Position; last.Commit != r.CommitPosition || last.Prepare != r.PreparePosition {
		t.Errorf("position %+v, the append answered %d", last, r.CommitPosition)
	}
}

func TestReadAll(t *testing.T) {
	c := open(t)
	var ids []string
	for i := range 300 {
		write(t, c, fmt.Sprintf("s-%d", i%7), esdb.Any{}, event("E", i))
		ids = append(ids, testID(i).String())
	}
	all, err := drainRead(c.ReadAll(t.Context(), esdb.ReadAllOptions{}, math.MaxInt64))
	if err != nil {
		t.Fatal(err)
	}
	read := func(back bool, from esdb.AllPosition, count uint64) []string {
		t.Helper()
		o := esdb.ReadAllOptions{From: from}
		if back {
			o.Direction = esdb.Backwards
		}
		es, err := drainRead(c.ReadAll(t.Context(), o, count))
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range es {
			out = append(out, e.Event.EventID.String())
		}
		return out
	}
	back := slices.Clone(ids)
	slices.Reverse(back)
	at := all[150].Event.Position
	past := esdb.Position{Commit: all[299].Event.Position.Commit + 1000, Prepare: all[299].Event.Position.Commit + 1000}
	for _, tc := range []struct {
		name string
		got  []string
		want []string
	}{
		{"forwards from the start", read(false, esdb.Start{}, math.MaxInt64), ids},
		{"forwards from a position, inclusive", read(false, at, math.MaxInt64), ids[150:]},
		{"forwards, counted", read(false, at, 130), ids[150:280]},
		{"forwards from the end", read(false, esdb.End{}, 10), nil},
		{"forwards from past the end", read(false, past, 10), nil},
		{"backwards from the end", read(true, esdb.End{}, math.MaxInt64), back},
		{"backwards from a position, exclusive", read(true, at, math.MaxInt64), back[150:]},
		{"backwards from past the end", read(true, past, 2), back[:2]},
		{"backwards from the start", read(true, esdb.Start{}, 10), nil},
	} {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("%s: got %d events, want %d", tc.name, len(tc.got), len(tc.want))
		}
	}
	for i := 1; i < len(all); i++ {
		if all[i].Event.Position.Commit <= all[i-1].Event.Position.Commit {
			t.Fatalf("position %d follows %d", all[i].Event.Position.Commit, all[i-1].Event.Position.Commit)
		}
	}
}

func TestMetadataBoundsReads(t *testing.T) {
	clock := newClock()
	c := connect(t, start(t, Options{Now: clock.now}).Address())
	meta := func(stream string, set func(*esdb.StreamMetadata)) {
		t.Helper()
		m := esdb.StreamMetadata{}
		set(&m)
		if _, err := c.SetStreamMetadata(t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}},
			m); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []string{"count", "before", "age", "both", "plain"} {
		write(t, c, s, esdb.NoStream{}, events("E", s, 0, 5)...)
		clock.advance(time.Minute)
		write(t, c, s, esdb.Revision(4), events("E", s, 5, 10)...)
		clock.advance(-time.Minute)
	}
	clock.advance(90 * time.Second)
	meta("count", func(m *esdb.StreamMetadata) { m.SetMaxCount(3) })
	meta("before", func(m *esdb.StreamMetadata) { m.SetTruncateBefore(8) })
	meta("age", func(m *esdb.StreamMetadata) { m.SetMaxAge(time.Minute) })
	meta("both", func(m *esdb.StreamMetadata) { m.SetMaxCount(7); m.SetMaxAge(time.Minute); m.SetTruncateBefore(6) })
	write(t, c, "$$plain", esdb.NoStream{}, esdb.EventData{EventID: testID("bad"), EventType: "$metadata",
		ContentType: esdb.ContentTypeJson, Data: []byte(`{"$maxCount":`)})
	for stream, want := range map[string][]uint64{
		"count": {7, 8, 9}, "before": {8, 9}, "age": {5, 6, 7, 8, 9}, "both": {6, 7, 8, 9},
		"plain": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
	} {
		forwards, err := drainRead(c.ReadStream(t.Context(), stream, esdb.ReadStreamOptions{}, 100))
		if err != nil || !slices.Equal(revisions(forwards), want) {
			t.Errorf("%s forwards: got %v (%v), want %v", stream, revisions(forwards), err, want)
		}
		slices.Reverse(want)
		back, err := drainRead(c.ReadStream(t.Context(), stream,
			esdb.ReadStreamOptions{From: esdb.End{}, Direction: esdb.Backwards}, 100))
		if err != nil || !slices.Equal(revisions(back), want) {
			t.Errorf("%s backwards: got %v (%v), want %v", stream, revisions(back), err, want)
		}
	}
	meta("count", func(m *esdb.StreamMetadata) { m.SetMaxCount(1) })
	if m, err := c.GetStreamMetadata(t.Context(), "count", esdb.ReadStreamOptions{}); err != nil || m.MaxCount() == nil ||
		*m.MaxCount() != 1 {
		t.Errorf("the newest metadata is not what a reader gets: %+v, %v", m, err)
	}
	clock.advance(time.Hour)
	if es, err := drainRead(c.ReadStream(t.Context(), "age", esdb.ReadStreamOptions{}, 100)); err != nil || len(es) != 0 {
		t.Errorf("a stream of old events: got %d events and %v, want none and no error", len(es), err)
	}
	if es, err := drainRead(c.ReadAll(t.Context(), esdb.ReadAllOptions{}, 1000)); err != nil || len(es) != 50+6 {
		t.Errorf("$all must keep showing everything: got %d events, %v", len(es), err)
	}
}

func TestResolveLinks(t *testing.T) {
	c := open(t)
	write(t, c, "target", esdb.NoStream{}, events("E", "target", 0, 2)...)
	link := func(data string) esdb.EventData {
		return esdb.EventData{EventID: testID("link", data), EventType: "$>", ContentType: esdb.ContentTypeBinary,
			Data: []byte(data)}
	}
	write(t, c, "links", esdb.NoStream{}, link("1@target"), link("7@target"), link("0@nowhere"), link("no link"))
	got, err := drainRead(c.ReadStream(t.Context(), "links", esdb.ReadStreamOptions{ResolveLinkTos: true}, 10))
	if err != nil || len(got) != 4 {
		t.Fatal(len(got), err)
	}
	if got[0].Event == nil || got[0].Event.StreamID != "target" || got[0].Event.EventNumber != 1 ||
		got[0].Link.EventNumber != 0 {
		t.Errorf("a good link: %+v", got[0])
	}
	for _, i := range []int{1, 2} {
		if got[i].Event != nil || got[i].Link == nil {
			t.Errorf("link %d to nothing: %+v", i, got[i])
		}
	}
	if got[3].Link != nil || got[3].Event == nil || got[3].Event.EventType != "$>" {
		t.Errorf("an unreadable link: %+v", got[3])
	}
	plain, err := drainRead(c.ReadStream(t.Context(), "links", esdb.ReadStreamOptions{}, 1))
	if err != nil || plain[0].Link != nil || plain[0].Event.StreamID != "links" {
		t.Errorf("links must stay links when not asked for: %+v, %v", plain[0], err)
	}
}
