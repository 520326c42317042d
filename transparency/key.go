package transparency

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"folio/events"
	"folio/vault"
)

// CheckOrigin refuses what no key can be named (C2SP signed-note): nothing, blanks, a plus sign, other than UTF-8. What
// is signed by such a key nobody could read, and a tree keeps its origin.
func CheckOrigin(origin string) error {
	if origin == "" || !utf8.ValidString(origin) || strings.ContainsFunc(origin, unicode.IsSpace) ||
		strings.Contains(origin, "+") {
		return fmt.Errorf("%q is no name of a log: give one without blanks and without +, such as folio.example.com/log",
			origin)
	}
	return nil
}

// DrawKey makes a key whose checkpoints begin with origin: signer is secret, verifier is for everybody (C2SP
// signed-note, Ed25519).
func DrawKey(origin string) (signer, verifier string, err error) {
	if err := CheckOrigin(origin); err != nil {
		return "", "", err
	}
	signer, verifier, err = note.GenerateKey(rand.Reader, origin)
	if err != nil {
		err = fmt.Errorf("draw a key for %s: %w", origin, err)
	}
	return signer, verifier, err
}

// keyRef is where the signing key of a verifier key is sealed.
func keyRef(verifier string) string { return "transparency/key/" + verifier }

// firstRef is where the first key of a tree is sealed, before anybody knows which one it is.
func firstRef(tree string) string { return "transparency/tree/" + tree }

// FirstKey is the key that a tree begins with: whoever draws first decides for all.
func FirstKey(ctx context.Context, s Secrets, tree, origin string) (verifier string, err error) {
	signer, verifier, err := DrawKey(origin)
	if err == nil {
		err = s.SealFirst(ctx, firstRef(tree), []byte(signer+"\n"+verifier))
	}
	if err != nil {
		return "", fmt.Errorf("make the key of the tree: %w", err)
	}
	pair, err := s.Open(ctx, firstRef(tree))
	if err != nil {
		return "", fmt.Errorf("read the key of the tree: %w", err)
	}
	signer, verifier, _ = strings.Cut(string(pair), "\n")
	return verifier, SealKey(ctx, s, verifier, signer)
}

// SealKey keeps a signing key.
func SealKey(ctx context.Context, s Secrets, verifier, signer string) error {
	if err := s.SealFirst(ctx, keyRef(verifier), []byte(signer)); err != nil {
		return fmt.Errorf("keep the key that signs: %w", err)
	}
	return nil
}

// ErrNoKey: nobody can sign for the tree any more, unless the vault that has its key is found.
var ErrNoKey = errors.New("the vault lacks the key that signs: it is older than that key, or another log's. Restore the " +
	"newer one; or begin another tree: folio notary begin --reason WHY")

// Sign signs a text with the key behind a verifier key.
func Sign(ctx context.Context, s Opener, verifier, text string) (string, error) {
	signer, err := s.Open(ctx, keyRef(verifier))
	if errors.Is(err, vault.ErrNotFound) {
		return "", ErrNoKey
	}
	if err != nil {
		return "", fmt.Errorf("read the key that signs: %w", err)
	}
	by, err := note.NewSigner(string(signer))
	if err != nil {
		return "", errors.New("the key that signs is none") // never quote it
	}
	signed, err := note.Sign(&note.Note{Text: text}, by)
	if err != nil {
		return "", fmt.Errorf("sign: %w", err)
	}
	return string(signed), nil
}

// SignHead signs a checkpoint (C2SP tlog-checkpoint). The same head gives the same note.
func SignHead(ctx context.Context, s Secrets, h events.TreeHead) (string, error) {
	root, err := tlog.ParseHash(h.Root)
	if err != nil {
		return "", fmt.Errorf("sign the checkpoint of size %d: %w", h.Size, err)
	}
	return Sign(ctx, s, h.Key, torchwood.Checkpoint{Origin: h.Origin, Tree: tlog.Tree{N: h.Size, Hash: root}}.String())
}

// OpenHead reads a checkpoint and verifies its signature by one of the keys.
func OpenHead(signed string, verifiers ...string) (torchwood.Checkpoint, error) {
	n, err := open(signed, verifiers...)
	if err != nil {
		return torchwood.Checkpoint{}, fmt.Errorf("verify the checkpoint: %w", err)
	}
	return torchwood.ParseCheckpoint(n.Text)
}

func open(signed string, verifiers ...string) (*note.Note, error) {
	known := make([]note.Verifier, len(verifiers))
	for i, v := range verifiers {
		var err error
		if known[i], err = note.NewVerifier(v); err != nil {
			return nil, fmt.Errorf("verifier key %.80q: %w", v, err)
		}
	}
	return note.Open([]byte(signed), note.VerifierList(known...))
}

// rotationHeader begins a statement of rotation, so that it is no checkpoint of anything.
const rotationHeader = "folio key rotation"

// Rotation is what the old key signs of the new one.
func Rotation(tree, from, to string) string {
	return strings.Join([]string{rotationHeader, tree, from, to, ""}, "\n")
}

// CheckRotation verifies that the old key handed over to the new one.
func CheckRotation(tree, from string, e events.NotaryKeyRotated) error {
	n, err := open(e.Statement, from)
	if err != nil {
		return fmt.Errorf("verify the rotation of the key: %w", err)
	}
	if n.Text != Rotation(tree, from, e.Key) {
		return errors.New("verify the rotation of the key: the old key signed something else")
	}
	return nil
}

// Successors are verifier keys, and those that they handed over to by rotations, in their order: each is vouched for by
// the signature of the one before, wherever the statement was found. Each is there once: no note is verified with a
// list in which the key that signed it is twice.
func Successors(verifiers []string, rotations []events.NotaryKeyRotated) (out []string) {
	for _, key := range verifiers {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	for _, e := range rotations {
		by := func(from string) bool { return CheckRotation(e.Tree, from, e) == nil }
		if !slices.Contains(out, e.Key) && slices.ContainsFunc(out, by) {
			out = append(out, e.Key)
		}
	}
	return out
}
