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

	"golang.org/x/crypto/argon2"
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
type hasher struct {
	gate   chan struct{}
	derive func(password string, salt []byte) []byte // slow on purpose
}

func newHasher() hasher { return hasher{make(chan struct{}, 2), argon} }

func (h hasher) enter(ctx context.Context) (leave func(), err error) {
	select {
	case h.gate <- struct{}{}:
		return func() { <-h.gate }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hash makes the text that is sealed in the vault: salt and hash in base64.
func (h hasher) hash(ctx context.Context, password string) ([]byte, error) {
	leave, err := h.enter(ctx)
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
// as long and says no. Last is asked when the turn has come: its error ends the
// comparison before it costs anything.
func (h hasher) matches(ctx context.Context, password string, sealed []byte, last func() error) (bool, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	if err := last(); err != nil {
		return false, err
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
