package main

import (
	"context"
	"encoding/base64"
	"errors"

	"folio/events"
	"folio/readapi"
	"folio/transparency"
	"folio/vault"
)

// leaves shows whoever may read a fact where it is in the transparency log; nil: no tree is kept.
func (s *service) leaves() readapi.Leaves {
	if s.flags.Transparency == "off" {
		return nil
	}
	return func(ctx context.Context) (func(events.Recorded) (leaf, salt string), error) {
		salts, err := transparency.ReadSalts(ctx, s.vault)
		if errors.Is(err, vault.ErrNotFound) {
			return nil, nil // the notary has not begun
		}
		if err != nil {
			return nil, err
		}
		return func(r events.Recorded) (string, string) {
			if !transparency.Counts(r) {
				return "", ""
			}
			salt := salts.Of(r.Stream, r.Revision)
			return salt.Entry(r).Hash().String(), base64.StdEncoding.EncodeToString(salt[:])
		}, nil
	}
}
