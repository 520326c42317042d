package notary_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/events"
	"folio/processors/notary"
	"folio/processors/reactor"
	"folio/transparency"
	"folio/vault"
)

// A checkpoint comes with the tenth event, or after a minute; none when only checkpoints were added.
func TestCheckpointsComeWithEventsAndWithTime(t *testing.T) {
	w := newWorld(t)
	w.start(w.config(w.tables))
	w.signed(w.head(w.tables, "at the start", atLeast(1)))
	w.record(10)
	w.signed(w.head(w.tables, "of ten events", atLeast(12)))
	w.record(1)
	w.minute()
	w.signed(w.head(w.tables, "after a minute", atLeast(14)))
	before := len(w.checkpoints())
	for range 5 {
		w.minute() // the clock alone makes none
	}
	w.record(1)
	if h := w.head(w.tables, "of one more", atLeast(15)); h.Size != 16 { // the event, and the checkpoint before it
		t.Errorf("the next checkpoint is of size %d", h.Size)
	}
	if got := len(w.checkpoints()) - before; got != 1 {
		t.Errorf("one event made %d checkpoints", got)
	}
}

// What a notary remembers may be lost at any time: the tree that follows from the log is the same.
func TestATreeIsBuiltAnewFromTheLog(t *testing.T) {
	w := newWorld(t)
	_, stop := w.start(w.config(w.tables))
	w.record(600)
	first := w.head(w.tables, "of 600 events", atLeast(601))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	recorded := len(w.checkpoints())
	fresh := w.freshTables()
	_, stop = w.start(w.config(fresh))
	again := w.head(fresh, "from the log", atLeast(first.Size))
	if again.Tree != first.Tree || again.Key != first.Key {
		t.Errorf("another tree began: %+v", again.TreeHead)
	}
	if again.Size == first.Size && again.Note != first.Note {
		t.Errorf("the same checkpoint was signed otherwise: %q", again.Note)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if got := len(w.checkpoints()); got > recorded+1 { // one for what came behind the last one
		t.Errorf("%d checkpoints were recorded anew", got-recorded)
	}
}

var errDied = errors.New("killed")

// A notary that dies at any write of its own, and the next ones at the next, come to the tree of the log in the end;
// no size was ever signed with two roots.
func TestDeathAtAnyWrite(t *testing.T) {
	for name, death := range map[string]error{"before a write": errDied, "in the midst of it": errTorn} {
		t.Run(name, func(t *testing.T) { dieAtAnyWrite(t, death) })
	}
}

func dieAtAnyWrite(t *testing.T, death error) {
	w := newWorld(t)
	w.record(25)
	for step := range int64(12) {
		var writes atomic.Int64
		w.tables.mu.Lock()
		w.tables.before = func() error {
			if writes.Add(1) > step {
				return death
			}
			return nil
		}
		w.tables.mu.Unlock()
		c := w.config(w.tables)
		p := notary.New(c.Base, c.Config)
		died := make(chan error, 1)
		go func() { died <- p.Run(t.Context()) }()
		for alive := true; alive; {
			w.record(3)
			w.minute()
			select {
			case err := <-died:
				if alive = false; !errors.Is(err, death) {
					t.Fatalf("step %d: %v", step, err)
				}
			default:
			}
		}
	}
	w.tables.mu.Lock()
	w.tables.before = nil
	w.tables.mu.Unlock()
	_, stop := w.start(w.config(w.tables))
	w.minute()
	w.signed(w.head(w.tables, "after the deaths", atLeast(int64(w.n))))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	w.grown()
}

// grown looks whether the recorded sizes only grow.
func (w *world) grown() {
	w.t.Helper()
	last := map[string]int64{}
	for _, c := range w.checkpoints() {
		if c.Size <= last[c.Tree] {
			w.t.Errorf("size %d of %s is recorded after size %d", c.Size, c.Tree, last[c.Tree])
		}
		last[c.Tree] = c.Size
	}
}

// A log that ends before a checkpoint that was signed is an older copy: nothing is signed until the operator begins
// another tree, which commits to that checkpoint.
func TestAnOlderCopyIsNotSigned(t *testing.T) {
	w := newWorld(t)
	signed := w.signedTen()
	ahead := `{"size":1000,"root":"` + signed.Root + `"}`
	if err := w.vault.Seal(t.Context(), "transparency/signed/L", []byte(ahead)); err != nil {
		t.Fatal(err)
	}
	if err := reactor.AskRebuild(t.Context(), w.tables, "L", notary.Name); err != nil {
		t.Fatal(err)
	}
	p, stop := w.start(w.config(w.tables))
	w.fault(p, "older copy")
	if waits, err := reactor.RebuildAsked(t.Context(), w.tables, notary.Name); err != nil || waits {
		t.Errorf("a rebuild that was asked for waits behind the fault: %t, %v", waits, err)
	}
	_ = stop()
	s, err := w.trees().BeginAgain(t.Context(), "an older copy was restored")
	if err != nil || s.Tree != "L/2" {
		t.Fatalf("the second tree is %q: %v", s.Tree, err)
	}
	w.start(w.config(w.tables))
	w.minute()
	h := w.head(w.tables, "of the second tree", func(h transparency.Head) bool { return h.Tree == "L/2" && h.Size >= 12 })
	w.signed(h)
	if h.Origin != "folio.example.com/log/L/2" {
		t.Errorf("its origin is %s", h.Origin)
	}
	if h.Key == signed.Key {
		t.Error("the second tree is signed with the first one's key")
	}
	w.checkpoints()
	for r, err := range w.executor().Read(t.Context(), "transparency-L", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := r.Event.(events.TreeBegun); ok && e.Tree == "L/2" &&
			(e.Previous == nil || e.Previous.Size != 1000 || e.Previous.Tree != "L") {
			t.Errorf("the second tree commits to %+v", e.Previous)
		}
	}
}

func (w *world) trees() notary.Trees {
	return notary.Trees{Executor: w.executor(), Secrets: w.vault, Log: "L", Actor: "operator", Now: w.clock.Now}
}

// signedTen runs a notary over ten events and stops it. Its last checkpoint, which it answers, may have come after the
// one of these ten.
func (w *world) signedTen() transparency.Head {
	w.t.Helper()
	_, stop := w.start(w.config(w.tables))
	w.record(10)
	w.minute()
	w.head(w.tables, "of ten events", atLeast(10))
	if err := stop(); err != nil {
		w.t.Fatal(err)
	}
	return w.head(w.tables, "at the stop", atLeast(10))
}

// fault awaits that the notary shows why it signs nothing.
func (w *world) fault(p *notary.Processor, text string) {
	w.t.Helper()
	defer func() {
		if w.t.Failed() {
			w.t.Logf("the notary shows %q, want something of %q", p.Status().Fault, text)
		}
	}()
	for !strings.Contains(p.Status().Fault, text) {
		w.clock.AwaitWaiter(w.t) // whoever goes on before it is shown waits for the clock, too
	}
}

// A vault from before the key was drawn cannot sign: what to do is said, once, and not with each try.
func TestATreeWithoutItsKeySaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	w.signedTen()
	w.record(10)
	c := w.config(w.tables)
	c.Secrets = keyless{c.Secrets}
	p, _ := w.start(c)
	w.minute()
	w.fault(p, "folio notary begin")
}

