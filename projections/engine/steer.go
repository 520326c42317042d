package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"
)

// Build is what is known of a projection's documents.
type Build struct {
	Table    string          // that readers get: of a version before until this one is Ready
	Begun    bool            // a service has begun to build this version
	Ready    bool            // it has caught up with the log once
	Behind   bool            // it has stepped back since, and is catching up
	At       events.Position // of this version
	Building string          // the table that a rebuild fills, "" for none
	BuiltTo  events.Position
	Paused   bool
	Held     bool   // the rebuild waits for Switch
	Kept     string // the table that Rollback returns to, "" for none
}

// Inspect reads how a projection stands.
func Inspect(ctx context.Context, store tables.Store, p Projection) (out Build, err error) {
	b, err := loadBuild(ctx, store, p)
	if err != nil {
		return out, err
	}
	own := p.table(b.Serving)
	out = Build{Table: own, Ready: b.Ready, Behind: b.Behind, Paused: b.Paused, Held: b.Hold}
	if out.At, err = position(ctx, store, own); err != nil {
		return out, err
	}
	out.Begun = b.Ready || !out.At.IsZero()
	if !b.Ready {
		before, _, err := Before(ctx, store, p)
		if err != nil {
			return out, err
		}
		out.Table = cmp.Or(before, own)
	}
	if b.Building > 0 {
		out.Building = p.table(b.Building)
		out.BuiltTo, err = position(ctx, store, out.Building)
	}
	if b.Kept > 0 {
		out.Kept = p.table(b.Kept)
	}
	return out, err
}

func position(ctx context.Context, store tables.Store, table string) (events.Position, error) {
	c, err := store.Checkpoint(ctx, table)
	if errors.Is(err, tables.ErrNotFound) {
		err = nil
	}
	return c.At, err
}

// ErrNoRebuild and ErrNothingKept refuse what has no object.
var (
	ErrNoRebuild   = errors.New("no rebuild is under way: ask for one with `folio projections rebuild`")
	ErrNothingKept = errors.New("nothing is kept to go back to: rebuild with --keep; " +
		"to a version before one goes back with the program that has it")
)

// ErrSwitched refuses to pause what was told to take over.
var ErrSwitched = errors.New("its rebuild was told to take over and does so as soon as it has caught up: " +
	"`folio projections cancel` gives it up, and a rebuild with --keep can be rolled back")

// Pause has the rebuild stand where it is, Resume has it go on. A rebuild that Switch told to
// take over is not paused: the takeover that was promised would never come.
func Pause(ctx context.Context, store tables.Store, p Projection) error {
	return steer(ctx, store, p, func(b *build) (int, error) {
		if b.Switched {
			return 0, ErrSwitched
		}
		b.Paused = true
		return 0, b.rebuilding()
	})
}

// Resume has a paused rebuild go on.
func Resume(ctx context.Context, store tables.Store, p Projection) error {
	return steer(ctx, store, p, func(b *build) (int, error) {
		b.Paused = false
		return 0, b.rebuilding()
	})
}

// Cancel gives the rebuild up and drops what it has built.
func Cancel(ctx context.Context, store tables.Store, p Projection) error {
	return steer(ctx, store, p, func(b *build) (int, error) {
		gone := b.Building
		err := b.rebuilding()
		b.Building, b.Paused, b.Hold, b.Keep, b.Switched = 0, false, false, false, false
		return gone, err
	})
}

// Switch lets a rebuild that was held take over, as soon as it has caught up.
func Switch(ctx context.Context, store tables.Store, p Projection) error {
	return steer(ctx, store, p, func(b *build) (int, error) {
		b.Hold, b.Paused, b.Switched = false, false, true
		return 0, b.rebuilding()
	})
}

// Rollback returns to the documents that were kept, and keeps the present ones. They are as
// old as the switch: lists answer with 503 until they have caught up.
func Rollback(ctx context.Context, store tables.Store, p Projection) error {
	return steer(ctx, store, p, func(b *build) (int, error) {
		if b.Building > 0 {
			return 0, errors.New("a rebuild is under way: `folio projections switch --wait` waits until it " +
				"has taken over, `folio projections cancel` gives it up")
		}
		if b.Kept == 0 {
			return 0, ErrNothingKept
		}
		b.Serving, b.Kept, b.Behind = b.Kept, b.Serving, true
		return 0, nil
	})
}

// DropKept removes the documents that were kept and those of older versions, and returns the
// names of their tables.
func DropKept(ctx context.Context, store tables.Store, p Projection) (dropped []string, err error) {
	err = steer(ctx, store, p, func(b *build) (int, error) {
		gone := b.Kept
		if b.Kept = 0; gone > 0 {
			dropped = append(dropped, p.table(gone))
		}
		return gone, nil
	})
	b, e := loadBuild(ctx, store, p)
	if err = errors.Join(err, e); err != nil || !b.Ready {
		return dropped, err // an older version is still read
	}
	older, err := dropOlder(ctx, store, p)
	return append(dropped, older...), err
}

func (b build) rebuilding() error {
	if b.Building == 0 {
		return ErrNoRebuild
	}
	return nil
}

// steer changes a build, again when somebody else changed it meanwhile, and drops the
// generation that the change gave up.
func steer(ctx context.Context, store tables.Store, p Projection, change func(*build) (gone int, err error)) error {
	const tries = 20
	for try := 1; ; try++ {
		b, err := loadBuild(ctx, store, p)
		if err != nil {
			return err
		}
		gone, err := change(&b)
		if err != nil {
			return fmt.Errorf("projection %s: %w", p.name, err)
		}
		if err = saveBuild(ctx, store, p, b, nil); err == nil && gone > 0 {
			err = drop(ctx, store, p.table(gone))
		}
		if !errors.Is(err, errBuildChanged) || try == tries {
			return err
		}
	}
}
