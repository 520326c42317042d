package authority

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"folio/events"
)

// CallResult says in one word what came of an exchange.
type CallResult string

// The results of an exchange.
const (
	Answered CallResult = "answered"
	Refused  CallResult = "refused"   // it answered, and declined
	Broken   CallResult = "broken"    // it answered that it cannot work now
	Unsent   CallResult = "not_sent"  // it surely saw nothing
	TimedOut CallResult = "timeout"   // it may have seen the call
	NoAnswer CallResult = "no_answer" // likewise: nothing came that could be understood
)

// CallResultOf is the result of an exchange that ended with err. That the authority has not decided yet is an answer.
func CallResultOf(err error) CallResult {
	var m *Message
	var slow net.Error
	switch {
	case err == nil, errors.Is(err, ErrPending):
		return Answered
	case errors.As(err, &m):
		if m.Broken {
			return Broken
		}
		return Refused
	case errors.Is(err, ErrNotSent):
		return Unsent
	case errors.Is(err, ErrRefused):
		return Refused
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return TimedOut
	}
	return NoAnswer
}

// Files keeps bodies by their content.
type Files interface {
	StoreFile(ctx context.Context, content []byte) (sha256 string, err error)
}

// Calls are the exchanges of a call, in order. The zero value is ready, and safe for
// concurrent use.
type Calls struct {
	mu  sync.Mutex
	all []Exchange
}

// Record notes an exchange: it is a Recorder.
func (c *Calls) Record(e Exchange) { c.Add(e) }

// Add notes several.
func (c *Calls) Add(es ...Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, es...)
}

// All are those that were noted so far.
func (c *Calls) All() []Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.all)
}

// Keep stores the bodies of exchanges, each once, and returns what an event names of them.
func Keep(ctx context.Context, files Files, all []Exchange) ([]events.Call, error) {
	out := make([]events.Call, len(all))
	for i, e := range all {
		out[i] = events.Call{Operation: e.Operation, At: e.At.UTC(), Fault: e.Fault}
		for _, part := range []struct {
			content []byte
			sha     *string
		}{{e.Request, &out[i].Request}, {e.Answer, &out[i].Answer}} {
			if len(part.content) == 0 {
				continue
			}
			sha, err := files.StoreFile(ctx, part.content)
			if err != nil {
				return nil, fmt.Errorf("keep the call %s: %w", e.Operation, err)
			}
			*part.sha = sha
		}
	}
	return out, nil
}

// Describe is an error of a driver in words that a caller may read: the authority's own
// if it said something, and no addresses of ours.
func Describe(err error) string {
	var m *Message
	switch {
	case errors.As(err, &m):
		return m.Error()
	case errors.Is(err, ErrNotSent):
		return events.Because("it could not be reached")
	case errors.Is(err, context.DeadlineExceeded):
		return events.Because("it did not answer in time")
	}
	return events.Because("it gave no answer that could be understood")
}
