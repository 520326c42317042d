package vaulttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"folio/vault"
)

// prefix is what tink puts before a sealed value: it names the key.
func (p *place) prefix(t *testing.T, id string) string {
	t.Helper()
	sealed, err := p.Load(t.Context(), id)
	must(t, err)
	return fmt.Sprintf("%x", sealed[:5])
}

// keys are the prefixes of everything that is kept.
func (p *place) keys(t *testing.T) map[string]int {
	t.Helper()
	ids, err := p.Next(t.Context(), "", 1000)
	must(t, err)
	found := map[string]int{}
	for _, id := range ids {
		if id != "keys/data" {
			found[p.prefix(t, id)]++
		}
	}
	return found
}

func rotate(t *testing.T, v *vault.Sealed) vault.Rotation {
	t.Helper()
	r, err := v.RotateDataKey(t.Context(), nil)
	must(t, err)
	return r
}

// filled is a vault with some secrets and a file, and a check that all of them open.
func filled(t *testing.T, p *place) (v *vault.Sealed, check func(vault.Vault)) {
	t.Helper()
	v = p.vault(t)
	for i := range 5 {
		must(t, v.Seal(t.Context(), fmt.Sprint("s", i), []byte(secret)))
	}
	hash, err := v.StoreFile(t.Context(), []byte("<DTE>firmado</DTE>"))
	must(t, err)
	return v, func(v vault.Vault) {
		t.Helper()
		for i := range 5 {
			opens(t, v, fmt.Sprint("s", i), secret)
		}
		_, err := v.File(t.Context(), hash)
		must(t, err)
	}
}

// faulty fails at its nth write, before it or after it, and at all writes that follow: a
// process that was killed there.
type faulty struct {
	vault.Backend
	after  bool
	left   atomic.Int64
	failed atomic.Bool
}

var errKilled = errors.New("killed")

func (f *faulty) write(do func() error) error {
	n := f.left.Add(-1)
	if n > 0 {
		return do()
	}
	f.failed.Store(true)
	if n == 0 && f.after {
		if err := do(); err != nil {
			return err
		}
	}
	return errKilled
}

// Save implements vault.Backend.
func (f *faulty) Save(ctx context.Context, id string, sealed []byte) error {
	return f.write(func() error { return f.Backend.Save(ctx, id, sealed) })
}

// Swap implements vault.Backend.
func (f *faulty) Swap(ctx context.Context, id string, old, sealed []byte) (done bool, err error) {
	err = f.write(func() (err error) {
		done, err = f.Backend.Swap(ctx, id, old, sealed)
		return err
	})
	return done && err == nil, err
}

