// Package vaulttest is the suite that a vault passes over every backend.
package vaulttest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"folio/vault"
)

// Run runs the suite; open gives an empty backend that the test's clean-up closes.
func Run(t *testing.T, open func(t *testing.T) vault.Backend) {
	all := maps.Clone(tests)
	maps.Copy(all, rotations)
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			test(t, &place{Backend: open(t), key: filepath.Join(t.TempDir(), "master.key")})
		})
	}
}

// place is a backend with the path of its master key.
type place struct {
	vault.Backend
	key string
}

// vault opens the place, as a start of the service does.
func (p *place) vault(t *testing.T) *vault.Sealed {
	t.Helper()
	v, err := vault.New(t.Context(), p.Backend, p.key)
	must(t, err)
	return v
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("got error %v, want %v", err, target)
	}
}

// opens fails unless ref opens to secret.
func opens(t *testing.T, v vault.Vault, ref, secret string) {
	t.Helper()
	got, err := v.Open(t.Context(), ref)
	must(t, err)
	if string(got) != secret {
		t.Fatalf("%s opened to %d bytes, not to the %d sealed", ref, len(got), len(secret))
	}
}

const secret = "clave-secreta-del-certificado-ñ"

var tests = map[string]func(*testing.T, *place){
	"a secret comes back, is replaced and is forgotten": func(t *testing.T, p *place) {
		v := p.vault(t)
		must(t, v.Seal(t.Context(), "certificate/01J", []byte(secret)))
		opens(t, v, "certificate/01J", secret)
		must(t, v.Seal(t.Context(), "certificate/01J", []byte("ticket")))
		opens(t, v, "certificate/01J", "ticket")
		must(t, v.Seal(t.Context(), "empty", nil))
		opens(t, v, "empty", "")
		must(t, v.Delete(t.Context(), "certificate/01J"))
		must(t, v.Delete(t.Context(), "certificate/01J"))
		_, err := v.Open(t.Context(), "certificate/01J")
		want(t, err, vault.ErrNotFound)
	},
	"it opens after a restart": func(t *testing.T, p *place) {
		must(t, p.vault(t).Seal(t.Context(), "a", []byte(secret)))
		opens(t, p.vault(t), "a", secret)
	},
	"the database shows no secret": func(t *testing.T, p *place) {
		v := p.vault(t)
		must(t, v.Seal(t.Context(), "a", []byte(secret)))
		hash, err := v.StoreFile(t.Context(), []byte(secret))
		must(t, err)
		for _, id := range []string{"secret/a", "file/" + hash, "keys/data"} {
			stored, err := p.Load(t.Context(), id)
			must(t, err)
			if bytes.Contains(stored, []byte(secret[:8])) {
				t.Errorf("%s is readable", id)
			}
		}
	},
	"altered bytes do not open": func(t *testing.T, p *place) {
		v := p.vault(t)
		must(t, v.Seal(t.Context(), "a", []byte(secret)))
		sealed, err := p.Load(t.Context(), "secret/a")
		must(t, err)
		for i := range sealed {
			bad := bytes.Clone(sealed)
			bad[i] ^= 1
			must(t, p.Save(t.Context(), "secret/a", bad))
			if plain, err := v.Open(t.Context(), "a"); !errors.Is(err, vault.ErrTampered) || plain != nil {
				t.Fatalf("byte %d changed: %d bytes, error %v", i, len(plain), err)
			}
		}
		must(t, p.Save(t.Context(), "secret/a", sealed[:len(sealed)-1]))
		_, err = v.Open(t.Context(), "a")
		want(t, err, vault.ErrTampered)
		must(t, p.Save(t.Context(), "secret/a", []byte{1}))
		_, err = v.Open(t.Context(), "a")
		want(t, err, vault.ErrTampered)
	},
	"a sealed value moved to another reference does not open": func(t *testing.T, p *place) {
		v := p.vault(t)
		must(t, v.Seal(t.Context(), "a", []byte(secret)))
		sealed, err := p.Load(t.Context(), "secret/a")
		must(t, err)
		must(t, p.Save(t.Context(), "secret/b", sealed))
		_, err = v.Open(t.Context(), "b")
		want(t, err, vault.ErrTampered)
	},
	"another master key is told so, and makes nothing": func(t *testing.T, p *place) {
		must(t, p.vault(t).Seal(t.Context(), "a", []byte(secret)))
		other := p.key + ".other"
		_, err := vault.CreateMasterKey(other)
		must(t, err)
		_, err = vault.New(t.Context(), p.Backend, other)
		want(t, err, vault.ErrWrongMasterKey)
		if !strings.Contains(err.Error(), other) {
			t.Errorf("the path is not in %q", err)
		}
	},
	"a lost master key is not replaced by a new one": func(t *testing.T, p *place) {
		must(t, p.vault(t).Seal(t.Context(), "a", []byte(secret)))
		must(t, os.Rename(p.key, p.key+".away"))
		_, err := vault.New(t.Context(), p.Backend, p.key)
		want(t, err, fs.ErrNotExist)
		if _, err := os.Stat(p.key); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("something is at the path: %v", err)
		}
		must(t, os.Rename(p.key+".away", p.key))
		opens(t, p.vault(t), "a", secret)
	},
	"lost data keys are not replaced by new ones": func(t *testing.T, p *place) {
		must(t, p.vault(t).Seal(t.Context(), "a", []byte(secret)))
		must(t, p.Delete(t.Context(), "keys/data"))
		if _, err := vault.New(t.Context(), p.Backend, p.key); err == nil {
			t.Fatal("opened")
		}
	},
	"a file is kept once under its hash and verified": func(t *testing.T, p *place) {
		v := p.vault(t)
		content := []byte("<DTE>firmado</DTE>")
		sum := sha256.Sum256(content)
		hash := hex.EncodeToString(sum[:])
		_, err := v.File(t.Context(), hash)
		want(t, err, vault.ErrNotFound)
		for range 2 {
			got, err := v.StoreFile(t.Context(), content)
			must(t, err)
			if got != hash {
				t.Fatalf("hash %s, want %s", got, hash)
			}
		}
		got, err := v.File(t.Context(), hash)
		must(t, err)
		if !bytes.Equal(got, content) {
			t.Fatalf("got %d bytes", len(got))
		}
		must(t, p.Save(t.Context(), "file/"+hash, []byte("spoilt by a disk")))
		_, err = v.File(t.Context(), hash)
		want(t, err, vault.ErrTampered)
		_, err = v.StoreFile(t.Context(), content) // repairs
		must(t, err)
		_, err = v.File(t.Context(), hash)
		must(t, err)
	},
	"references and hashes that cannot be are refused": func(t *testing.T, p *place) {
		v := p.vault(t)
		for _, ref := range []string{"", strings.Repeat("x", 501), "a\x00b", "\xff"} {
			want(t, v.Seal(t.Context(), ref, nil), vault.ErrInvalid)
			_, err := v.Open(t.Context(), ref)
			want(t, err, vault.ErrInvalid)
			want(t, v.Delete(t.Context(), ref), vault.ErrInvalid)
		}
		for _, hash := range []string{"", "../keys/data", strings.Repeat("A", 64), strings.Repeat("a", 63)} {
			_, err := v.File(t.Context(), hash)
			want(t, err, vault.ErrInvalid)
		}
		want(t, v.Seal(t.Context(), "big", make([]byte, vault.MaxSize+1)), vault.ErrInvalid)
	},
	"errors do not repeat a secret": func(t *testing.T, p *place) {
		v := p.vault(t)
		must(t, v.Seal(t.Context(), "a", []byte(secret)))
		must(t, p.Save(t.Context(), "secret/a", []byte(secret)))
		_, err := v.Open(t.Context(), "a")
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Fatalf("error %v", err)
		}
	},
	"first starts at once agree on the keys": func(t *testing.T, p *place) {
		const n = 8
		var wg sync.WaitGroup
		opened := make([]*vault.Sealed, n)
		for i := range n {
			wg.Go(func() {
				v, err := vault.New(t.Context(), p.Backend, p.key)
				if err == nil {
					err = v.Seal(t.Context(), fmt.Sprint("by", i), []byte(secret))
				}
				if err != nil {
					t.Error(err)
				}
				opened[i] = v
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		for i := range n {
			opens(t, opened[(i+1)%n], fmt.Sprint("by", i), secret)
		}
	},
}
