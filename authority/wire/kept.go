package wire

import (
	"context"
	"sync"
)

// Vault keeps secrets sealed across restarts. Open of a ref that was never sealed
// returns nil bytes, or any error.
type Vault interface {
	Open(ctx context.Context, ref string) ([]byte, error)
	Seal(ctx context.Context, ref string, blob []byte) error
}

// Kept remembers what a driver must know again after a restart, in the vault, or in
// memory where there is none. The zero value remembers in memory. It is safe for
// concurrent use.
type Kept struct {
	Vault  Vault
	mu     sync.Mutex
	memory map[string][]byte // without a vault
}

// Load is what was stored under a reference, nil when nothing can be had.
func (k *Kept) Load(ctx context.Context, ref string) []byte {
	if k.Vault == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.memory[ref]
	}
	blob, err := k.Vault.Open(ctx, ref)
	if err != nil {
		return nil
	}
	return blob
}

// Store replaces what is under a reference.
func (k *Kept) Store(ctx context.Context, ref string, blob []byte) error {
	if k.Vault == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.memory == nil {
			k.memory = map[string][]byte{}
		}
		k.memory[ref] = blob
		return nil
	}
	return k.Vault.Seal(ctx, ref, blob)
}
