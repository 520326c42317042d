package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"folio/processors"
	"folio/processors/reactor"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

type projectionsCmd struct {
	Rebuild projectionsRebuildCmd  `cmd:"" help:"Ask for read models to be built anew from the log; a running service goes on meanwhile and does it."`
	List    projectionsListCmd     `cmd:"" help:"Every projection: its table, how it stands, how far a rebuild came."`
	Show    projectionsShowCmd     `cmd:"" help:"Documents of a projection, as they are kept."`
	Diff    projectionsDiffCmd     `cmd:"" help:"What differs between the documents that are read and those of a rebuild, or those that were kept, or those of the version before."`
	Pause   projectionsPauseCmd    `cmd:"" help:"Have a rebuild stand where it is."`
	Resume  projectionsResumeCmd   `cmd:"" help:"Have a paused rebuild go on."`
	Cancel  projectionsCancelCmd   `cmd:"" help:"Give a rebuild up."`
	Switch  projectionsSwitchCmd   `cmd:"" help:"Let a rebuild that was held take over."`
	Back    projectionsRollbackCmd `cmd:"" name:"rollback" help:"Return to the documents that a rebuild with --keep took over from."`
	Drop    projectionsDropCmd     `cmd:"" help:"Drop what was kept for a rollback, and the documents of older versions."`
}

type projectionsRebuildCmd struct {
	dataFlags
	Names []string `arg:"" optional:"" help:"Projections and worklists to rebuild; none: all of them."`
	All   bool     `help:"All of them, as without names."`
	Wait  bool     `help:"Wait until they are built. The service builds them, so it must run."`
	Hold  bool     `help:"Projections do not take over when they are built: compare with diff, then switch or cancel."`
	Keep  bool     `help:"Projections keep the documents of before, for rollback, until drop."`
}

// Run asks for the rebuild; whoever folds the projections and owns the worklists does it.
func (c *projectionsRebuildCmd) Run(ctx context.Context) error {
	if err := errors.Join(c.exists(), c.check()); err != nil {
		return err
	}
	s, err := openStores(ctx, c.dataFlags, false, c.logger())
	if err != nil {
		return err
	}
	err = c.rebuild(ctx, s)
	return errors.Join(err, s.close(ctx))
}

// check refuses names that nothing has before anything is done.
func (c *projectionsRebuildCmd) check() error {
	if c.All && len(c.Names) > 0 {
		return errors.New("give names or --all, not both")
	}
	var known []string
	for _, p := range projections.All {
		known = append(known, p.Name())
	}
	for _, n := range c.Names {
		if !slices.Contains(known, n) && !slices.Contains(processors.Names(), n) {
			return fmt.Errorf("there is no projection %q: use some of %s, or of the worklists %s", n, strings.Join(known, ", "),
				strings.Join(processors.Names(), ", "))
		}
	}
	return nil
}

func (c *projectionsRebuildCmd) wants(name string) bool {
	return len(c.Names) == 0 || slices.Contains(c.Names, name)
}

func (c *projectionsRebuildCmd) rebuild(ctx context.Context, s *stores) error {
	var waiting []rebuilding
	if len(c.Names) == 0 {
		if err := s.forgetAhead(ctx); err != nil {
			return err
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(projections.All),
		func(p engine.Projection) bool { return !c.wants(p.Name()) })
	asked, err := c.begun(ctx, s, wanted)
	if err != nil {
		return err
	}
	mode := engine.Mode{Hold: c.Hold, Keep: c.Keep}
	if err := engine.RebuildAs(ctx, s.tables, s.id, mode, asked...); err != nil {
		return fmt.Errorf("rebuild the projections: %w", err)
	}
	for _, p := range wanted {
		if slices.ContainsFunc(asked, func(a engine.Projection) bool { return a.Name() == p.Name() }) {
			fmt.Printf("projection %s: asked to be built anew\n", p.Name())
		} else {
			fmt.Printf("projection %s: %s\n", p.Name(), notBegun(p))
		}
		waiting = append(waiting, awaitProjection(ctx, s, p))
	}
	lists, err := c.rebuildWorklists(ctx, s)
	if err != nil {
		return err
	}
	if waiting = append(waiting, lists...); c.Wait {
		return awaitBuilt(ctx, waiting)
	}
	return nil
}

// begun are those of the projections of which a service has begun this program's version: the others are built from
// the whole log anyway when one does, and the service that runs may be of a program that never does. Before a version
// has caught up there is nothing that it could be held back for, or that it could keep.
func (c *projectionsRebuildCmd) begun(ctx context.Context, s *stores,
	wanted []engine.Projection) (out []engine.Projection, err error) {
	for _, p := range wanted {
		b, err := engine.Inspect(ctx, s.tables, p)
		if err != nil {
			return nil, err
		}
		if !b.Ready && (c.Hold || c.Keep) {
			return nil, fmt.Errorf("projection %s: version %d is not built so far and is read as soon as it is: nothing can be "+
				"held or kept. Compare before the service is restarted, with `folio replay --projection %s`, or afterwards with "+
				"the version before, with `folio projections diff %s`", p.Name(), p.Version(), p.Name(), p.Name())
		}
		if b.Begun {
			out = append(out, p)
		}
	}
	return out, nil
}

// notBegun says why nothing is to be seen of a projection, and what to do.
func notBegun(p engine.Projection) string {
	return fmt.Sprintf("no service has begun version %d; one that runs a program without it never does: "+
		"start the service with this program, which builds it from the whole log", p.Version())
}

// rebuildWorklists asks for those that are wanted and says which are left.
func (c *projectionsRebuildCmd) rebuildWorklists(ctx context.Context, s *stores) (waiting []rebuilding, err error) {
	var left []string
	for _, name := range processors.Names() {
		if !c.wants(name) {
			left = append(left, name)
			continue
		}
		built, err := askWorklist(ctx, s, name)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, rebuilding{name: "worklist " + name, done: built})
	}
	if len(left) > 0 {
		fmt.Printf("worklists left as they are: %s; name them to have them built anew too, beside the running service\n",
			strings.Join(left, ", "))
	}
	return waiting, nil
}

