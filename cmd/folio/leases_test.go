package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/tables/sqlite"
)

func TestLeasesOfTheDeadAreTakenOver(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	me := fmt.Sprintf("here/%d/2", os.Getpid())
	for _, c := range []struct {
		name, owner string
		want        bool
	}{
		{"a process that ended", fmt.Sprintf("here/%d/1", gone.Process.Pid), true},
		{"our number at an earlier start, as in a container", fmt.Sprintf("here/%d/1", os.Getpid()), true},
		{"a process that lives", fmt.Sprintf("here/%d/1", os.Getppid()), false},
		{"a process of another machine", fmt.Sprintf("there/%d/1", gone.Process.Pid), false},
		{"an owner of another form", "folio projections rebuild 01", false},
		{"no process at all", "here/0/1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			if _, ok, err := store.Acquire(t.Context(), "x", c.owner, time.Hour); !ok || err != nil {
				t.Fatal(ok, err)
			}
			var told strings.Builder
			l := local{store, slog.New(slog.NewTextHandler(&told, nil)), &sync.Once{}}
			g, ok, err := l.Acquire(t.Context(), "x", me, time.Hour)
			if _, _, again := l.Acquire(t.Context(), "x", me, time.Hour); again != nil {
				t.Fatal(again)
			}
			if lines := strings.Count(told.String(), "standing by"); lines == 1 == ok || lines > 1 {
				t.Errorf("taken over: %v, and it says:\n%s", ok, told.String())
			}
			if err != nil || ok != c.want {
				t.Errorf("taken over: %v, want %v (%v)", ok, c.want, err)
			}
			if ok && (g.Owner != me || g.Token != 2) {
				t.Errorf("the grant is %+v: the token must have grown, or the dead one could still write", g)
			}
		})
	}
}
