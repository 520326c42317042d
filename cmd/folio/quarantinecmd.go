package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"folio/commands"
	decide "folio/commands/quarantine"
	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/quarantine"

	"github.com/oklog/ulid/v2"
)

type quarantineCmd struct {
	List  quarantineListCmd  `cmd:"" help:"List the streams that are held, and by whom."`
	Show  quarantineShowCmd  `cmd:"" help:"Show a stream: who holds it, what is wrong with it, its events as they are stored, and what was decided."`
	Skip  quarantineSkipCmd  `cmd:"" help:"Go on without the event, or the missing revisions, that a stream is held for. For good: the decision is recorded."`
	Retry quarantineRetryCmd `cmd:"" help:"Try a stream again, once you put right what was wrong with it."`
}

type quarantineListCmd struct{ dataFlags }

// Run works beside a running service and without one.
func (c *quarantineListCmd) Run(ctx context.Context) error {
	return inQuarantine(ctx, c.dataFlags, func(d ward) error { return d.list(ctx, os.Stdout) })
}

type quarantineShowCmd struct {
	dataFlags
	Stream string `arg:"" help:"Stream as 'folio quarantine list' shows it."`
}

// Run works beside a running service and without one.
func (c *quarantineShowCmd) Run(ctx context.Context) error {
	return inQuarantine(ctx, c.dataFlags, func(d ward) error { return d.show(ctx, os.Stdout, c.Stream) })
}

type quarantineSkipCmd struct {
	dataFlags
	Stream string `arg:"" help:"Stream as 'folio quarantine list' shows it."`
	Reason string `help:"What you found, for everybody who looks." required:"" type:"words"`
}

// Run works beside a running service and without one.
func (c *quarantineSkipCmd) Run(ctx context.Context) error {
	return inQuarantine(ctx, c.dataFlags, func(d ward) error { return d.skip(ctx, os.Stdout, c.Stream, c.Reason) })
}

type quarantineRetryCmd struct {
	dataFlags
	Stream string `arg:"" help:"Stream as 'folio quarantine list' shows it."`
	Reason string `help:"What you did." required:"" type:"words"`
}

// Run works beside a running service and without one.
func (c *quarantineRetryCmd) Run(ctx context.Context) error {
	return inQuarantine(ctx, c.dataFlags, func(d ward) error {
		return d.decide(ctx, os.Stdout, c.Stream, decide.Retry{Stream: c.Stream, Reason: c.Reason})
	})
}

// ward is the quarantine with the stores that decisions are made on.
type ward struct {
	*stores
	room *quarantine.Room
}

func inQuarantine(ctx context.Context, d dataFlags, do func(ward) error) error {
	s, err := openExisting(ctx, d)
	if err != nil {
		return err
	}
	// What the room would tell in log lines is what the command shows.
	room, err := quarantine.Open(ctx, s.log, s.tables, time.Now, slog.New(slog.DiscardHandler))
	if err == nil {
		err = do(ward{s, room})
	}
	return errors.Join(err, s.close(ctx))
}

// guardedExecutor decides with what operators decided about streams in quarantine.
func (s *stores) guardedExecutor(ctx context.Context) (*commands.Executor, error) {
	room, err := quarantine.Open(ctx, s.log, s.tables, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return commands.NewExecutor(s.log, time.Now).Guarded(room), nil
}

func (w ward) list(ctx context.Context, to io.Writer) error {
	held, err := w.room.Held(ctx)
	if err != nil {
		return err
	}
	if len(held) == 0 {
		fmt.Fprintln(to, "no stream is held")
		return nil
	}
	t := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "STREAM\tFROM\tHELD BY\tSINCE\tWHY")
	for _, h := range held {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", h.Stream, h.From, h.Feed, h.Since.Format(time.RFC3339), firstLine(h.Fault))
	}
	return t.Flush()
}

// firstLine leaves out where a panic came from, which show has.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func (w ward) show(ctx context.Context, to io.Writer, stream string) error {
	held, err := w.room.Held(ctx)
	if err != nil {
		return err
	}
	known := false
	for _, h := range held {
		if h.Stream == stream || h.Because == stream {
			known = true
			fmt.Fprintf(to, "held by %s since %s, from revision %d of %s on:\n  %s\n", h.Feed, h.Since.Format(time.RFC3339),
				h.From, h.Stream,
				strings.ReplaceAll(h.Fault, "\n", "\n  "))
		}
	}
	state, _, err := commands.Bind(commands.NewExecutor(w.log, time.Now), decide.Decider).Load(ctx, stream)
	if err != nil {
		return err
	}
	if known = known || len(state.Skipped) > 0; !known {
		if known, err = w.exists(ctx, stream); err != nil {
			return err
		}
		if !known {
			return fmt.Errorf("there is no stream %q: 'folio quarantine list' shows the streams that are held", stream)
		}
	}
	for _, s := range state.Skipped {
		fmt.Fprintf(to, "skipped at revision %d: %s\n  %s\n", s.Revision, s.Reason, firstLine(s.Fault))
	}
	fmt.Fprintln(to, "events:")
	_, err = w.walk(ctx, stream, func(r events.Recorded, t *events.Trouble) {
		switch {
		case r.Type == "":
			fmt.Fprintf(to, "  %v\n", t)
		case t != nil:
			fmt.Fprintf(to, "! %d %s %s schema %d: %s\n    %v\n", r.Revision, r.Type, r.Meta.At.Format(time.RFC3339),
				r.Meta.Schema, shown1k(r.Raw), t.Err)
		default:
			fmt.Fprintf(to, "  %d %s %s schema %d: %s\n", r.Revision, r.Type, r.Meta.At.Format(time.RFC3339), r.Meta.Schema,
				shown1k(r.Raw))
		}
	})
	return err
}

