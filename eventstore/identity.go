package eventstore

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/metadata"

	"folio/clock"
	"folio/events"
)

// StoreStream says which log this is: its last event, a StoreCreated, counts.
const StoreStream = "folio-store"

const (
	// verifyWithin bounds the questions about a log's identity on a new connection.
	verifyWithin = 5 * time.Second
	// lagPatience is how long a node may be behind what was seen before it counts as another log.
	lagPatience = 5 * time.Second
	lagPause    = 200 * time.Millisecond
)

// Expect says which log this must be from now on: its id (empty: any), and a position that it
// is known to have reached. Every new connection is verified by them before it is used. It
// returns ErrReplaced when the log that is connected now is not that one.
func (l *Log) Expect(ctx context.Context, store string, at events.Position) error {
	l.saw(at)
	l.mu.Lock()
	l.store = store
	l.mu.Unlock()
	began := time.Now()
	s, err := l.acquire(ctx)
	if err != nil {
		return fmt.Errorf("verify the event log: %w", err)
	}
	defer s.leave()
	if err := l.verify(ctx, s); err != nil {
		f := explain(err)
		l.judge(began, f, f)
		return fmt.Errorf("verify the event log: %w", f)
	}
	return nil
}

// saw notes a position that the log has certainly reached.
func (l *Log) saw(at events.Position) {
	for {
		known := l.seen.Load()
		if at.Commit <= known || l.seen.CompareAndSwap(known, at.Commit) {
			return
		}
	}
}

// verify makes sure that s leads to the log that was seen before, as the leader has it. A node
// that is merely behind is waited for.
func (l *Log) verify(ctx context.Context, s *session) error {
	w, done, err := l.witness(s)
	if err != nil {
		return err
	}
	defer done()
	for began := time.Now(); ; {
		short, err := l.compare(ctx, w)
		switch {
		case err == nil && short == nil:
			return nil
		case err != nil && !isNotLeader(err), time.Since(began) >= lagPatience:
			if err != nil {
				return err
			}
			return short
		case err == nil:
			err = &failure{kind: ErrUnavailable, cause: short, repeatable: true, undone: true}
			l.note(short)
			l.judge(began, explain(err), explain(err))
		}
		// A client that was told who leads is on its way there.
		if !clock.Sleep(ctx, lagPause) {
			return err
		}
	}
}

// tie ends the session with its connection. The client connects again by itself and without a
// word, and the server that it finds then may be another one; so a subscription, to which
// nothing ever happens, is kept on each connection, and its end ends the session. It is tied
// between two looks at the log, so that they were made through this connection.
func (l *Log) tie(s *session) error {
	ctx, cancel := context.WithTimeout(asProbe(s.moved), verifyWithin)
	kept, release := context.WithCancel(asProbe(s.moved))
	defer cancel()
	impatient := context.AfterFunc(ctx, release)
	sub, err := guarded(ctx, s, func() (*esdb.Subscription, error) {
		return s.client.SubscribeToStream(kept, l.name(StoreStream), esdb.SubscribeToStreamOptions{From: esdb.End{}})
	})
	if !impatient() && err == nil {
		err = context.DeadlineExceeded
	}
	if err != nil {
		release()
		return err
	}
	s.stay()
	go func() {
		defer s.leave()
		defer release()
		_, _ = recovered(func() (struct{}, error) {
			for sub.Recv().SubscriptionDropped == nil {
			}
			return struct{}{}, nil
		})
		if s.moved.Err() == nil {
			l.distrust(s)
			l.suspect()
		}
	}()
	return l.verify(l.ctx, s)
}

// name is that of a stream on the server.
func (l *Log) name(stream string) string { return l.o.Prefix + stream }

// witness is the client that is asked: the session's own, unless that one prefers other nodes
// than the leader. Being asked for the leader would take it away from the node it prefers.
func (l *Log) witness(s *session) (_ *session, done func(), err error) {
	if l.config.NodePreference == esdb.NodePreferenceLeader {
		return s, func() {}, nil
	}
	config := l.config
	config.NodePreference = esdb.NodePreferenceLeader
	w, err := newSession(config)
	if err != nil {
		return nil, nil, err
	}
	return w, func() { w.retire(); w.leave() }, nil
}

// compare asks once. short says how the log falls short of what was seen, nil when it does not.
func (l *Log) compare(ctx context.Context, s *session) (short *failure, err error) {
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	seen := l.seen.Load() // before the question: the answer may only be later
	ctx, cancel := context.WithTimeout(asLeader(ctx), verifyWithin)
	defer cancel()
	id, err := guarded(ctx, s, func() (string, error) { return l.storeOf(ctx, s.client) })
	if err != nil {
		return nil, err
	}
	if store != "" && id != "" && id != store {
		return nil, replaced("this is the event log %s, Folio works with %s", id, store)
	}
	last, err := guarded(ctx, s, func() (events.Position, error) { return lastPosition(ctx, s.client) })
	if err != nil {
		return nil, err
	}
	end := last.Commit
	switch {
	case store != "" && id == "":
		return replaced("this event log ends at position %d and has no id, Folio works with the log %s", end, store), nil
	case end < seen:
		return replaced("the event log %s ends at position %d, but position %d was seen in it before: it is an older copy",
			id, end, seen), nil
	}
	return nil, nil
}

func replaced(format string, args ...any) *failure {
	return &failure{kind: ErrReplaced, cause: fmt.Errorf(format, args...), undone: true}
}

// asLeader lets only the leader answer. The client's own option for it sets no header.
func asLeader(ctx context.Context) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "requires-leader", "true")
}

// asProbe marks a call that only asks whether the log is there.
func asProbe(ctx context.Context) context.Context {
	return metadata.AppendToOutgoingContext(ctx, ProbeHeader, "1")
}

// storeOf is the id of the log that client leads to, empty when it has none yet.
func (l *Log) storeOf(ctx context.Context, client *esdb.Client) (string, error) {
	opts := esdb.ReadStreamOptions{Direction: esdb.Backwards, From: esdb.End{}}
	e, err := first(func() (*esdb.ReadStream, error) { return client.ReadStream(ctx, l.name(StoreStream), opts, 1) })
	if err != nil && explain(err).kind == errNoStream {
		return "", nil
	}
	if err != nil || e == nil {
		return "", err
	}
	r, err := l.record(e)
	if err != nil {
		return "", err
	}
	if r, err = events.Open(r); err != nil {
		return "", &failure{kind: errServer, cause: err}
	}
	created, ok := r.Event.(events.StoreCreated)
	if !ok {
		return "", &failure{kind: errServer, cause: fmt.Errorf("the stream %s holds %s: this is not a log of Folio's",
			StoreStream, r.Type)}
	}
	return created.Store, nil
}

// first is the first event of a read, nil without one.
func first(open func() (*esdb.ReadStream, error)) (*esdb.ResolvedEvent, error) {
	return recovered(func() (*esdb.ResolvedEvent, error) {
		rs, err := open()
		if err != nil {
			return nil, err
		}
		defer rs.Close()
		e, err := rs.Recv()
		if err == io.EOF {
			return nil, nil
		}
		return e, err
	})
}
