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
	db   Backend
	path string // of the master key

	mu      sync.RWMutex
	master  MasterKey
	wrapped []byte
	handle  *keyset.Handle
	aead    tink.AEAD
}

func openKeyring(ctx context.Context, db Backend, path string) (*keyring, error) {
	k := &keyring{db: db, path: path}
	wrapped, err := k.find(ctx)
	if errors.Is(err, ErrNotFound) {
		wrapped, err = k.found(ctx)
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
func (k *keyring) find(ctx context.Context) ([]byte, error) {
	wrapped, err := k.db.Load(ctx, keysID)
	if err != nil {
		return nil, err
	}
	k.master, err = LoadMasterKey(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the vault holds data, so no new master key is made: put the one that it was made with at %s: %w",
			k.path, err)
	}
	return wrapped, err
}

// found makes the first data key of an empty vault. Two processes may do so at once:
// the one that inserts first decides for both.
func (k *keyring) found(ctx context.Context) ([]byte, error) {
	empty, err := k.db.Empty(ctx)
	if err != nil {
		return nil, err
	}
	if !empty {
		wrapped, err := k.find(ctx) // the other process was quicker
		if errors.Is(err, ErrNotFound) {
			err = errors.New("the vault holds data but its data keys are gone: restore it from a backup")
		}
		return wrapped, err
	}
	if k.master, err = LoadMasterKey(k.path); errors.Is(err, fs.ErrNotExist) {
		k.master, err = CreateMasterKey(k.path)
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

// use unwraps data keys and works with them from now on. The master key may have been
// changed since this process read it: then the files say which one it is now.
func (k *keyring) use(wrapped []byte) error {
	handle, err := unwrap(wrapped, k.master)
	for _, path := range []string{k.path, nextMasterKey(k.path)} {
		if err == nil {
			break
		}
		changed, missing := LoadMasterKey(path)
		if missing != nil {
			continue
		}
		if handle, err = unwrap(wrapped, changed); err == nil {
			k.master = changed
		}
	}
	if err != nil {
		return err
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return fmt.Errorf("data keys: %w", err)
	}
	k.wrapped, k.handle, k.aead = wrapped, handle, primitive
	return nil
}

func unwrap(wrapped []byte, master MasterKey) (*keyset.Handle, error) {
	if master.aead == nil {
		return nil, ErrWrongMasterKey
	}
	handle, err := keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(wrapped)), master.aead,
		[]byte(keysID))
	if err != nil {
		return nil, ErrWrongMasterKey
	}
	return handle, nil
}

// seal seals with the present data key and names it.
func (k *keyring) seal(id string, plain []byte) (sealed []byte, key uint32, err error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	sealed, err = k.aead.Encrypt(plain, []byte(id))
	return sealed, k.primary(), err
}

// primary is the id of the data key that seals; the caller holds the lock.
func (k *keyring) primary() uint32 { return k.handle.KeysetInfo().GetPrimaryKeyId() }

// retired says whether the data key of this id no longer seals. It asks the database:
// another process may have rotated meanwhile.
func (k *keyring) retired(ctx context.Context, key uint32) (bool, error) {
	if _, err := k.refresh(ctx); err != nil {
		return false, err
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.primary() != key, nil
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
