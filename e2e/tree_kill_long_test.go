//go:build long

package e2e

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// witnessed are the checkpoints that somebody kept while the service lived and died: the tree of
// each size, and the signed note.
type witnessed struct {
	t        *testing.T
	verifier note.Verifier
	mu       sync.Mutex
	trees    map[int64]tlog.Tree
	notes    map[int64][]byte
}

// look keeps what is published now; a service that is down publishes nothing. It says how large
// the tree is.
func (w *witnessed) look(base string) int64 {
	r, err := http.Get(base + "/log/checkpoint")
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	raw, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return 0
	}
	signed, err := note.Open(raw, note.VerifierList(w.verifier))
	if err != nil {
		w.t.Errorf("a checkpoint is not signed: %v\n%s", err, raw)
		return 0
	}
	c, err := torchwood.ParseCheckpoint(signed.Text)
	if err != nil {
		w.t.Errorf("a checkpoint is none: %v\n%s", err, raw)
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if other, known := w.trees[c.N]; known && other.Hash != c.Hash {
		w.t.Errorf("two trees of size %d are signed: %s and %s", c.N, other.Hash, c.Hash)
	}
	w.trees[c.N], w.notes[c.N] = c.Tree, raw
	return c.N
}

// kept are the largest tree that is known, and another one at random.
func (w *witnessed) kept(random *rand.Rand) (largest, another tlog.Tree) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := random.IntN(len(w.trees))
	for _, tree := range w.trees {
		if tree.N > largest.N {
			largest = tree
		}
		if at == 0 {
			another = tree
		}
		at--
	}
	return largest, another
}

// file keeps the note of a size as an auditor does.
func (w *witnessed) file(size int64) string {
	w.t.Helper()
	name := filepath.Join(w.t.TempDir(), "kept")
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := os.WriteFile(name, w.notes[size], 0o600); err != nil {
		w.t.Fatal(err)
	}
	return name
}

// Whenever the service is killed under load, and while it starts, tree and log agree after its
// restart: folio verify finds nothing, what somebody kept before goes on into the present tree,
// and no size was ever signed with two roots.
func TestTreeAndLogAgreeWheneverItIsKilled(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	x := &crasher{t: t, dir: t.TempDir(), acked: map[string]string{}}
	p := serve(t, x.dir, crashFlags...)
	x.c = issuing(t, p, x.dir, 1)
	x.base.Store(&p.base)
	key := newAuditor(t, p.base).key
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	w := &witnessed{t: t, verifier: verifier, trees: map[int64]tlog.Tree{}, notes: map[int64][]byte{}}
	var parties sync.WaitGroup
	for n := range 4 {
		parties.Go(func() { x.post(n%2 == 0) })
	}
	parties.Go(func() {
		for !x.stop.Load() {
			w.look(*x.base.Load())
			time.Sleep(20 * time.Millisecond) // a witness that asks again and again
		}
	})
	w.await(p.base, 1)
	for round := range 15 {
		if random.IntN(3) > 0 { // else it may be killed while it starts to work
			x.loaded()
		}
		time.Sleep(time.Duration(50+random.IntN(900)) * time.Millisecond) // the random moment
		p.kill()
		p.clean(t)
		for random.IntN(3) == 0 { // and again while it starts
			q := begin(t, append([]string{"serve", "--data", x.dir, "--addr", "127.0.0.1:0"}, crashFlags...)...)
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
			q.kill()
		}
		p = serve(t, x.dir, crashFlags...)
		x.base.Store(&p.base)
		old, older := w.kept(random)
		a := newAuditor(t, p.base)
		if a.key != key {
			t.Fatalf("round %d: another key signs: %s", round+1, a.key)
		}
		tree := a.reach(old.N)
		a.goesOn(old, tree)
		a.goesOn(older, tree)
		if round%3 == 2 { // beside the service that goes on
			succeed(t, "verify", "--data", x.dir, "--checkpoint", w.file(old.N), "--key", key)
		}
		if t.Failed() {
			t.Fatalf("round %d", round+1)
		}
	}
	x.stop.Store(true)
	parties.Wait()
	x.c.base = p.base
	x.c.settle(t, 2*verdictLimit)
	x.check()
	p.stop(t)
	old, older := w.kept(random)
	out := succeed(t, "verify", "--data", x.dir, "--checkpoint", w.file(old.N), "--key", key,
		"--checkpoint", w.file(older.N))
	t.Logf("%d checkpoints were kept, of up to %d leaves: %s", len(w.trees), old.N, strings.TrimSpace(out))
}

// await looks until a tree of that size is published.
func (w *witnessed) await(base string, size int64) {
	w.t.Helper()
	eventually(w.t, startLimit, fmt.Sprintf("a checkpoint of %d leaves", size), func() (string, bool) {
		n := w.look(base)
		return fmt.Sprint(n), n >= size
	})
}
