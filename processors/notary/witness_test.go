package notary_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"filippo.io/torchwood"
	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/events"
	"folio/outbound"
	"folio/processors/notary"
	"folio/transparency"
)

// witness is one as C2SP's tlog-witness has it, with the libraries of others: it cosigns what continues what it saw.
type witness struct {
	*httptest.Server
	key    func() string // verifier key of the log
	signer *torchwood.CosignatureSigner

	mu    sync.Mutex
	knows tlog.Tree
	asked int
	away  bool
}

func newWitness(t *testing.T, name string, key func() string) *witness {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &witness{key: key}
	if w.signer, err = torchwood.NewCosignatureSigner(name, private); err != nil {
		t.Fatal(err)
	}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

// ServeHTTP is add-checkpoint.
func (w *witness) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	body, _ := io.ReadAll(r.Body)
	head, checkpoint, _ := strings.Cut(string(body), "\n\n")
	var old int64
	lines := strings.Split(head, "\n")
	if _, err := fmt.Sscanf(lines[0], "old %d", &old); err != nil || r.URL.Path != "/add-checkpoint" || w.away {
		out.WriteHeader(http.StatusBadRequest)
		return
	}
	verifier, err := note.NewVerifier(w.key())
	if err != nil {
		out.WriteHeader(http.StatusInternalServerError)
		return
	}
	n, err := note.Open([]byte(checkpoint), note.VerifierList(verifier))
	if err != nil {
		out.WriteHeader(http.StatusForbidden)
		return
	}
	c, err := torchwood.ParseCheckpoint(n.Text)
	if err != nil || old > c.N {
		out.WriteHeader(http.StatusBadRequest)
		return
	}
	if old != w.knows.N {
		out.Header().Set("Content-Type", "text/x.tlog.size")
		out.WriteHeader(http.StatusConflict)
		fmt.Fprintln(out, w.knows.N)
		return
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		h, err := tlog.ParseHash(line)
		if err != nil {
			out.WriteHeader(http.StatusBadRequest)
			return
		}
		proof = append(proof, h)
	}
	if old > 0 && tlog.CheckTree(proof, c.N, c.Hash, old, w.knows.Hash) != nil {
		out.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	w.knows = c.Tree
	n.Sigs, n.UnverifiedSigs = nil, nil
	signed, err := note.Sign(n, w.signer)
	if err != nil {
		out.WriteHeader(http.StatusInternalServerError)
		return
	}
	_, _ = out.Write(signed[len(n.Text)+1:]) // the signature lines alone
}

func (w *witness) verifier(t *testing.T) note.Verifier {
	t.Helper()
	v, err := cosignature.NewVerifierForCosignatureV1(w.signer.Verifier().String())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// verifier is the key that the log's checkpoints are signed with; none when the test has ended, and its log with it.
func (w *world) verifier() string {
	s, _, err := commands.Bind(w.executor(), decide.Decider).Load(context.Background(), "L")
	if err != nil {
		return ""
	}
	return s.Key
}

// Witnesses cosign what continues what they saw, which is recorded and published; one that is away holds nothing up.
// Addresses get each checkpoint.
func TestWitnessesCosignAndAddressesGetCheckpoints(t *testing.T) {
	w := newWorld(t)
	near, far := newWitness(t, "witness.example.com/near", w.verifier),
		newWitness(t, "witness.example.com/far", w.verifier)
	far.away = true
	got := make(chan string, 100)
	address := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	defer address.Close()
	c := w.config(w.tables)
	c.Client = outbound.New(outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	for _, one := range []*witness{near, far} {
		parsed, err := notary.ParseWitness(one.signer.Verifier().String() + " " + one.URL + "/")
		if err != nil {
			t.Fatal(err)
		}
		c.Witnesses = append(c.Witnesses, parsed)
	}
	c.Addresses = []string{address.URL}
	_, stop := w.start(c)
	cosignedBy := func(v note.Verifier) func(transparency.Head) bool {
		return func(h transparency.Head) bool {
			_, err := note.Open([]byte(h.Note), note.VerifierList(v))
			return err == nil
		}
	}
	first := w.head(w.tables, "with a cosignature", cosignedBy(near.verifier(t)))
	w.signed(first)
	if body := <-got; body != first.Note {
		t.Errorf("the address got %q", body)
	}
	for range 3 {
		w.record(10)
		w.minute()
	}
	far.mu.Lock()
	far.away = false
	far.mu.Unlock()
	w.record(10)
	w.minute()
	h := w.head(w.tables, "with both", func(h transparency.Head) bool {
		return h.Size > first.Size && cosignedBy(near.verifier(t))(h) && cosignedBy(far.verifier(t))(h)
	})
	w.signed(h)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	cosigned := 0
	for r, err := range w.executor().Read(t.Context(), "transparency-L", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := r.Event.(events.CheckpointCosigned); ok {
			cosigned++
			if e.Size == h.Size && len(e.Signatures) != 2 {
				t.Errorf("of size %d %d cosignatures are recorded", e.Size, len(e.Signatures))
			}
		}
	}
	if cosigned < 2 {
		t.Errorf("%d cosignatures were recorded", cosigned)
	}
}

// A witness that knows a later size than the notary remembers is asked again from there; one that saw another tree
// signs nothing.
func TestAWitnessThatSawAnotherTreeSignsNothing(t *testing.T) {
	w := newWorld(t)
	other := newWitness(t, "witness.example.com/other", w.verifier)
	other.knows = tlog.Tree{N: 1, Hash: tlog.Hash{1}}
	c := w.config(w.tables)
	c.Client = outbound.New(outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	parsed, err := notary.ParseWitness(other.signer.Verifier().String() + " " + other.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Witnesses = []notary.Witness{parsed}
	w.start(c)
	w.record(10)
	w.minute()
	h := w.head(w.tables, "without it", atLeast(8))
	w.signed(h)
	if _, err := note.Open([]byte(h.Note), note.VerifierList(other.verifier(t))); err == nil {
		t.Error("it cosigned a tree that does not continue what it saw")
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	if other.asked < 2 {
		t.Errorf("it was asked %d times: once more from the size that it knows is expected", other.asked)
	}
}

// A word that is no witness is told so at the start.
func TestWhatIsNoWitness(t *testing.T) {
	for _, text := range []string{"", "https://witness.example.com", "nonsense https://witness.example.com", "a+b+c d"} {
		if _, err := notary.ParseWitness(text); err == nil {
			t.Errorf("%q is taken for a witness", text)
		}
	}
}
