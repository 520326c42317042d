package resource

import (
	"time"

	"folio/events"
)

// Outage is a time during which an authority counts as away for a company.
type Outage struct {
	ID          string    `json:"id"`
	Authority   string    `json:"authority"` // arca, sii or dgi
	Environment string    `json:"environment"`
	State       string    `json:"state"` // open or closed
	Since       time.Time `json:"since"` // RFC 3339, UTC
	Cause       string    `json:"cause"` // calls: those that failed; operator: somebody said so
	Reason      *string   `json:"reason"`
	Calls       int       `json:"failing_calls"` // with none between that got through
	// Evidence are the first and the last of these calls.
	Evidence []FailingCall `json:"evidence"`
	Until    *time.Time    `json:"until"`            // null while it is open
	Seconds  *int64        `json:"duration_seconds"` // null while it is open
	Closed   *OutageClosed `json:"closed_by"`        // null while it is open
}

// OutageClosed is what ended an outage.
type OutageClosed struct {
	Cause     string  `json:"cause"` // call: one got through; operator: somebody said so
	Operation *string `json:"operation"`
	Reason    *string `json:"reason"`
}

// FailingCall is a call to an authority that failed, or was not made because others had.
type FailingCall struct {
	At        time.Time `json:"at"` // RFC 3339, UTC
	Operation *string   `json:"operation"`
	Fault     string    `json:"fault"`
	Spared    bool      `json:"not_made"` // because calls of several companies had just failed
}

// OpenOutage names an outage that is open, beside what it explains.
type OpenOutage struct {
	ID    string    `json:"id"`
	Since time.Time `json:"since"` // RFC 3339, UTC
	Cause string    `json:"cause"` // calls or operator
}

// OutageNoticed is the payload of OUT.
type OutageNoticed struct {
	DocumentID  string `json:"document_id"` // the outage
	Event       string `json:"event"`
	State       string `json:"state"` // open or closed
	Authority   string `json:"authority"`
	Environment string `json:"environment"`
	Cause       string `json:"cause"`         // calls, call or operator
	Reason      string `json:"reason"`        // empty unless somebody gave one
	Since       string `json:"since"`         // RFC 3339, UTC
	Until       string `json:"until"`         // empty while it is open
	Calls       int    `json:"failing_calls"` // with none between that got through
	Attempt     int    `json:"attempt,omitzero"`
	CreatedAt   string `json:"created_at"`
}

// OutageOpened is the record of an outage that was just opened.
func OutageOpened(e events.AuthorityOutageOpened) Outage {
	out := Outage{ID: e.Outage, Authority: e.Authority, Environment: e.Environment, State: "open", Since: e.Since.UTC(),
		Cause: e.Cause, Reason: text(e.Reason), Calls: e.Calls, Evidence: []FailingCall{}}
	for _, c := range e.Evidence {
		out.Evidence = append(out.Evidence, FailingCall{c.At.UTC(), text(c.Operation), c.Fault, c.Spared})
	}
	return out
}

// OutageEnd is what is answered to who closes an outage.
type OutageEnd struct {
	ID      string       `json:"id"`
	State   string       `json:"state"`            // closed
	Since   time.Time    `json:"since"`            // RFC 3339, UTC
	Until   time.Time    `json:"until"`            // RFC 3339, UTC
	Seconds int64        `json:"duration_seconds"` // from since to until
	Closed  OutageClosed `json:"closed_by"`        // what ended it
}

// OutageEndOf is how an outage ended.
func OutageEndOf(e events.AuthorityOutageClosed) OutageEnd {
	return OutageEnd{ID: e.Outage, State: "closed", Since: e.Since.UTC(), Until: e.Until.UTC(), Seconds: e.Seconds,
		Closed: OutageClosed{Cause: e.Cause, Operation: text(e.Operation), Reason: text(e.Reason)}}
}

// OutageClosedBy puts into the record how the outage ended.
func (o Outage) OutageClosedBy(e events.AuthorityOutageClosed) Outage {
	end := OutageEndOf(e)
	o.State, o.Until, o.Seconds, o.Closed = end.State, &end.Until, &end.Seconds, &end.Closed
	return o
}

// OutageNoticedOf is the payload about an outage that was opened.
func OutageNoticedOf(e events.AuthorityOutageOpened, at time.Time) OutageNoticed {
	return OutageNoticed{DocumentID: e.Outage, Event: "OUT", State: "open", Authority: e.Authority,
		Environment: e.Environment, Cause: e.Cause, Reason: e.Reason, Since: Instant(e.Since), Calls: e.Calls,
		CreatedAt: Instant(at)}
}

// OutageOverNoticedOf is the payload about an outage that was closed.
func OutageOverNoticedOf(e events.AuthorityOutageClosed, at time.Time) OutageNoticed {
	return OutageNoticed{DocumentID: e.Outage, Event: "OUT", State: "closed", Authority: e.Authority,
		Environment: e.Environment, Cause: e.Cause, Reason: e.Reason, Since: Instant(e.Since), Until: Instant(e.Until),
		CreatedAt: Instant(at)}
}
