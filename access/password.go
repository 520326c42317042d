// Package access says who a caller is: accounts that log in and hold tokens, and the
// API keys of companies. It checks against the event log, through the executor's
// states in memory, so a fresh key works at once and a revoked one stops at once.
package access

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"folio/admission"
)

// Costs of argon2id for passwords (OWASP's first recommendation: 19 MiB, two passes).
const (
	argonPasses  = 2
	argonMemory  = 19 << 10 // KiB
	argonThreads = 1
	argonLength  = 32
)

// MinPassword and MaxPassword bound a password in bytes.
const (
	MinPassword = 8
	MaxPassword = 256
)

// hasher limits how many passwords are hashed at once: each takes 19 MiB and a core.
// Strangers have places of their own, so that a flood of them, however many addresses it
// comes from, keeps nobody waiting who logged in from the same place before.
type hasher struct {
	strangers, known *admission.Gate
	turns            *admission.Gate                           // of one known place with one account: one at a time
	derive           func(password string, salt []byte) []byte // slow on purpose
}

// loginPatience is the longest wait for a turn, within the time that an answer may take.
const loginPatience = 30 * time.Second

func newHasher() hasher {
	cores := int64(max(1, admission.Cores()/2))
	limits := admission.Limits{All: cores, Each: 1, Line: 64, Lines: 256, Patience: loginPatience}
	turns := admission.Limits{All: 1000, Each: 1, Line: 10, Lines: 1000, Patience: loginPatience}
	strangers := limits
	strangers.Free, strangers.Always = time.Millisecond, true // half of the time is for the companies' calls
	return hasher{admission.New("log-ins", strangers), admission.New("log-ins", limits), admission.New("log-ins", turns),
		argon}
}

// Gates are those that log-ins pass, by name.
func (a *Accounts) Gates() map[string]*admission.Gate {
	return map[string]*admission.Gate{"logins_strangers": a.hasher.strangers, "logins_known": a.hasher.known,
		"logins_turns": a.hasher.turns}
}

// hash makes the text that is sealed in the vault: salt and hash in base64. Party is whose
// password it is.
func (h hasher) hash(ctx context.Context, party, password string) ([]byte, error) {
	leave, err := h.known.Enter(ctx, party, 1)
	if err != nil {
		return nil, err
	}
	defer leave()
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return nil, fmt.Errorf("draw a salt: %w", err)
	}
	return []byte("argon2id$" + encode(salt) + "$" + encode(h.derive(password, salt))), nil
}

// matches compares a password with what hash made. With nothing to compare it takes
// as long and says no. The attempt's last check is made when the turn has come: its error
// ends the comparison before it costs anything.
func (h hasher) matches(ctx context.Context, password string, sealed []byte, t attempt) (bool, error) {
	gate := h.strangers
	if t.known {
		gate = h.known
	}
	leave, err := gate.Enter(ctx, t.party, 1)
	if err != nil {
		return false, err
	}
	defer leave()
	if t.last != nil {
		if err := t.last(); err != nil {
			return false, err
		}
	}
	if len(sealed) == 0 {
		h.derive(password, make([]byte, 16))
		return false, nil
	}
	parts := strings.Split(string(sealed), "$")
	if len(parts) != 3 || parts[0] != "argon2id" {
		return false, errors.New("the sealed password is in no known form")
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[1])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[2])
	if err := errors.Join(err1, err2); err != nil {
		return false, errors.New("the sealed password is in no known form")
	}
	return subtle.ConstantTimeCompare(h.derive(password, salt), want) == 1, nil
}

func argon(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, argonPasses, argonMemory, argonThreads, argonLength)
}

func encode(b []byte) string { return base64.RawStdEncoding.EncodeToString(b) }
