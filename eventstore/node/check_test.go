package node

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

func TestCheckFindsNothingInAGoodLog(t *testing.T) {
	dir := t.TempDir()
	n, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, n, 500)
	c := connect(t, n.Address())
	if _, err := c.DeleteStream(t.Context(), "invoice-000000001",
		esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.TombstoneStream(t.Context(), "invoice-000000002",
		esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	if f, err := storage.Check(t.Context(), dir, nil); err != nil || len(f.Problems) != 0 || f.Events != 502 {
		t.Errorf("beside a running node: %+v, %v", f, err)
	}
	last := n.Stats().LastPosition
	stop(t, n)
	f, err := storage.Check(t.Context(), dir, nil)
	if err != nil || len(f.Problems) != 0 || f.Events != 502 || f.Streams != 51 || f.LastPosition != last {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	dir, _ := smallLog(t, 60)
	sql := func(text string) func(string) {
		return func(dir string) { spoil(t, dir, text) }
	}
	for _, tc := range []struct {
		name  string
		spoil func(dir string)
		want  string
	}{
		{"a byte of an event", func(dir string) {
			file := filepath.Join(dir, storage.LogFile)
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, bytes.ReplaceAll(b, []byte("data of s-2 2 0"), []byte("data of s-2 2 7")),
				0o600); err != nil {
				t.Fatal(err)
			}
		}, `stream "s-2", revision 0): its checksum`},
		{"an event taken out of the middle", sql("DELETE FROM events WHERE pos = (SELECT pos FROM events ORDER BY pos " +
			"LIMIT 1 OFFSET 10)"), "should follow position"},
		{"the last event taken out", sql("DELETE FROM events WHERE pos = (SELECT max(pos) FROM events)"), "acknowledged"},
		{"two streams' names exchanged", sql("UPDATE streams SET num = 3 - num WHERE num IN (1, 2)"),
			"leads to events of stream"},
		{"a stream's name lost", sql("DELETE FROM streams WHERE num = 1"), "have lost its name"},
		{"events moved to another stream", sql("UPDATE events SET stream = 9 WHERE stream = 1 AND rev = 3"),
			`: its stream "s-0" goes from revision 2 to 4`},
		{"the mark missing", func(dir string) { _ = os.Remove(filepath.Join(dir, storage.MarkName)) }, "is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			broken := copyFolder(t, dir)
			tc.spoil(broken)
			f, err := storage.Check(t.Context(), broken, nil)
			if err != nil || !strings.Contains(strings.Join(f.Problems, "\n"), tc.want) {
				t.Errorf("got %q (%v), want %q", f.Problems, err, tc.want)
			}
		})
	}
	if _, err := storage.Check(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("a folder without a log passed")
	}
}
