package node

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

func TestABackupOfARunningNodeIsAWholeLog(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "b")
	n := start(t, Options{Dir: dir})
	fill(t, n, 300)
	before := n.Stats().LastPosition
	c := connect(t, n.Address())
	ctx, cancel := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			_, _ = c.AppendToStream(ctx, "busy", esdb.AppendToStreamOptions{}, event("E", "busy", i))
		}
	})
	last, err := storage.Backup(t.Context(), dir, to, nil)
	cancel()
	writing.Wait()
	if err != nil || last < before {
		t.Fatalf("up to %d of %d, %v", last, before, err)
	}
	copied := start(t, Options{Dir: to})
	if got := copied.Stats().LastPosition; got != last {
		t.Errorf("the copy ends at %d, want %d", got, last)
	}
	if _, err := storage.Backup(t.Context(), dir, to, nil); err == nil {
		t.Error("a backup was written over")
	}
}

func TestABackupOfADamagedLogIsRefused(t *testing.T) {
	dir, _ := smallLog(t, 60)
	spoil(t, dir, "UPDATE events SET rec = zeroblob(60) WHERE pos = (SELECT max(pos) FROM events)")
	if _, err := storage.Backup(t.Context(), dir, filepath.Join(t.TempDir(), "b"), nil); !errors.Is(err,
		storage.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := storage.Backup(t.Context(), t.TempDir(), filepath.Join(t.TempDir(), "b"), nil); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("nothing to back up: %v", err)
	}
}
