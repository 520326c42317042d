package node

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// smallStore opens a store without gRPC on a copy of files.
func smallStore(t testing.TB, dir string) (*storage.Store, error) {
	t.Helper()
	return storage.Open(dir, 0, time.Now, slog.New(slog.DiscardHandler))
}

func closeStore(t testing.TB, s *storage.Store) {
	t.Helper()
	if err := s.Close(context.Background()); err != nil {
		t.Errorf("close: %v", err)
	}
}

// content reads a whole log: $all in both directions and every stream. It fails at the first report of damage.
func content(s *storage.Store, streams int) ([]string, error) {
	ctx := context.Background()
	var all, back []string
	for from, after, more := uint64(0), uint64(0), true; more; {
		es, m, err := s.AllForward(ctx, from, after, storage.PageEvents)
		if err != nil {
			return nil, err
		}
		for i := range es {
			all = append(all, fmt.Sprintf("%d %s %d %x %s %s", es[i].Pos, es[i].Stream, es[i].Rev, es[i].ID, es[i].Kind,
				es[i].Data))
			from, after = es[i].Pos+1, es[i].Pos
		}
		more = m
	}
	for before, more := uint64(1<<63), true; more; {
		es, m, err := s.AllBackward(ctx, before, storage.PageEvents)
		if err != nil {
			return nil, err
		}
		for i := range es {
			back = append(back, fmt.Sprint(es[i].Pos))
			before = es[i].Pos
		}
		more = m
	}
	if len(back) != len(all) {
		return nil, fmt.Errorf("%w: %d events forwards, %d backwards", storage.ErrDamaged, len(all), len(back))
	}
	for i := range streams {
		name := fmt.Sprintf("s-%d", i)
		end, err := s.StreamEnd(ctx, name)
		if err != nil {
			return nil, err
		}
		es, _, err := s.StreamPage(ctx, storage.Span{Stream: name, Num: end.Num, From: 0, To: end.Last, Step: 1, Limit: 1000})
		if err != nil {
			return nil, err
		}
		all = append(all, fmt.Sprintf("%s has %d", name, len(es)))
	}
	return all, nil
}

// appendTo appends n events that no other call with another number has.
func appendTo(t testing.TB, s *storage.Store, stream string, number, n int) storage.Result {
	t.Helper()
	expected := int64(storage.ExpectAny)
	c := &storage.Change{Kind: storage.AppendEvents, Stream: stream, Expected: expected}
	for i := range n {
		id := testID(stream, number, i)
		c.Events = append(c.Events, storage.Record{ID: id, JSON: true, Kind: []byte("Created"), Meta: []byte(`{}`),
			Data: []byte(fmt.Sprintf("data of %s %d %d %s", stream, number, i, strings.Repeat("x", 200)))})
	}
	return s.Submit(context.Background(), c)
}

// smallLog writes a log of five streams and closes it.
func smallLog(t testing.TB, appends int) (dir string, want []string) {
	t.Helper()
	dir = t.TempDir()
	s, err := smallStore(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range appends {
		if out := appendTo(t, s, fmt.Sprintf("s-%d", i%5), i, 1+i%3); out.Err != nil || out.Wrong {
			t.Fatal(out)
		}
	}
	if want, err = content(s, 5); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	return dir, want
}

func copyFolder(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".sock") || strings.HasSuffix(e.Name(), "-shm") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// reread opens the log in dir and reads it whole.
func reread(t testing.TB, dir string) ([]string, error) {
	t.Helper()
	s, err := smallStore(t, dir)
	if err != nil {
		return nil, err
	}
	defer closeStore(t, s)
	return content(s, 5)
}

func TestReopenKeepsEverything(t *testing.T) {
	dir, want := smallLog(t, 100)
	for range 3 {
		got, err := reread(t, dir)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("got %d lines (%v), want %d", len(got), err, len(want))
		}
	}
}

func TestFlippedBitsAreNoticedOrHarmless(t *testing.T) {
	dir, want := smallLog(t, 60)
	file := filepath.Join(dir, storage.LogFile)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	noticed, flips := 0, 80
	for range flips {
		at, bit := rng.IntN(len(good)), byte(1)<<rng.IntN(8)
		bad := slices.Clone(good)
		bad[at] ^= bit
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := reread(t, dir)
		switch {
		case err != nil:
			noticed++
		case !slices.Equal(got, want):
			t.Fatalf("byte %d, bit %08b: other events were read and nobody noticed", at, bit)
		}
		if err := os.WriteFile(file, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if noticed < flips/4 {
		t.Errorf("only %d of %d flips were noticed: most of the file should matter", noticed, flips)
	}
}

func TestFlippedBitInAnEventIsNamed(t *testing.T) {
	dir, _ := smallLog(t, 60)
	file := filepath.Join(dir, storage.LogFile)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// A page that SQLite split may hold an old copy beside the live one.
	bad := bytes.ReplaceAll(b, []byte("data of s-3 3 0"), []byte("data of s-3 3 1"))
	if bytes.Equal(bad, b) {
		t.Fatal("the event is not in the file")
	}
	if err := os.WriteFile(file, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t, start(t, Options{Dir: dir}).Address())
	_, err = drainRead(c.ReadStream(t.Context(), "s-3", esdb.ReadStreamOptions{}, 1000))
	if err == nil || !strings.Contains(err.Error(), `stream "s-3", revision 0`) ||
		!strings.Contains(err.Error(), "checksum") || !strings.Contains(err.Error(), "backup") {
		t.Errorf("the error must name the event and what to do: %v", err)
	}
	if _, err := drainRead(c.ReadAll(t.Context(), esdb.ReadAllOptions{}, 1000)); err == nil {
		t.Error("reading $all passed over the damaged event")
	}
	if es, err := drainRead(c.ReadStream(t.Context(), "s-1", esdb.ReadStreamOptions{}, 1000)); err != nil || len(es) == 0 {
		t.Errorf("another stream: %d events, %v", len(es), err)
	}
}

func TestCutTailIsNoticed(t *testing.T) {
	dir, want := smallLog(t, 60)
	info, err := os.Stat(filepath.Join(dir, storage.LogFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []int64{0, 1, 100, 4096, info.Size() / 2, info.Size() - 4096, info.Size() - 1} {
		broken := copyFolder(t, dir)
		if err := os.Truncate(filepath.Join(broken, storage.LogFile), left); err != nil {
			t.Fatal(err)
		}
		if got, err := reread(t, broken); err == nil {
			t.Errorf("cut to %d bytes: %d of %d lines were read and nobody noticed", left, len(got), len(want))
		}
	}
}
