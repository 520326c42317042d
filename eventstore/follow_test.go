package eventstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"folio/events"
	"folio/eventstore"
)

func TestAFollowerGoesOnWhereItWasAfterARestart(t *testing.T) {
	f, l := running(t)
	fill(t, l, "s-1", 3)
	states := make(chan eventstore.FollowState, 1000)
	batches, stop := following(t, l, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{
		OnState: func(s eventstore.FollowState) { states <- s }})
	out, _ := until(t, batches, 3, true)
	for i := range 3 {
		f.stop()
		for s := range states { // hears of it
			if s.Err != nil && !s.Connected && !s.Since.IsZero() {
				break
			}
		}
		f.start(t)
		if _, err := l.Append(t.Context(), "s-1", int64(2+i), pending("Happened", string(rune('a'+i)))); err != nil {
			t.Fatal(err)
		}
		more, _ := until(t, batches, 1, true)
		out = append(out, more...)
	}
	wantRevisions(t, out, 6)
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestEventsThatASubscriptionRepeatsAreHeardOnce(t *testing.T) {
	f, l := running(t)
	fill(t, l, "s-1", 5)
	n := 0
	f.reading = func(_ int, req *streams.ReadReq, out streams.Streams_ReadServer) (bool, error) {
		if req.GetOptions().GetSubscription() == nil {
			return false, nil
		}
		n++
		if err := out.Send(confirmation()); err != nil {
			return true, err
		}
		for _, e := range f.stored[:min(n+1, 5)] { // always from the start, whatever was asked
			if err := out.Send(eventMessage(e)); err != nil {
				return true, err
			}
		}
		return true, status.Error(codes.Unavailable, "dropped")
	}
	batches, stop := following(t, l, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{})
	out, last := until(t, batches, 5, false)
	wantRevisions(t, out, 5)
	if last.CaughtUp {
		t.Error("caught up without the server saying so")
	}
	_ = stop()
}

func TestTheHandlersErrorEndsFollowAndNothingElseIsHandled(t *testing.T) {
	_, l := running(t)
	fill(t, l, "s-1", 5)
	boom, calls := errors.New("boom"), 0
	err := l.Follow(t.Context(), events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{MaxBatch: 2},
		func(_ context.Context, b eventstore.Batch) error {
			if len(b.Events) > 2 {
				t.Errorf("batch of %d", len(b.Events))
			}
			calls++
			return boom
		})
	if err != boom || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}

func TestCheckpointsMoveThePositionWithoutEvents(t *testing.T) {
	_, l := running(t)
	fill(t, l, "s-1", 40)
	end, err := l.End(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	batches, stop := following(t, l, events.Position{}, eventstore.Filter{Types: []string{"Else"}},
		eventstore.FollowOptions{})
	out, last := until(t, batches, 0, true)
	if len(out) != 0 || last.Position != end {
		t.Errorf("%d events, position %v, the end is %v", len(out), last.Position, end)
	}
	_ = stop()
}

func TestASubscriptionThatIsNeverConfirmedIsTriedAgain(t *testing.T) {
	f := newFake(t)
	f.start(t)
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), CallTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fill(t, l, "s-1", 2)
	f.reading = func(n int, _ *streams.ReadReq, out streams.Streams_ReadServer) (bool, error) {
		if n > 2 {
			return false, nil
		}
		<-out.Context().Done()
		return true, nil
	}
	batches, stop := following(t, l, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{})
	out, _ := until(t, batches, 2, true)
	wantRevisions(t, out, 2)
	_ = stop()
}

func TestAFilterOfBothKindsIsRefused(t *testing.T) {
	_, l := running(t)
	for name, f := range map[string]eventstore.Filter{
		"both":             {Types: []string{"A"}, Streams: []string{"s-"}},
		"an empty prefix":  {Streams: []string{""}},
		"a server's type":  {Types: []string{"$metadata"}},
		"a server's place": {Streams: []string{"$ce-"}},
	} {
		err := l.Follow(t.Context(), events.Position{}, f, eventstore.FollowOptions{},
			func(context.Context, eventstore.Batch) error { return nil })
		if !errors.Is(err, eventstore.ErrInvalid) {
			t.Errorf("follow, %s: %v", name, err)
		}
		if _, err := collect(l.All(t.Context(), events.Position{}, f)); !errors.Is(err, eventstore.ErrInvalid) {
			t.Errorf("all, %s: %v", name, err)
		}
	}
}
