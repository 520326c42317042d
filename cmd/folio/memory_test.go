package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

func TestGarbageIsAFixedRoomWithinBounds(t *testing.T) {
	for live, want := range map[uint64]int{0: mostGarbage, 4 << 20: mostGarbage, 20 << 20: 400, 40 << 20: 200,
		400 << 20: leastGarbage} {
		if got := garbageFor(live); got != want {
			t.Errorf("%d MiB live: %d %%, want %d", live>>20, got, want)
		}
	}
}

func TestTheLimitOfTheContainerIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       int64
	}{
		"version 2":           {"sys/fs/cgroup/memory.max", "268435456\n", 256 << 20},
		"version 2, no limit": {"sys/fs/cgroup/memory.max", "max\n", math.MaxInt64},
		"version 1":           {"sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n", 512 << 20},
		"none":                {"sys/other", "1\n", math.MaxInt64},
		"nonsense":            {"sys/fs/cgroup/memory.max", "-5\n", math.MaxInt64},
	} {
		root := t.TempDir()
		file := filepath.Join(root, c.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := containerMemory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestEveryCollectionIsHeardOf(t *testing.T) {
	heard := make(chan struct{}, 100)
	afterCollection(func() {
		select {
		case heard <- struct{}{}:
		default:
		}
	})
	for range 3 {
		runtime.GC()
		<-heard
	}
	if liveBytes() == 0 {
		t.Error("nothing lives")
	}
}

// What is allocated and dropped is spare until it is given back.
// uncollected keeps the collector away, also from the limit that an earlier test's folio verify has set.
func uncollected(t *testing.T) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

func TestGarbageIsSpareUntilItIsGivenBack(t *testing.T) {
	uncollected(t) // a collection meanwhile would take it for alive
	freeMemory()
	before, _ := heapNow()
	const size = 64 << 20
	runtime.KeepAlive(make([]byte, size))
	allocated, spare := heapNow()
	if allocated-before < size || spare < size {
		t.Errorf("%d bytes were allocated and %d are spare, want %d", allocated-before, spare, size)
	}
	if freeMemory(); spareNow() >= size {
		t.Errorf("%d bytes are spare after they were given back", spareNow())
	}
}

func TestWhatTheStartLeftIsGivenBackSoon(t *testing.T) {
	uncollected(t)
	freeMemory()
	const size = 64 << 20
	runtime.KeepAlive(make([]byte, size))
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go giveBack(ctx)
		synctest.Wait()
		time.Sleep(startLook - time.Millisecond)
		synctest.Wait()
		if spareNow() < size {
			t.Error("it was given back before")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if spareNow() >= size {
			t.Errorf("%d bytes are spare", spareNow())
		}
	})
}

func spareNow() uint64 {
	_, spare := heapNow()
	return spare
}
