// Package faultproxy stands between a client and a server in tests and does to their
// connections what networks and dying servers do: it cuts, delays, freezes, refuses and
// loses answers, until it is told to heal.
//
// Proxy knows bytes only, so it serves every protocol over TCP: put it before EventStoreDB,
// MongoDB or an authority, and give the client its Address. Package faultproxy/calls knows
// gRPC calls and answers them with a scripted status.
//
//	p := faultproxy.New(t, "tcp", "127.0.0.1:27017")
//	store, err := mongo.Open(ctx, "mongodb://"+p.Address(), "folio")
//	p.Freeze() // as a server that was stopped: connections stay, nothing passes
//	p.Heal()   // what was held back passes now
package faultproxy

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"
)

// faults are what the proxy does to the bytes that pass.
type faults struct {
	refuse      bool          // every connection is reset at once
	frozen      bool          // nothing passes
	loseAnswers bool          // a connection is reset in place of its next answer
	delay       time.Duration // of each piece, in each direction
}

// Proxy forwards TCP connections to one server. Its methods may be called at any time, from
// any goroutine, and hold for connections that are open already.
type Proxy struct {
	listener net.Listener

	mu              sync.Mutex
	network, target string
	now             faults
	changed         chan struct{} // closed and replaced when now changes
	open            map[net.Conn]struct{}
	closed          bool
	running         sync.WaitGroup
}

// New starts a proxy on a free port of the loopback address before the server at target
// ("tcp" with host:port, or "unix" with a path). The server need not be there yet. The proxy
// ends with the test.
func New(t testing.TB, network, target string) *Proxy {
	t.Helper()
	p, err := Start(t.Context(), network, target)
	if err != nil {
		t.Fatalf("listen for the fault proxy: %v", err)
	}
	t.Cleanup(p.Close)
	return p
}

// Start is New for a program that is no test, which ends the proxy with Close.
func Start(ctx context.Context, network, target string) (*Proxy, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, network: network, target: target, changed: make(chan struct{}), open: map[net.Conn]struct{}{}}
	p.running.Go(p.accept)
	return p, nil
}

// Address is the host:port at which clients reach the server through the proxy.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Move resets every open connection and leads new ones to another server, as an address does
// behind which a server was replaced.
func (p *Proxy) Move(network, target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.network, p.target = network, target
	p.cut()
}

// Cut resets every open connection, once. New ones are served.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut()
}

// Refuse resets every connection, open and new, until Heal: the server is gone.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut()
	p.set(faults{refuse: true})
}

// Freeze holds back every byte until Heal, and resets nothing: the server was stopped, or
// the network drops packets. New connections are accepted and stay silent.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(faults{frozen: true})
}

// Delay lets every piece of data wait for d before it passes, until Heal.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(faults{delay: d})
}

// LoseAnswers lets requests through and resets a connection instead of passing on an answer,
// until Heal: the server did what it was asked, and the client cannot know.
func (p *Proxy) LoseAnswers() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(faults{loseAnswers: true})
}

// Heal ends every fault.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(faults{})
}

func (p *Proxy) set(f faults) {
	p.now = f
	close(p.changed)
	p.changed = make(chan struct{})
}

// cut resets what is open; a reset is what a client sees of a server that was killed.
func (p *Proxy) cut() {
	for c := range p.open {
		reset(c)
	}
	clear(p.open)
}

func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// Close ends the proxy and every connection.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	p.cut()
	p.set(faults{})
	p.mu.Unlock()
	_ = p.listener.Close()
	p.running.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		if !p.admit(client) {
			reset(client)
			continue
		}
		p.running.Go(func() { p.serve(client) })
	}
}

// admit keeps c until it is cut; false when connections are refused.
func (p *Proxy) admit(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.now.refuse {
		return false
	}
	p.open[c] = struct{}{}
	return true
}

func (p *Proxy) leave(c net.Conn) {
	p.mu.Lock()
	delete(p.open, c)
	p.mu.Unlock()
	_ = c.Close()
}

// serve passes the bytes of one connection both ways until either side ends.
func (p *Proxy) serve(client net.Conn) {
	defer p.leave(client)
	p.mu.Lock()
	network, target := p.network, p.target
	p.mu.Unlock()
	server, err := net.Dial(network, target)
	if err != nil || !p.admit(server) {
		reset(client)
		return
	}
	defer p.leave(server)
	var both sync.WaitGroup
	both.Go(func() { p.pass(client, server, false) })
	both.Go(func() { p.pass(server, client, true) })
	both.Wait()
}

// pass copies from one side to the other, as the faults of the moment have it.
func (p *Proxy) pass(from, to net.Conn, answers bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && (!p.await(answers) || write(to, buffer[:n]) != nil) {
			reset(from)
			reset(to)
			return
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

func write(to net.Conn, b []byte) error {
	_, err := to.Write(b)
	return err
}

// await returns when a piece that was read may pass; false when its connection must end.
func (p *Proxy) await(answer bool) bool {
	for {
		p.mu.Lock()
		f, changed, closed := p.now, p.changed, p.closed
		p.mu.Unlock()
		switch {
		case closed || f.refuse || answer && f.loseAnswers:
			return false
		case f.frozen:
			<-changed
		case f.delay > 0:
			late := time.NewTimer(f.delay)
			select {
			case <-late.C:
				return true
			case <-changed:
				late.Stop()
			}
		default:
			return true
		}
	}
}
