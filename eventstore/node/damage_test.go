package node

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// SQLite ends its log at the first frame that does not check, without an error. The mark must notice.
func TestDamagedLogTailIsRefusedAtStart(t *testing.T) {
	dir := t.TempDir()
	s, err := smallStore(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if out := appendTo(t, s, fmt.Sprintf("s-%d", i%5), i, 2); out.Err != nil {
			t.Fatal(out.Err)
		}
	}
	waitForMark(t, dir, s)
	crashed := copyFolder(t, dir)
	want, err := content(s, 5)
	if err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	if got, err := reread(t, copyFolder(t, crashed)); err != nil || !slices.Equal(got, want) {
		t.Fatalf("the files as a crash leaves them: %v", err)
	}
	wal := filepath.Join(crashed, storage.LogFile+"-wal")
	good, err := os.ReadFile(wal)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"a flipped bit":    flip(good, len(good)/2),
		"a flipped header": flip(good, 3),
		"a cut tail":       good[:len(good)*3/4],
		"an empty log":     nil,
	} {
		if err := os.WriteFile(wal, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := reread(t, copyFolder(t, crashed))
		if !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "acknowledged") ||
			!strings.Contains(err.Error(), "events.mark") {
			t.Errorf("%s: got %v, want a refusal that says what was lost and what to do", name, err)
		}
	}
	if err := os.Remove(filepath.Join(crashed, storage.MarkName)); err != nil {
		t.Fatal(err)
	}
	if _, err := reread(t, crashed); err != nil {
		t.Errorf("the way out that the message names does not work: %v", err)
	}
}

// spoil changes the database behind the log's back.
func spoil(t testing.TB, dir, script string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, storage.LogFile))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), script)
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func flip(b []byte, at int) []byte {
	bad := slices.Clone(b)
	bad[at] ^= 1
	return bad
}

func waitForMark(t testing.TB, dir string, s *storage.Store) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		if b, err := os.ReadFile(filepath.Join(dir, storage.MarkName)); err == nil &&
			strings.Contains(string(b), markBytes(s.Last.Load())) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the mark was not written within 5 s")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func markBytes(pos uint64) string {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(pos >> (8 * i))
	}
	return string(b)
}

func TestDamagedMarkIsNoticed(t *testing.T) {
	dir, want := smallLog(t, 20)
	path := filepath.Join(dir, storage.MarkName)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, flip(good, 5), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := reread(t, dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("one slot spoilt, as by a torn write: %v", err)
	}
	if err := os.WriteFile(path, flip(flip(good, 5), storage.MarkSlot+5), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := reread(t, dir); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("both slots spoilt: got %v, want a refusal", err)
	}
}

func TestFullDiskIsSaidAndPasses(t *testing.T) {
	n := start(t, Options{})
	c := connect(t, n.Address())
	write(t, c, "s", esdb.NoStream{}, event("E", 0))
	limit := func(pages int) {
		if err := n.store.LimitPages(pages); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite makes it the present size
	big := event("Big", 1)
	big.Data = make([]byte, 500_000)
	_, err := c.AppendToStream(t.Context(), "s", esdb.AppendToStreamOptions{ExpectedRevision: esdb.Revision(0)}, big)
	if code(err) != esdb.ErrorUnavailable || !strings.Contains(err.Error(), "disk is full") {
		t.Fatalf("got %v, want unavailable and why", err)
	}
	c = connect(t, n.Address())
	if es, err := drainRead(c.ReadStream(t.Context(), "s", esdb.ReadStreamOptions{}, 10)); err != nil || len(es) != 1 {
		t.Errorf("reads must go on: %d events, %v", len(es), err)
	}
	if n.Err() != nil {
		t.Errorf("a full disk must not stop the node: %v", n.Err())
	}
	limit(1 << 30)
	if r := write(t, c, "s", esdb.Revision(0), big); r.NextExpectedVersion != 1 {
		t.Errorf("with space again: revision %d", r.NextExpectedVersion)
	}
}
