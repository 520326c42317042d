package vault

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Rotation is what a rotation of the data key did.
type Rotation struct {
	Resumed  bool     // it finished one that was interrupted, under the key drawn then
	Resealed int      // values that were sealed anew
	Damaged  []string // ids of values that opened with no key before either; they were left
}

// RotateDataKey draws a new data key, seals every value anew with it, and forgets the keys
// before it. It may be interrupted at any point and run again, beside processes that read
// and write: whatever is in the vault opens at all times, and what they seal meanwhile
// keeps. Told is called with the number of values looked at, now and then.
//
// A value that does not open is named in the result: it is spoilt, and no key helps it.
func (s *Sealed) RotateDataKey(ctx context.Context, told func(values int)) (Rotation, error) {
	r := rotation{Sealed: s, told: told}
	err := r.run(ctx)
	if err != nil {
		err = fmt.Errorf("rotate data key: %w", err)
	}
	return r.Rotation, err
}

// rotation is one run. Each step leaves a vault that opens, and can be repeated.
type rotation struct {
	*Sealed
	Rotation
	told   func(int)
	all    tink.AEAD // opens what the keys of before sealed, also once they are forgotten
	target uint32    // the new key
}

// errOvertaken ends a rotation that would forget a key which another one still needs.
var errOvertaken = errors.New("another rotation began meanwhile: run this again once it has ended")

func (r *rotation) run(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	// A process that has not met the new key yet seals with the old one until it notices,
	// which is before it acknowledges. A pass that finds nothing comes after them all.
	for found := -1; found != 0; {
		before := r.Resealed
		if err := r.pass(ctx); err != nil {
			return err
		}
		found = r.Resealed - before
	}
	if err := r.keys.replace(ctx, r.forgetOlder); err != nil {
		return err
	}
	if err := r.pass(ctx); err != nil { // for one who died between saving and noticing
		return err
	}
	return r.db.Erase(ctx) // the keys of before, and what they sealed
}

// begin draws the new key, unless an interrupted rotation drew one already.
func (r *rotation) begin(ctx context.Context) error {
	err := r.keys.replace(ctx, func(k *keyring) (*keyset.Handle, MasterKey, error) {
		if r.Resumed = k.handle.Len() > 1; r.Resumed {
			return k.handle, k.master, nil
		}
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
	})
	r.keys.mu.RLock()
	defer r.keys.mu.RUnlock()
	r.all, r.target = r.keys.aead, r.keys.primary()
	return err
}

func (r *rotation) forgetOlder(k *keyring) (*keyset.Handle, MasterKey, error) {
	if k.primary() != r.target {
		return nil, MasterKey{}, errOvertaken
	}
	m := keyset.NewManagerFromHandle(k.handle)
	for _, key := range k.handle.KeysetInfo().GetKeyInfo() {
		if key.GetKeyId() == r.target {
			continue
		}
		if err := m.Delete(key.GetKeyId()); err != nil {
			return nil, MasterKey{}, err
		}
	}
	handle, err := m.Handle()
	return handle, k.master, err
}

// perPass is how many ids are listed at once.
const perPass = 500

// pass seals everything anew that is not sealed with the new key.
func (r *rotation) pass(ctx context.Context) error {
	r.Damaged = nil
	for after, seen := "", 0; ; {
		ids, err := r.db.Next(ctx, after, perPass)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if id == keysID {
				continue
			}
			if err := r.reseal(ctx, id); err != nil {
				return fmt.Errorf("%.80q: %w", id, err)
			}
			if seen++; r.told != nil {
				r.told(seen)
			}
		}
		after = ids[len(ids)-1]
	}
}

// reseal seals one value anew. When somebody writes it at the same time theirs stays, and
// is looked at again.
func (r *rotation) reseal(ctx context.Context, id string) error {
	for {
		old, err := r.db.Load(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return nil // deleted meanwhile
		}
		if err != nil || r.fresh(old) {
			return err
		}
		plain, err := r.all.Decrypt(old, []byte(id))
		if err != nil {
			return r.damaged(ctx, id)
		}
		sealed, key, err := r.keys.seal(id, plain)
		if err == nil && key != r.target {
			err = errOvertaken
		}
		if err != nil {
			return err
		}
		if swapped, err := r.db.Swap(ctx, id, old, sealed); err != nil || swapped {
			r.Resealed++
			return err
		}
	}
}

// damaged notes a value that no key opens, unless a later rotation's key sealed it.
func (r *rotation) damaged(ctx context.Context, id string) error {
	overtaken, err := r.keys.retired(ctx, r.target)
	if err == nil && overtaken {
		err = errOvertaken
	}
	r.Damaged = append(r.Damaged, id)
	return err
}

// fresh says whether the new key sealed this: tink puts the id of a key before what it
// sealed.
func (r *rotation) fresh(sealed []byte) bool {
	return len(sealed) > 5 && sealed[0] == 1 && binary.BigEndian.Uint32(sealed[1:5]) == r.target
}

// nextMasterKey is where the key is that takes over from the one at path. While the change
// is under way the data keys may be wrapped under either.
func nextMasterKey(path string) string { return path + ".next" }

// PrepareMasterKey makes the next master key, and leaves one that is there: its path. With
// several hosts it is copied to all of them before the change, so that none is left without.
func (s *Sealed) PrepareMasterKey() (path string, err error) {
	path = nextMasterKey(s.keys.path)
	_, err = LoadMasterKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = CreateMasterKey(path)
	}
	return path, err
}

// RotateMasterKey wraps the data keys under the next master key, and puts it in the place
// of the present one, which is kept: backups from before need it. It may be interrupted at
// any point and run again; processes that run read the new key when they need it.
func (s *Sealed) RotateMasterKey(ctx context.Context) (kept string, err error) {
	next, err := s.PrepareMasterKey()
	if err == nil {
		err = s.changeMasterKey(ctx, next)
	}
	if err == nil {
		kept, err = succeedMasterKey(s.keys.path, next)
	}
	if err != nil {
		return "", fmt.Errorf("rotate master key: %w", err)
	}
	return kept, nil
}

func (s *Sealed) changeMasterKey(ctx context.Context, path string) error {
	master, err := LoadMasterKey(path)
	if err != nil {
		return err
	}
	return s.keys.replace(ctx, func(k *keyring) (*keyset.Handle, MasterKey, error) { return k.handle, master, nil })
}

// succeedMasterKey puts the next key in the place of the one at path, which gets another
// name that tells keys apart and nothing of the key.
func succeedMasterKey(path, next string) (kept string, err error) {
	name, err := masterKeyID(path)
	if err != nil {
		return "", err
	}
	kept = path + ".old-" + name
	if err := os.Link(path, kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if err := os.Rename(next, path); err != nil {
		return "", err
	}
	return kept, syncFolder(filepath.Dir(path))
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
	if err != nil || handle == k.handle && master == k.master {
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
