package ferret_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/event"

	"folio/events"
	"folio/faultproxy"
	"folio/mongodb"
	"folio/tables"
	"folio/tables/mongo"
	"folio/vault"
	vaultmongo "folio/vault/mongo"
)

// commands collects what is sent.
type commands struct {
	mu   sync.Mutex
	sent []*event.CommandStartedEvent
}

func (c *commands) monitor() mongodb.Option {
	return mongodb.WithMonitor(&event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sent = append(c.sent, e)
	}})
}

func (c *commands) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sent)
}

var things = tables.Schema{Name: "things_v1", Listed: true,
	Attributes: []tables.Attribute{{Name: "status", Indexed: true}}}

func at(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }

// batch writes what a feed does.
func batch(n uint64) tables.Batch {
	return tables.Batch{
		Writes: []tables.Write{{Table: things.Name,
			Documents: []tables.Document{{ID: "a", At: at(n), List: "l", Ordinal: 1}}}},
		Work: []tables.WorklistChange{{Worklist: "w", Put: []tables.Item{{Key: "k", At: at(n)}},
			Remove: []tables.Removal{{Key: "gone", At: at(n)}}}},
		Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: at(n), After: at(n - 1)},
	}
}

// everything uses each part of both stores once.
func everything(ctx context.Context, s tables.Store, b vault.Backend) error {
	grant, _, err := s.Acquire(ctx, "lease", "me", time.Minute)
	first := batch(1)
	first.Lease = &grant
	_, _, err2 := s.Renew(ctx, grant, time.Minute)
	err = errors.Join(err, err2, s.Define(ctx, things), s.Apply(ctx, first), s.Apply(ctx, batch(2)))
	_, err2 = s.Get(ctx, things.Name, "a")
	_, err3 := s.GetMany(ctx, things.Name, []string{"a"})
	_, err4 := s.Page(ctx, tables.Query{Table: things.Name, List: "l", Limit: 1})
	_, err5 := s.Page(ctx, tables.Query{Table: things.Name, List: "l", Limit: 1,
		Filters: []tables.Filter{{Attribute: "status", Op: tables.Equal}}})
	err = errors.Join(err, err2, err3, err4, err5)
	w := s.Worklist("w")
	_, err2 = w.Groups(ctx, time.Now(), 5)
	_, err3 = w.PruneBefore(ctx, at(1))
	_, err4 = w.Count(ctx)
	err = errors.Join(err, err2, err3, err4, w.Postpone(ctx, "k", time.Now()), w.Clear(ctx),
		s.Truncate(ctx, things.Name), s.ResetCheckpoint(ctx, "f"), s.Release(ctx, grant))
	_, err2 = b.Insert(ctx, "id", []byte("x"))
	_, err3 = b.Swap(ctx, "id", []byte("x"), []byte("y"))
	_, err4 = b.Load(ctx, "id")
	return errors.Join(err, err2, err3, err4, b.Save(ctx, "id", []byte("z")), b.Delete(ctx, "id"))
}

func TestEveryCommandAsksForAJournaledMajorityOnThePrimary(t *testing.T) {
	address, _ := server(t)
	var sent commands
	s, err := mongo.Open(t.Context(), address, database(), sent.monitor())
	if err != nil {
		t.Fatal(err)
	}
	b, err := vaultmongo.OpenBackend(t.Context(), address, database(), sent.monitor())
	if err != nil {
		t.Fatal(err)
	}
	if err := everything(t.Context(), s, b); err != nil {
		t.Fatal(err)
	}
	reads, writes := 0, 0
	for _, e := range sent.sent {
		switch e.CommandName {
		case "insert", "update", "delete", "findAndModify", "createIndexes":
			writes++
			w, j := e.Command.Lookup("writeConcern", "w"), e.Command.Lookup("writeConcern", "j")
			if text, _ := w.StringValueOK(); text != "majority" {
				t.Errorf("%s has the write concern %s", e.CommandName, e.Command.Lookup("writeConcern"))
			} else if journaled, _ := j.BooleanOK(); !journaled {
				t.Errorf("%s does not wait for the journal", e.CommandName)
			}
		case "find", "aggregate":
			reads++
			if level, _ := e.Command.Lookup("readConcern", "level").StringValueOK(); level != "majority" {
				t.Errorf("%s has the read concern %q", e.CommandName, level)
			}
		}
		if mode, ok := e.Command.Lookup("$readPreference", "mode").StringValueOK(); ok &&
			!strings.HasPrefix(mode, "primary") {
			t.Errorf("%s goes to %s", e.CommandName, mode)
		}
	}
	if reads < 10 || writes < 10 {
		t.Errorf("%d reads and %d writes were seen", reads, writes)
	}
	if err := errors.Join(s.Destroy(t.Context()), b.Destroy(t.Context()), s.Close(), b.Close()); err != nil {
		t.Error(err)
	}
}

