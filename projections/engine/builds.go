package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"folio/events"
	"folio/tables"
)

// buildsTable remembers for each version of each projection which generation of its
// documents is read and which is being built.
const buildsTable = "projections"

// build is what buildsTable says about one version of a projection.
type build struct {
	// Serving is the generation that readers get.
	Serving int `json:"serving"`
	// Building is the generation that a rebuild fills, 0 when there is none.
	Building int `json:"building,omitzero"`
	// Paused: the rebuild stands where it is. Hold: it does not take over when it has caught up.
	// Keep: what it takes over from is kept.
	Paused bool `json:"paused,omitzero"`
	Hold   bool `json:"hold,omitzero"`
	Keep   bool `json:"keep,omitzero"`
	// Switched: somebody let a rebuild that was held take over. It cannot be paused any more.
	Switched bool `json:"switched,omitzero"`
	// Kept is the generation that a rollback returns to, 0 when there is none. It is not kept up
	// to date.
	Kept int `json:"kept,omitzero"`
	// Ready says that Serving has caught up with the log once. Until then readers of
	// a raised version are sent to the version before.
	Ready bool `json:"ready,omitzero"`
	// Behind says that the tables stepped back behind what Serving had shown, and that it
	// has not caught up since: it may lack what callers were told of.
	Behind bool `json:"behind,omitzero"`
	// Retired are the generations that rebuilds took over from, the oldest first. They stay
	// until no reader that found them serving can still be reading: MongoDB shows a dropped
	// collection as an empty one.
	Retired []retired `json:"retired,omitempty"`

	change uint64 // counts changes; the guard against a stale writer
}

// retired is a generation that nobody looks for any more.
type retired struct {
	Generation int       `json:"generation"`
	Until      time.Time `json:"until"` // UTC; then it is dropped
}

// replaced is the build after Building took over from Serving, which stays until then, or
// until it is dropped when it is kept.
func (b build) replaced(until time.Time) build {
	gone, kept := b.Serving, b.Kept
	if b.Keep {
		gone, kept = b.Kept, b.Serving
	}
	next := build{Serving: b.Building, Kept: kept, Ready: true, Retired: slices.Clone(b.Retired), change: b.change}
	if gone > 0 {
		next.Retired = append(next.Retired, retired{gone, until.UTC()})
	}
	return next
}

// without is the build when the first of the retired has been dropped.
func (b build) without() build {
	b.Retired = slices.Clone(b.Retired[1:])
	return b
}

// generations are those that are kept up to date.
func (b build) generations() []int {
	if b.Building > 0 {
		return []int{b.Serving, b.Building}
	}
	return []int{b.Serving}
}

// readable are those that somebody looks for, now or after a step of a rebuild.
func (b build) readable() []int {
	out := b.generations()
	if b.Kept > 0 {
		out = append(out, b.Kept)
	}
	return out
}

// all are the generations that exist, those that wait to be dropped included.
func (b build) all() []int {
	out := b.readable()
	for _, r := range b.Retired {
		out = append(out, r.Generation)
	}
	return out
}

func buildID(name string, version int) string { return tableName(name, version, 1) }

// Prepare defines the tables that a program needs which only reads. It is idempotent. A table that was dropped by hand
// stays away, so that nobody reads an empty one, until whoever folds it has seen that.
func Prepare(ctx context.Context, store tables.Store, all ...Projection) error {
	if err := store.Define(ctx, tables.Schema{Name: buildsTable}); err != nil {
		return fmt.Errorf("prepare read models: %w", err)
	}
	for _, p := range all {
		b, err := loadBuild(ctx, store, p)
		if err != nil {
			return err
		}
		gone, err := lacking(ctx, store, p, b.Serving)
		if err == nil && !gone {
			err = store.Define(ctx, p.schemas(b.Serving)...)
		}
		if err != nil {
			return fmt.Errorf("prepare projection %s: %w", p.name, err)
		}
	}
	return nil
}

func loadBuild(ctx context.Context, store tables.Store, p Projection) (build, error) {
	found, err := loadBuilds(ctx, store, p.name, p.version, p.version)
	if err != nil {
		return build{}, err
	}
	if b, ok := found[p.version]; ok {
		return b, nil
	}
	return build{Serving: 1}, nil
}

