package events

// TroubleSkipped: an operator looked at what is wrong with a stream of ours and lets
// everybody go on without it: without the event at Revision, without the revisions from
// there up to Next (a stream that was cut), or without the stream (one that was deleted).
// It stands in a stream of its own, quarantine-<name of the stream>.
type TroubleSkipped struct {
	Fact     `json:"-"`
	Stream   string      `json:"stream"`
	Kind     TroubleKind `json:"kind"`
	Revision uint64      `json:"revision"`
	Next     uint64      `json:"next,omitempty"`  // of a cut stream: the first revision that is there
	Event    string      `json:"event,omitempty"` // id of the event that is left out
	Fault    string      `json:"fault"`           // what was wrong
	Reason   string      `json:"reason"`          // the operator's
}

var _ = define[TroubleSkipped]("quarantine", "TroubleSkipped")

// TroubleRetried: an operator put right what was wrong with a stream (a newer program, a
// restored stream); whoever holds it tries again.
type TroubleRetried struct {
	Fact   `json:"-"`
	Stream string `json:"stream"`
	Reason string `json:"reason"`
}

var _ = define[TroubleRetried]("quarantine", "TroubleRetried")

// Lets says that the decision is about an event, which is left out.
func (e TroubleSkipped) Lets(r Recorded) bool {
	return e.Event != "" && e.Stream == r.Stream && e.Revision == r.Revision && e.Event == r.ID
}

// Covers says that the decision is about missing revisions, which are done without. One
// about a deleted stream covers its beginning, which is missing when it is written again.
func (e TroubleSkipped) Covers(t *Trouble) bool {
	if e.Event != "" || e.Stream != t.Stream {
		return false
	}
	if e.Kind == Deleted {
		return e.Revision == t.Revision
	}
	return t.Kind == Cut && e.Revision <= t.Revision && t.Next <= e.Next
}
