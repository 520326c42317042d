package eventstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/faultproxy"
)

// christen writes the id of a log.
func christen(t *testing.T, l *eventstore.Log, id string) {
	t.Helper()
	name, schema, data, err := events.Encode(events.StoreCreated{Store: id})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Append(t.Context(), eventstore.StoreStream, eventstore.NoStream, eventstore.Pending{
		ID: uuid.NewSHA1(uuid.NameSpaceOID, []byte(id)), Type: name, Data: data,
		Meta: events.Meta{Schema: schema, Actor: "test", At: at}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Expect(t.Context(), id, events.Position{}); err != nil {
		t.Fatal(err)
	}
}

// stored makes the folder of a node with a log of an id and n events.
func stored(t *testing.T, dir, id string, n int) {
	t.Helper()
	run, err := node.Open(t.Context(), node.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: run.Address()})
	if err != nil {
		t.Fatal(err)
	}
	christen(t, l, id)
	fill(t, l, "s-1", n)
	if err := errors.Join(l.Close(), run.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func TestALogThatWasReplacedIsNeverUsedAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		other func(t *testing.T, dir, copied string) string
		says  []string
	}{
		{"wiped", func(t *testing.T, dir, _ string) string { return t.TempDir() }, []string{"log one", "has no id"}},
		{"another", func(t *testing.T, dir, _ string) string {
			other := t.TempDir()
			stored(t, other, "log two", 50)
			return other
		}, []string{"log one", "log two"}},
		{"an older copy", func(t *testing.T, _, copied string) string { return copied },
			[]string{"log one", "older copy", "position"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
			stored(t, dir, "log one", 3)
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			other := nodeIn(t, c.other(t, dir, copied))
			p := faultproxy.New(t, "tcp", nodeIn(t, dir).Network().String())
			j := &journal{}
			l := hasty(t, "esdb://"+p.Address()+"?tls=false", j)
			if err := l.Expect(t.Context(), "log one", events.Position{}); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Append(t.Context(), "s-1", 2, pending("A", "acknowledged")); err != nil {
				t.Fatal(err)
			}
			p.Move("tcp", other.Network().String())
			select {
			case <-l.Failed():
			case <-time.After(time.Minute):
				t.Fatalf("nothing was noticed: %+v", l.Health())
			}
			_, err := l.Append(t.Context(), "s-2", eventstore.NoStream, pending("A", "lost"))
			if !errors.Is(err, eventstore.ErrReplaced) || !errors.Is(err, eventstore.ErrUnavailable) {
				t.Errorf("append: %v", err)
			}
			for _, part := range c.says {
				if !strings.Contains(l.Health().Err.Error(), part) {
					t.Errorf("%q does not say %q", l.Health().Err, part)
				}
			}
			if n := j.lines("ERROR", ""); n != 1 {
				t.Errorf("%d error lines:\n%s", n, &j.text)
			}
			// Nothing reached the other log.
			direct := hasty(t, other.Address(), &journal{})
			if out, err := collect(direct.Read(t.Context(), "s-2", 0)); err != nil || len(out) > 0 {
				t.Errorf("the other log holds %d events of ours, %v", len(out), err)
			}
		})
	}
}

func TestANodeThatLagsIsWaitedFor(t *testing.T) {
	f := newFake(t)
	f.start(t)
	j := &journal{}
	l := hasty(t, f.address(), j)
	fill(t, l, "s-1", 3)
	f.stop()
	f.behind.Store(2)
	f.start(t)
	becomes(t, l, eventstore.Away)
	if err := l.Health().Err; !strings.Contains(err.Error(), "position") {
		t.Errorf("the reason is %v", err)
	}
	f.behind.Store(0)
	becomes(t, l, eventstore.Well)
	if out, err := collect(l.Read(t.Context(), "s-1", 0)); err != nil || len(out) != 3 {
		t.Errorf("%d events, %v", len(out), err)
	}
	if j.lines("ERROR", "") > 0 {
		t.Errorf("an error was logged:\n%s", &j.text)
	}
}

func TestExpectRefusesALogShorterThanTheTables(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "log one", 3)
	l := hasty(t, nodeIn(t, dir).Address(), &journal{})
	if err := l.Expect(t.Context(), "log one", events.Position{Commit: 1 << 40}); !errors.Is(err, eventstore.ErrReplaced) {
		t.Errorf("a log that is too short: %v", err)
	}
}
