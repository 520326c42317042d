package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/memory"
)

// handClock is moved by hand.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *handClock { return &handClock{at: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)} }

func (c *handClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// journal is an event log in memory, and the tables' vault beside it.
type journal struct {
	*memory.Log
	mu      sync.Mutex
	reads   int
	secrets map[string][]byte
	down    error
}

func newJournal() *journal {
	j := &journal{Log: memory.New(), secrets: map[string][]byte{}}
	j.Break(memory.Faults{
		Append: func(string, int64, []eventstore.Pending) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			return j.down
		},
		Read: func(string) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.reads++
			return j.down
		},
	})
	return j
}

func (m *journal) last(stream string) events.Recorded {
	all := m.Stream(stream)
	return all[len(all)-1]
}

func (m *journal) Seal(_ context.Context, ref string, secret []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secrets[ref] = secret
	return nil
}

func (m *journal) Open(_ context.Context, ref string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.secrets[ref]; ok {
		return s, nil
	}
	return nil, errors.New("no such secret")
}

// house is one process on a log.
type house struct {
	*journal
	*handClock
	x        *commands.Executor
	accounts *Accounts
	derived  *int // how often a password was derived
}

var signing = []byte("0123456789abcdef0123456789abcdef")

// newHouse is a process whose passwords are cheap to derive.
func newHouse(t testing.TB, m *journal, c *handClock) *house {
	t.Helper()
	x := commands.NewExecutor(m, c.now)
	a, err := NewAccounts(x, m, signing, c.now)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{journal: m, handClock: c, x: x, accounts: a, derived: new(int)}
	var mu sync.Mutex
	a.hasher.derive = func(password string, salt []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		*h.derived++
		sum := sha256.Sum256(append([]byte(password), salt...))
		return sum[:]
	}
	return h
}

func (h *house) register(t testing.TB, email, password string) string {
	t.Helper()
	id, err := h.accounts.Register(context.Background(), email, password, "test")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (h *house) login(t testing.TB, email, password string) string {
	t.Helper()
	token, _, err := h.accounts.Login(context.Background(), email, password, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	return token
}
