package audit

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// trust is what the auditor's key vouches for: the key that signed, and the root of the tree.
type trust struct {
	key  note.Verifier
	root tlog.Hash
	size int64
}

// checkpoint verifies the signed root with the key, or with the one that it has handed over to.
func (v *verifier) checkpoint(key string) error {
	known, err := note.NewVerifier(strings.TrimSpace(key))
	if err != nil {
		return fmt.Errorf("the key is not one that the log gives at /log/key: %w", err)
	}
	signed, err := v.all(CheckpointName)
	if err != nil {
		return err
	}
	rotations, err := v.all(RotationsName)
	if err != nil {
		return err
	}
	n, err := note.Open(signed, note.VerifierList(known))
	for _, rotation := range strings.Split(string(rotations), "\n--\n\n") {
		if err == nil || rotation == "" {
			break
		}
		if text, next := handedOver(rotation, known); next != nil {
			key, known, v.report.Rotations = text, next, v.report.Rotations+1
			n, err = note.Open(signed, note.VerifierList(known))
		}
	}
	if err != nil {
		return differs(CheckpointName, 0, "the key %s+%08x does not verify it: %s", known.Name(), known.KeyHash(),
			signedBy(err))
	}
	v.report.Key = strings.TrimSpace(key)
	return v.head(n.Text, known)
}

// signedBy says why a note is not verified. A tree that was begun anew has another key, so whoever holds that of an
// older tree learns of which one to look for.
func signedBy(err error) string {
	var unverified *note.UnverifiedNoteError
	if !errors.As(err, &unverified) {
		return err.Error()
	}
	var by []string
	for _, s := range unverified.Note.UnverifiedSigs {
		by = append(by, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
	}
	return "it is signed by " + strings.Join(by, " and ") + ", which that key has not handed over to; the log shows its " +
		"present key at /log/key, and a tree that was begun anew has another"
}

// handedOver is the key that a rotation names, if the known one signed it: "folio key rotation", the tree, the old key,
// the new key, each on a line.
func handedOver(rotation string, known note.Verifier) (string, note.Verifier) {
	n, err := note.Open([]byte(rotation), note.VerifierList(known))
	if err != nil {
		return "", nil
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) < 4 || lines[0] != "folio key rotation" {
		return "", nil
	}
	next, err := note.NewVerifier(lines[3])
	if err != nil || next.Name() != known.Name() {
		return "", nil
	}
	return lines[3], next
}

// head reads a checkpoint (C2SP tlog-checkpoint): origin, size and root, each on a line.
func (v *verifier) head(text string, by note.Verifier) error {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[0] != by.Name() {
		return differs(CheckpointName, 0, "it is no checkpoint of %s", by.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 1 {
		return differs(CheckpointName, 2, "%q is no size of a tree", lines[1])
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return differs(CheckpointName, 3, "%q is no root: %v", lines[2], err)
	}
	v.trust = trust{by, root, size}
	v.report.Origin, v.report.Size, v.report.Root = lines[0], size, root.String()
	return nil
}

// leafHash is what the tree has of an event: its fields, each behind its length in eight bytes, are hashed behind the
// salt, and what comes out is the record of the leaf (RFC 6962).
func leafHash(salt []byte, e Event) tlog.Hash {
	commitment := sha256.New()
	commitment.Write(salt)
	for _, field := range []string{e.Stream, strconv.FormatUint(e.Revision, 10), e.Type, e.ID, e.Data, e.Metadata} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(field)))
		commitment.Write(length[:])
		commitment.Write([]byte(field))
	}
	return tlog.RecordHash(commitment.Sum(nil))
}

// Proof shows that an event is a leaf of the tree: a line of proofs.ndjson.
type Proof struct {
	Leaf int64    `json:"leaf"`
	Salt string   `json:"salt"` // base64
	Path []string `json:"path"` // base64, RFC 6962 §2.1.1
}

// included verifies the proof of an event.
func (t trust) included(e Event, p Proof) error {
	if p.Leaf != e.Leaf {
		return fmt.Errorf("it is of leaf %d, and the event is leaf %d", p.Leaf, e.Leaf)
	}
	salt, err := base64.StdEncoding.DecodeString(p.Salt)
	if err != nil {
		return fmt.Errorf("its salt is no base64: %w", err)
	}
	path := make(tlog.RecordProof, len(p.Path))
	for i, text := range p.Path {
		if path[i], err = tlog.ParseHash(text); err != nil {
			return fmt.Errorf("hash %d of its path: %w", i+1, err)
		}
	}
	if p.Leaf < 0 || p.Leaf >= t.size {
		return fmt.Errorf("leaf %d is not in a tree of %d leaves", p.Leaf, t.size)
	}
	return tlog.CheckRecord(path, t.size, t.root, p.Leaf, leafHash(salt, e))
}
