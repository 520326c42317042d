package eventstore_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"folio/events"
	"folio/eventstore"
)

// breakingAfter lets the first reads end with err after some events.
func breakingAfter(f *fake, times, events int,
	err error) func(int, *streams.ReadReq, streams.Streams_ReadServer) (bool, error) {
	return func(n int, req *streams.ReadReq, out streams.Streams_ReadServer) (bool, error) {
		if n > times {
			return false, nil
		}
		f.mu.Lock()
		stored := f.stored
		f.mu.Unlock()
		from := req.Options.GetStream().GetRevision()
		for _, e := range stored {
			if e.StreamRevision < from || e.CommitPosition < req.Options.GetAll().GetPosition().GetCommitPosition() {
				continue
			}
			if events == 0 {
				break
			}
			events--
			if err := out.Send(eventMessage(e)); err != nil {
				return true, err
			}
		}
		return true, err
	}
}

func TestAReadThatBreaksIsTakenUpWhereItBroke(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
	}{
		{"server going away", status.Error(codes.Unavailable, "going away")},
		{"not the leader any more, and no leader known", status.Error(codes.NotFound, "Leader info available")},
		{"stream reset", status.Error(codes.Internal, "stream terminated by RST_STREAM with error code: PROTOCOL_ERROR")},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, l := running(t)
			fill(t, l, "s-1", 10)
			f.reading = breakingAfter(f, 3, 4, c.err)
			out, err := collect(l.Read(t.Context(), "s-1", 0))
			if err != nil {
				t.Fatal(err)
			}
			wantRevisions(t, out, 10)

			f.reading = breakingAfter(f, f.count(&f.reads)+3, 4, c.err)
			out, err = collect(l.All(t.Context(), events.Position{}, eventstore.Filter{}))
			if err != nil {
				t.Fatal(err)
			}
			wantRevisions(t, out, 10)
		})
	}
}

func TestAReadErrorIsNeverTakenForTheEnd(t *testing.T) {
	for _, c := range []struct {
		name        string
		answer, err error
	}{
		{"corrupt", status.Error(codes.DataLoss, "checksum of event 3 is wrong"), nil},
		{"deleted", status.Error(codes.FailedPrecondition, "Event stream 's-1' is deleted."), eventstore.ErrStreamDeleted},
		{"no right", status.Error(codes.PermissionDenied, "Access Denied"), eventstore.ErrUnauthenticated},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, l := running(t)
			fill(t, l, "s-1", 10)
			f.reading = breakingAfter(f, 1, 3, c.answer)
			out, err := collect(l.Read(t.Context(), "s-1", 0))
			if err == nil || (c.err != nil && !errors.Is(err, c.err)) {
				t.Errorf("got error %v", err)
			}
			if len(out) != 3 {
				t.Errorf("%d events before the error, want 3", len(out))
			}
		})
	}
}

func TestASilentServerEndsTheReadWithAnError(t *testing.T) {
	f := newFake(t)
	f.start(t)
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), CallTimeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f.reading = silent
	if _, err := collect(l.Read(t.Context(), "s-1", 0)); !errors.Is(err, eventstore.ErrUnavailable) {
		t.Errorf("read: %v", err)
	}
	if _, err := l.End(t.Context()); !errors.Is(err, eventstore.ErrUnavailable) {
		t.Errorf("end: %v", err)
	}
	if _, _, err := l.ReadLast(t.Context(), "s-1"); !errors.Is(err, eventstore.ErrUnavailable) {
		t.Errorf("read last: %v", err)
	}
}

// The log's own patience is far from its end here: on a machine that stood still both would be at theirs.
func TestTheCallersTimeEndsARead(t *testing.T) {
	f := newFake(t)
	f.start(t)
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), CallTimeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f.reading = silent
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := l.End(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("end: %v", err)
	}
}

// silent takes a read and never answers.
func silent(_ int, _ *streams.ReadReq, out streams.Streams_ReadServer) (bool, error) {
	<-out.Context().Done()
	return true, out.Context().Err()
}

func TestASlowConsumerIsNotASilentServer(t *testing.T) {
	f := newFake(t)
	f.start(t)
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), CallTimeout: 30 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fill(t, l, "s-1", 3)
	n := 0
	for _, err := range l.Read(t.Context(), "s-1", 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		time.Sleep(60 * time.Millisecond) // the slowness itself is under test
	}
	if n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestReadsThatAreLeftEarlyLeaveNothingBehind(t *testing.T) {
	_, l := running(t)
	fill(t, l, "s-1", 200)
	if _, _, err := l.ReadLast(t.Context(), "s-1"); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	for range 30 {
		for _, err := range l.Read(t.Context(), "s-1", 0) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	settles(t, before+3)
}

func TestAMessageThatTheClientPanicsOnIsAnError(t *testing.T) {
	f, l := running(t)
	f.reading = func(n int, _ *streams.ReadReq, out streams.Streams_ReadServer) (bool, error) {
		if n > 2 {
			return false, nil
		}
		return true, out.Send(&streams.ReadResp{Content: &streams.ReadResp_FirstStreamPosition{}})
	}
	fill(t, l, "s-1", 2)
	out, err := collect(l.Read(t.Context(), "s-1", 0))
	if err != nil {
		t.Fatal(err)
	}
	wantRevisions(t, out, 2)
}

func TestMetadataOfOthersDoesNotStopAReader(t *testing.T) {
	f, l := running(t)
	fill(t, l, "s-1", 1)
	f.mu.Lock()
	f.stored[0].CustomMetadata = []byte("\x00 not ours")
	f.mu.Unlock()
	out, err := collect(l.Read(t.Context(), "s-1", 0))
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Meta != (events.Meta{}) {
		t.Errorf("metadata %+v made up", out[0].Meta)
	}
}
