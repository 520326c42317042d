package eventstore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/clock"
)

// session is one client with its connection, from the first attempt to its end.
// A client that lost its connection leaks it on reconnect, and one that gave up
// never answers again; so a session is retired at the first sign of trouble and
// closed when its last user has left (closing earlier would panic in the client).
type session struct {
	client *esdb.Client
	ready  chan struct{} // closed when the first attempt is over
	err    error         // of the first attempt; read after ready

	mu      sync.Mutex
	users   int
	retired bool
	ended   chan struct{}

	// moved ends when the session is retired: who reads or follows through it goes on
	// through the next one, since nothing may come from this one any more.
	moved context.Context
	move  context.CancelFunc
}

// newSession has one user, the caller.
func newSession(config esdb.Configuration) (*session, error) {
	client, err := esdb.NewClient(&config)
	if err != nil {
		return nil, &failure{kind: ErrUnavailable, cause: err, undone: true}
	}
	s := &session{client: client, ready: make(chan struct{}), ended: make(chan struct{}), users: 1}
	s.moved, s.move = context.WithCancel(context.Background())
	return s, nil
}

// acquire returns a connected session that the caller must leave. Only one
// goroutine connects; all others wait for it or for their context.
func (l *Log) acquire(ctx context.Context) (*session, error) {
	for {
		s, err := l.current()
		if err != nil {
			return nil, err
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return nil, &failure{kind: ErrUnavailable, cause: l.whyNot(ctx.Err()), repeatable: true, undone: true}
		}
		if s.err != nil {
			return nil, s.err
		}
		if s.enter() {
			return s, nil
		}
		l.forget(s)
	}
}

func (l *Log) current() (*session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, &failure{kind: ErrClosed, undone: true}
	}
	if l.cur != nil {
		return l.cur, nil
	}
	s, err := newSession(l.config)
	if err != nil {
		return nil, err
	}
	l.cur = s
	go l.establish(s)
	return s, nil
}

// establish makes the client connect, for which asking for the version is enough, and
// verifies which log it is connected to.
func (l *Log) establish(s *session) {
	defer s.leave()
	defer close(s.ready)
	began := time.Now()
	v, err := recovered(s.client.GetServerVersion)
	if err == nil {
		err = checkVersion(v)
	}
	if err == nil {
		err = l.verify(l.ctx, s)
	}
	if err == nil {
		err = l.tie(s)
	}
	if err == nil {
		l.note(nil)
		return
	}
	f := explain(err)
	f.undone = true
	s.err = f
	l.note(f)
	l.judge(began, f, f)
	l.forget(s)
	s.retire()
}

// note keeps why the last attempt to connect failed, nil when it did not.
func (l *Log) note(err error) {
	l.mu.Lock()
	l.unconnected = err
	l.mu.Unlock()
}

// whyNot adds that reason to the end of a wait for the connection.
func (l *Log) whyNot(ended error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unconnected == nil {
		return ended
	}
	return fmt.Errorf("%w: %w", ended, l.unconnected)
}

// checkVersion refuses servers that never say when a subscription has caught up.
func checkVersion(v *esdb.ServerVersion) error {
	if v.Major > 23 || (v.Major == 23 && v.Minor >= 10) {
		return nil
	}
	return &failure{kind: errServer, cause: fmt.Errorf("server has version %d.%d, Folio needs EventStoreDB 23.10 or newer",
		v.Major, v.Minor)}
}

// forget makes the next acquire start a new session, unless another already has.
func (l *Log) forget(s *session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cur == s {
		l.cur = nil
	}
}

// distrust retires s after a failure that says its connection is of no more use.
func (l *Log) distrust(s *session) {
	l.forget(s)
	s.retire()
}

func (s *session) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired {
		return false
	}
	s.users++
	return true
}

// stay adds a second use to one that the caller already has.
func (s *session) stay() {
	s.mu.Lock()
	s.users++
	s.mu.Unlock()
}

func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	s.closeIfUnused()
}

func (s *session) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.retired {
		s.retired = true
		s.move()
		s.closeIfUnused()
	}
}

func (s *session) closeIfUnused() {
	if s.retired && s.users == 0 {
		_ = s.client.Close() // always nil
		close(s.ended)
	}
}

func (s *session) awaitEnd(d time.Duration) {
	clock.SleepUnless(context.Background(), d, s.ended)
}

// guarded runs one call of the client, which may hang or panic, and returns when
// it is done or ctx ends. A call left behind keeps its session until it returns.
func guarded[T any](ctx context.Context, s *session, call func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	s.stay()
	go func() {
		defer s.leave()
		v, err := recovered(call)
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

// recovered turns a panic of the client into an error: it panics on messages that
// it does not know and on trailers that it expects.
func recovered[T any](call func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &failure{kind: ErrUnavailable, cause: fmt.Errorf("client panicked: %v", p), repeatable: true, broken: true}
		}
	}()
	return call()
}
