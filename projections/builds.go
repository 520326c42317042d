package projections

import (
	"context"
	"errors"
	"fmt"

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
	// Ready says that Serving has caught up with the log once. Until then readers of
	// a raised version are sent to the version before.
	Ready bool `json:"ready,omitzero"`

	change uint64 // counts changes; the guard against a stale writer
}

// generations are those that exist.
func (b build) generations() []int {
	if b.Building > 0 {
		return []int{b.Serving, b.Building}
	}
	return []int{b.Serving}
}

func buildID(name string, version int) string { return tableName(name, version, 1) }

// Prepare defines the tables that a program needs which only reads. It is idempotent.
func Prepare(ctx context.Context, store tables.Store, all ...Projection) error {
	if err := store.Define(ctx, tables.Schema{Name: buildsTable}); err != nil {
		return fmt.Errorf("prepare read models: %w", err)
	}
	for _, p := range all {
		b, err := loadBuild(ctx, store, p)
		if err != nil {
			return err
		}
		if err := store.Define(ctx, p.schemas(b.Serving)...); err != nil {
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
		b := build{change: d.At.Commit}
		if err := json.Unmarshal(d.Body, &b); err != nil {
			return nil, fmt.Errorf("read builds of projection %s: %w", name, err)
		}
		out[v] = b
	}
	return out, nil
}

// saveBuild replaces what is known of p by b, which was changed from what loadBuild
// gave. It fails when somebody else changed it in between.
func saveBuild(ctx context.Context, store tables.Store, p Projection, b build, lease *tables.Grant) error {
	body, err := encode(b)
	if err != nil {
		return err
	}
	d := tables.Document{ID: buildID(p.name, p.version), At: events.Position{Commit: b.change + 1}, Body: body}
	if err := store.Define(ctx, tables.Schema{Name: buildsTable}); err != nil {
		return err
	}
	err = store.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: buildsTable, Documents: []tables.Document{d}}}, Lease: lease})
	if err != nil {
		return fmt.Errorf("write build of projection %s: %w", p.name, err)
	}
	now, err := loadBuild(ctx, store, p)
	if err != nil {
		return err
	}
	if b.change++; now != b {
		return fmt.Errorf("write build of projection %s: %w", p.name, errBuildChanged)
	}
	return nil
}

// errBuildChanged: another process asked for a rebuild or finished one; look again.
var errBuildChanged = errors.New("another process changed the build")

// servingTable is where readers of p find documents: the newest version up to p's own
// that has caught up, or p's own when none has yet. Ready says that p's own has.
func servingTable(ctx context.Context, store tables.Store, p Projection) (serving, own string, ready bool, err error) {
	known, err := loadBuilds(ctx, store, p.name, 1, p.version)
	if err != nil {
		return "", "", false, err
	}
	current, ok := known[p.version]
	if !ok {
		current = build{Serving: 1}
	}
	own = p.table(current.Serving)
	for v := p.version; v >= 1; v-- {
		if b, ok := known[v]; ok && b.Ready {
			return tableName(p.name, v, b.Serving), own, v == p.version, nil
		}
	}
	return own, own, false, nil
}
