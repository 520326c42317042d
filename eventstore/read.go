package eventstore

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"sync/atomic"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/events"
)

// everything is the count of a read without limit; the servers' own clients send it.
const everything = math.MaxInt64

// How many events a read may hold that the caller has not taken: a stream is short as a
// rule, and room for many costs as much as reading it.
const (
	streamAhead = 8
	allAhead    = 64
)

// Read yields the events of stream from revision from on (inclusive), oldest first, and
// without a hole: the first one is at from, each following one at the next revision. A
// stream that never existed yields nothing. A read that breaks is taken up where it broke;
// an error is yielded, as the last pair, when the log stays silent for CallTimeout
// (ErrUnavailable), refuses (ErrUnauthenticated) or ctx ends: the end of the loop without
// an error is the end of the stream. A stream that an operator cut or deleted is a
// *events.Trouble of that kind; a tombstoned one is ErrStreamDeleted, too. That a stream
// was deleted is not noticed by reading on from a revision above 0.
func (l *Log) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		next := from
		s := source{
			ahead: streamAhead,
			open: func(ctx context.Context, c *esdb.Client) (*esdb.ReadStream, error) {
				opts := esdb.ReadStreamOptions{Direction: esdb.Forwards, From: esdb.Revision(next)}
				return c.ReadStream(ctx, l.o.Prefix+stream, opts, everything)
			},
			take: func(r events.Recorded) bool {
				next = r.Revision + 1
				return true
			},
		}
		d := dense{stream: stream, next: from, yield: yield}
		l.stream(ctx, s, fmt.Sprintf("read %.200s", stream), d.take)
		if !d.over && d.next == 0 {
			if err := l.emptied(ctx, stream); err != nil {
				yield(events.Recorded{}, err)
			}
		}
	}
}

// ReadLast returns the last event of stream; false when the stream does not exist.
func (l *Log) ReadLast(ctx context.Context, stream string) (events.Recorded, bool, error) {
	s := source{open: func(ctx context.Context, c *esdb.Client) (*esdb.ReadStream, error) {
		return c.ReadStream(ctx, l.o.Prefix+stream, esdb.ReadStreamOptions{Direction: esdb.Backwards, From: esdb.End{}}, 1)
	}}
	return l.one(ctx, s, fmt.Sprintf("read last of %.200s", stream))
}

// All yields the events of the whole log after a position (exclusive; zero is the
// beginning) in log order up to its present end, as selected by f. The whole log is
// read and f applied here. Errors as for Read, and ErrInvalid for a wrong filter.
func (l *Log) All(ctx context.Context, after events.Position, f Filter) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		wanted, err := f.Matcher()
		if err != nil {
			yield(events.Recorded{}, fmt.Errorf("read all: %w", err))
			return
		}
		last, started := after, !after.IsZero()
		s := source{
			ahead: allAhead,
			open: func(ctx context.Context, c *esdb.Client) (*esdb.ReadStream, error) {
				opts := esdb.ReadAllOptions{Direction: esdb.Forwards, From: esdb.Start{}}
				if started {
					opts.From = esdb.Position{Commit: last.Commit, Prepare: last.Prepare}
				}
				return c.ReadAll(ctx, opts, everything)
			},
			take: func(r events.Recorded) bool {
				// A read from a position includes it; so does one taken up again. The
				// first event of a log may itself have the zero position.
				if started && !last.Before(r.Position) {
					return false
				}
				last, started = r.Position, true
				return wanted(r)
			},
		}
		l.stream(ctx, s, "read all after "+after.String(), yield)
	}
}

// End is the position of the last event of the log, a server's own included; zero
// when the log is empty.
func (l *Log) End(ctx context.Context) (events.Position, error) {
	s := source{open: func(ctx context.Context, c *esdb.Client) (*esdb.ReadStream, error) {
		return c.ReadAll(ctx, esdb.ReadAllOptions{Direction: esdb.Backwards, From: esdb.End{}}, 1)
	}}
	r, _, err := l.one(ctx, s, "read end of the log")
	return r.Position, err
}

// one returns the first event of s.
func (l *Log) one(ctx context.Context, s source, op string) (r events.Recorded, found bool, err error) {
	l.stream(ctx, s, op, func(got events.Recorded, e error) bool {
		r, found, err = got, e == nil, e
		return false
	})
	return r, found, err
}

