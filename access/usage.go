package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"folio/events"
	"folio/tables"
)

var usageSchema = tables.Schema{Name: "key_use_v1"}

// Usage remembers on which day each key was last used, outside the log: it is for
// people who tidy up, not a fact. A day that cannot be noted is tried again with the
// key's next use.
type Usage struct {
	store tables.Store
	now   func() time.Time
	log   *slog.Logger
	mu    sync.Mutex
	days  map[string]int64 // since 1970, by key
}

// OpenUsage defines the table.
func OpenUsage(ctx context.Context, store tables.Store, log *slog.Logger, now func() time.Time) (*Usage, error) {
	if err := store.Define(ctx, usageSchema); err != nil {
		return nil, fmt.Errorf("define the table of used keys: %w", err)
	}
	return &Usage{store: store, now: now, log: log, days: map[string]int64{}}, nil
}

const secondsOfDay = 24 * 60 * 60

func (u *Usage) used(ctx context.Context, id string) {
	now := u.now().UTC()
	day := now.Unix() / secondsOfDay
	u.mu.Lock()
	seen := u.days[id] == day
	u.days[id] = day
	u.mu.Unlock()
	if seen {
		return
	}
	ctx = context.WithoutCancel(ctx) // a caller that hangs up has used the key all the same
	at := uint64(now.UnixMicro())
	doc := tables.Document{ID: id, At: events.Position{Commit: at, Prepare: at},
		Body: now.AppendFormat(nil, `"`+time.DateOnly+`"`)}
	if err := u.store.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: usageSchema.Name,
		Documents: []tables.Document{doc}}}}); err != nil {
		u.log.Warn("the day of a key's use was not noted", "key", id, "error", err)
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.days, id)
	}
}

// Prefix begins the keys of an environment: see KeyPrefix.
func (*Usage) Prefix(environment string) string { return KeyPrefix(environment) }

// LastUsed is the day (YYYY-MM-DD, UTC) of a key's last use, "" when it never was.
func (u *Usage) LastUsed(ctx context.Context, id string) (string, error) {
	doc, err := u.store.Get(ctx, usageSchema.Name, id)
	if errors.Is(err, tables.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the last use of key %s: %w", id, err)
	}
	if len(doc.Body) != len(time.DateOnly)+2 {
		return "", nil
	}
	return string(doc.Body[1 : len(doc.Body)-1]), nil
}