// through is the address with the proxy in the server's place.
func through(t *testing.T, address string) (*faultproxy.Proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := faultproxy.New(t, "tcp", u.Host)
	u.Host = p.Address()
	return p, u.String()
}

func TestAServerThatIsGoneOrStandsStillIsUnavailableInTime(t *testing.T) {
	address, foreign := server(t)
	if foreign {
		address, _, _ = strings.Cut(address, "?") // of a set only the one behind the proxy is asked
		address += "?directConnection=true"
	}
	proxy, behind := through(t, address)
	s, err := mongo.Open(t.Context(), behind, database())
	if err != nil {
		t.Fatal(err)
	}
	b, err := vaultmongo.OpenBackend(t.Context(), behind, database())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Define(t.Context(), things), s.Apply(t.Context(), batch(1)),
		b.Save(t.Context(), "id", []byte("x"))); err != nil {
		t.Fatal(err)
	}
	for name, fault := range map[string]func(){"gone": proxy.Refuse, "frozen": proxy.Freeze} {
		fault()
		for what, call := range map[string]func(context.Context) error{
			"get":        func(ctx context.Context) error { _, err := s.Get(ctx, things.Name, "a"); return err },
			"checkpoint": func(ctx context.Context) error { _, err := s.Checkpoint(ctx, "f"); return err },
			"apply":      func(ctx context.Context) error { return s.Apply(ctx, batch(2)) },
			"acquire":    func(ctx context.Context) error { _, _, err := s.Acquire(ctx, "x", "me", time.Minute); return err },
			"load":       func(ctx context.Context) error { _, err := b.Load(ctx, "id"); return err },
			"save":       func(ctx context.Context) error { return b.Save(ctx, "id", []byte("y")) },
		} {
			began := time.Now()
			err := call(t.Context())
			if took := time.Since(began); !errors.Is(err, tables.ErrUnavailable) || took > mongodb.Patience+2*time.Second {
				t.Errorf("%s while the server is %s: %v after %s", what, name, err, took)
			}
		}
		proxy.Heal()
		for limit := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			_, tablesErr := s.Get(t.Context(), things.Name, "a")
			_, vaultErr := b.Load(t.Context(), "id") // its connections have heartbeats of their own
			if err := errors.Join(tablesErr, vaultErr); err == nil {
				break
			} else if time.Now().After(limit) {
				t.Fatalf("after it came back: %v", err)
			}
		}
	}
	if err := errors.Join(s.Destroy(t.Context()), b.Destroy(t.Context()), s.Close(), b.Close()); err != nil {
		t.Error(err)
	}
}

func TestABatchWaitsForTheServerFewTimes(t *testing.T) {
	address, _ := server(t)
	var sent commands
	s, err := mongo.Open(t.Context(), address, database(), sent.monitor())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Define(t.Context(), things), s.Apply(t.Context(), batch(1))); err != nil {
		t.Fatal(err)
	}
	before := sent.count()
	if err := s.Apply(t.Context(), batch(2)); err != nil {
		t.Fatal(err)
	}
	// Asked at once: checkpoint, documents, items, removals. Then one command each in turn.
	if n := sent.count() - before; n > 8 {
		t.Errorf("a batch of one document, one item and one removal takes %d commands", n)
	}
	if err := errors.Join(s.Destroy(t.Context()), s.Close()); err != nil {
		t.Error(err)
	}
}
