package writeapi_test

import (
	"context"
	"strings"
	"sync"

	"folio/eventstore"
	"folio/eventstore/memory"
	"folio/projections/projectiontest"
)

// journal is the event log, which breaks where a test wants it to.
type journal struct {
	projectiontest.Source
	mu sync.Mutex
	// before is asked before each append; its error is the answer, and nothing is kept.
	before func(stream string) error
	// after is asked when the events are kept: its error is an answer that got lost.
	after func(stream string) error
	// broken are streams that cannot be read.
	broken map[string]error
	reads  []string // streams that were read
	calls  []any    // numberOfCall of each append
}

// numberOfCall is, in a context, the number of the call that is made under it.
type numberOfCall struct{}

func (j *journal) Append(
	ctx context.Context, stream string, expected int64, ps ...eventstore.Pending,
) (eventstore.Appended, error) {
	j.mu.Lock()
	j.calls = append(j.calls, ctx.Value(numberOfCall{}))
	j.mu.Unlock()
	return j.Source.Append(ctx, stream, expected, ps...)
}

func newJournal() *journal {
	j := &journal{Source: projectiontest.Source{Log: memory.New()}}
	j.Break(memory.Faults{
		Append: func(stream string, _ int64, _ []eventstore.Pending) error {
			j.mu.Lock()
			before := j.before
			j.mu.Unlock()
			if before == nil {
				return nil
			}
			return before(stream)
		},
		Answer: func(stream string, outcome error) error {
			j.mu.Lock()
			after := j.after
			j.mu.Unlock()
			if outcome != nil || after == nil {
				return outcome
			}
			return after(stream)
		},
		Read: func(stream string) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.reads = append(j.reads, stream)
			return j.broken[stream]
		},
	})
	return j
}

// hook sets what happens before appends; nil takes it away.
func (j *journal) hook(before func(stream string) error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.before = before
}

func (j *journal) unreadable(stream string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.broken = map[string]error{stream: err}
}

// losing loses the answer of the next append to a stream with the prefix.
func (j *journal) losing(prefix string) {
	j.lost(once(prefix))
}

// lost sets what becomes of the answers of appends that are kept; nil takes it away.
func (j *journal) lost(after func(stream string) error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.after = after
}

// failing refuses the next append to a stream with the prefix.
func (j *journal) failing(prefix string) { j.hook(once(prefix)) }

func once(prefix string) func(stream string) error {
	var once sync.Once
	return func(stream string) (err error) {
		if strings.HasPrefix(stream, prefix) {
			once.Do(func() { err = eventstore.ErrUnavailable })
		}
		return err
	}
}

// read tells which streams were read since the last call.
func (j *journal) read() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	read := j.reads
	j.reads = nil
	return read
}
