package access

import (
	"context"
	"time"

	"folio/commands"
	"folio/commands/apikey"
	"folio/httpapi"
)

// Offline is how requests that only read go on while the event log is away. Whoever writes
// is refused meanwhile: nothing could be recorded.
type Offline struct {
	// For bounds how long, from the moment on at which the log's news stayed out. A key that
	// is revoked meanwhile by a process that still has the log may read on for so long here.
	For time.Duration
	// Shown is a key as the read models show it; an error when they do not show it. Nil: only
	// what this process has in memory counts.
	Shown func(ctx context.Context, id string) (apikey.State, error)
}

// admits says whether a credential may be believed although checking it failed with err.
func (o Offline) admits(ctx context.Context, x *commands.Executor, err error) bool {
	silence, heard := x.Silence()
	return commands.LogAway(err) && httpapi.OnlyReads(ctx) && heard && silence < o.For
}

// recent is commands.Recent that goes on with what this process knows.
func recent[S, C any](ctx context.Context, x *commands.Executor, o Offline, d commands.Decider[S, C], id string) (S, bool, error) {
	state, found, err := commands.Recent(ctx, x, d, id)
	if err != nil && o.admits(ctx, x, err) {
		if known, ok := commands.Remembered(x, d, id); ok {
			return known, true, nil
		}
	}
	return state, found, err
}

// recentKey is recent that asks the read models, too: they have keys that this process never
// checked, and may know of a revocation that it has not heard of.
func (k *Keys) recentKey(ctx context.Context, id string) (apikey.State, bool, error) {
	s, found, err := commands.Recent(ctx, k.x, apikey.Decider, id)
	if err == nil || !k.offline.admits(ctx, k.x, err) {
		return s, found, err
	}
	if known, ok := commands.Remembered(k.x, apikey.Decider, id); ok {
		s, found, err = known, true, nil
	}
	if k.offline.Shown == nil {
		return s, found, err
	}
	if shown, e := k.offline.Shown(ctx, id); e == nil && (err != nil || shown.Revoked) {
		return shown, true, nil
	}
	return s, found, err
}