// askWorklist asks for a worklist; built says whether it holds what the log held by now. One that no service has begun
// is not waited for: this service may be without its processor, and whoever runs it first makes it of the whole log.
func askWorklist(ctx context.Context, s *stores, name string) (built func() (bool, error), err error) {
	_, before := s.tables.Checkpoint(ctx, name)
	end, err := s.log.End(ctx)
	if err == nil {
		err = reactor.AskRebuild(ctx, s.tables, s.id, name)
	}
	if err != nil {
		return nil, err
	}
	fmt.Printf("worklist %s: asked to be built anew\n", name)
	if errors.Is(before, tables.ErrNotFound) {
		return func() (bool, error) { return true, nil }, nil
	}
	return func() (bool, error) {
		asked, err := reactor.RebuildAsked(ctx, s.tables, name)
		if err != nil || asked {
			return false, err
		}
		c, err := s.tables.Checkpoint(ctx, name)
		if errors.Is(err, tables.ErrNotFound) {
			return false, nil
		}
		return err == nil && !c.At.Before(end), err
	}, nil
}

// rebuilding is one thing that the service builds.
type rebuilding struct {
	name string
	done func() (bool, error)
	// progress is how much of the log is behind it, and how much there is; nil: not known.
	progress func() (done, total uint64)
	// stuck is why it does not go on, "" when nothing is known to be in the way; nil: as "".
	stuck func() string
}

// look is what somebody who waits should look at.
func (r rebuilding) look() string {
	if r.stuck != nil {
		if why := r.stuck(); why != "" {
			return why
		}
	}
	return "the service builds them, is it running?"
}

// told is how far it came: done, total, rate and time left.
func (r rebuilding) told(after time.Duration) string {
	if r.progress == nil {
		return ""
	}
	done, total := r.progress()
	if done == 0 || total == 0 || done > total {
		return ""
	}
	rate := float64(done) / after.Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf(" (%d of %d positions, %.1f%%, %.0f a second, about %s left)", done, total,
		100*float64(done)/float64(total), rate, left)
}

// awaitProjection is a projection that is being rebuilt; one that is held is built when it has
// the log's present end.
func awaitProjection(ctx context.Context, s *stores, p engine.Projection) rebuilding {
	end, endErr := s.log.End(ctx)
	var b engine.Build
	return rebuilding{"projection " + p.Name(), func() (done bool, err error) {
		if b, err = engine.Inspect(ctx, s.tables, p); err != nil || endErr != nil {
			return false, errors.Join(err, endErr)
		}
		return b.Building == "" && b.Ready && !b.Behind || b.Held && !b.BuiltTo.Before(end), nil
	}, func() (done, total uint64) { return b.BuiltTo.Commit, end.Commit }, func() string {
		if b.Begun {
			return ""
		}
		return notBegun(p)
	}}
}

// How often awaitBuilt looks, and after how long it says what it waits for.
const (
	builtPause = 200 * time.Millisecond
	builtSays  = 10 * time.Second
)

// awaitBuilt waits until all are built or ctx ends. It tells now and then what is missing: nothing is built while
// no service runs.
func awaitBuilt(ctx context.Context, waiting []rebuilding) error {
	look, say := time.NewTicker(builtPause), time.NewTicker(builtSays)
	defer look.Stop()
	defer say.Stop()
	began := time.Now()
	for {
		left := waiting[:0:0]
		for _, w := range waiting {
			done, err := w.done()
			if err != nil {
				return fmt.Errorf("wait for %s: %w", w.name, err)
			}
			if done {
				fmt.Printf("%s: built\n", w.name)
			} else {
				left = append(left, w)
			}
		}
		if waiting = left; len(waiting) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("stopped waiting; what was asked for is built all the same: %w", ctx.Err())
		case <-say.C:
			more := ""
			if n := len(waiting) - 1; n > 0 {
				more = fmt.Sprintf(" and %d more", n)
			}
			fmt.Fprintf(os.Stderr, "waiting for %s%s%s; %s\n", waiting[0].name, more, waiting[0].told(time.Since(began)),
				waiting[0].look())
		case <-look.C:
		}
	}
}
