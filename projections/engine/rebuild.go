package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"folio/tables"
)

// Serving is the table that readers of a projection get: that of the program's version
// once it has caught up, until then that of the version before, if there is one.
func (r *Runner) Serving(ctx context.Context, name string) (string, error) {
	w, err := r.worker(name)
	if err != nil {
		return "", err
	}
	at, err := locate(ctx, r.o.Tables, w.p)
	return at.serving, err
}

// Rebuild asks for a projection to be built anew beside the present documents, which
// stay up to date and readable until the new ones take over. Whoever folds the
// projection does it, in this process or another; Status and Serving show the progress.
// Asked again during a rebuild it starts that one over. Documents that belong to
// another log are dropped at once.
func (r *Runner) Rebuild(ctx context.Context, name string) error {
	w, err := r.worker(name)
	if err != nil {
		return err
	}
	if err := Rebuild(ctx, r.o.Tables, r.o.Store, w.p); err != nil {
		return err
	}
	w.look()
	return nil
}

// look has the worker look at its build now.
func (w *worker) look() {
	select {
	case w.poke <- struct{}{}:
	default: // it is about to look anyway
	}
}

// Rebuild is Runner.Rebuild for a program that has no runner. Log is the id of the
// event log that the documents should belong to. Those that are asked for together begin
// together, so that the log is read once for all of them.
// Another process that finished or asked for a build meanwhile makes it look again.
func Rebuild(ctx context.Context, store tables.Store, log string, all ...Projection) error {
	return RebuildAs(ctx, store, log, Mode{}, all...)
}

// Mode is how a rebuild ends.
type Mode struct {
	Hold bool // it waits for Switch when it has caught up, so that it can be compared
	Keep bool // the documents that it takes over from are kept for Rollback
}

// RebuildAs is Rebuild with another end.
func RebuildAs(ctx context.Context, store tables.Store, log string, mode Mode, all ...Projection) error {
	const tries = 20
	for try := 1; ; try++ {
		err := rebuild(ctx, store, log, mode, all)
		if !errors.Is(err, errBuildChanged) || try == tries {
			return err
		}
	}
}

// Built says whether no rebuild of p is under way or asked for, and its documents have caught up with the log.
func Built(ctx context.Context, store tables.Store, p Projection) (bool, error) {
	b, err := loadBuild(ctx, store, p)
	return b.Building == 0 && b.Ready, err
}

// rebuild asks once.
func rebuild(ctx context.Context, store tables.Store, log string, mode Mode, all []Projection) error {
	var asked []change
	var left []string // tables of rebuilds that are started over
	for _, p := range all {
		b, err := loadBuild(ctx, store, p)
		if err != nil {
			return err
		}
		ours, err := b.belongs(ctx, store, p, log)
		if err == nil && !ours {
			err = startOver(ctx, store, p, nil)
		}
		if err != nil {
			return err
		}
		if !ours {
			continue
		}
		if b.Building > 0 {
			left = append(left, p.table(b.Building))
		}
		b.Building = max(b.Serving, b.Building, b.Kept) + 1
		b.Hold, b.Keep, b.Paused, b.Switched = mode.Hold, mode.Keep, false, false
		asked = append(asked, change{p, b})
	}
	if err := saveBuilds(ctx, store, nil, asked...); err != nil {
		return err
	}
	for _, table := range left {
		if err := drop(ctx, store, table); err != nil {
			return err
		}
	}
	return nil
}

// belongs says whether the documents of b, as far as there are any, were folded from a log.
func (b build) belongs(ctx context.Context, store tables.Store, p Projection, log string) (bool, error) {
	for _, g := range b.generations() {
		c, err := store.Checkpoint(ctx, p.table(g))
		if err != nil && !errors.Is(err, tables.ErrNotFound) {
			return false, fmt.Errorf("read checkpoint of projection %s: %w", p.name, err)
		}
		if err == nil && c.Store != log {
			return false, nil
		}
	}
	return true, nil
}

// startOver drops every document of the projection, those of older versions too, and
// begins an empty generation, for documents that must not be read any more.
func startOver(ctx context.Context, store tables.Store, p Projection, lease *tables.Grant) error {
	b, err := loadBuild(ctx, store, p)
	if err != nil {
		return err
	}
	next := build{Serving: max(b.Serving, b.Building, b.Kept) + 1, change: b.change}
	if err := store.Define(ctx, p.schemas(next.Serving)...); err != nil {
		return fmt.Errorf("define tables of projection %s: %w", p.name, err)
	}
	if err := saveBuild(ctx, store, p, next, lease); err != nil {
		return err
	}
	for _, g := range b.all() {
		if err := drop(ctx, store, p.table(g)); err != nil {
			return err
		}
	}
	_, err = dropOlder(ctx, store, p)
	return err
}

// dropOlder removes the documents of older versions, and returns the names of their tables.
func dropOlder(ctx context.Context, store tables.Store, p Projection) ([]string, error) {
	older, err := Older(ctx, store, p)
	if err != nil {
		return nil, err
	}
	var dropped, builds []string
	for _, table := range older {
		if err := drop(ctx, store, table); err != nil {
			return dropped, err
		}
		dropped = append(dropped, table)
	}
	for v := 1; v < p.version; v++ {
		builds = append(builds, buildID(p.name, v))
	}
	if len(builds) == 0 {
		return nil, nil
	}
	err = store.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: buildsTable, Deletes: builds}}})
	if err != nil {
		return dropped, fmt.Errorf("forget old versions of projection %s: %w", p.name, err)
	}
	return dropped, nil
}

// Older are the tables of documents of versions before the program's, the newest version
// first. DropKept drops them.
func Older(ctx context.Context, store tables.Store, p Projection) (out []string, err error) {
	if p.version == 1 {
		return nil, nil
	}
	all, err := store.Tables(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	for v := p.version - 1; v >= 1; v-- {
		out = append(out, generationTables(all, p.name, v)...)
	}
	return out, nil
}

// generationTables are the tables of documents that exist of one version.
func generationTables(all []tables.Schema, name string, version int) []string {
	first := tableName(name, version, 1)
	var out []string
	for _, s := range all {
		rest, ok := strings.CutPrefix(s.Name, first)
		if ok && !strings.HasSuffix(rest, countersOf("")) && !strings.HasSuffix(rest, joinsOf("")) &&
			(rest == "" || strings.HasPrefix(rest, "_g")) {
			out = append(out, s.Name)
		}
	}
	return out
}

// dropLeftovers removes generations that are in no build: a rebuild that was asked for again
// left them behind.
func dropLeftovers(ctx context.Context, store tables.Store, p Projection, b build) error {
	all, err := store.Tables(ctx)
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	for _, table := range generationTables(all, p.name, p.version) {
		if !slices.ContainsFunc(b.all(), func(g int) bool { return p.table(g) == table }) {
			if err := drop(ctx, store, table); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop removes one generation. The checkpoint goes first: without it the documents are
// only left over, with it an emptied table would look complete. The documents go last:
// by their table dropLeftovers knows what a crash left.
func drop(ctx context.Context, store tables.Store, table string) error {
	if err := store.ResetCheckpoint(ctx, table); err != nil {
		return fmt.Errorf("reset checkpoint %s: %w", table, err)
	}
	for _, t := range []string{countersOf(table), joinsOf(table), table} {
		if err := store.Drop(ctx, t); err != nil {
			return fmt.Errorf("drop table %s: %w", t, err)
		}
	}
	return nil
}