var rotations = map[string]func(*testing.T, *place){
	"ids are listed in the order of their bytes": func(t *testing.T, p *place) {
		v := p.vault(t)
		for _, ref := range []string{"b", "a", "ñ", "B", "aa"} {
			must(t, v.Seal(t.Context(), ref, nil))
		}
		var got []string
		for after := ""; ; {
			ids, err := p.Next(t.Context(), after, 2)
			must(t, err)
			if len(ids) == 0 {
				break
			}
			got, after = append(got, ids...), ids[len(ids)-1]
		}
		if want := "keys/data secret/B secret/a secret/aa secret/b secret/ñ"; strings.Join(got, " ") != want {
			t.Errorf("%q, want %s", got, want)
		}
	},
	"a rotation seals everything with one new key and forgets the old one": func(t *testing.T, p *place) {
		v, check := filled(t, p)
		elsewhere := p.vault(t)
		old := p.prefix(t, "secret/s0")
		if r := rotate(t, v); r.Resealed != 6 || r.Resumed || len(r.Damaged) != 0 {
			t.Errorf("%+v", r)
		}
		if keys := p.keys(t); len(keys) != 1 || keys[old] != 0 {
			t.Errorf("sealed with the keys %v, the old one was %s", keys, old)
		}
		for _, w := range []*vault.Sealed{v, elsewhere, p.vault(t)} {
			check(w)
		}
		if r := rotate(t, elsewhere); r.Resealed != 6 {
			t.Errorf("again: %+v", r)
		}
		check(v)
		must(t, v.Seal(t.Context(), "new", []byte("after")))
		opens(t, p.vault(t), "new", "after")
	},
	"who has not heard of a rotation seals what opens after it": func(t *testing.T, p *place) {
		v, _ := filled(t, p)
		elsewhere := p.vault(t)
		rotate(t, v)
		rotate(t, v)
		must(t, elsewhere.Seal(t.Context(), "s0", []byte("theirs")))
		opens(t, p.vault(t), "s0", "theirs")
		if keys := p.keys(t); len(keys) != 1 {
			t.Errorf("sealed with the keys %v", keys)
		}
	},
	"a rotation that is killed at any write goes on": func(t *testing.T, p *place) {
		_, check := filled(t, p)
		for _, after := range []bool{false, true} {
			for n, ended := int64(1), false; !ended; n++ {
				f := &faulty{Backend: p.Backend, after: after}
				f.left.Store(n)
				v, err := vault.New(t.Context(), f, p.key)
				must(t, err)
				_, err = v.RotateDataKey(t.Context(), nil)
				if ended = !f.failed.Load(); ended {
					must(t, err)
				} else if !errors.Is(err, errKilled) {
					t.Fatalf("killed at write %d: %v", n, err)
				}
				check(p.vault(t))
				rotate(t, p.vault(t))
				check(p.vault(t))
				if keys := p.keys(t); len(keys) != 1 {
					t.Fatalf("killed at write %d: then sealed with the keys %v", n, keys)
				}
			}
		}
	},
	"a killed rotation is finished with the key that it drew": func(t *testing.T, p *place) {
		filled(t, p)
		f := &faulty{Backend: p.Backend}
		f.left.Store(4)
		v, err := vault.New(t.Context(), f, p.key)
		must(t, err)
		_, err = v.RotateDataKey(t.Context(), nil)
		want(t, err, errKilled)
		drawn := p.keys(t)
		r := rotate(t, p.vault(t))
		if !r.Resumed || r.Resealed != 4 {
			t.Errorf("%+v, of %v", r, drawn)
		}
		for key := range p.keys(t) {
			if drawn[key] != 2 {
				t.Errorf("sealed with %s, the killed one had %v", key, drawn)
			}
		}
	},
	"what is written during a rotation stays": func(t *testing.T, p *place) {
		v, check := filled(t, p)
		stop := make(chan struct{})
		var writers sync.WaitGroup
		acked := make([]int, 3)
		for w := range acked {
			own := p.vault(t)
			writers.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					if err := own.Seal(context.Background(), fmt.Sprint("w", w), []byte(fmt.Sprint(n))); err != nil {
						t.Error(err)
						return
					}
					acked[w] = n
				}
			})
		}
		for range 5 {
			rotate(t, v)
		}
		close(stop)
		writers.Wait()
		last := p.vault(t)
		check(last)
		for w, n := range acked {
			opens(t, last, fmt.Sprint("w", w), fmt.Sprint(n))
		}
	},
	"rotations at once leave what opens": func(t *testing.T, p *place) {
		_, check := filled(t, p)
		var all sync.WaitGroup
		for range 4 {
			v := p.vault(t)
			all.Go(func() {
				for range 3 {
					if r, err := v.RotateDataKey(context.Background(), nil); err == nil && len(r.Damaged) > 0 {
						t.Errorf("%+v", r)
					}
				}
			})
		}
		all.Wait()
		check(p.vault(t))
		rotate(t, p.vault(t))
		check(p.vault(t))
	},
	"a spoilt value is named and does not stop the rotation": func(t *testing.T, p *place) {
		v, _ := filled(t, p)
		must(t, p.Save(t.Context(), "secret/s3", []byte("spoilt by a disk")))
		if r := rotate(t, v); fmt.Sprint(r.Damaged) != "[secret/s3]" || r.Resealed != 5 {
			t.Errorf("%+v", r)
		}
		if r := rotate(t, p.vault(t)); r.Resumed {
			t.Error("the rotation never ends")
		}
		_, err := p.vault(t).Open(t.Context(), "s3")
		want(t, err, vault.ErrTampered)
	},
	"a new master key takes over, here and elsewhere": func(t *testing.T, p *place) {
		v, check := filled(t, p)
		elsewhere := p.vault(t)
		before, err := os.ReadFile(p.key)
		must(t, err)
		kept, err := v.RotateMasterKey(t.Context())
		must(t, err)
		if now, err := os.ReadFile(p.key); err != nil || bytes.Equal(now, before) {
			t.Errorf("the key is the same: %v", err)
		}
		if old, err := os.ReadFile(kept); err != nil || !bytes.Equal(old, before) {
			t.Errorf("the old key is not at %s: %v", kept, err)
		}
		if _, err := os.Stat(p.key + ".next"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the next key is still there: %v", err)
		}
		check(p.vault(t))
		rotate(t, v) // now the keys can only be read with the new one
		check(elsewhere)
		must(t, elsewhere.Seal(t.Context(), "after", []byte("both")))
		opens(t, p.vault(t), "after", "both")
		_, err = vault.New(t.Context(), p.Backend, kept)
		want(t, err, vault.ErrWrongMasterKey)
	},
	"a change of the master key that is killed at any step goes on": func(t *testing.T, p *place) {
		_, check := filled(t, p)
		finish := func(name string) {
			t.Helper()
			check(p.vault(t))
			if _, err := p.vault(t).RotateMasterKey(t.Context()); err != nil {
				t.Fatalf("killed %s: %v", name, err)
			}
			check(p.vault(t))
			if _, err := os.Stat(p.key + ".next"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("killed %s: the next key is still there: %v", name, err)
			}
		}
		_, err := p.vault(t).PrepareMasterKey()
		must(t, err)
		finish("once the next key was made")
		for name, after := range map[string]bool{"before the keys are wrapped anew": false, "once they are": true} {
			f := &faulty{Backend: p.Backend, after: after}
			f.left.Store(1)
			v, err := vault.New(t.Context(), f, p.key)
			must(t, err)
			_, err = v.RotateMasterKey(t.Context())
			want(t, err, errKilled)
			finish(name)
		}
	},
}
