package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
)

// start opens a node on dir and closes it with the test.
func start(t testing.TB, o Options) *Node {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	n, err := Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { stop(t, n) })
	return n
}

func stop(t testing.TB, n *Node) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := n.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// connect makes the official client for a node.
func connect(t testing.TB, address string) *esdb.Client {
	t.Helper()
	cfg, err := esdb.ParseConnectionString("esdb://localhost:2113?tls=false&maxDiscoverAttempts=3")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Address = address
	cfg.Logger = func(esdb.LogLevel, string, ...interface{}) {}
	c, err := esdb.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func open(t testing.TB) *esdb.Client { return connect(t, start(t, Options{}).Address()) }

// testID derives event ids, so that tests repeat themselves exactly.
func testID(parts ...any) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(fmt.Sprint(parts...)))
}

func event(kind string, parts ...any) esdb.EventData {
	return esdb.EventData{EventID: testID(parts...), EventType: kind, ContentType: esdb.ContentTypeJson,
		Data: []byte(fmt.Sprintf(`{"of":%q}`, fmt.Sprint(parts...))), Metadata: []byte(`{"actor":"test"}`)}
}

func events(kind, stream string, from, to int) (out []esdb.EventData) {
	for i := from; i < to; i++ {
		out = append(out, event(kind, stream, i))
	}
	return out
}

func write(t testing.TB, c *esdb.Client, stream string, expected esdb.ExpectedRevision,
	es ...esdb.EventData) *esdb.WriteResult {
	t.Helper()
	r, err := c.AppendToStream(t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: expected}, es...)
	if err != nil {
		t.Fatalf("append to %s: %v", stream, err)
	}
	return r
}

// drainRead collects a read until its end.
func drainRead(r *esdb.ReadStream, err error) ([]*esdb.ResolvedEvent, error) {
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out []*esdb.ResolvedEvent
	for {
		e, err := r.Recv()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
}

func revisions(es []*esdb.ResolvedEvent) (out []uint64) {
	for _, e := range es {
		out = append(out, e.OriginalEvent().EventNumber)
	}
	return out
}

func code(err error) esdb.ErrorCode {
	var e *esdb.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return -1
}

// clock is a time that only the test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}
