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
	"folio/tables"
)

type projectionsCmd struct {
	Rebuild projectionsRebuildCmd `cmd:"" help:"Ask for read models to be built anew from the log; a running service goes on meanwhile and does it."`
}

type projectionsRebuildCmd struct {
	dataFlags
	Names []string `arg:"" optional:"" help:"Projections and worklists to rebuild; none: all of them."`
	All   bool     `help:"All of them, as without names."`
	Wait  bool     `help:"Wait until they are built. The service builds them, so it must run."`
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
			return fmt.Errorf("there is no projection %q: use some of %s, or of the worklists %s", n, strings.Join(known, ", "), strings.Join(processors.Names(), ", "))
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
	wanted := slices.DeleteFunc(slices.Clone(projections.All), func(p projections.Projection) bool { return !c.wants(p.Name()) })
	if err := projections.Rebuild(ctx, s.tables, s.id, wanted...); err != nil {
		return fmt.Errorf("rebuild the projections: %w", err)
	}
	for _, p := range wanted {
		fmt.Printf("projection %s: asked to be built anew\n", p.Name())
		waiting = append(waiting, rebuilding{"projection " + p.Name(), func() (bool, error) { return projections.Built(ctx, s.tables, p) }})
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
		waiting = append(waiting, rebuilding{"worklist " + name, built})
	}
	if len(left) > 0 {
		fmt.Printf("worklists left as they are: %s; name them to have them built anew too, beside the running service\n", strings.Join(left, ", "))
	}
	return waiting, nil
}

// askWorklist asks for a worklist; built says whether it holds what the log held by now.
func askWorklist(ctx context.Context, s *stores, name string) (built func() (bool, error), err error) {
	end, err := s.log.End(ctx)
	if err == nil {
		err = reactor.AskRebuild(ctx, s.tables, s.id, name)
	}
	if err != nil {
		return nil, err
	}
	fmt.Printf("worklist %s: asked to be built anew\n", name)
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
			fmt.Fprintf(os.Stderr, "waiting for %s and %d more; the service builds them, is it running?\n", waiting[0].name, len(waiting)-1)
		case <-look.C:
		}
	}
}
