package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/processors/delivery"
	"folio/processors/submission"
	"folio/projections"
	"folio/tables"
)

type projectionsCmd struct {
	Rebuild projectionsRebuildCmd `cmd:"" help:"Build read models anew from the log; a running service goes on meanwhile."`
}

type projectionsRebuildCmd struct {
	dataFlags
	Names []string `arg:"" optional:"" help:"Projections to rebuild; none: all of them, and the processors' worklists."`
	All   bool     `help:"All of them, as without names."`
}

// Run asks for the rebuild; whoever folds the projections does it.
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

// check refuses names that no projection has before anything is done.
func (c *projectionsRebuildCmd) check() error {
	if c.All && len(c.Names) > 0 {
		return errors.New("give names or --all, not both")
	}
	var known []string
	for _, p := range projections.All {
		known = append(known, p.Name())
	}
	for _, n := range c.Names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("there is no projection %q: use some of %s", n, strings.Join(known, ", "))
		}
	}
	return nil
}

func (c *projectionsRebuildCmd) rebuild(ctx context.Context, s *stores) error {
	for _, p := range projections.All {
		if len(c.Names) > 0 && !slices.Contains(c.Names, p.Name()) {
			continue
		}
		if err := projections.Rebuild(ctx, s.tables, s.id, p); err != nil {
			return fmt.Errorf("rebuild %s: %w", p.Name(), err)
		}
		fmt.Printf("projection %s is built anew\n", p.Name())
	}
	if len(c.Names) == 0 {
		return rebuildWorklists(ctx, s.tables)
	}
	return nil
}

// rebuildWorklists starts the processors' worklists over.
func rebuildWorklists(ctx context.Context, store tables.Store) error {
	return errors.Join(
		rebuildWorklist(ctx, store, submission.Name, func() error {
			return errors.Join(store.Worklist(submission.Name).Clear(ctx), store.ResetCheckpoint(ctx, submission.Name))
		}),
		rebuildWorklist(ctx, store, delivery.Name, func() error { return delivery.Forget(ctx, store) }),
	)
}

// rebuildWorklist starts one over. It refuses while a service works on it: what that
// one still writes would hide the beginning of the log.
func rebuildWorklist(ctx context.Context, store tables.Store, name string, forget func() error) error {
	grant, free, err := store.Acquire(ctx, name, "folio projections rebuild "+ulid.Make().String(), time.Minute)
	if err != nil {
		return fmt.Errorf("ask for the worklist of %s: %w", name, err)
	}
	if !free {
		fmt.Printf("worklist %s stays: %s works on it; stop the service and run this again to rebuild it too\n", name, grant.Owner)
		return nil
	}
	if err := errors.Join(forget(), store.Release(ctx, grant)); err != nil {
		return fmt.Errorf("start the worklist of %s over: %w", name, err)
	}
	fmt.Printf("worklist %s is built anew at the next start of the service\n", name)
	return nil
}
