//go:build long

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// rollout is Folio in several processes with roles, behind the proxy of deploy/proxy.
type rollout struct {
	t     *testing.T
	dir   string
	parts []*part
	c     company
}

// part is one of the processes: its address stays when it is started again.
type part struct {
	*process
	address string // HOST:PORT
	roles   string
}

// start starts a part, again on its address.
func (f *rollout) start(m *part) {
	f.t.Helper()
	m.process = begin(f.t, slices.Concat([]string{"serve", "--data", f.dir, "--addr", m.address, "--roles", m.roles,
		"--drain", "2s", "--trusted-proxies", "127.0.0.0/8"}, crashFlags)...)
	m.base = m.await(f.t, "listening on ")
	eventually(f.t, startLimit, m.roles+" is ready", func() (string, bool) {
		a, err := client{base: m.base}.send(http.MethodGet, "/readyz", nil)
		return string(a.body), err == nil && a.status == http.StatusOK
	})
}

// inRollout starts the processes that deploy/proxy/nginx.conf names, and nginx, on free ports.
func inRollout(t *testing.T) *rollout {
	t.Helper()
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Fatalf("install nginx, which .ci/test-long does: %v", err)
	}
	f := &rollout{t: t, dir: t.TempDir()}
	keepsToSchemas(t, f.dir)
	text, err := os.ReadFile("../deploy/proxy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	conf := string(text)
	front := freePort(t)
	conf = strings.NewReplacer("listen 127.0.0.1:8000", "listen "+front, "pid /run/nginx.pid",
		"pid "+filepath.Join(f.dir, "nginx.pid"), "worker_processes auto", "daemon off; worker_processes 2").Replace(conf)
	for _, one := range []struct{ port, roles string }{{"8080", "node,sandbox"}, {"8090", "projections,processors"},
		{"8081", "write"}, {"8082", "write"}, {"8083", "read"}, {"8084", "read"}} {
		m := &part{address: freePort(t), roles: one.roles}
		conf = strings.ReplaceAll(conf, "server 127.0.0.1:"+one.port, "server "+m.address)
		f.parts = append(f.parts, m)
		f.start(m)
	}
	file := filepath.Join(f.dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	proxy := exec.Command("nginx", "-c", file, "-e", "stderr")
	said := newOutput()
	proxy.Stderr = said
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = proxy.Process.Signal(syscall.SIGTERM)
		_ = proxy.Wait()
		if t.Failed() {
			t.Logf("nginx said\n%s", said.tail())
		}
	})
	base := "http://" + front
	eventually(t, startLimit, "nginx listens", func() (string, bool) {
		_, err := client{base: base}.send(http.MethodGet, "/readyz", nil)
		return fmt.Sprint(err), err == nil
	})
	f.c = issuing(t, &process{base: base}, f.dir, 1)
	return f
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// One process after the other is stopped and started, the log's node among them, while invoices are created and read.
func TestEveryRoleIsReplacedUnderLoad(t *testing.T) {
	f := inRollout(t)
	var stop atomic.Bool
	var created, refused atomic.Int64
	var clients sync.WaitGroup
	acked := make([][]string, 4)
	for n := range acked {
		clients.Go(func() {
			for i := 0; !stop.Load(); i++ {
				key := fmt.Sprintf("rolling-%d-%d", n, i)
				for !stop.Load() {
					a, err := f.c.with("Idempotency-Key", key).send(http.MethodPost, "/api/invoices",
						body("FCB", 1+n%2, key))
					if err == nil && a.status == http.StatusCreated {
						made, err := parse[invoice](a)
						if err != nil {
							t.Error(err)
						}
						acked[n] = append(acked[n], made.ID)
						created.Add(1)
						break
					}
					if f.refusal(a, err) {
						refused.Add(1)
					}
				}
			}
		})
	}
	clients.Go(func() {
		for !stop.Load() {
			for _, path := range []string{"/api/invoices?per_page=5", "/api/companies/" + f.c.id} {
				if a, err := f.c.send(http.MethodGet, path, nil); err != nil || a.status != http.StatusOK {
					f.refusal(a, err)
				}
			}
		}
	})
	for round := range 2 {
		for _, m := range f.parts {
			before := created.Load()
			eventually(t, verdictLimit, "invoices are created", func() (string, bool) {
				return fmt.Sprint(created.Load()), created.Load() > before+20
			})
			if err := m.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			m.ends(t)
			m.clean(t)
			f.start(m)
			t.Logf("round %d: %s was replaced, %d invoices, %d calls refused so far", round+1, m.roles, created.Load(),
				refused.Load())
		}
	}
	stop.Store(true)
	clients.Wait()
	f.settled(slices.Concat(acked...))
	for _, m := range slices.Backward(f.parts) {
		m.stop(t)
	}
	succeed(t, "verify", "--data", f.dir)
}

// refusal wants a call that was not answered well to be 503 with Retry-After.
func (f *rollout) refusal(a answer, err error) bool {
	if err != nil {
		f.t.Errorf("a call failed: %v", err)
		time.Sleep(100 * time.Millisecond) // it would fail again at once
		return false
	}
	after, bad := strconv.Atoi(a.header.Get("Retry-After"))
	if a.status != http.StatusServiceUnavailable || bad != nil || after < 1 {
		f.t.Errorf("a call was answered %d, Retry-After %q: %s", a.status, a.header.Get("Retry-After"), a.body)
		return false
	}
	time.Sleep(time.Duration(after) * time.Second) // the contract of Retry-After
	return true
}

// settled wants all that was acknowledged to be there once, accepted, numbered in the order of its creation.
func (f *rollout) settled(acked []string) {
	f.t.Helper()
	f.c.settle(f.t, 2*verdictLimit)
	all := f.c.all(f.t)
	found := map[string]bool{}
	last := map[int]string{}
	for _, i := range all { // the newest first
		if found[i.ID] {
			f.t.Errorf("%s is there twice", i)
		}
		found[i.ID] = true
		if i.Number == nil {
			f.t.Errorf("%s has no number", i)
			continue
		}
		if before := last[i.BranchOffice]; before != "" && *i.Number >= before {
			f.t.Errorf("%s was created before the one with number %s", i, before)
		}
		last[i.BranchOffice] = *i.Number
	}
	for _, id := range acked {
		if !found[id] {
			f.t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	consecutive(f.t, all)
	if len(found) != len(acked) {
		f.t.Errorf("%d invoices are there, %d were acknowledged", len(found), len(acked))
	}
}
