package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"folio/eventstore/node"
	"folio/eventstore/node/storage"
)

// nodes starts and stops nodes for suites, which ask over HTTP: GET /start?tls=&populated= answers HOST:PORT,
// GET /stop?at=HOST:PORT ends that node.
type nodes struct {
	work     string
	material *material
	server   *http.Server
	address  string
	events   string // folder of the fixtures that a populated node is filled from

	mu   sync.Mutex
	live map[string]*node.Node
	next int
}

func serveNodes(ctx context.Context, work string, m *material) (*nodes, error) {
	n := &nodes{work: work, material: m, live: map[string]*node.Node{}}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n.address = "http://" + l.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /start", func(w http.ResponseWriter, r *http.Request) {
		at, err := n.start(r.Context(), "127.0.0.1:0", r.FormValue("tls") == "true", r.FormValue("populated") == "true")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, at)
	})
	mux.HandleFunc("GET /stop", func(w http.ResponseWriter, r *http.Request) {
		if err := n.stop(r.FormValue("at")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	n.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = n.server.Serve(l) }()
	return n, nil
}

// start answers the address, which is no name where the suite allows it: gRPC asks a name server how to talk to a
// name, localhost too (the TXT record _grpc_config.localhost), and while none answers every call waits until its
// time is over. The older Go client's gRPC has no switch for that.
func (n *nodes) start(ctx context.Context, address string, tls, populated bool) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.next++
	dir := filepath.Join(n.work, fmt.Sprintf("data-%d", n.next))
	if populated {
		if _, err := storage.Import(ctx, dir, populate(n.events)); err != nil {
			return "", err
		}
	}
	o := node.Options{Dir: dir, Network: node.Network{Address: address}}
	if tls {
		o.Network.CertFile = filepath.Join(n.material.dir, "node", "node.crt")
		o.Network.KeyFile = filepath.Join(n.material.dir, "node", "node.key")
		o.Network.Users = n.material.users
	}
	started, err := node.Open(context.WithoutCancel(ctx), o)
	if err != nil {
		return "", err
	}
	at := started.Network().String()
	n.live[at] = started
	return at, nil
}

func (n *nodes) stop(at string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	live := n.live[at]
	if live == nil {
		return fmt.Errorf("no node is at %s", at)
	}
	delete(n.live, at)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return live.Close(ctx)
}

func (n *nodes) close() {
	var all []string
	n.mu.Lock()
	for at := range n.live {
		all = append(all, at)
	}
	n.mu.Unlock()
	errs := []error{n.server.Close()}
	for _, at := range all {
		errs = append(errs, n.stop(at))
	}
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, "conformance: stop:", err)
	}
}
