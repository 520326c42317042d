package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"folio/eventstore"
)

func appending(t *testing.T, open func(t *testing.T) Log) {
	t.Run("only the exact expectation is accepted", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		p.conflicts(s, 0, p.event("A", "too early"))
		if a := p.put(s, eventstore.NoStream, p.event("A", "0")); a.Revision != 0 {
			t.Errorf("first revision is %d", a.Revision)
		}
		p.conflicts(s, eventstore.NoStream, p.event("A", "again"))
		if a := p.put(s, 0, p.event("A", "1"), p.event("A", "2")); a.Revision != 2 {
			t.Errorf("last revision is %d, want 2", a.Revision)
		}
		for _, wrong := range []int64{eventstore.NoStream, 0, 1, 3, 1 << 40} {
			p.conflicts(s, wrong, p.event("A", fmt.Sprint("wrong", wrong)))
		}
		if n := p.length(s); n != 3 {
			t.Errorf("%d events, want 3", n)
		}
	})

	t.Run("a repeated append succeeds with the same answer and writes nothing", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		first, second := p.many("a", 3), p.many("b", 2)
		a, b := p.put(s, eventstore.NoStream, first...), p.put(s, 2, second...)
		for range 2 {
			if again := p.put(s, eventstore.NoStream, first...); again != a {
				t.Errorf("answered %+v, first %+v", again, a)
			}
			if again := p.put(s, 2, second...); again != b {
				t.Errorf("answered %+v, first %+v", again, b)
			}
		}
		if n := p.length(s); n != 5 {
			t.Errorf("%d events, want 5", n)
		}
	})

	t.Run("an append that repeats only in part conflicts", func(t *testing.T) {
		p := newPlace(t, open(t))
		s, all := p.stream("1"), p.many("a", 4)
		p.put(s, eventstore.NoStream, all[:3]...)
		p.conflicts(s, eventstore.NoStream, all[0], all[1], p.event("A", "other"))
		p.conflicts(s, eventstore.NoStream, all[1], all[0])
		p.conflicts(s, eventstore.NoStream, all...)
		p.conflicts(s, 0, all[0])
		if n := p.length(s); n != 3 {
			t.Errorf("%d events, want 3", n)
		}
	})

	t.Run("an id may be used in two streams", func(t *testing.T) {
		p := newPlace(t, open(t))
		p.put(p.stream("1"), eventstore.NoStream, p.event("A", "same"))
		p.put(p.stream("2"), eventstore.NoStream, p.event("A", "same"))
		if n := p.length(p.stream("2")); n != 1 {
			t.Errorf("%d events in the second stream", n)
		}
	})

	t.Run("events come back as they were given", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("ñandú/ä ö-☃")
		e := p.event("Ocurrió", "0")
		e.Data = json.RawMessage("{ \"total\" : \"1.10\", \"n\": 1.10e2,\n \"u\": \"ñ\\u00f1☃\" }")
		a := p.put(s, eventstore.NoStream, e)
		got := p.all(p.Read(t.Context(), s, 0))[0]
		if string(got.Raw) != string(e.Data) || got.ID != e.ID.String() || got.Type != e.Type || got.Stream != s {
			t.Errorf("got %+v", got)
		}
		if !reflect.DeepEqual(got.Meta, e.Meta) || got.Revision != 0 || got.Position != a.Position || got.Event != nil {
			t.Errorf("got %+v, appended %+v with %+v", got, a, e.Meta)
		}
	})

	t.Run("bytes that are no JSON and further metadata come back, under names of their own", func(t *testing.T) {
		p := newPlace(t, open(t))
		s, e := p.stream("1"), p.event("A", "0")
		e.Data, e.Binary = json.RawMessage("\xff no JSON"), true
		e.Extra = map[string]string{"tenant": "ñ", "$other": "<&>"}
		p.put(s, eventstore.NoStream, e)
		got := p.all(p.Read(t.Context(), s, 0))[0]
		if string(got.Raw) != string(e.Data) || !reflect.DeepEqual(eventstore.Extra(got), e.Extra) ||
			!reflect.DeepEqual(got.Meta, e.Meta) {
			t.Errorf("got %+v", got)
		}
		e = p.event("A", "1")
		e.Extra = map[string]string{"schema": "2"}
		if _, err := p.Append(t.Context(), s, 0, e); !errors.Is(err, eventstore.ErrInvalid) {
			t.Errorf("metadata under one of our names: %v", err)
		}
	})

	t.Run("an event of nearly a mebibyte fits and more is refused", func(t *testing.T) {
		p := newPlace(t, open(t))
		s, big := p.stream("1"), p.event("A", "big")
		big.Data = json.RawMessage(`"` + strings.Repeat("x", 1<<20-1024) + `"`)
		p.put(s, eventstore.NoStream, big)
		if r := p.all(p.Read(t.Context(), s, 0)); string(r[0].Raw) != string(big.Data) {
			t.Error("other bytes came back")
		}
		over := p.event("A", "over")
		over.Data = json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
		if _, err := p.Append(t.Context(), s, 0, over); !errors.Is(err, eventstore.ErrTooLarge) {
			t.Errorf("got %v", err)
		}
	})

	t.Run("a cancelled context appends nothing", func(t *testing.T) {
		p := newPlace(t, open(t))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := p.Append(ctx, p.stream("1"), eventstore.NoStream, p.event("A", "0"))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func contending(t *testing.T, open func(t *testing.T) Log) {
	const appenders, rounds = 64, 8
	t.Run("64 appenders on one stream have one winner per revision", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		var won [rounds]atomic.Int64
		var wg sync.WaitGroup
		for i := range appenders {
			wg.Go(func() {
				for round := range rounds {
					// Two events each: a loser must not leave half of its own.
					name := fmt.Sprintf("%d.%d", round, i)
					_, err := p.Append(t.Context(), s, int64(2*round-1), p.event("A", name+"a"), p.event("A", name+"b"))
					switch {
					case err == nil:
						won[round].Add(1)
					case !errors.Is(err, eventstore.ErrConflict):
						t.Errorf("round %d: %v", round, err)
					}
				}
			})
		}
		wg.Wait()
		for round := range won {
			if n := won[round].Load(); n > 1 {
				t.Errorf("round %d has %d winners", round, n)
			}
		}
		got := names(t, p.all(p.Read(t.Context(), s, 0)))
		if len(got) == 0 || len(got)%2 != 0 {
			t.Fatalf("%d events", len(got))
		}
		for i := 0; i < len(got); i += 2 {
			if strings.TrimSuffix(got[i], "a") != strings.TrimSuffix(got[i+1], "b") || won[i/2].Load() != 1 {
				t.Errorf("revision %d: %s then %s, %d winners", i, got[i], got[i+1], won[i/2].Load())
			}
		}
	})

	t.Run("appenders that reload and try again all get in, and the log agrees with the stream", func(t *testing.T) {
		p := newPlace(t, open(t))
		s, start := p.stream("1"), p.end()
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				for n := range 4 {
					expected := eventstore.NoStream
					for {
						_, err := p.Append(t.Context(), s, expected, p.event("A", fmt.Sprintf("%d.%d", i, n)))
						if err == nil {
							break
						}
						last, found, rerr := p.ReadLast(t.Context(), s)
						if !errors.Is(err, eventstore.ErrConflict) || rerr != nil || !found {
							t.Errorf("append: %v, read last: %v, found %v", err, rerr, found)
							return
						}
						expected = int64(last.Revision)
					}
				}
			})
		}
		wg.Wait()
		stream := names(t, p.all(p.Read(t.Context(), s, 0)))
		log := names(t, p.all(p.All(t.Context(), start, eventstore.Filter{Streams: []string{s}})))
		if len(stream) != 64 || !reflect.DeepEqual(stream, log) {
			t.Errorf("stream has %d events %v\nlog has %d events %v", len(stream), stream, len(log), log)
		}
	})
}
