// Package eventstore is Folio's one way to the event log: append with an exact
// expectation, read, and follow. It wraps EventStore-Client-Go/v4, whose limits it
// hides (see docs of Open), and speaks to the embedded node and to an EventStoreDB
// or KurrentDB cluster alike. It deals in bytes: what an event means is decided by
// package events.
package eventstore

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"

	"folio/events"
)

// NoStream is the expectation that the stream does not exist yet.
const NoStream int64 = -1

// Defaults of Options.
const (
	DefaultCallTimeout    = 10 * time.Second
	DefaultConnectTimeout = 30 * time.Second
	DefaultProbeEvery     = time.Second
	DefaultAwayAfter      = 3 * time.Second
	DefaultMaxAppend      = 1 << 20 // EventStoreDB's own MaxAppendSize
)

// Options say which log to open and how patient to be.
type Options struct {
	// Address is an EventStoreDB connection string (esdb://, esdb+discover://,
	// kurrentdb://, kurrentdb+discover://), or unix:///path of an embedded node.
	Address string
	// Prefix stands before the name of every stream of ours, so that several applications,
	// or several Folios, may share a server. Callers never see it: names are given and
	// returned without it, and what is in streams without it is not selected by any Filter.
	Prefix string
	// Logger receives the client's own chatter at debug level; nil discards it.
	Logger *slog.Logger
	// CallTimeout bounds an append with all its repetitions, and the silence of a
	// read between two events. Zero is DefaultCallTimeout.
	CallTimeout time.Duration
	// ConnectTimeout bounds Open. Zero is DefaultConnectTimeout.
	ConnectTimeout time.Duration
	// ProbeEvery is how often a log that nobody appends to is asked whether it is there. Zero
	// is DefaultProbeEvery.
	ProbeEvery time.Duration
	// AwayAfter is how long the log must have failed, without an answer, before it counts as
	// away and calls are refused at once; shorter trouble, such as a restart, is waited out by
	// the calls. A probe waits as long for its answer. Zero is DefaultAwayAfter.
	AwayAfter time.Duration
	// MaxAppend is the server's limit in bytes for one append: data, metadata and
	// twice the length of the types. Zero is DefaultMaxAppend.
	MaxAppend int
}

// Pending is an event that waits to be appended. ID must be derived from the
// request, never drawn: it makes a repeated append harmless.
type Pending struct {
	ID   uuid.UUID
	Type string
	Meta events.Meta
	Data json.RawMessage
	// Binary says that Data is not JSON. No event of Folio's is.
	Binary bool
	// Extra is metadata beside Meta, under names that Meta does not use.
	Extra map[string]string
	// RawMeta, when given, are the bytes of the metadata in place of Meta and Extra: of an event that was stored
	// before.
	RawMeta []byte
}

// Appended says where the last event of an append is.
type Appended struct {
	Revision uint64
	Position events.Position
}

// Filter selects events by exact type or by prefix of the stream's name; at most
// one of the three is given. Empty selects everything. Events whose type or stream
// starts with $ belong to the server and are not selected otherwise than by Touched.
type Filter struct {
	Types   []string
	Streams []string
	// Touched selects what was done to streams with a server's own tools: the metadata that
	// cut or delete one, in the stream $$NAME, and the tombstone in NAME.
	Touched bool
}

// The server's own events that Touched selects.
const (
	metadataSet   = "$metadata"
	streamDeleted = "$streamDeleted"
)

// Log is a connection to the event log. It is safe for concurrent use; one per
// process is enough. It reconnects by itself, at once or with growing pauses.
type Log struct {
	o      Options
	config esdb.Configuration

	ctx  context.Context // ends with Close
	stop context.CancelFunc

	monitor    *monitor
	suspicion  chan struct{} // a call failed: probe now
	seen       atomic.Uint64 // the highest commit position that the log has certainly reached
	lastAppend atomic.Int64  // when an append was answered, in Unix nanoseconds
	lastRead   atomic.Int64  // when a read received an event

	mu          sync.Mutex
	cur         *session
	store       string // the id that the log must have; empty: any
	closed      bool
	unconnected error // see whyNot
}