// keyless is a vault that has no key of any tree.
type keyless struct{ transparency.Secrets }

func (k keyless) Open(ctx context.Context, ref string) ([]byte, error) {
	if strings.HasPrefix(ref, "transparency/key/") {
		return nil, vault.ErrNotFound
	}
	return k.Secrets.Open(ctx, ref)
}

// A log whose events are not those that a checkpoint was recorded of is signed no further.
func TestAForgedLogIsNotSigned(t *testing.T) {
	w := newWorld(t)
	h := w.signedTen()
	c := decide.Record{Tree: "L", After: h.Size, Size: h.Size + 1, Root: h.Root} // what a forger would leave behind
	if _, err := commands.Bind(w.executor(), decide.Decider).Execute(t.Context(), "L", c,
		commands.Request{ID: commands.Derived("forged")}); err != nil {
		t.Fatal(err)
	}
	p, stop := w.start(w.config(w.freshTables()))
	w.fault(p, "folio verify")
	if err := stop(); err == nil {
		t.Error("the notary goes on")
	}
}

// The first tree of a restored log commits to the last checkpoint of the log that it was.
func TestARestoredLogBeginsANewTree(t *testing.T) {
	w := newWorld(t)
	old := w.signedTen()
	c, fresh := w.config(w.freshTables()), w.freshTables()
	c.Log, c.Before, c.Tables = "M-L", []string{"never", "L"}, fresh
	store, err := transparency.OpenStore(t.Context(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	c.Store = store
	w.start(c)
	w.minute()
	h := w.head(fresh, "of the new tree", atLeast(old.Size))
	w.signed(h)
	if h.Tree != "M-L" || h.Key == old.Key || h.Origin == old.Origin {
		t.Errorf("the new tree is %+v", h.TreeHead)
	}
	for r, err := range w.executor().Read(t.Context(), "transparency-M-L", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := r.Event.(events.TreeBegun); ok && (e.Previous == nil || *e.Previous != old.TreeHead) {
			t.Errorf("it commits to %+v, want %+v", e.Previous, old.TreeHead)
		}
	}
}

// The old key hands over to the new one, and both are told.
func TestTheKeyRotates(t *testing.T) {
	w := newWorld(t)
	w.start(w.config(w.tables))
	old := w.head(w.tables, "before", atLeast(1))
	from, to, err := w.trees().Rotate(t.Context(), "yearly")
	if err != nil || from != old.Key || to == from {
		t.Fatalf("rotated from %s to %s: %v", from, to, err)
	}
	w.minute()
	h := w.head(w.tables, "with the new key", func(h transparency.Head) bool { return h.Key == to })
	w.signed(h)
	if _, err := transparency.OpenHead(h.Note, from); err == nil {
		t.Error("the old key still signs")
	}
	if len(h.Rotations) != 1 || transparency.CheckRotation(h.Tree, from, h.Rotations[0]) != nil {
		t.Errorf("the rotation cannot be verified: %+v", h.Rotations)
	}
	forged := h.Rotations[0]
	forged.Key = from
	if transparency.CheckRotation(h.Tree, from, forged) == nil {
		t.Error("another key passes for the one that the old one named")
	}
}
