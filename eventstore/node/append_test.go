package node

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestAppendExpectations(t *testing.T) {
	c := open(t)
	write(t, c, "three", esdb.NoStream{}, events("E", "three", 0, 3)...)
	write(t, c, "deleted", esdb.NoStream{}, events("E", "deleted", 0, 3)...)
	if _, err := c.DeleteStream(t.Context(), "deleted",
		esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.TombstoneStream(t.Context(), "gone",
		esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	ok := esdb.ErrorCode(-1)
	for _, tc := range []struct {
		name     string
		stream   string
		expected esdb.ExpectedRevision
		code     esdb.ErrorCode
		next     uint64
	}{
		{"no stream on a new stream writes", "new-1", esdb.NoStream{}, ok, 1},
		{"any on a new stream writes", "new-2", esdb.Any{}, ok, 1},
		{"stream exists on a new stream conflicts", "new-3", esdb.StreamExists{}, esdb.ErrorCodeWrongExpectedVersion, 0},
		{"revision 0 on a new stream conflicts", "new-4", esdb.Revision(0), esdb.ErrorCodeWrongExpectedVersion, 0},
		{"no stream on a stream conflicts", "three", esdb.NoStream{}, esdb.ErrorCodeWrongExpectedVersion, 0},
		{"a revision behind the end conflicts", "three", esdb.Revision(1), esdb.ErrorCodeWrongExpectedVersion, 0},
		{"a revision past the end conflicts", "three", esdb.Revision(3), esdb.ErrorCodeWrongExpectedVersion, 0},
		{"the exact revision writes", "three", esdb.Revision(2), ok, 4},
		{"any on a stream writes", "three", esdb.Any{}, ok, 6},
		{"stream exists on a stream writes", "three", esdb.StreamExists{}, ok, 8},
		{"stream exists on a soft-deleted stream is refused", "deleted", esdb.StreamExists{}, esdb.ErrorCodeStreamDeleted, 0},
		{"no stream on a soft-deleted stream goes on after its end", "deleted", esdb.NoStream{}, ok, 4},
		{"a tombstoned stream takes nothing", "gone", esdb.Any{}, esdb.ErrorCodeStreamDeleted, 0},
		{"a tombstoned stream takes nothing at no stream either", "gone", esdb.NoStream{}, esdb.ErrorCodeStreamDeleted, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := c.AppendToStream(t.Context(), tc.stream, esdb.AppendToStreamOptions{ExpectedRevision: tc.expected},
				event("E", t.Name(), 1), event("E", t.Name(), 2))
			if got := code(err); got != tc.code {
				t.Fatalf("got error %v (code %d), want code %d", err, got, tc.code)
			}
			if err == nil && r.NextExpectedVersion != tc.next {
				t.Errorf("got revision %d, want %d", r.NextExpectedVersion, tc.next)
			}
		})
	}
}

func TestAppendIdempotence(t *testing.T) {
	stored := events("E", "s", 0, 4)
	fresh := event("E", "fresh")
	again := func(from, to int) []esdb.EventData { return slices.Clone(stored[from:to]) }
	ok := esdb.ErrorCode(-1)
	cases := []struct {
		name     string
		expected esdb.ExpectedRevision
		events   []esdb.EventData
		code     esdb.ErrorCode
		next     uint64
		length   int
	}{
		{"the whole append again changes nothing", esdb.NoStream{}, again(0, 4), ok, 3, 4},
		{"its beginning again changes nothing and answers its own end", esdb.NoStream{}, again(0, 2), ok, 1, 4},
		{"its middle again at its revision changes nothing", esdb.Revision(0), again(1, 3), ok, 2, 4},
		{"the same events at another revision conflict", esdb.Revision(1), again(1, 3), esdb.ErrorCodeWrongExpectedVersion, 0,
			4},
		{"a repetition with one event more conflicts", esdb.NoStream{}, append(again(0, 4), fresh),
			esdb.ErrorCodeWrongExpectedVersion, 0, 4},
		{"a later event that differs conflicts", esdb.NoStream{}, append(again(0, 1), fresh),
			esdb.ErrorCodeWrongExpectedVersion, 0, 4},
		{"known events at any change nothing", esdb.Any{}, again(1, 3), ok, 2, 4},
		{"known events at stream exists change nothing", esdb.StreamExists{}, again(3, 4), ok, 3, 4},
		{"known, then unknown at any conflicts", esdb.Any{}, append(again(0, 1), fresh), esdb.ErrorCodeWrongExpectedVersion,
			0, 4},
		{"unknown first at any writes all", esdb.Any{}, append([]esdb.EventData{fresh}, again(0, 1)...), ok, 5, 6},
		{"the exact revision writes the same ids again", esdb.Revision(3), again(0, 1), ok, 4, 5},
	}
	dir := t.TempDir()
	n, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, n.Address())
	first := map[string]uint64{}
	for _, tc := range cases {
		first[tc.name] = write(t, c, tc.name, esdb.NoStream{}, stored...).CommitPosition
	}
	stop(t, n) // the rules must hold across a restart
	c = connect(t, start(t, Options{Dir: dir}).Address())
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r, err := c.AppendToStream(t.Context(), tc.name, esdb.AppendToStreamOptions{ExpectedRevision: tc.expected},
				tc.events...)
			if code(err) != tc.code {
				t.Fatalf("got error %v, want code %d", err, tc.code)
			}
			if err == nil && r.NextExpectedVersion != tc.next {
				t.Errorf("got revision %d, want %d", r.NextExpectedVersion, tc.next)
			}
			if err == nil && tc.next == 3 && r.CommitPosition != first[tc.name] {
				t.Errorf("got position %d, want that of the first append, %d", r.CommitPosition, first[tc.name])
			}
			all, err := drainRead(c.ReadStream(t.Context(), tc.name, esdb.ReadStreamOptions{}, 100))
			if err != nil || len(all) != tc.length {
				t.Errorf("stream holds %d events (%v), want %d", len(all), err, tc.length)
			}
		})
	}
}

