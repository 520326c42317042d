package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	gauges "runtime/metrics"
	"strconv"
	"strings"
	"time"

	"folio/clock"
)

const (
	// room is how much is allocated before it is collected, whatever lives. A share of what lives, which is Go's own
	// way, collects a small heap all the time and lets a large one grow by hundreds of MB.
	room = 80 << 20
	// leastGarbage and mostGarbage bound that in percent of what lives, as GOGC counts.
	leastGarbage, mostGarbage = 50, 400

	// softMemory is where that stops: towards it garbage is collected as often as needed. It
	// has room for all that the gates let in, which is some 700 MB with what is made of it.
	softMemory = 1 << 30
	// heapShare of a container's memory is for Go; the rest is SQLite's and the kernel's.
	heapShare = 0.75
)

// boundMemory sets how much memory Go uses, as far as GOGC and GOMEMLIMIT do not say it.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(min(softMemory, int64(heapShare*float64(containerMemory("/")))))
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(mostGarbage)
		afterCollection(func() func() {
			set := mostGarbage
			return func() {
				if want := garbageFor(liveBytes()); want*10 < set*9 || want*10 > set*11 {
					debug.SetGCPercent(want)
					set = want
				}
			}
		}())
	}
}

// garbageFor is how much may be allocated before it is collected, in percent of so many bytes that live.
func garbageFor(live uint64) int {
	return int(min(max(room*100/max(live, 1), leastGarbage), mostGarbage))
}

// afterCollection runs f after each collection of garbage.
func afterCollection(f func()) {
	type marker struct{ _ [16]byte } // not of a size that shares its place with others
	var again func(*marker)
	again = func(m *marker) {
		f()
		runtime.SetFinalizer(m, again)
	}
	runtime.SetFinalizer(new(marker), again)
}

// liveBytes is what the last collection left.
func liveBytes() uint64 {
	s := []gauges.Sample{{Name: "/gc/heap/live:bytes"}}
	gauges.Read(s)
	if s[0].Value.Kind() != gauges.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

const (
	// restLook is how often the process looks whether it rests: it allocated less than restBytes since the last look.
	restLook = 10 * time.Second
	// startLook is when it looks first: what the start left is most of what a small service ever gives back.
	startLook = 3 * time.Second
	restBytes = 8 << 20
	// spareBytes of garbage and free memory are worth a collection then, two milliseconds of it every ten to twenty
	// seconds. A process that rests does not come to the next one by itself, and would keep what its last work left.
	spareBytes = 1 << 20
	// settling is how long stacks, which a collection makes smaller, take to grow again. That reads the tables of the
	// program file, so its pages are given back once more.
	settling = 2 * time.Second
)

// giveBack gives memory that is not needed to the system whenever the process rests, until ctx ends.
func giveBack(ctx context.Context) {
	last, _ := heapNow()
	for look := startLook; clock.Sleep(ctx, look); look = restLook {
		allocated, spare := heapNow()
		if allocated-last < restBytes && spare > spareBytes {
			freeMemory()
			if !clock.Sleep(ctx, settling) {
				return
			}
			dropProgram()
		}
		last = allocated
	}
}

// freeMemory collects garbage and gives what is free to the system, pages of the program file that nobody wrote, too.
func freeMemory() {
	debug.FreeOSMemory()
	dropProgram()
}

// heapNow is how many bytes were allocated since the start, and how many the process has beside those that live.
func heapNow() (allocated, spare uint64) {
	s := []gauges.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}}
	gauges.Read(s)
	for _, one := range s {
		if one.Value.Kind() != gauges.KindUint64 {
			return 0, 0
		}
	}
	held := s[1].Value.Uint64() + s[2].Value.Uint64()
	return s[0].Value.Uint64(), held - min(liveBytes(), held)
}

// containerMemory is how many bytes the container may use by its cgroup, of version 2 or 1 and under a root folder;
// math.MaxInt64 when nothing limits it.
func containerMemory(root string) int64 {
	for _, file := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && limit > 0 {
			return limit
		}
	}
	return math.MaxInt64
}
