package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/events"
	"folio/eventstore"
	"folio/past"
)

// consequences is for how long after a request its consequences are looked for.
const consequences = 24 * time.Hour

// livesOf are the categories of what a request brings to life: what happens to these later is a consequence of it.
// A company or a key goes on for reasons of its own.
var livesOf = []string{"invoice", "purchase", "delivery", "replay"}

// requestFacts are the facts that a request recorded, and what came of them within a day: of the invoices that it
// created or touched, their submissions and their deliveries. The log has no index of requests, so it is read from its
// beginning up to a day after the time that is in the id.
func requestFacts(ctx context.Context, log *eventstore.Log, request string) past.Facts {
	id, err := ulid.ParseStrict(request)
	until := ulid.Time(id.Time()).Add(consequences)
	return func(yield func(events.Recorded, error) bool) {
		if err != nil {
			yield(events.Recorded{}, err)
			return
		}
		known := map[string]bool{request: true}
		for r, err := range log.All(ctx, events.Position{}, eventstore.Filter{}) {
			if err != nil {
				yield(r, err)
				return
			}
			if events.KinshipOf(r) == events.Foreign {
				continue
			}
			if r.When().After(until) {
				return
			}
			if opened, err := events.Open(r); err == nil {
				r = opened
			}
			if !follows(r, known) {
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// follows says whether a fact is the request's or came of it, and notes what its own consequences will name.
func follows(r events.Recorded, known map[string]bool) bool {
	category, id, _ := strings.Cut(r.Stream, "-")
	direct := known[r.Meta.Correlation] || known[r.Meta.Causation]
	sent, isSent := r.Event.(events.SubmissionOpened)
	carries := isSent && slices.ContainsFunc(sent.Invoices, func(invoice string) bool { return known[invoice] })
	if !direct && !carries && !known[id] {
		return false
	}
	if carries {
		known[sent.Submission] = true
	}
	if slices.Contains(livesOf, category) && known[r.Meta.Correlation] {
		known[id] = true
	}
	return true
}

// because names what led to a fact, so that it can be looked for in the log of requests.
func because(m events.Meta) string {
	switch {
	case m.Correlation == "":
		return ""
	case strings.HasPrefix(m.Actor, "key:"), strings.HasPrefix(m.Actor, "account:"):
		return ", by request " + m.Correlation
	}
	return ", because of " + m.Correlation
}
