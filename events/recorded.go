// Package events holds every fact that Folio can record, and nothing else: the
// structs, their stored names, and how old shapes are lifted to the present one.
package events

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Event is a recorded fact. Only types of this package satisfy it.
type Event interface{ fact() }

// Fact is embedded by every event struct; it closes the Event interface.
type Fact struct{}

func (Fact) fact() {}

// Position is a place in the whole log. The zero value is before the first event.
// EventStoreDB gives a pair; positions of different logs cannot be compared.
type Position struct {
	Commit  uint64 `json:"commit"`
	Prepare uint64 `json:"prepare"`
}

// Compare is -1, 0 or 1: commit first, prepare second.
func (p Position) Compare(q Position) int {
	if c := cmp.Compare(p.Commit, q.Commit); c != 0 {
		return c
	}
	return cmp.Compare(p.Prepare, q.Prepare)
}

// Before is p < q.
func (p Position) Before(q Position) bool { return p.Compare(q) < 0 }

// IsZero says that p is before the first event.
func (p Position) IsZero() bool { return p == Position{} }

// String is EventStoreDB's way to write a position: "C:12/P:12".
func (p Position) String() string {
	return "C:" + strconv.FormatUint(p.Commit, 10) + "/P:" + strconv.FormatUint(p.Prepare, 10)
}

// ParsePosition reads what String wrote and refuses everything else. Events have the same number twice; where a log is
// read with a filter, what was looked at may end at a position whose second number is lower, which answers give to go
// on after. No log has one whose second number is higher: whoever names it has mistyped it.
func ParsePosition(s string) (p Position, err error) {
	commit, prepare, _ := strings.Cut(strings.TrimPrefix(s, "C:"), "/P:")
	if p.Commit, err = strconv.ParseUint(commit, 10, 64); err == nil {
		p.Prepare, err = strconv.ParseUint(prepare, 10, 64)
	}
	if err != nil || p.String() != s {
		return Position{}, fmt.Errorf("%.40q is not a position like C:12/P:12", s)
	}
	if p.Commit < p.Prepare {
		return Position{}, fmt.Errorf("%.60q is no position of a log: its second number is higher than the first", s)
	}
	return p, nil
}

// ParseEventPosition reads the position of an event: a log gives every event of Folio one whose numbers are the same.
func ParseEventPosition(s string) (Position, error) {
	p, err := ParsePosition(s)
	if err == nil && (p.IsZero() || p.Commit != p.Prepare) {
		err = fmt.Errorf("%.60q is the position of no event: its two numbers are the same in every answer", s)
	}
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

// Meta travels with an event without being part of the fact. The first two names
// are the ones that EventStoreDB's own tools understand.
type Meta struct {
	Correlation string    `json:"$correlationId,omitempty"`
	Causation   string    `json:"$causationId,omitempty"`
	Schema      int       `json:"schema"`
	Actor       string    `json:"actor,omitempty"`   // account, key id or processor
	Request     string    `json:"request,omitempty"` // id of the execution that recorded it
	At          time.Time `json:"at"`                // UTC
}

// Recorded is an event as the log returned it.
type Recorded struct {
	ID       string
	Stream   string
	Revision uint64 // within the stream, from 0
	Position Position
	Type     string
	Meta     Meta
	Logged   time.Time       // UTC, by the log's own clock: when it was appended
	RawMeta  []byte          // stored bytes of the metadata
	Raw      json.RawMessage // stored bytes, before lifting
	Event    Event           // nil until Open
	memo     *memo           // see Shared
}

// memo is what the copies of a record decode once.
type memo struct {
	once  sync.Once
	event Event
	err   error
}

// Shared gives a record whose copies are decoded once, by the first that is opened: for those who hear the same log
// in one process. What Open gives of such a record belongs to all of them and is not to be changed.
func (r Recorded) Shared() Recorded {
	if r.Event == nil && r.memo == nil {
		r.memo = &memo{}
	}
	return r
}

func (r Recorded) decoded() (Event, error) {
	if r.memo == nil {
		return Decode(r.Type, r.Meta.Schema, r.Raw)
	}
	r.memo.once.Do(func() { r.memo.event, r.memo.err = Decode(r.Type, r.Meta.Schema, r.Raw) })
	return r.memo.event, r.memo.err
}

// Open decodes r's bytes; hearing an unknown type or a newer schema is a *Trouble.
func Open(r Recorded) (Recorded, error) {
	if r.Event != nil {
		return r, nil
	}
	e, err := r.decoded()
	if err != nil {
		return r, r.About(Unreadable, err)
	}
	r.Event = e
	return r, nil
}
