package readapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"folio/admission"
	"folio/events"
	"folio/httpapi"
	"folio/projections"
	"folio/strict"
)

// maxFeedWait is the longest that a call waits for news, in seconds.
const maxFeedWait = 20

// newFeedGate bounds the calls that wait for news, by company and in all. An account may have more companies than there
// are places, so one that waits gives its place up when others need it, sooner than these lose their patience.
func newFeedGate() *admission.Gate {
	return admission.New("news of the feed",
		admission.Limits{All: 256, Each: 4, Line: 2, Lines: 64, Patience: 3 * time.Second})
}

// readFeed answers with a company's facts after a position, one a line. A caller goes on with
// the header Folio-Next-After; it misses nothing and hears nothing twice.
func (a api) readFeed(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	ask, wait, err := a.feedQuery(q)
	ask.Company = httpapi.Caller(r.Context()).Company
	if err != nil {
		return err
	}
	if err := a.fresh(r, projections.Facts.Name()); err != nil {
		return err
	}
	facts, next, err := a.Documents.ListFacts(r.Context(), ask)
	if err == nil && len(facts) == 0 && next == ask.After {
		if err = a.reached(r.Context(), q, "after", ask.After); err == nil {
			err = q.Done()
		}
	}
	if err == nil && len(facts) == 0 && wait > 0 {
		facts, next, err = a.awaitFacts(r.Context(), ask, next, wait)
	}
	if err != nil {
		return err
	}
	var raw bytes.Buffer
	if err := a.pass(r.Context(), func() error { return a.writeFacts(r.Context(), &raw, facts) }); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Folio-Next-After", next.String())
	_, _ = w.Write(raw.Bytes()) // the only failure is a client that has gone
	return nil
}

func (a api) feedQuery(q *strict.Query) (ask projections.FactQuery, wait time.Duration, err error) {
	if text := q.String("after", strict.MaxLen(60)); text != "" {
		if ask.After, err = events.ParsePosition(text); err != nil {
			q.Fail("after", "NOT_A_POSITION", "Send Folio-Next-After of the answer before, or the position of a line, such "+
				"as C:12/P:12.")
		}
	}
	ask.Limit = int(q.Int("limit", 500, strict.Between(1, 1000)))
	wait = time.Duration(q.Int("wait", 0, strict.Between(0, maxFeedWait))) * time.Second
	from, to := timesOf(q, wholeDay-1)
	ask.From, ask.To = instantText(from), instantText(to)
	known := projections.Facts.Types()
	if text := q.String("type", strict.MaxLen(1000)); text != "" {
		for name := range strings.SplitSeq(text, ",") {
			if !slices.Contains(known, name) {
				q.Fail("type", strict.CodeNotAllowed,
					fmt.Sprintf("%.60q is no event of the feed: see GET /api/events/schemas.", name))
			}
			ask.Types = append(ask.Types, name)
		}
	}
	switch facts := q.String("facts", strict.MaxLen(20)); {
	case facts == "webhook" && ask.Types != nil:
		q.Fail("facts", strict.CodeNotAllowed, "Use type or facts, not both.")
	case facts == "webhook":
		ask.Types, ask.Leave = a.Told.Types(), a.toldBefore
	case facts != "":
		q.Fail("facts", strict.CodeNotAllowed, "Use webhook, or leave it away.")
	}
	return ask, wait, q.Done()
}

// toldBefore says that a fact repeats one of its stream.
func (a api) toldBefore(ctx context.Context, f projections.Fact) (bool, error) {
	return a.Told.Again(ctx, events.Recorded{Type: f.Type, Stream: f.Stream, Revision: f.Revision})
}

// reached refuses a position that the log has not come to: what follows it is not known, and
// whoever waited there would miss what comes before.
func (a api) reached(ctx context.Context, q *strict.Query, name string, after events.Position) error {
	if after.IsZero() {
		return nil
	}
	end, err := a.Log.End(ctx)
	if err == nil && end.Before(after) {
		q.Fail(name, "NOT_YET", "The event log has not come to this position: it is of another log, or "+
			"of one before a restore. Use one that an answer of this service gave.")
	}
	return err
}

// instantText is a bound in RFC 3339; "" for none.
func instantText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// awaitFacts waits for facts that pass the filters, for the time to be over, or until it is displaced. What passes
// others by moves the read model, too: then it looks, and goes on waiting.
func (a api) awaitFacts(
	ctx context.Context, ask projections.FactQuery, next events.Position, wait time.Duration,
) ([]projections.Fact, events.Position, error) {
	leave, err := a.feed.Enter(ctx, ask.Company, 1)
	if err != nil {
		return nil, next, err
	}
	defer leave()
	until, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	go func() {
		if httpapi.Displaced(until, a.feed.Wanted) {
			cancel()
		}
	}()
	looked := next
	for {
		later := events.Position{Commit: looked.Commit + 1, Prepare: looked.Prepare + 1}
		reached, err := a.Shown.Reached(until, projections.Facts.Name(), later)
		if err != nil || until.Err() != nil {
			return nil, next, ctx.Err() // nothing new in time
		}
		ask.After = next
		facts, upTo, err := a.Documents.ListFacts(ctx, ask)
		if err != nil || len(facts) > 0 {
			return facts, upTo, err
		}
		if looked = reached; next.Before(upTo) { // there may be more to look through
			next, looked = upTo, upTo
		}
	}
}

// writeFacts reads the events from the log, those of one stream at once.
func (a api) writeFacts(ctx context.Context, to *bytes.Buffer, facts []projections.Fact) error {
	encode, err := a.encoder(ctx, false)
	if err != nil {
		return err
	}
	byStream := map[string][]projections.Fact{}
	for _, f := range facts {
		byStream[f.Stream] = append(byStream[f.Stream], f)
	}
	found := map[events.Position]events.Recorded{}
	for stream, wanted := range byStream {
		last := wanted[len(wanted)-1].Revision
		for r, err := range a.Log.Read(ctx, stream, wanted[0].Revision) {
			if err != nil {
				return err
			}
			found[r.Position] = r
			if r.Revision >= last {
				break
			}
		}
	}
	for _, f := range facts {
		r, ok := found[f.At]
		if !ok {
			r = events.Recorded{Type: f.Type, Stream: f.Stream, Revision: f.Revision, Position: f.At,
				Meta: events.Meta{At: f.Time}, Raw: []byte("null")} // it was cut from the log
		}
		line, err := encode(r)
		if err != nil {
			return err
		}
		to.Write(line)
		to.WriteByte('\n')
	}
	return nil
}
