package eventstore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
)

// TestMain fails when anything was written to the standard logger, as the client does
// unless it is kept from it.
func TestMain(m *testing.M) {
	var written bytes.Buffer
	log.SetOutput(&written)
	code := m.Run()
	if code == 0 && written.Len() > 0 {
		fmt.Fprintf(os.Stderr, "written to the standard logger:\n%s", written.Bytes())
		code = 1
	}
	os.Exit(code)
}

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// pending makes an event whose id is derived from its name.
func pending(typ, name string) eventstore.Pending {
	return eventstore.Pending{
		ID: uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)), Type: typ,
		Meta: events.Meta{Schema: 1, Actor: "test", At: at},
		Data: json.RawMessage(fmt.Sprintf(`{"name":%q}`, name)),
	}
}

// open connects to f with limits short enough for tests.
func open(t *testing.T, f *fake) *eventstore.Log {
	t.Helper()
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), CallTimeout: 2 * time.Second,
		ConnectTimeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// running is a started fake with a log on it.
func running(t *testing.T) (*fake, *eventstore.Log) {
	t.Helper()
	f := newFake(t)
	f.start(t)
	return f, open(t, f)
}

// fill appends n events to stream, named stream-0, stream-1, ...
func fill(t *testing.T, l *eventstore.Log, stream string, n int) {
	t.Helper()
	ps := make([]eventstore.Pending, n)
	for i := range ps {
		ps[i] = pending("Happened", fmt.Sprintf("%s-%d", stream, i))
	}
	if _, err := l.Append(t.Context(), stream, eventstore.NoStream, ps...); err != nil {
		t.Fatal(err)
	}
}

func collect(seq iter.Seq2[events.Recorded, error]) (out []events.Recorded, err error) {
	for r, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

// wantRevisions checks that out is revisions 0 to n-1, none missing, none twice.
func wantRevisions(t *testing.T, out []events.Recorded, n int) {
	t.Helper()
	if len(out) != n {
		t.Fatalf("got %d events, want %d", len(out), n)
	}
	for i, r := range out {
		if r.Revision != uint64(i) {
			t.Fatalf("event %d has revision %d", i, r.Revision)
		}
	}
}

// settles waits until the number of goroutines is at most most.
func settles(t *testing.T, most int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > most {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, want at most %d\n%s", runtime.NumGoroutine(), most, buf[:runtime.Stack(buf, true)])
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
}

// following runs Follow in the background: what it delivered comes over batches.
func following(t *testing.T, l *eventstore.Log, after events.Position, f eventstore.Filter,
	o eventstore.FollowOptions) (<-chan eventstore.Batch, func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	batches, ended := make(chan eventstore.Batch, 1000), make(chan error, 1)
	go func() {
		ended <- l.Follow(ctx, after, f, o, func(_ context.Context, b eventstore.Batch) error {
			batches <- b
			return nil
		})
	}()
	return batches, func() error {
		cancel()
		return <-ended
	}
}

// until gathers events from batches until there are n and, if asked, it caught up.
func until(t *testing.T, batches <-chan eventstore.Batch, n int,
	caughtUp bool) (out []events.Recorded, last eventstore.Batch) {
	t.Helper()
	patience := time.After(time.Minute)
	for len(out) < n || (caughtUp && !last.CaughtUp) {
		select {
		case last = <-batches:
			out = append(out, last.Events...)
		case <-patience:
			t.Fatalf("got %d events of %d, caught up %v", len(out), n, last.CaughtUp)
		}
	}
	return out, last
}
