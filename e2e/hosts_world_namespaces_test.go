//go:build long && hosts && linux

package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"folio/tables/mongo"
)

// The hosts: the first has the log and the tables, each takes calls, two of them work.
const first, second, third byte = 1, 2, 3

// wrongClocks are by how much the clock of each is wrong.
var wrongClocks = map[byte]time.Duration{first: 4 * time.Minute, second: -3 * time.Minute, third: 0}

// hosts are Folio on three of them, with the embedded log for EventStoreDB and FerretDB for MongoDB: of the stores that
// several hosts may share these two are at hand everywhere.
type hosts struct {
	*wires
	*traffic
	program string
	common  []string
	spy     *spy
	apis    []*seat // in the order of their hosts
	workers []*seat
	all     []*seat
	late    atomic.Int64 // nanoseconds for which machine and tables let others wait
	turn    atomic.Uint64
}

// seat is one place for a process. The process changes.
type seat struct {
	host  byte
	roles string
	args  []string

	mu sync.Mutex
	p  *process
}

// lastTold is longer than the pause after three attempts that failed, which cuts may have been the cause of.
const lastTold = 6 * time.Minute

const (
	apiPort   = 8080 // and the details of readyz one above it
	workPort  = 8090
	nodePort  = 2113
	mongoPort = 27017
)

func newHosts(t *testing.T) *hosts {
	t.Helper()
	w := newWires(t, first, second, third)
	x := &hosts{wires: w, traffic: &traffic{t: t, dir: t.TempDir(), rest: time.Second, told: lastTold},
		program: withOwnClock(t)}
	keepsToSchemas(t, x.dir)
	tables := x.ferret()
	x.watchTheMachine(tables)
	key := filepath.Join(x.dir, "master.key")
	x.common = slices.Concat([]string{"--mongo", tables + "folio", "--master-key-file", key, "--log-level", "warn",
		"--retry-base", "200ms",
		"--webhook-allow", "198.18.0.0/15"}, unlimited)
	ca := x.node()
	log := fmt.Sprintf("esdb://folio:%s@%s?tlsCaFile=%s", password, w.address(first, nodePort), url.QueryEscape(ca))
	x.records = []string{"--data", x.dir}
	x.common = append(x.common, "--eventstore", log)
	box := w.run(outside, 0, x.program, append([]string{"serve", "--data", x.dir + "/box", "--addr", "127.0.0.1:0",
		"--roles",
		"sandbox", "--sandbox-latency", "10ms"}, x.common...)...)
	box.await(t, "listening on ")
	x.spy = spyAt(t, x.dir+"/box", x.listen())
	x.receiver = receiveOn(t, x.listen())
	x.common = append(x.common, "--authority-url", x.spy.URL)
	for _, host := range []byte{first, second, third} {
		x.apis = append(x.apis, x.seat(host, "write,read", apiPort))
	}
	x.workers = []*seat{x.seat(second, "projections,processors", workPort),
		x.seat(third, "projections,processors", workPort)}
	x.all = slices.Concat(x.apis, x.workers)
	for _, s := range x.all {
		x.ready(s)
	}
	front := serveOn(localListener(t), x.balancer())
	t.Cleanup(front.Close)
	x.dir += "/box" // certificates and numbers are the sandbox's
	x.found(front.URL)
	return x
}

// listen listens where the hosts find it, outside of all of them.
func (x *hosts) listen() net.Listener {
	l, err := net.Listen("tcp", x.address(outside, 0))
	if err != nil {
		x.traffic.t.Fatal(err)
	}
	return l
}

// ferret starts FerretDB on the first host.
func (x *hosts) ferret() string {
	t := x.traffic.t
	server := filepath.Join(t.TempDir(), "ferret")
	build := exec.Command("go", "build", "-o", server, "./cmd/ferret")
	build.Dir = filepath.Join("..", "tables", "mongo", "ferret")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := x.run(first, 0, server, t.TempDir(), x.address(first, mongoPort))
	return "mongodb://" + p.await(t, "mongodb://")
}

// node starts the log on the first host, for the others with TLS and a user, and gives the file with its authority.
func (x *hosts) node() (ca string) {
	t := x.traffic.t
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	users, key := filepath.Join(x.dir, "users"), filepath.Join(x.dir, "node.key")
	ca = filepath.Join(x.dir, "node.crt")
	write(t, users, "folio:"+string(hash)+"\n")
	certifyHost(t, x.net+fmt.Sprint(first), ca, key)
	p := x.run(first, wrongClocks[first], x.program,
		append([]string{"serve", "--data", x.dir, "--addr", "127.0.0.1:0", "--roles",
			"node", "--node-listen", x.address(first, nodePort), "--node-tls-cert", ca, "--node-tls-key", key, "--node-users",
			users},
			x.common...)...)
	p.await(t, "listening on ")
	return ca
}

// certifyHost makes a certificate of an address that is good although clocks are apart.
func certifyHost(t *testing.T, address, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "log"},
		IPAddresses: []net.IP{net.ParseIP(address)}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour),
		IsCA:     true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, certFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
}

