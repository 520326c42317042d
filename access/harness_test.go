package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
)

// clock is moved by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)} }

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

// memory is an event log in memory, and the tables' vault beside it.
type memory struct {
	mu       sync.Mutex
	streams  map[string][]events.Recorded
	position uint64
	reads    int
	secrets  map[string][]byte
	down     error
}

func newMemory() *memory {
	return &memory{streams: map[string][]events.Recorded{}, secrets: map[string][]byte{}}
}

func (m *memory) Append(_ context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down != nil {
		return eventstore.Appended{}, m.down
	}
	if int64(len(m.streams[stream]))-1 != expected {
		return eventstore.Appended{}, eventstore.ErrConflict
	}
	for _, p := range ps {
		m.position++
		m.streams[stream] = append(m.streams[stream], events.Recorded{ID: p.ID.String(), Stream: stream,
			Revision: uint64(len(m.streams[stream])), Position: events.Position{Commit: m.position, Prepare: m.position},
			Type: p.Type, Meta: p.Meta, Raw: p.Data})
	}
	last := m.streams[stream][len(m.streams[stream])-1]
	return eventstore.Appended{Revision: last.Revision, Position: last.Position}, nil
}

func (m *memory) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		m.mu.Lock()
		m.reads++
		all, down := slices.Clone(m.streams[stream]), m.down
		m.mu.Unlock()
		if down != nil {
			yield(events.Recorded{}, down)
			return
		}
		for _, r := range all[min(from, uint64(len(all))):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (m *memory) last(stream string) events.Recorded {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.streams[stream][len(m.streams[stream])-1]
}

func (m *memory) Seal(_ context.Context, ref string, secret []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secrets[ref] = secret
	return nil
}

func (m *memory) Open(_ context.Context, ref string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.secrets[ref]; ok {
		return s, nil
	}
	return nil, errors.New("no such secret")
}

// house is one process on a log.
type house struct {
	*memory
	*clock
	x        *commands.Executor
	accounts *Accounts
	derived  *int // how often a password was derived
}

var signing = []byte("0123456789abcdef0123456789abcdef")

// newHouse is a process whose passwords are cheap to derive.
func newHouse(t testing.TB, m *memory, c *clock) *house {
	t.Helper()
	x := commands.NewExecutor(m, c.now)
	a, err := NewAccounts(x, m, signing, c.now)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{memory: m, clock: c, x: x, accounts: a, derived: new(int)}
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
