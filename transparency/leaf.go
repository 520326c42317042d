// Package transparency keeps the log of the log: an RFC 6962 tree over every event, in order of position, that
// existing tools read and verify (C2SP tlog-tiles, tlog-checkpoint, signed-note). What a leaf hashes is defined in
// docs/transparency.md; the hashing of trees is that of golang.org/x/mod/sumdb/tlog and of
// github.com/transparency-dev/merkle.
package transparency

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"folio/events"
)

// LeafVersion names the definition of a leaf that this package implements.
const LeafVersion = "folio-leaf-1"

// Entry is what is published of an event: a commitment, which tells nothing of the event without its salt.
type Entry [sha256.Size]byte

// Hash is the leaf of the tree: RFC 6962 §2.1, SHA-256(0x00, entry).
func (e Entry) Hash() tlog.Hash { return tlog.RecordHash(e[:]) }

// Salt hides an event in its entry. Whoever may read the event may have it.
type Salt [sha256.Size]byte

// Entry commits to an event: SHA-256(salt, event).
func (s Salt) Entry(r events.Recorded) Entry {
	text := texts.Get().(*[]byte)
	defer texts.Put(text)
	*text = appendEvent(append((*text)[:0], s[:]...), r)
	return sha256.Sum256(*text)
}

// texts are what events are written into while they are hashed: a verifier hashes a long log in one go.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// appendEvent adds an event as it is hashed: stream, revision, type, id, data and metadata, the last two as the log
// keeps them, each behind its length in eight bytes, big-endian. The position is left out, since it is another one in
// another server; the order of the leaves stands for it.
func appendEvent(out []byte, r events.Recorded) []byte {
	out = appendField(out, r.Stream)
	out = appendField(out, strconv.FormatUint(r.Revision, 10))
	out = appendField(out, r.Type)
	out = appendField(out, r.ID)
	out = appendField(out, r.Raw)
	return appendField(out, r.RawMeta)
}

func appendField[T ~string | ~[]byte](out []byte, field T) []byte {
	return append(binary.BigEndian.AppendUint64(out, uint64(len(field))), field...)
}

// Counts says whether an event is a leaf: its metadata are Folio's, and neither its stream nor its type is a
// server's own. That does not depend on what a version of this program knows, so that a newer one finds the same
// tree.
func Counts(r events.Recorded) bool {
	return r.Meta.Schema >= 1 && !strings.HasPrefix(r.Stream, "$") && !strings.HasPrefix(r.Type, "$")
}

// Opener reads secrets.
type Opener interface {
	// Open gives a secret back; vault.ErrNotFound for one that is not there.
	Open(ctx context.Context, ref string) ([]byte, error)
}

// Secrets is the vault as this package needs it.
type Secrets interface {
	Opener
	// SealFirst keeps a secret unless there is one already, which then stays.
	SealFirst(ctx context.Context, ref string, secret []byte) error
	// Seal keeps a secret in place of another.
	Seal(ctx context.Context, ref string, secret []byte) error
}

// Salts derives the salt of each event from one key. The key is in the vault, and so in backups: without it no
// event can be shown to be in the tree.
type Salts struct {
	key  []byte
	macs *sync.Pool // of HMACs with the key, which is costly to begin with
}

const saltsRef = "transparency/salts"

// OpenSalts reads the key, and draws it when there is none.
func OpenSalts(ctx context.Context, s Secrets) (Salts, error) {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	if err := s.SealFirst(ctx, saltsRef, key); err != nil {
		return Salts{}, fmt.Errorf("draw the key of the salts: %w", err)
	}
	return ReadSalts(ctx, s)
}

// ReadSalts reads the key; vault.ErrNotFound when none was drawn.
func ReadSalts(ctx context.Context, s Opener) (Salts, error) {
	key, err := s.Open(ctx, saltsRef)
	if err != nil {
		return Salts{}, fmt.Errorf("read the key of the salts: %w", err)
	}
	return Salts{key, &sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}, nil
}

// Of is the salt of the event at a revision of a stream: HMAC-SHA256(key, "<revision>@<stream>").
func (s Salts) Of(stream string, revision uint64) (salt Salt) {
	return s.derive(strconv.FormatUint(revision, 10) + "@" + stream)
}

// Entry is the leaf's entry of an event, with the event's salt.
func (s Salts) Entry(r events.Recorded) Entry { return s.Of(r.Stream, r.Revision).Entry(r) }

// Fingerprint tells two keys apart and says nothing of either.
func (s Salts) Fingerprint() string {
	f := s.derive("fingerprint")
	return hex.EncodeToString(f[:])
}

func (s Salts) derive(of string) (out Salt) {
	mac := s.macs.Get().(hash.Hash)
	defer s.macs.Put(mac)
	mac.Reset()
	mac.Write([]byte(of))
	mac.Sum(out[:0])
	return out
}