// seat starts a process on a host. Its data folder has nothing but the sandbox's keys.
func (x *hosts) seat(host byte, roles string, port int) *seat {
	t := x.traffic.t
	dir := t.TempDir()
	keys, err := filepath.Glob(filepath.Join(x.dir, "box", "sandbox", "*.pem"))
	if err != nil || len(keys) == 0 {
		t.Fatalf("the keys of the sandbox: %v, %v", keys, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "sandbox"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		content, err := os.ReadFile(k)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "sandbox", filepath.Base(k)), string(content))
	}
	s := &seat{host: host, roles: roles, args: append([]string{"serve", "--data", dir, "--addr", x.address(host, port),
		"--admin-addr", x.address(host, port+1), "--roles", roles}, x.common...)}
	x.sit(s)
	return s
}

// sit starts the process of a seat.
func (x *hosts) sit(s *seat) {
	p := x.run(s.host, wrongClocks[s.host], x.program, s.args...)
	p.base = p.await(x.traffic.t, "listening on ")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.p = p
}

// run starts a program on a host whose clock is wrong by so much. It is the first of a namespace of processes, as in a
// container: nobody on the same machine can see that it died.
func (w *wires) run(host byte, wrong time.Duration, name string, args ...string) *process {
	w.t.Helper()
	c := exec.Command(name, args...)
	if host != outside {
		c = exec.Command("ip", append([]string{"netns", "exec", w.links[host].space, name}, args...)...)
		c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	}
	c.Env = append(environ(environment...), fmt.Sprintf("%s=%d", aheadVariable, int(wrong.Seconds())))
	return start(w.t, c)
}

func (s *seat) process() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.p
}

func (s *seat) String() string { return fmt.Sprintf("%s on host %d", s.roles, s.host) }

func (x *hosts) signal(s *seat, sig syscall.Signal) {
	if err := s.process().cmd.Process.Signal(sig); err != nil {
		x.traffic.t.Errorf("%s had ended: %v\n%s", s, err, s.process().stderr.tail())
	}
}

// balancer passes calls on to the hosts in turns; one that cannot be reached costs its caller a moment.
func (x *hosts) balancer() http.Handler {
	passing := http.DefaultTransport.(*http.Transport).Clone()
	passing.DialContext = (&net.Dialer{Timeout: time.Second}).DialContext
	passing.ResponseHeaderTimeout, passing.MaxIdleConnsPerHost = frontPatience, 64
	return &httputil.ReverseProxy{
		Transport: passing,
		Rewrite: func(r *httputil.ProxyRequest) {
			s := x.apis[x.turn.Add(1)%uint64(len(x.apis))]
			r.SetURL(&url.URL{Scheme: "http", Host: x.address(s.host, apiPort)})
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set(badGateway, err.Error())
			w.WriteHeader(http.StatusBadGateway)
		},
	}
}

// details are what readyz says of a process to its operator.
type details struct {
	status int
	Feeds  []struct{ Name, State, Fault string }
}

var operators = &http.Client{Timeout: 3 * time.Second}

func (x *hosts) details(s *seat) (d details, err error) {
	port := apiPort + 1
	if strings.Contains(s.roles, "processors") {
		port = workPort + 1
	}
	a, err := operators.Get("http://" + x.address(s.host, port) + "/readyz")
	if err != nil {
		return d, err
	}
	defer a.Body.Close()
	d.status = a.StatusCode
	return d, json.NewDecoder(a.Body).Decode(&d)
}

// ready waits until a process says that it can do its work.
func (x *hosts) ready(s *seat) {
	t := x.traffic.t
	eventually(t, 2*time.Minute, s.String()+" is ready", func() (string, bool) {
		d, err := x.details(s)
		return fmt.Sprintf("%+v %v", d, err), err == nil && d.status == http.StatusOK
	})
}

// alive wants no process to have ended by itself, and none to have logged an error, or that a series waits for a fault
// of its own: who loses it to another has nothing to say about it.
func (x *hosts) alive() {
	t := x.traffic.t
	t.Helper()
	for _, s := range x.all {
		p := s.process()
		select {
		case <-p.done:
			t.Errorf("%s ended by itself: %v\n%s", s, p.err, p.stderr.tail())
		default:
		}
		p.clean(t)
		if said := p.stderr.String(); strings.Contains(said, "reason=INTERNAL") {
			t.Errorf("%s takes a move of its work for a fault: %s", s, p.stderr.tail())
		}
	}
}

// owned is how many feeds the process works on, of all.
func (d details) owned() (mine, all int) {
	for _, f := range d.Feeds {
		if f.State != "standby" {
			mine++
		}
	}
	return mine, len(d.Feeds)
}

// watchTheMachine counts for how long processes had to wait for a core, or for an answer of the tables: what FerretDB
// and
// a busy machine take is not Folio's.
func (x *hosts) watchTheMachine(tables string) {
	t := x.traffic.t
	count := func(usual time.Duration, do func()) {
		for t.Context().Err() == nil {
			began := time.Now()
			do()
			if late := time.Since(began); late > usual {
				x.late.Add(int64(late))
			}
		}
	}
	go count(15*time.Millisecond, func() { time.Sleep(10 * time.Millisecond) }) // what is measured
	store, err := mongo.Open(t.Context(), tables, "watch")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() }) // its server has ended
	go count(75*time.Millisecond, func() {
		time.Sleep(50 * time.Millisecond)
		_, _, _ = store.Acquire(t.Context(), "watch", "watch", time.Minute) // an error comes late, too
	})
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
