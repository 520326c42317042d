package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/projections"
	"folio/projections/engine"
	"folio/quarantine"
	"folio/tables"
)

type replayCmd struct {
	dataFlags
	untilFlag
	Projection string `help:"This projection only." placeholder:"NAME"`
	ID         string `help:"This document of the projection only." placeholder:"ID"`
	JSON       bool   `help:"The documents of the projection, one a line."`
	Diff       bool   `help:"What --projection does without --json and --id: fold it into a scratch store and show how it differs from the live documents."`
	Out        string `help:"Write the difference to this file, one JSON object a line." placeholder:"FILE"`
}

// Validate is called by the parser.
func (c *replayCmd) Validate() error {
	if _, err := c.moment(); err != nil {
		return err
	}
	whole := c.JSON || c.ID != ""
	if whole && (c.Diff || c.Out != "") {
		return errors.New("--json and --id print documents, --diff and --out a difference: use one of them")
	}
	c.Diff = c.Diff || c.Out != "" || c.Projection != "" && !whole
	if (whole || c.Diff) && c.Projection == "" {
		return errors.New("name the projection whose documents are wanted, with --projection")
	}
	if c.Projection != "" && len(c.wanted()) == 0 {
		var known []string
		for _, p := range projections.All {
			known = append(known, p.Name())
		}
		return fmt.Errorf("there is no projection %q: use one of %s", c.Projection, strings.Join(known, ", "))
	}
	return nil
}

func (c *replayCmd) wanted() []engine.Projection {
	return slices.DeleteFunc(slices.Clone(projections.All), func(p engine.Projection) bool {
		return c.Projection != "" && p.Name() != c.Projection
	})
}

// Run folds in memory. No table is read or written and no authority is in reach, so that it
// may run beside a service; all documents of the projections are in memory at once.
func (c *replayCmd) Run(ctx context.Context) error {
	m, err := c.moment()
	if err != nil {
		return err
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		if err := come(ctx, s.log, "--until", m); err != nil {
			return err
		}
		room, err := quarantine.Open(ctx, s.log, s.tables, time.Now, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		if c.Diff {
			return c.compare(ctx, s, m, room)
		}
		r := newReplaying(c.wanted())
		if err := r.read(ctx, s.log, m, room.Skips); err != nil {
			return err
		}
		return c.show(os.Stdout, r)
	})
}

// replaying is several projections being folded at once.
type replaying struct {
	of      []engine.Projection
	replays []*engine.Replay
	batch   []events.Recorded
	folded  int
	last    events.Recorded
}

func newReplaying(of []engine.Projection) *replaying {
	r := &replaying{of: of}
	for _, p := range of {
		r.replays = append(r.replays, engine.NewReplay(p))
	}
	return r
}

// replayBatch is how many events are folded at once.
const replayBatch = 500

// read folds the log up to a moment, without what operators have everybody go on without.
func (r *replaying) read(
	ctx context.Context,
	log *eventstore.Log,
	m events.Moment,
	skips func(events.Recorded) bool,
) error {
	bar := startCount("replay")
	defer func() { _ = bar.Finish() }()
	for e, err := range log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		if !m.Holds(e) {
			break
		}
		if events.KinshipOf(e) == events.Foreign || skips(e) {
			continue
		}
		r.batch, r.last = append(r.batch, e), e
		if len(r.batch) == replayBatch {
			_ = bar.Add(len(r.batch))
			if err := r.fold(ctx); err != nil {
				return err
			}
		}
	}
	return r.fold(ctx)
}

func (r *replaying) fold(ctx context.Context) error {
	for i, replay := range r.replays {
		if err := replay.Fold(ctx, r.batch...); err != nil {
			return fmt.Errorf("replay %s: %w", r.of[i].Name(), err)
		}
	}
	r.folded += len(r.batch)
	r.batch = r.batch[:0]
	return nil
}

// show prints the documents, or how many each projection has with a hash over them: equal
// hashes mean equal documents.
func (c *replayCmd) show(to io.Writer, r *replaying) error {
	if c.JSON || c.ID != "" {
		return c.documents(to, r.replays[0].Documents())
	}
	if r.folded == 0 {
		fmt.Fprintln(to, "no events: the log had none until then")
	} else {
		fmt.Fprintf(to, "%d events, the last one at %s of %s\n", r.folded, r.last.Position,
			r.last.When().UTC().Format(shownTime))
	}
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "PROJECTION\tVERSION\tDOCUMENTS\tSHA-256")
	for i, p := range r.of {
		all := r.replays[i].Documents()
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", p.Name(), p.Version(), len(all), digestOf(all))
	}
	return w.Flush()
}

func (c *replayCmd) documents(to io.Writer, all []tables.Document) error {
	out, found := lines(to), false
	for _, d := range all {
		if c.ID != "" && d.ID != c.ID {
			continue
		}
		found = true
		if err := out.Encode(struct {
			ID       string          `json:"id"`
			Position string          `json:"position"` // of its last event
			List     string          `json:"list,omitempty"`
			Ordinal  int64           `json:"ordinal,omitempty"`
			Document json.RawMessage `json:"document"`
		}{d.ID, d.At.String(), d.List, d.Ordinal, d.Body}); err != nil {
			return err
		}
	}
	if c.ID != "" && !found {
		return fmt.Errorf("%s has no document %s then", c.Projection, c.ID)
	}
	return nil
}

// digestOf is a hash over documents, in the order of their ids.
func digestOf(all []tables.Document) string {
	h := sha256.New()
	for _, d := range all {
		fmt.Fprintf(h, "%s %s %s %d\n%s\n", d.ID, d.At, d.List, d.Ordinal, d.Body)
	}
	return hex.EncodeToString(h.Sum(nil))
}