// Open connects and returns when the log answers; ErrUnavailable when it does not
// within ConnectTimeout, another error when the address or the server can never
// work. What the client lacks and Log adds: contexts are honoured while
// connecting, a lost or given-up connection is replaced, answers that were lost are
// asked for again under the same event ids, reads resume where they broke, and
// nothing is written to the standard logger.
func Open(ctx context.Context, o Options) (*Log, error) {
	if o.CallTimeout <= 0 {
		o.CallTimeout = DefaultCallTimeout
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = DefaultConnectTimeout
	}
	if o.ProbeEvery <= 0 {
		o.ProbeEvery = DefaultProbeEvery
	}
	if o.AwayAfter <= 0 {
		o.AwayAfter = DefaultAwayAfter
	}
	if o.MaxAppend <= 0 {
		o.MaxAppend = DefaultMaxAppend
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if strings.HasPrefix(o.Prefix, "$") || !utf8.ValidString(o.Prefix) {
		return nil, fmt.Errorf("open event log: stream prefix %q: it must be text that does not start with $", o.Prefix)
	}
	config, err := configure(o.Address, o.Logger)
	if err != nil {
		return nil, fmt.Errorf("open event log: %w", err)
	}
	l := &Log{o: o, config: *config, monitor: newMonitor(o.AwayAfter), suspicion: make(chan struct{}, 1)}
	l.ctx, l.stop = context.WithCancel(context.Background())

	within, cancel := context.WithTimeout(ctx, o.ConnectTimeout)
	defer cancel()
	if err := l.connect(within); err != nil {
		l.Close()
		return nil, fmt.Errorf("open event log: %w", err)
	}
	l.monitor.speak(o.Logger)
	go l.watch()
	return l, nil
}

// connect tries until the log answers or the failure is final, and says once that it waits.
func (l *Log) connect(ctx context.Context) error {
	for try := 0; ; try++ {
		s, err := l.acquire(ctx)
		if err == nil {
			s.leave()
			return nil
		}
		f := explain(err)
		if !f.repeatable {
			return f
		}
		if try == 0 {
			l.o.Logger.Warn("event log does not answer yet, waiting for it", "at_most", l.o.ConnectTimeout, "error", f)
		}
		if !pause(ctx, try) {
			return f.orEnded(ctx)
		}
	}
}

// Close ends every call, read and follow of l (with ErrClosed) and lets go of the
// connection. Closing twice is harmless.
func (l *Log) Close() error {
	l.mu.Lock()
	s := l.cur
	l.closed, l.cur = true, nil
	l.mu.Unlock()
	l.stop()
	if s != nil {
		s.retire()
		s.awaitEnd(time.Second)
	}
	return nil
}

// bound derives a context that also ends with l, and after d when d is not zero.
func (l *Log) bound(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	var cancel context.CancelFunc
	if d > 0 {
		ctx, cancel = context.WithTimeout(ctx, d)
	} else {
		ctx, cancel = context.WithCancel(ctx)
	}
	detach := context.AfterFunc(l.ctx, cancel)
	return ctx, func() { detach(); cancel() }
}

// while is bound for a call: it also ends, with a *failure as its cause, when the log is known
// to be away for its use. Nobody waits for what will not come.
func (l *Log) while(ctx context.Context, u use, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := l.bound(ctx, d)
	ctx, cancel := context.WithCancelCause(ctx)
	open := l.monitor.during(u)
	if open.Err() != nil {
		cancel(context.Cause(open))
	}
	detach := context.AfterFunc(open, func() { cancel(context.Cause(open)) })
	return ctx, func() { detach(); cancel(nil); end() }
}

// suspect makes the probe come at once: a failed call is no verdict on the log, but a hint.
func (l *Log) suspect() {
	select {
	case l.suspicion <- struct{}{}:
	default:
	}
}
