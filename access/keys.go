package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/apikey"
	"folio/fault"
	"folio/httpapi"
)

// A key is its prefix, its public id (a ULID) and a secret of 256 random bits in base62. The prefix
// says of which environment the company was when the key was made.
const (
	keyPrefix    = "fk_"
	testPrefix   = "test_"
	livePrefix   = "live_"
	idLength     = 26
	secretLength = 43
)

// NewKey draws a key of a public id, a ULID. Only id and the secret's hash may be kept.
func NewKey(id, environment string) (key, hash string, err error) {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		return "", "", fmt.Errorf("draw a key: %w", err)
	}
	secret := new(big.Int).SetBytes(b).Text(62)
	secret = strings.Repeat("0", secretLength-len(secret)) + secret
	return KeyPrefix(environment) + id + secret, hashOf(secret), nil
}

// KeyPrefix begins the keys that are made in an environment: fk_live_ in Production, fk_test_ in
// Testing, and fk_ before the company has a certificate.
func KeyPrefix(environment string) string {
	switch environment {
	case "Production":
		return keyPrefix + livePrefix
	case "Testing":
		return keyPrefix + testPrefix
	}
	return keyPrefix
}

// withoutPrefix is id and secret of a key, false for what begins otherwise.
func withoutPrefix(key string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(key, keyPrefix)
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, livePrefix), testPrefix)
	return rest, ok
}

// KeyID is the public id in a whole key, for whoever found one; what is no whole key
// comes back as it is.
func KeyID(key string) string {
	if rest, ok := withoutPrefix(key); ok && len(rest) >= idLength {
		return rest[:idLength]
	}
	return key
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// hashes says whether a hash is that of a secret, without objects: each request asks.
func hashes(secret, hash string) bool {
	var room [secretLength]byte
	sum := sha256.Sum256(append(room[:0], secret...))
	var want, have [2 * sha256.Size]byte
	hex.Encode(want[:], sum[:])
	return len(hash) == copy(have[:], hash) && subtle.ConstantTimeCompare(want[:], have[:]) == 1
}

// Keys checks API keys.
type Keys struct {
	x    *commands.Executor
	keys commands.Aggregates[apikey.State, apikey.Command]
	use  *Usage

	offline Offline
}

// NewKeys makes the door for keys. Use is told of each use; it may be nil.
func NewKeys(x *commands.Executor, use *Usage) *Keys {
	return &Keys{x: x, keys: commands.Bind(x, apikey.Decider), use: use}
}

// Offline lets keys go on that only read while the log is away; without it they do so for a
// minute.
func (k *Keys) Offline(o Offline) *Keys {
	k.offline = o
	return k
}

// refusedKey refuses what has the form of a key. Its id is no secret: whoever sent it reads which of his keys it was,
// and so does the operator in the log.
func refusedKey(id string, why *fault.Error) error {
	return &httpapi.RefusedCredential{Whose: httpapi.Principal{Kind: httpapi.Key, KeyID: id}, Err: why}
}

// Key is whom a key belongs to. What cannot be a key is refused without asking the log.
func (k *Keys) Key(ctx context.Context, key string) (httpapi.Principal, error) {
	rest, ok := withoutPrefix(key)
	if !ok || len(rest) != idLength+secretLength {
		return httpapi.Principal{}, httpapi.ErrBadCredential
	}
	id := rest[:idLength]
	if _, err := ulid.ParseStrict(id); err != nil {
		return httpapi.Principal{}, httpapi.ErrBadCredential
	}
	s, found, err := k.cachedKey(ctx, id)
	if err != nil {
		return httpapi.Principal{}, err
	}
	switch { // that a key was revoked or has expired hears only who has it
	case !found || !hashes(rest[idLength:], s.SHA256):
		return httpapi.Principal{}, refusedKey(id, fault.New(fault.Unauthorized, "BAD_CREDENTIAL", fmt.Sprintf(
			"There is no API key %s with this secret: send the whole key, as it was shown when it was made.", id)))
	case s.Revoked:
		return httpapi.Principal{}, refusedKey(id, fault.New(fault.Unauthorized, "BAD_CREDENTIAL", fmt.Sprintf(
			"The API key %s has been revoked: use another one.", id)))
	case s.Expired(k.x.Now()):
		return httpapi.Principal{}, refusedKey(id, fault.New(fault.Unauthorized, "API_KEY_EXPIRED", fmt.Sprintf(
			"The API key %s has expired: use the one that took its place, or make a new one.", id)))
	}
	if k.use != nil {
		k.use.used(ctx, id)
	}
	return httpapi.Principal{Kind: httpapi.Key, Company: s.Company, KeyID: s.Key, Scopes: s.Scopes}, nil
}

// Door is both kinds of credential in one.
type Door struct {
	*Accounts
	*Keys
}

var _ httpapi.Authenticator = Door{}
