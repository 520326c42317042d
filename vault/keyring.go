package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// keysID is where the wrapped data keys are kept.
const keysID = "keys/data"

// keyring holds the data keys: one seals, older ones still open.
type keyring struct {
	db Backend

	mu      sync.RWMutex
	master  MasterKey
	wrapped []byte
	handle  *keyset.Handle
	aead    tink.AEAD
}

func openKeyring(ctx context.Context, db Backend, path string) (*keyring, error) {
	k := &keyring{db: db}
	wrapped, err := k.find(ctx, path)
	if errors.Is(err, ErrNotFound) {
		wrapped, err = k.found(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	if err := k.use(wrapped); err != nil {
		return nil, fmt.Errorf("%s: %w: put the one that it was made with there", path, err)
	}
	return k, nil
}

// find reads the data keys of a vault that has some, and the master key for them.
func (k *keyring) find(ctx context.Context, path string) ([]byte, error) {
	wrapped, err := k.db.Load(ctx, keysID)
	if err != nil {
		return nil, err
	}
	k.master, err = LoadMasterKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the vault holds data, so no new master key is made: put the one that it was made with at %s: %w", path, err)
	}
	return wrapped, err
}

// found makes the first data key of an empty vault. Two processes may do so at once:
// the one that inserts first decides for both.
func (k *keyring) found(ctx context.Context, path string) ([]byte, error) {
	empty, err := k.db.Empty(ctx)
	if err != nil {
		return nil, err
	}
	if !empty {
		wrapped, err := k.find(ctx, path) // the other process was quicker
		if errors.Is(err, ErrNotFound) {
			err = errors.New("the vault holds data but its data keys are gone: restore it from a backup")
		}
		return wrapped, err
	}
	if k.master, err = LoadMasterKey(path); errors.Is(err, fs.ErrNotExist) {
		k.master, err = CreateMasterKey(path)
	}
	if err != nil {
		return nil, err
	}
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	wrapped, err := wrap(handle, k.master)
	if err != nil {
		return nil, err
	}
	if first, err := k.db.Insert(ctx, keysID, wrapped); err != nil || first {
		return wrapped, err
	}
	return k.db.Load(ctx, keysID)
}

func wrap(handle *keyset.Handle, master MasterKey) ([]byte, error) {
	var b bytes.Buffer
	if err := handle.WriteWithAssociatedData(keyset.NewBinaryWriter(&b), master.aead, []byte(keysID)); err != nil {
		return nil, fmt.Errorf("wrap data keys: %w", err)
	}
	return b.Bytes(), nil
}

// use unwraps data keys and works with them from now on.
func (k *keyring) use(wrapped []byte) error {
	handle, err := keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(wrapped)), k.master.aead, []byte(keysID))
	if err != nil {
		return ErrWrongMasterKey
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return fmt.Errorf("data keys: %w", err)
	}
	k.wrapped, k.handle, k.aead = wrapped, handle, primitive
	return nil
}

func (k *keyring) seal(id string, plain []byte) ([]byte, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.aead.Encrypt(plain, []byte(id))
}

func (k *keyring) open(ctx context.Context, id string, sealed []byte) ([]byte, error) {
	k.mu.RLock()
	plain, err := k.aead.Decrypt(sealed, []byte(id))
	k.mu.RUnlock()
	if err == nil {
		return plain, nil
	}
	// Another process may have rotated the data key since this one read it.
	changed, err := k.refresh(ctx)
	if err != nil {
		return nil, err
	}
	if changed {
		k.mu.RLock()
		plain, err = k.aead.Decrypt(sealed, []byte(id))
		k.mu.RUnlock()
		if err == nil {
			return plain, nil
		}
	}
	return nil, ErrTampered
}

// refresh reads the data keys again; true when they are others than before.
func (k *keyring) refresh(ctx context.Context) (bool, error) {
	wrapped, err := k.db.Load(ctx, keysID)
	if err != nil {
		return false, fmt.Errorf("data keys: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if bytes.Equal(wrapped, k.wrapped) {
		return false, nil
	}
	return true, k.use(wrapped)
}

// RotateDataKey seals with a new data key from now on; what is sealed already still
// opens. Other processes on the vault learn of it when they first meet the new key.
func (s *Sealed) RotateDataKey(ctx context.Context) error {
	if err := s.keys.replace(ctx, func(k *keyring) (*keyset.Handle, MasterKey, error) {
		m := keyset.NewManagerFromHandle(k.handle)
		id, err := m.Add(aead.AES256GCMKeyTemplate())
		if err == nil {
			err = m.SetPrimary(id)
		}
		if err != nil {
			return nil, MasterKey{}, err
		}
		handle, err := m.Handle()
		return handle, k.master, err
	}); err != nil {
		return fmt.Errorf("rotate data key: %w", err)
	}
	return nil
}

// ChangeMasterKey wraps the data keys under the master key at path, made if it is not
// there. From then on the vault opens with that file only; processes that run with the
// old one work on until they start again.
func (s *Sealed) ChangeMasterKey(ctx context.Context, path string) error {
	master, err := LoadMasterKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		master, err = CreateMasterKey(path)
	}
	if err == nil {
		err = s.keys.replace(ctx, func(k *keyring) (*keyset.Handle, MasterKey, error) { return k.handle, master, nil })
	}
	if err != nil {
		return fmt.Errorf("change master key: %w", err)
	}
	return nil
}

// replace stores what change makes of the present keys, unless somebody else changed
// them meanwhile: a data key that was lost to a race would take its secrets along.
func (k *keyring) replace(ctx context.Context, change func(*keyring) (*keyset.Handle, MasterKey, error)) error {
	if _, err := k.refresh(ctx); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	handle, master, err := change(k)
	if err != nil {
		return err
	}
	wrapped, err := wrap(handle, master)
	if err != nil {
		return err
	}
	switch swapped, err := k.db.Swap(ctx, keysID, k.wrapped, wrapped); {
	case err != nil:
		return err
	case !swapped:
		return errors.New("the keys were changed by another process at the same time: try again")
	}
	k.master = master
	return k.use(wrapped)
}