// loadBuilds reads what is known of the versions from..to.
func loadBuilds(ctx context.Context, store tables.Store, name string, from, to int) (map[int]build, error) {
	var ids []string
	for v := from; v <= to; v++ {
		ids = append(ids, buildID(name, v))
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := store.GetMany(ctx, buildsTable, ids)
	if errors.Is(err, tables.ErrNoTable) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read builds of projection %s: %w", name, err)
	}
	out := map[int]build{}
	for v := from; v <= to; v++ {
		d, ok := found[buildID(name, v)]
		if !ok {
			continue
		}
		b, err := decodeBuild(d)
		if err != nil {
			return nil, fmt.Errorf("read builds of projection %s: %w", name, err)
		}
		out[v] = b
	}
	return out, nil
}

func decodeBuild(d tables.Document) (build, error) {
	b := build{change: d.At.Commit}
	err := json.Unmarshal(d.Body, &b)
	return b, err
}

// change is a build as it shall be.
type change struct {
	p Projection
	b build
}

func saveBuild(ctx context.Context, store tables.Store, p Projection, b build, lease *tables.Grant) error {
	return saveBuilds(ctx, store, lease, change{p, b})
}

// saveBuilds replaces what is known of projections by builds that were changed from what
// loadBuild gave, all in one batch. It fails when somebody else changed one in between.
func saveBuilds(ctx context.Context, store tables.Store, lease *tables.Grant, changes ...change) error {
	if len(changes) == 0 {
		return nil
	}
	if err := store.Define(ctx, tables.Schema{Name: buildsTable}); err != nil {
		return err
	}
	w := tables.Write{Table: buildsTable}
	for _, c := range changes {
		body, err := encode(c.b)
		if err != nil {
			return err
		}
		w.Documents = append(w.Documents, tables.Document{ID: buildID(c.p.name, c.p.version),
			At: events.Position{Commit: c.b.change + 1}, Body: body})
	}
	if err := store.Apply(ctx, tables.Batch{Writes: []tables.Write{w}, Lease: lease}); err != nil {
		return fmt.Errorf("write the builds of projections, %s first: %w", changes[0].p.name, err)
	}
	for i, c := range changes {
		now, err := loadBuild(ctx, store, c.p)
		if err != nil {
			return err
		}
		if same, err := encode(now); err != nil || now.change != c.b.change+1 || !bytes.Equal(same, w.Documents[i].Body) {
			return fmt.Errorf("write build of projection %s: %w", c.p.name, errBuildChanged)
		}
	}
	return nil
}

// errBuildChanged: another process asked for a rebuild or finished one; look again.
var errBuildChanged = errors.New("another process changed the build")

// location is where readers of a projection find its documents, as of one moment. It must be
// found anew for each read: a generation that was replaced goes on for nobody.
type location struct {
	serving string // the newest version up to the program's own that has caught up once
	own     string // that of the program's own version
	// built says that serving holds everything that callers were told of, as far as its
	// feed came. Otherwise what it lacks may exist all the same.
	built bool
}

func locate(ctx context.Context, store tables.Store, p Projection) (location, error) {
	current := build{Serving: 1}
	d, err := store.Get(ctx, buildsTable, buildID(p.name, p.version))
	switch {
	case err == nil:
		if current, err = decodeBuild(d); err != nil {
			return location{}, fmt.Errorf("read builds of projection %s: %w", p.name, err)
		}
	case !errors.Is(err, tables.ErrNotFound) && !errors.Is(err, tables.ErrNoTable):
		return location{}, fmt.Errorf("read builds of projection %s: %w", p.name, err)
	}
	own := p.table(current.Serving)
	if current.Ready {
		return location{own, own, !current.Behind}, nil
	}
	before, behind, err := Before(ctx, store, p)
	if err != nil || before == "" {
		return location{own, own, false}, err
	}
	return location{before, own, !behind}, nil
}

// Before is the table that readers got before the program's version: that of the newest
// version before it that has caught up once, "" for none. No program of this version keeps it
// up to date. Behind is as in Build.
func Before(ctx context.Context, store tables.Store, p Projection) (table string, behind bool, err error) {
	known, err := loadBuilds(ctx, store, p.name, 1, p.version-1)
	if err != nil {
		return "", false, err
	}
	for v := p.version - 1; v >= 1; v-- {
		if b, ok := known[v]; ok && b.Ready {
			return tableName(p.name, v, b.Serving), b.Behind, nil
		}
	}
	return "", false, nil
}
