package writeapi

import (
	"context"
	"net/http"
	"time"

	"folio/commands/replay"
	"folio/events"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"
)

// startReplay plans a replay and begins it; with dry_run it only says how many
// deliveries there are.
func (a api) startReplay(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, err := a.webhook(r)
	if err != nil {
		return err
	}
	o := body.Object()
	plan, dry := readReplay(o)
	plan.Company, plan.Webhook = s.Company, s.Webhook
	if err := a.reached(r.Context(), o, plan.Since); err != nil {
		return err
	}
	if err := o.Done(); err != nil {
		return err
	}
	if err := a.work(r.Context(), planMemory, func() (err error) {
		plan.Planned, err = a.Webhooks.Planned(r.Context(), plan)
		return err
	}); err != nil {
		return err
	}
	at := httpapi.Started(r.Context())
	if dry {
		return httpapi.JSON(w, http.StatusOK, replayRecord(plan, "planned", at))
	}
	plan.Replay = newID(r)
	var status replay.Status
	if err := a.additions.Pass(r.Context(), s.Company, 1, func() error {
		if err := a.noReplayRuns(r.Context(), s.Company, plan.Replay); err != nil {
			return err
		}
		out, err := a.log.Replays.ExecuteNew(r.Context(), plan.Replay,
			replay.Start{Replay: plan}, request(r))
		if err == nil {
			a.shown(w, r, "webhook_replays", out.Position)
			status = out.State.Status
		}
		return err
	}); err != nil {
		return err
	}
	w.Header().Set("Location", r.URL.Path+"/"+plan.Replay)
	return httpapi.JSON(w, http.StatusCreated, replayRecord(plan, string(status), at))
}

// reached refuses a position that the log has not come to: nothing was delivered since then, and
// whoever names it took it from another log.
func (a api) reached(ctx context.Context, o strict.Object, since events.Position) error {
	if since.IsZero() {
		return nil
	}
	end, err := a.Webhooks.End(ctx)
	if err == nil && end.Before(since) {
		o.Fail("since_position", "NOT_YET", "The event log has not come to this position: it is of another log, or "+
			"of one before a restore. Use one that an answer of this service gave.")
	}
	return err
}

// planMemory is what counting the deliveries of a plan takes: it reads an index.
const planMemory = 4 << 20

// noReplayRuns refuses a replay of a company beside another one that goes on. What the read
// model does not show yet waits for its turn in the processor.
func (a api) noReplayRuns(ctx context.Context, company, except string) error {
	id, err := a.Webhooks.Running(ctx, company)
	if err != nil || id == "" || id == except {
		return err
	}
	s, _, err := a.log.Replays.Load(ctx, id)
	if err == nil && s.Status == replay.Running {
		err = replay.ErrOther
	}
	return err
}

// readReplay reads a plan, and whether it is only to be counted.
func readReplay(o strict.Object) (plan events.ReplayStarted, dry bool) {
	return readPlan(o), o.Bool("dry_run")
}

// readPlan reads which deliveries are meant: of a period, or since a position of the
// log; one of the two bounds must be there, so that nobody asks for everything by
// mistake.
func readPlan(o strict.Object) events.ReplayStarted {
	plan := events.ReplayStarted{From: readInstant(o, "from"), To: readInstant(o, "to")}
	if text := o.String("since_position", strict.MaxLen(50)); text != "" {
		at, err := events.ParseEventPosition(text)
		if err != nil {
			o.Fail("since_position", strict.CodeFormat, "must be a position as answers give it in Folio-Position, such as "+
				"C:12/P:12")
		}
		plan.Since = at
	}
	if o.Empty("from") && o.Empty("since_position") {
		o.Fail("from", strict.CodeRequired, "write from (a time), or since_position")
	}
	if plan.From != nil && plan.To != nil && !plan.From.Before(*plan.To) {
		o.Fail("to", strict.CodeOutOfRange, "must be later than from")
	}
	plan.Codes = readCodes(o)
	return plan
}

// readInstant reads a time in RFC 3339, nil for none.
func readInstant(o strict.Object, name string) *time.Time {
	text := o.String(name, strict.MaxLen(40))
	if text == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		o.Fail(name, strict.CodeFormat, "must be a time like 2026-03-02T15:04:05Z")
		return nil
	}
	at = at.UTC()
	return &at
}

func replayRecord(e events.ReplayStarted, status string, at time.Time) resource.Replay {
	out := resource.Replay{ID: e.Replay, Status: status, From: e.From, To: e.To, Events: e.Codes, Planned: e.Planned,
		CreatedAt: at.UTC()}
	if !e.Since.IsZero() {
		since := e.Since.String()
		out.SincePosition = &since
	}
	return out
}

func (a api) cancelReplay(w http.ResponseWriter, r *http.Request) error {
	s, err := a.webhook(r)
	if err != nil {
		return err
	}
	id, err := httpapi.PathID(r, "id_replay")
	if err != nil {
		return replay.ErrUnknown
	}
	out, err := a.log.Replays.Execute(r.Context(), id,
		replay.Cancel{Company: s.Company}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "webhook_replays", out.Position)
	httpapi.NoContent(w)
	return nil
}