// exists says whether the stream has an event, or something is wrong with it.
func (w ward) exists(ctx context.Context, stream string) (bool, error) {
	for _, err := range w.log.Read(ctx, stream, 0) {
		if err != nil && !errors.As(err, new(*events.Trouble)) {
			return false, err
		}
		return true, nil
	}
	return false, nil
}

// shown1k is the beginning of what is stored, whatever it is.
func shown1k(raw []byte) string {
	if !strings.HasPrefix(strings.TrimSpace(string(raw)), "{") ||
		strings.ContainsFunc(string(raw), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }) {
		return strconv.QuoteToASCII(string(raw[:min(len(raw), 1024)]))
	}
	return string(raw[:min(len(raw), 1024)])
}

// walk goes through a stream, over what an operator decided, and tells of each event and of
// each trouble. It returns the first trouble that nobody decided about.
func (w ward) walk(ctx context.Context, stream string,
	each func(events.Recorded, *events.Trouble)) (first *events.Trouble, err error) {
	for from, more := uint64(0), true; more; {
		more = false
		for r, err := range w.log.Read(ctx, stream, from) {
			var t *events.Trouble
			switch {
			case errors.As(err, &t):
				each(events.Recorded{}, t)
				if !w.room.Covers(t) && first == nil {
					first = t
				}
				from, more = t.Next, t.Kind == events.Cut
			case err != nil:
				return first, err
			case events.KinshipOf(r) == events.Foreign:
				each(r, nil)
			default:
				_, err := events.Open(r)
				errors.As(err, &t)
				each(r, t)
				if t != nil && first == nil && !w.room.Skips(r) {
					first = t
				}
			}
		}
	}
	return first, nil
}

// skip decides about the earliest trouble of the stream: what a reader holds it for, or what
// the log itself shows.
func (w ward) skip(ctx context.Context, to io.Writer, stream, reason string) error {
	t, err := w.walk(ctx, stream, func(events.Recorded, *events.Trouble) {})
	if err != nil {
		return err
	}
	held, err := w.room.Held(ctx)
	if err != nil {
		return err
	}
	for _, h := range held {
		if h.Because == stream && (t == nil || h.Revision < t.Revision) {
			of := h.Trouble()
			t = &of
		}
	}
	if t == nil {
		return fmt.Errorf("nothing is wrong with stream %s: 'folio quarantine list' shows the streams that are held", stream)
	}
	return w.decide(ctx, to, stream, decide.Skip{Trouble: *t, Reason: reason})
}

// decide records what an operator decides, and has the read models that hold the stream
// built anew.
func (w ward) decide(ctx context.Context, to io.Writer, stream string, c decide.Command) error {
	out, err := commands.Bind(commands.NewExecutor(w.log, time.Now), decide.Decider).Execute(ctx, stream, c,
		commands.Request{
			ID: commands.Derived("folio quarantine", ulid.Make().String()), Actor: "folio quarantine", At: time.Now()})
	if err != nil {
		return err
	}
	for _, e := range out.Events {
		if s, ok := e.(events.TroubleSkipped); ok {
			fmt.Fprintf(to, "%s goes on without: %s\n", stream, firstLine(s.Fault))
		} else {
			fmt.Fprintf(to, "%s is tried again\n", stream)
		}
	}
	held, err := w.room.Held(ctx)
	if err != nil {
		return err
	}
	var anew []string
	for _, h := range held {
		p, ok := projections.OfTable(h.Feed)
		if !ok || h.Stream != stream && h.Because != stream || slices.Contains(anew, p.Name()) {
			continue
		}
		if err := engine.Rebuild(ctx, w.tables, w.id, p); err != nil {
			return fmt.Errorf("rebuild %s: %w", p.Name(), err)
		}
		anew = append(anew, p.Name())
		fmt.Fprintf(to, "projection %s is built anew\n", p.Name())
	}
	return nil
}
