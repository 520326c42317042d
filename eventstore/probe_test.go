package eventstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"

	"folio/eventstore"
)

// ignores leaves who asks only whether the log is there without an answer while f is silent.
func (f *fake) ignores(ctx context.Context) bool {
	if !f.silent.Load() {
		return false
	}
	select {
	case f.asked <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return true
}

// TestAProbeCutsNoReadThatMovesOn: on a busy machine the probe may be the one that waits longest.
func TestAProbeCutsNoReadThatMovesOn(t *testing.T) {
	f := newFake(t)
	f.start(t)
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), ProbeEvery: 10 * time.Millisecond,
		AwayAfter: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const count = 4
	fill(t, l, "s-1", count)
	f.reading = func(_ int, req *streams.ReadReq, out streams.Streams_ReadServer) (bool, error) {
		for _, e := range f.of("s-1") {
			if e.StreamRevision < req.Options.GetStream().GetRevision() {
				continue
			}
			select { // one event while each probe waits
			case <-f.asked:
			case <-out.Context().Done():
				return true, out.Context().Err()
			}
			if err := out.Send(eventMessage(e)); err != nil {
				return true, err
			}
		}
		return true, nil
	}
	f.silent.Store(true)
	out, err := collect(l.Read(t.Context(), "s-1", 0))
	if err != nil {
		t.Fatal(err)
	}
	wantRevisions(t, out, count)
	if n := f.count(&f.connects); n != 1 {
		t.Errorf("the connection that the read moved on through was replaced: %d connections", n)
	}
	if h := l.Health(); !h.Reads() {
		t.Errorf("a log that answered reads is %q", h.Condition)
	}
}
