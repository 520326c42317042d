package transparency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"folio/vault"
)

// Mark is the newest checkpoint of a tree that was signed, kept in the vault: a log that lacks it is an older copy.
type Mark struct {
	Size int64  `json:"size"` // 0: none was signed
	Root string `json:"root"`
}

func markRef(tree string) string { return "transparency/signed/" + tree }

// ReadMark reads a tree's.
func ReadMark(ctx context.Context, s Opener, tree string) (m Mark, err error) {
	text, err := s.Open(ctx, markRef(tree))
	if errors.Is(err, vault.ErrNotFound) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("read which checkpoint was signed last: %w", err)
	}
	return m, nil
}

// Keep replaces a tree's; it is called before what it says is signed.
func (m Mark) Keep(ctx context.Context, s Secrets, tree string) error {
	text, err := json.Marshal(m)
	if err == nil {
		err = s.Seal(ctx, markRef(tree), text)
	}
	if err != nil {
		return fmt.Errorf("remember the checkpoint that is signed: %w", err)
	}
	return nil
}
