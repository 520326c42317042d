package events

import (
	"errors"
	"fmt"
	"iter"
)

// TroubleKind is why a stream cannot be gone on with.
type TroubleKind string

// The kinds of trouble.
const (
	Unreadable  TroubleKind = "unreadable"  // an event cannot be decoded by this program
	Unappliable TroubleKind = "unappliable" // an event can be decoded, and what it means cannot
	Cut         TroubleKind = "cut"         // revisions are missing: $maxCount, $maxAge, $tb, or a deletion
	Deleted     TroubleKind = "deleted"     // nothing is left: soft-deleted, tombstoned or cut as a whole
)

// Trouble is the error of one stream that cannot be read or folded on. It concerns no
// other stream: whoever meets it holds what depends on this one and goes on with the rest.
type Trouble struct {
	Kind     TroubleKind
	Stream   string
	Revision uint64 // first one that cannot be had
	// Next is, of a stream that was cut, the first revision that is there again.
	Next uint64
	// Event and Type are of the event at Revision; empty when it is not there.
	Event string
	Type  string
	Err   error // may be nil
}

// Error names the stream, the revision and what is wrong with it.
func (t *Trouble) Error() string {
	var what string
	switch t.Kind {
	case Cut:
		what = fmt.Sprintf("revisions %d to %d of %s are missing: the stream was cut", t.Revision, t.Next-1, t.Stream)
	case Deleted:
		what = fmt.Sprintf("the stream %s was deleted", t.Stream)
	default:
		what = fmt.Sprintf("event %d of %s (%s) is %s", t.Revision, t.Stream, t.Type, t.Kind)
	}
	if t.Err != nil {
		what += ": " + t.Err.Error()
	}
	return what
}

// Unwrap is the reason.
func (t *Trouble) Unwrap() error { return t.Err }

// About is the trouble that err makes at r.
func (r Recorded) About(kind TroubleKind, err error) *Trouble {
	return &Trouble{Kind: kind, Stream: r.Stream, Revision: r.Revision, Event: r.ID, Type: r.Type, Err: err}
}

// Beyond reads a stream from a revision on, and goes on behind what is missing where covers says that everybody does
// without it. Read reads it from a revision up to its end or to the first gap.
func Beyond(read func(from uint64) iter.Seq2[Recorded, error], from uint64,
	covers func(*Trouble) bool) iter.Seq2[Recorded, error] {
	return func(yield func(Recorded, error) bool) {
		for again := true; again; {
			again = false
			for r, err := range read(from) {
				var t *Trouble
				if errors.As(err, &t) && covers(t) {
					if t.Kind == Cut {
						from, again = t.Next, true
					}
					break
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}
