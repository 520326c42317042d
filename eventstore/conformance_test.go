package eventstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"folio/eventstore"
	"folio/eventstore/node"
	"folio/eventstore/storetest"
)

// embedded is a node that tests may stop and start again.
type embedded struct {
	dir  string
	node *node.Node
}

func newEmbedded(t testing.TB) *embedded {
	t.Helper()
	dir, err := os.MkdirTemp("", "folio-node-")
	if err != nil {
		t.Fatal(err)
	}
	e := &embedded{dir: dir}
	e.start(t)
	t.Cleanup(func() {
		e.stop(t)
		os.RemoveAll(dir)
	})
	return e
}

func (e *embedded) start(t testing.TB) {
	t.Helper()
	n, err := node.Open(context.Background(), node.Options{Dir: e.dir})
	if err != nil {
		t.Fatal(err)
	}
	e.node = n
}

func (e *embedded) stop(t testing.TB) {
	t.Helper()
	if err := e.node.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

func (e *embedded) Address() string    { return e.node.Address() }
func (e *embedded) Start(t *testing.T) { e.start(t) }
func (e *embedded) Stop(t *testing.T)  { e.stop(t) }

func openAt(t testing.TB, address string) *eventstore.Log {
	t.Helper()
	l, err := eventstore.Open(context.Background(), eventstore.Options{Address: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// TestConformance runs the suite on the embedded node, and on the server that
// FOLIO_TEST_EVENTSTORE names, if it does.
func TestConformance(t *testing.T) {
	targets := map[string]string{"node": newEmbedded(t).Address()}
	if server := os.Getenv("FOLIO_TEST_EVENTSTORE"); server != "" {
		targets["server"] = server
	}
	for name, address := range targets {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) storetest.Log { return openAt(t, address) })
		})
	}
}

func TestConformanceAcrossRestarts(t *testing.T) {
	storetest.RunRestart(t, newEmbedded(t))
}

func TestTheServersOwnLimitIsUnderstood(t *testing.T) {
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: newEmbedded(t).Address(), MaxAppend: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	over := pending("A", "over")
	over.Data = json.RawMessage(`"` + strings.Repeat("x", 2<<20) + `"`)
	if _, err := l.Append(t.Context(), "s-1", eventstore.NoStream, over); !errors.Is(err, eventstore.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
