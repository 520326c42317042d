package eventstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"folio/events"
)

// Append writes ps to stream, all or nothing, if the stream's last revision is
// expected (NoStream: the stream does not exist). Repeating an append with the same
// ids and expectation succeeds with the same answer and writes nothing. Errors:
// ErrConflict, ErrStreamDeleted, ErrTooLarge, ErrInvalid, ErrUnauthenticated, and
// ErrUnavailable or ctx's error after Append has asked again, with the same ids, for as
// long as CallTimeout and ctx allowed. Nothing was written unless the error is also
// ErrOutcomeUnknown.
func (l *Log) Append(ctx context.Context, stream string, expected int64, ps ...Pending) (Appended, error) {
	a, err := l.append(ctx, stream, expected, ps)
	if err != nil {
		return Appended{}, fmt.Errorf("append to %.200s expecting %s: %w", stream, revision(expected), err)
	}
	return a, nil
}

func (l *Log) append(ctx context.Context, stream string, expected int64, ps []Pending) (Appended, error) {
	data, err := encode(stream, expected, ps, l.o.MaxAppend)
	if err != nil {
		return Appended{}, err
	}
	defer spend(ctx, time.Now())
	within, cancel := l.while(ctx, appending, Left(ctx, l.o.CallTimeout))
	defer cancel()

	if within.Err() != nil {
		return Appended{}, l.ended(ctx, within, &failure{kind: ErrUnavailable, undone: true})
	}
	unknown := false
	for try := 0; ; try++ {
		a, f := l.appendOnce(within, stream, expected, data)
		if f == nil {
			return a, nil
		}
		unknown = (unknown || !f.undone) && !f.settles()
		if f.repeatable && pause(within, try) {
			continue
		}
		var err error = f
		if f.repeatable {
			err = l.ended(ctx, within, f)
		}
		if unknown {
			err = &failure{kind: ErrOutcomeUnknown, cause: err}
		}
		return Appended{}, err
	}
}

// ended is the error of a call that could be repeated no longer: ctx is the
// caller's, within the one with our own limits.
func (l *Log) ended(ctx, within context.Context, last *failure) error {
	switch {
	case l.ctx.Err() != nil:
		return &failure{kind: ErrClosed, cause: last}
	case ctx.Err() != nil:
		return last.orEnded(ctx)
	}
	away := (*failure)(nil)
	if errors.As(context.Cause(within), &away) {
		return away
	}
	return last.orEnded(within)
}

// appendOnce makes one attempt, in half of the whole time so that another follows.
func (l *Log) appendOnce(ctx context.Context, stream string, expected int64,
	data []esdb.EventData) (Appended, *failure) {
	s, err := l.acquire(ctx)
	if err != nil {
		return Appended{}, explain(err)
	}
	defer s.leave()
	limit := l.o.CallTimeout / 2
	attempt, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	detach := context.AfterFunc(s.moved, cancel)
	defer detach()

	opts := esdb.AppendToStreamOptions{ExpectedRevision: expectation(expected), Deadline: &limit}
	r, err := guarded(attempt, s, func() (*esdb.WriteResult, error) {
		return s.client.AppendToStream(attempt, l.o.Prefix+stream, opts, data...)
	})
	if err != nil {
		f := explain(err)
		if !f.answer() {
			l.suspect()
		}
		if f.broken && ctx.Err() == nil {
			l.distrust(s)
		}
		return Appended{}, f
	}
	if s.moved.Err() != nil {
		// The connection was replaced meanwhile, perhaps by one to another log, which nobody
		// has verified: whoever may be believed is asked again.
		return Appended{}, &failure{kind: ErrUnavailable, cause: errMoved, repeatable: true}
	}
	l.lastAppend.Store(time.Now().UnixNano())
	l.monitor.appended()
	// The client answers a made-up revision when it does not understand the server.
	if want := uint64(expected + int64(len(data))); expected >= 0 && r.NextExpectedVersion != want {
		return Appended{}, &failure{kind: errServer,
			cause: fmt.Errorf("answered revision %d instead of %d", r.NextExpectedVersion, want)}
	}
	at := events.Position{Commit: r.CommitPosition, Prepare: r.PreparePosition}
	l.saw(at)
	return Appended{Revision: r.NextExpectedVersion, Position: at}, nil
}

func expectation(expected int64) esdb.ExpectedRevision {
	if expected == NoStream {
		return esdb.NoStream{}
	}
	return esdb.Revision(uint64(expected))
}

func revision(expected int64) string {
	if expected == NoStream {
		return "no stream"
	}
	return fmt.Sprintf("revision %d", expected)
}

// Check is the error of an append that can be known before it is sent, to a log that takes so
// many bytes at once.
func Check(stream string, expected int64, ps []Pending, limit int) error {
	_, err := encode(stream, expected, ps, limit)
	return err
}

func encode(stream string, expected int64, ps []Pending, limit int) ([]esdb.EventData, error) {
	if err := checkStream(stream); err != nil {
		return nil, err
	}
	if expected < NoStream {
		return nil, invalid("expected revision %d: only NoStream and revisions from 0 are allowed", expected)
	}
	if len(ps) == 0 {
		return nil, invalid("no events")
	}
	size, seen := 0, make(map[uuid.UUID]bool, len(ps))
	data := make([]esdb.EventData, len(ps))
	for i, p := range ps {
		if err := p.check(); err != nil {
			return nil, invalid("event %d: %w", i, err)
		}
		if seen[p.ID] {
			return nil, invalid("event %d: id %s twice in one append", i, p.ID)
		}
		seen[p.ID] = true
		meta, err := p.Metadata()
		if err != nil {
			return nil, invalid("event %d: metadata: %w", i, err)
		}
		size += len(p.Data) + len(meta) + 2*len(p.Type)
		data[i] = esdb.EventData{
			EventID: p.ID, EventType: p.Type, ContentType: esdb.ContentTypeJson, Data: p.Data, Metadata: meta,
		}
		if p.Binary {
			data[i].ContentType = esdb.ContentTypeBinary
		}
	}
	if size > limit {
		return nil, &failure{kind: ErrTooLarge,
			cause: fmt.Errorf("%d bytes in %d events, the limit is %d", size, len(ps), limit)}
	}
	return data, nil
}

// anyJSON takes for JSON what encoding/json does, which is what the log has had from the start. That one's own check
// takes more than twice as long.
var anyJSON = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

func (p Pending) check() error {
	switch {
	case p.ID == uuid.Nil:
		return errors.New("no id: derive one from the request")
	case p.Type == "" || strings.HasPrefix(p.Type, "$") || !utf8.ValidString(p.Type):
		return fmt.Errorf("type %q: a name is needed that does not start with $", p.Type)
	case !p.Binary && !jsontext.Value(p.Data).IsValid(anyJSON):
		return errors.New("data is not JSON")
	}
	return nil
}

func checkStream(stream string) error {
	if stream == "" || strings.HasPrefix(stream, "$") || !utf8.ValidString(stream) {
		return invalid("stream %q: a name is needed that does not start with $", stream)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &failure{kind: ErrInvalid, cause: fmt.Errorf(format, args...)}
}