// source is a read that can be opened again where it stopped: take hears every
// event in order and says whether it is wanted.
type source struct {
	ahead int // events that wait for the caller at most
	open  func(context.Context, *esdb.Client) (*esdb.ReadStream, error)
	take  func(events.Recorded) bool
}

type item struct {
	r   events.Recorded
	err error
}

// stream runs s in a goroutine of its own, because the client may hang regardless of
// ctx, and yields what it delivers.
func (l *Log) stream(ctx context.Context, s source, op string, yield func(events.Recorded, error) bool) {
	within, cancel := l.while(ctx, reading, 0)
	defer cancel()
	items := make(chan item, s.ahead)
	var seen progress
	go l.pump(within, s, items, &seen)

	began, waiting := time.Now(), true
	silence := time.NewTimer(Left(ctx, l.o.CallTimeout))
	defer silence.Stop()
	fail := func(err error) { yield(events.Recorded{}, fmt.Errorf("%s: %w", op, err)) }
	defer func() {
		if waiting {
			spend(ctx, began)
		}
	}()
	for {
		select {
		case it, more := <-items:
			if waiting { // what the caller does with the events is no wait for the log
				waiting = false
				spend(ctx, began)
			}
			switch {
			case within.Err() != nil:
				fail(l.ended(ctx, within, seen.failure()))
				return
			case !more:
				return
			case it.err != nil:
				fail(it.err)
				return
			}
			l.saw(it.r.Position)
			if !yield(it.r, nil) {
				return
			}
			silence.Reset(l.o.CallTimeout)
		case <-within.Done():
			fail(l.ended(ctx, within, seen.failure()))
			return
		case <-silence.C:
			if seen.moved() {
				silence.Reset(l.o.CallTimeout)
				continue
			}
			fail(&failure{kind: seen.failure(), cause: fmt.Errorf("no answer for %v", l.o.CallTimeout)})
			return
		}
	}
}

// progress is what the goroutine of a read tells the one that waits for it.
type progress struct {
	events atomic.Int64 // received, wanted or not
	before int64        // at the last call of moved; the waiting side's own
	last   atomic.Pointer[failure]
}

// moved says whether anything was received since the last call.
func (p *progress) moved() bool {
	now := p.events.Load()
	was := p.before
	p.before = now
	return now != was
}

func (p *progress) failure() *failure {
	if f := p.last.Load(); f != nil {
		return f
	}
	return &failure{kind: ErrUnavailable}
}

// pump reads s to its end, through as many connections as it takes.
func (l *Log) pump(ctx context.Context, s source, out chan<- item, seen *progress) {
	defer close(out)
	for try := 0; ; try++ {
		before := seen.events.Load()
		err := l.pumpOnce(ctx, s, out, seen)
		if err == nil {
			return
		}
		f := explain(err)
		if !f.repeatable {
			send(ctx, out, item{err: f})
			return
		}
		seen.last.Store(f)
		if seen.events.Load() > before {
			try = 0
		}
		if !pause(ctx, try) {
			return
		}
	}
}

// pumpOnce returns nil only at the end of what the server has.
func (l *Log) pumpOnce(ctx context.Context, s source, out chan<- item, seen *progress) error {
	sess, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	defer sess.leave()
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	detach := context.AfterFunc(sess.moved, cancel)
	defer detach()
	_, err = recovered(func() (struct{}, error) {
		return struct{}{}, l.receive(within, s, sess.client, out, seen)
	})
	if err == nil {
		return nil
	}
	f := explain(err)
	if f.kind == errNoStream {
		return nil
	}
	if !f.answer() {
		l.suspect()
	}
	if f.broken && ctx.Err() == nil {
		l.distrust(sess)
	}
	return f
}

func (l *Log) receive(ctx context.Context, s source, c *esdb.Client, out chan<- item, seen *progress) error {
	rs, err := s.open(ctx, c)
	if err != nil {
		return err
	}
	defer rs.Close()
	for {
		e, err := rs.Recv()
		if err == io.EOF {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		r, err := l.record(e)
		if err != nil {
			return err
		}
		seen.events.Add(1)
		l.lastRead.Store(time.Now().UnixNano())
		if s.take != nil && !s.take(r) {
			continue
		}
		if !send(ctx, out, item{r: r}) {
			return ctx.Err()
		}
	}
}

func send(ctx context.Context, out chan<- item, it item) bool {
	select {
	case out <- it:
		return true
	case <-ctx.Done():
		return false
	}
}
