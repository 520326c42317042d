package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/tables"
)

// local takes leases over at once from processes of this machine that have died.
// Without it a service that was killed would stand by, after its restart, until its own
// former leases run out: nothing would be submitted and reads would be stale. An owner is
// known by its machine (see there), so tables in MongoDB, which serve several, are no danger.
type local struct {
	tables.Store
	logger *slog.Logger
	told   *sync.Once // that another process does the work
}

// Acquire is that of the store, once more after a dead owner was relieved. One line says for all leases that this
// process stands by.
func (l local) Acquire(
	ctx context.Context, name, owner string, ttl time.Duration,
) (g tables.Grant, ok bool, err error) {
	g, ok, err = l.Store.Acquire(ctx, name, owner, ttl)
	if err == nil && !ok && died(g.Owner, owner) {
		if err := l.Release(ctx, g); err != nil {
			return g, false, err
		}
		g, ok, err = l.Store.Acquire(ctx, name, owner, ttl)
	}
	if err == nil && !ok {
		l.told.Do(func() {
			host, _, _ := strings.Cut(g.Owner, "@")
			l.logger.Info("standing by: another process does the work; if it has died, this one takes over when its lease ends",
				"lease", name, "host", host, "ends_within", time.Until(g.Until).Round(time.Second))
		})
	}
	return g, ok, err
}

// machine names what process numbers mean something in: this start of the kernel and, where
// there are such, this namespace of processes, so that neither another machine of the same
// name nor another container is taken for it. A container that is started again is another
// one, and waits for the leases of before. Elsewhere than on Linux nothing is certain.
func machine() string {
	host, _ := os.Hostname()
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, err2 := os.Readlink("/proc/self/ns/pid")
	if err != nil || err2 != nil {
		return host + "@" + ulid.Make().String()
	}
	return host + "@" + strings.TrimSpace(string(boot)) + "." + space
}

// died says for certain that an owner, "machine/pid/start", is no more. In doubt it is
// alive: what carries our own process number but another start is not.
func died(owner, self string) bool {
	theirs, ours := strings.Split(owner, "/"), strings.Split(self, "/")
	if len(theirs) != 3 || len(ours) != 3 || theirs[0] != ours[0] || owner == self {
		return false
	}
	pid, err := strconv.Atoi(theirs[1])
	if err != nil || pid <= 0 {
		return false
	}
	if pid == os.Getpid() {
		return true
	}
	p, err := os.FindProcess(pid)
	return err == nil && errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
