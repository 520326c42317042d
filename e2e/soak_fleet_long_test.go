//go:build long

package e2e

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"folio/eventstore/node"
	"folio/faultproxy"
	"folio/faultproxy/calls"
)

// soakRoles have two processes each. All share one log behind a proxy, and tables and vault:
// SQLite in one folder, or the MongoDB of FOLIO_TEST_MONGO behind a proxy. FerretDB is too
// slow for it: it reads whole collections, and the test's front lets one write in at a time.
var soakRoles = []string{"write", "read", "projections", "processors"}

// fleet is those processes, what they share, and the load balancer before them.
type fleet struct {
	t     *testing.T
	dir   string
	node  string // address of the log, past the proxies
	flags []string
	front *httptest.Server
	calls *calls.Proxy
	log   *faultproxy.Proxy
	mongo *faultproxy.Proxy // nil: tables in SQLite
	locks []func() error    // ends what keeps SQLite's files while tables are away
	turn  atomic.Uint64

	mu      sync.Mutex
	members map[string]*member // by role and number: "write 1"
}

// member is one place of the fleet. Its process changes.
type member struct {
	name, role string
	p          *process
}

// frontPatience is how long the load balancer waits for an answer: longer than any process
// that is not stopped may take.
const frontPatience = answerLimit

func newFleet(t *testing.T, more ...string) *fleet {
	t.Helper()
	n, err := node.Open(t.Context(), node.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close(context.Background()) })
	x := &fleet{t: t, dir: t.TempDir(), node: n.Address(), calls: calls.New(t, n.Address()), members: map[string]*member{}}
	x.log = faultproxy.New(t, "tcp", x.calls.HostPort())
	direct, proxied := x.openTables()
	common := slices.Concat([]string{"--retry-base", "200ms", "--log-level", "warn", allowLoopback}, unlimited, more)
	serve(t, x.dir, slices.Concat([]string{"--roles", "sandbox", "--eventstore", n.Address(), "--sandbox-latency", "10ms"},
		direct, common)...)
	x.flags = slices.Concat([]string{"--eventstore", "esdb://" + x.log.Address() + "?tls=false"}, proxied, common)
	for _, role := range soakRoles {
		for _, number := range []string{" 1", " 2"} {
			m := &member{name: role + number, role: role}
			m.p = x.serve(role)
			x.members[m.name] = m
		}
	}
	x.front = httptest.NewServer(x.balancer())
	t.Cleanup(x.front.Close)
	return x
}

// openTables gives the flags of whoever reaches the tables past the proxy, and through it.
func (x *fleet) openTables() (direct, proxied []string) {
	if os.Getenv("FOLIO_TEST_MONGO") == "" {
		return nil, nil
	}
	address, err := url.Parse(mongoServer(x.t))
	if err != nil {
		x.t.Fatal(err)
	}
	x.mongo = faultproxy.New(x.t, "tcp", address.Host)
	direct = []string{"--mongo", address.String()}
	address.Host = x.mongo.Address()
	return direct, []string{"--mongo", address.String()}
}

// tables does a fault to the tables: to MongoDB what is asked for, to SQLite the one thing
// that others can do to it, a lock on its files that nobody can write beside.
func (x *fleet) tables(fault func(*faultproxy.Proxy)) {
	if x.mongo != nil {
		fault(x.mongo)
		return
	}
	for _, name := range []string{"tables.db", "vault.db"} {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(x.dir, name)+"?_txlock=immediate&_pragma=busy_timeout(20000)")
		if err != nil {
			x.t.Error(err)
			continue
		}
		tx, err := db.BeginTx(context.WithoutCancel(x.t.Context()), nil)
		if err != nil {
			x.t.Errorf("lock %s: %v", name, err)
			continue
		}
		x.locks = append(x.locks, tx.Rollback, db.Close)
	}
}

func (x *fleet) unlockTables() {
	if x.mongo != nil {
		x.mongo.Heal()
	}
	for _, end := range x.locks {
		if err := end(); err != nil {
			x.t.Error(err)
		}
	}
	x.locks = nil
}

func (x *fleet) serve(role string) *process {
	return serve(x.t, x.dir, append([]string{"--roles", role}, x.flags...)...)
}

// replace starts a process in the place of one that was killed.
func (x *fleet) replace(m *member) {
	p := x.serve(m.role)
	x.mu.Lock()
	defer x.mu.Unlock()
	m.p = p
}

// all is the members, in a fixed order.
func (x *fleet) all() (out []*member) {
	for _, role := range soakRoles {
		out = append(out, x.members[role+" 1"], x.members[role+" 2"])
	}
	return out
}

// balancer leads reads to readers and everything else to writers, in turns.
func (x *fleet) balancer() http.Handler {
	passing := http.DefaultTransport.(*http.Transport).Clone()
	passing.ResponseHeaderTimeout, passing.MaxIdleConnsPerHost = frontPatience, 64
	return &httputil.ReverseProxy{
		Transport: passing,
		Rewrite: func(r *httputil.ProxyRequest) {
			role := "write"
			if r.In.Method == http.MethodGet || strings.Contains(r.In.URL.Path, "/download") {
				role = "read"
			}
			m := x.members[role+[]string{" 1", " 2"}[x.turn.Add(1)%2]]
			x.mu.Lock()
			base := m.p.base
			x.mu.Unlock()
			to, err := url.Parse(base)
			if err != nil {
				x.t.Error(err)
			}
			r.SetURL(to)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set(badGateway, err.Error())
			w.WriteHeader(http.StatusBadGateway)
		},
	}
}

// signal sends one to a member's process.
func (x *fleet) signal(m *member, s syscall.Signal) {
	if err := m.p.cmd.Process.Signal(s); err != nil {
		x.t.Errorf("%s had ended: %v\n%s", m.name, err, m.p.stderr.tail())
	}
}

// readyz is what a member says of itself, and of the log.
func (x *fleet) readyz(m *member) (status int, log string, body string) {
	a, err := client{base: m.p.base}.send(http.MethodGet, "/readyz", nil)
	if err != nil {
		return 0, "", err.Error()
	}
	var r struct{ Log struct{ State string } }
	if err := json.Unmarshal(a.body, &r); err != nil {
		x.t.Errorf("%s: %v: %s", m.name, err, a.body)
	}
	return a.status, r.Log.State, string(a.body)
}

// alive wants no process to have ended by itself, and none to have logged an error.
func (x *fleet) alive() {
	x.t.Helper()
	for _, m := range x.all() {
		select {
		case <-m.p.done:
			x.t.Errorf("%s ended by itself: %v\n%s", m.name, m.p.err, m.p.stderr.tail())
		default:
		}
		m.p.clean(x.t)
	}
}

// heal ends what was done to log and tables. What was held back reaches the log now.
func (x *fleet) heal() {
	x.log.Heal()
	x.unlockTables()
	x.calls.Heal()
	if err := x.calls.Deliver(context.WithoutCancel(x.t.Context())); err != nil {
		x.t.Error(err)
	}
}

// ready waits until every member says that it can do its work.
func (x *fleet) ready(limit time.Duration) {
	x.t.Helper()
	for _, m := range x.all() {
		eventually(x.t, limit, m.name+" is ready", func() (string, bool) {
			status, _, body := x.readyz(m)
			return body, status == http.StatusOK
		})
	}
}