func TestAnyStaysIdempotentAsTheStreamGrows(t *testing.T) {
	c := open(t)
	write(t, c, "s", esdb.NoStream{}, event("E", 0))
	write(t, c, "s", esdb.Revision(0), event("E", 0)) // at the exact revision the same id is a new event
	for i := 1; i < 5; i++ {
		write(t, c, "s", esdb.Any{}, event("E", i))
		r := write(t, c, "s", esdb.Any{}, event("E", i))
		if want := uint64(i + 1); r.NextExpectedVersion != want {
			t.Fatalf("repeat of event %d answered revision %d, want %d", i, r.NextExpectedVersion, want)
		}
	}
	// The same id in another stream is another event.
	if r := write(t, c, "other", esdb.Any{}, event("E", 1)); r.NextExpectedVersion != 0 {
		t.Errorf("got revision %d in a new stream", r.NextExpectedVersion)
	}
}

func TestAppendSizeLimit(t *testing.T) {
	c := connect(t, start(t, Options{MaxAppendSize: 1000}).Address())
	half := event("E", 1)
	half.Data = []byte(strings.Repeat("x", 480))
	half.Metadata = nil
	many := make([]esdb.EventData, 20_000)
	for i := range many {
		many[i] = event("E", "many", i)
	}
	exact := half
	exact.EventID = testID("exact")
	exact.Data = []byte(strings.Repeat("x", 998-482))
	for _, tc := range []struct {
		name   string
		events []esdb.EventData
		code   codes.Code
	}{
		{"just at the limit is taken", []esdb.EventData{half, exact}, codes.OK},
		{"one byte more is refused", []esdb.EventData{half, exact, event("E", 2)}, codes.InvalidArgument},
		{"far more still gets the reason, not a broken call", many, codes.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := c.AppendToStream(t.Context(), t.Name(), esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}},
				tc.events...)
			if got := grpcCode(err); got != tc.code {
				t.Fatalf("got %v (%s), want %s", err, got, tc.code)
			}
			if err != nil && !strings.Contains(err.Error(), "1000") {
				t.Errorf("the error does not name the limit: %v", err)
			}
		})
	}
}

func grpcCode(err error) codes.Code {
	if err == nil {
		return codes.OK
	}
	if code(err) == esdb.ErrorCodeStreamDeleted {
		return codes.FailedPrecondition // the client keeps no more of the status
	}
	type causer interface{ Unwrap() error }
	for e := err; e != nil; {
		if st, ok := status.FromError(e); ok {
			return st.Code()
		}
		u, ok := e.(causer)
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	return codes.Unknown
}

func TestConcurrentAppendsToOneStream(t *testing.T) {
	c := open(t)
	const writers, each = 8, 10
	var group sync.WaitGroup
	var conflicts, wins sync.Map
	for w := range writers {
		group.Go(func() {
			for i := 0; i < each; {
				tail, err := drainRead(c.ReadStream(t.Context(), "s",
					esdb.ReadStreamOptions{Direction: esdb.Backwards, From: esdb.End{}}, 1))
				expected := esdb.ExpectedRevision(esdb.NoStream{})
				if err == nil && len(tail) == 1 {
					expected = esdb.Revision(tail[0].Event.EventNumber)
				}
				r, err := c.AppendToStream(t.Context(), "s", esdb.AppendToStreamOptions{ExpectedRevision: expected},
					event("E", w, i))
				switch {
				case err == nil:
					if _, twice := wins.LoadOrStore(r.NextExpectedVersion, w); twice {
						t.Errorf("revision %d was given out twice", r.NextExpectedVersion)
					}
					i++
				case code(err) == esdb.ErrorCodeWrongExpectedVersion:
					conflicts.Store(w, true)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	all, err := drainRead(c.ReadStream(t.Context(), "s", esdb.ReadStreamOptions{}, 1000))
	if err != nil || len(all) != writers*each {
		t.Fatalf("stream holds %d events (%v), want %d", len(all), err, writers*each)
	}
}
