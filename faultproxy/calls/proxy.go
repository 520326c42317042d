// Package calls stands between a gRPC client and its server in tests and answers calls with
// a scripted status, as a server in trouble does: it is not the leader, refuses the password,
// or gave up waiting for a commit that comes about all the same.
//
//	p := calls.New(t, node.Address())
//	log, err := eventstore.Open(ctx, eventstore.Options{Address: p.Address()})
//	p.Answer("Append", calls.CommitTimeout(calls.Later))
//	p.Heal()    // calls are the server's own again
//	p.Deliver() // the appends held back reach the server now
package calls

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
)

// Proxy forwards every call to one server, unless a script answers it.
type Proxy struct {
	listener net.Listener
	server   *grpc.Server
	upstream *grpc.ClientConn

	mu       sync.Mutex
	scripts  map[string]script // by the method's last name
	answered map[string]int    // calls that a script answered, by the same name
	held     []call
	moment   *moment
	streams  map[*context.CancelCauseFunc]struct{} // calls in flight
}

// script answers the next calls of a method.
type script struct {
	answer Answer
	left   int // how many calls; below zero: all
}

// call is one whole request, kept to be delivered later.
type call struct {
	method   string
	metadata metadata.MD
	frames   []*frame
}

// New starts a proxy on a free port of the loopback address before the server at target, a
// gRPC target without TLS such as unix:///path or 127.0.0.1:2113. It ends with the test.
func New(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen for the proxy of calls: %v", err)
	}
	upstream, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{}), grpc.MaxCallRecvMsgSize(maxMessage)))
	if err != nil {
		t.Fatalf("reach the server at %s: %v", target, err)
	}
	p := &Proxy{listener: l, upstream: upstream, scripts: map[string]script{}, answered: map[string]int{},
		streams: map[*context.CancelCauseFunc]struct{}{}}
	p.server = grpc.NewServer(grpc.ForceServerCodecV2(codec{}), grpc.UnknownServiceHandler(p.handle),
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}))
	serving := make(chan error, 1)
	go func() { serving <- p.server.Serve(l) }()
	t.Cleanup(func() {
		p.server.Stop()
		if err := <-serving; err != nil {
			t.Logf("the proxy of calls ended with %v", err)
		}
		_ = upstream.Close()
	})
	return p
}

const maxMessage = 17 << 20

// Address is an EventStoreDB connection string of the proxy.
func (p *Proxy) Address() string { return "esdb://" + p.HostPort() + "?tls=false" }

// HostPort is where the proxy listens.
func (p *Proxy) HostPort() string { return p.listener.Addr().String() }

// Answer gives a to every call of a method (its last name, such as "Append"), until Heal.
func (p *Proxy) Answer(method string, a Answer) { p.AnswerNext(method, -1, a) }

// AnswerNext gives a to the next n calls of a method.
func (p *Proxy) AnswerNext(method string, n int, a Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts[method] = script{answer: a, left: n}
}

// Answered is how many calls of a method a script has answered.
func (p *Proxy) Answered(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answered[method]
}

// Heal takes every script away. What is held back stays so.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.scripts)
}

// Drop ends every call in flight, subscriptions above all, with a's status.
func (p *Proxy) Drop(a Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for cancel := range p.streams {
		(*cancel)(a.status.Err())
	}
}

// Deliver sends the calls that were held back to the server, in order, and returns when it
// has answered them all. The answers go nowhere.
func (p *Proxy) Deliver(ctx context.Context) error {
	p.mu.Lock()
	held := p.held
	p.held = nil
	p.mu.Unlock()
	for _, c := range held {
		if err := p.replay(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (p *Proxy) replay(ctx context.Context, c call) error {
	out, err := p.upstream.NewStream(metadata.NewOutgoingContext(ctx, c.metadata), both, c.method)
	if err != nil {
		return err
	}
	for _, f := range c.frames {
		if err := out.SendMsg(f); err != nil {
			return err
		}
	}
	if err := out.CloseSend(); err != nil {
		return err
	}
	for {
		if err := out.RecvMsg(&frame{}); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// scripted is the answer to the next call of a method, if there is one.
func (p *Proxy) scripted(method string) (Answer, bool) {
	name := method[strings.LastIndexByte(method, '/')+1:]
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.scripts[name]
	if !ok || s.left == 0 {
		return Answer{}, false
	}
	s.left--
	p.scripts[name] = s
	p.answered[name]++
	return s.answer, true
}

// enter notes a call in flight until leave.
func (p *Proxy) enter(ctx context.Context) (_ context.Context, leave func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	p.streams[&cancel] = struct{}{}
	p.mu.Unlock()
	return ctx, func() {
		p.mu.Lock()
		delete(p.streams, &cancel)
		p.mu.Unlock()
		cancel(nil)
	}
}

func (p *Proxy) hold(c call) {
	p.mu.Lock()
	p.held = append(p.held, c)
	p.mu.Unlock()
}
