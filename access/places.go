package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"folio/events"
	"folio/tables"
)

var placesSchema = tables.Schema{Name: "login_place_v1"}

// A place is known for placeLife after the right password came from it; that it was used
// again is noted once in placeNote.
const (
	placeLife = 180 * 24 * time.Hour
	placeNote = 7 * 24 * time.Hour
)

// rememberedPlaces is how many are kept in memory.
const rememberedPlaces = 10_000

// places remembers from where the right password of an account came. Places are kept under
// a keyed hash, so that no table says where somebody was. What is lost costs the owner of
// an account under attack a wait, nothing else.
type places struct {
	key   []byte
	now   func() time.Time
	seen  *lru.Cache[string, time.Time]
	store tables.Store // nil: in memory only
	log   *slog.Logger
}

func newPlaces(key []byte, now func() time.Time) *places {
	seen, err := lru.New[string, time.Time](rememberedPlaces)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &places{key: key, now: now, seen: seen}
}

// KeepPlaces keeps in a table from where accounts logged in, over restarts and for every
// process; without it the process remembers its own. Call it before the first log-in.
func (a *Accounts) KeepPlaces(ctx context.Context, store tables.Store, log *slog.Logger) error {
	if err := store.Define(ctx, placesSchema); err != nil {
		return fmt.Errorf("define the table of places: %w", err)
	}
	a.places.store, a.places.log = store, log
	return nil
}

func (p *places) id(account, place string) string {
	h := hmac.New(sha256.New, p.key)
	h.Write([]byte("place\x00" + account + "\x00" + place))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// known says whether the account's password came from the place before.
func (p *places) known(ctx context.Context, account, place string) bool {
	id := p.id(account, place)
	at, ok := p.seen.Get(id)
	if !ok && p.store != nil {
		doc, err := p.store.Get(ctx, placesSchema.Name, id)
		if err != nil {
			if !errors.Is(err, tables.ErrNotFound) && ctx.Err() == nil {
				p.log.Warn("where an account logged in before cannot be read", "error", err)
			}
			return false
		}
		at, ok = time.UnixMicro(int64(doc.At.Commit)), true
		p.seen.Add(id, at)
	}
	return ok && p.now().Sub(at) < placeLife
}

// used notes that the right password came from the place.
func (p *places) used(ctx context.Context, account, place string) {
	id, now := p.id(account, place), p.now()
	if at, ok := p.seen.Get(id); ok && now.Sub(at) < placeNote {
		return
	}
	p.seen.Add(id, now)
	if p.store == nil {
		return
	}
	at := uint64(now.UnixMicro())
	doc := tables.Document{ID: id, At: events.Position{Commit: at, Prepare: at}, Body: []byte("{}")}
	err := p.store.Apply(context.WithoutCancel(ctx),
		tables.Batch{Writes: []tables.Write{{Table: placesSchema.Name, Documents: []tables.Document{doc}}}})
	if err != nil {
		p.log.Warn("where an account logged in was not noted", "error", err)
		p.seen.Remove(id)
	}
}
