package sii

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"folio/authority"
	"folio/authority/wire"
)

// Vault keeps secrets sealed across restarts.
type Vault = wire.Vault

// tokenLife is how long a token is used. SII's own limit is not published; an hour has
// been seen, and one that ended sooner is renewed when it is refused.
const tokenLife = 50 * time.Minute

// tokens caches one token for each certificate and system of an environment. It logs
// in once however many ask at the same time.
type tokens struct {
	environment string
	login       func(context.Context, identity, system) (string, error)
	vault       Vault
	now         func() time.Time
	log         *slog.Logger

	mu      sync.Mutex
	entries map[string]*entry
}

// entry is guarded by its gate, which a waiting caller can leave when its context ends.
type entry struct {
	gate   chan struct{}
	held   sealedToken
	opened bool
}

// sealedToken is what the vault holds. A token is a secret: whoever has it can send
// and read documents of the companies that its holder acts for.
type sealedToken struct {
	Token string    `json:"token"`
	Until time.Time `json:"until"`
}

// get is a token: the one at hand, unless it is the refused one, or a new one.
func (ts *tokens) get(ctx context.Context, i identity, s system, refused string) (string, error) {
	ref := "token-sii-" + ts.environment + "-" + string(s) + "-" + i.fingerprint
	ts.mu.Lock()
	e := ts.entries[ref]
	if e == nil {
		e = &entry{gate: make(chan struct{}, 1)}
		ts.entries[ref] = e
	}
	ts.mu.Unlock()
	select {
	case e.gate <- struct{}{}:
		defer func() { <-e.gate }()
	case <-ctx.Done():
		return "", authority.NotSent(ctx.Err())
	}
	ts.unseal(ctx, ref, e)
	if e.held.Token != "" && e.held.Token != refused && ts.now().Before(e.held.Until) {
		return e.held.Token, nil
	}
	token, err := ts.login(ctx, i, s)
	if err != nil {
		return "", err
	}
	e.held = sealedToken{token, ts.now().Add(tokenLife)}
	ts.seal(ctx, ref, e.held)
	return token, nil
}

func (ts *tokens) unseal(ctx context.Context, ref string, e *entry) {
	if e.opened || ts.vault == nil {
		return
	}
	e.opened = true
	blob, err := ts.vault.Open(ctx, ref)
	if err != nil || len(blob) == 0 {
		return
	}
	if json.Unmarshal(blob, &e.held) != nil {
		ts.log.Warn("stored token is damaged, logging in again", "ref", ref)
	}
}

// seal keeps a token. Failing to only costs a login after the next start, so it is
// reported and not returned.
func (ts *tokens) seal(ctx context.Context, ref string, t sealedToken) {
	if ts.vault == nil {
		return
	}
	blob, err := json.Marshal(t)
	if err == nil {
		err = ts.vault.Seal(ctx, ref, blob)
	}
	if err != nil {
		ts.log.Warn("token not kept", "ref", ref, "error", err)
	}
}

func fingerprint(c authority.Credential) string {
	sum := sha256.Sum256(c.Certificate.Leaf.Raw)
	return hex.EncodeToString(sum[:])
}
