package access

import (
	"context"
	"time"

	"folio/commands"
	"folio/commands/account"
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

// cachedAccount is the account as it is cached, or as this process knew it last.
func (a *Accounts) cachedAccount(ctx context.Context, id string) (account.State, bool, error) {
	state, found, err := a.accounts.Cached(ctx, id)
	if err != nil && a.offline.admits(ctx, a.x, err) {
		if known, ok := a.accounts.LastKnown(id); ok {
			return known, true, nil
		}
	}
	return state, found, err
}

// cachedKey is the key as it is cached, or as this process or the read models knew it last.
// The read models have keys that this process never checked, and may know of a revocation
// that it has not heard of.
func (k *Keys) cachedKey(ctx context.Context, id string) (apikey.State, bool, error) {
	s, found, err := k.keys.Cached(ctx, id)
	if err == nil || !k.offline.admits(ctx, k.x, err) {
		return s, found, err
	}
	if known, ok := k.keys.LastKnown(id); ok {
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
