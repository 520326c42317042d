package quarantine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/events"
	"folio/tables"
)

// listName is the worklist that keeps what is held.
const listName = "quarantine"

// commandsFeed is the reader's name of commands, which read one stream at a time.
const commandsFeed = "commands"

// Held is a stream that one reader does not go on with.
type Held struct {
	Feed   string `json:"feed"` // who holds it: a processor, the table of a read model, or commands
	Stream string `json:"stream"`
	From   uint64 `json:"from"` // no event of the stream from this revision on is taken
	// Type is the event at From that the reader could not take; empty when it is not there.
	Type    string `json:"type,omitempty"`
	Company string `json:"company,omitempty"` // whose it is, as far as that can be told

	// Because is the stream in trouble: mostly Stream itself, otherwise one that had to be
	// read for its sake. The members after it are of its trouble.
	Because  string             `json:"because"`
	Kind     events.TroubleKind `json:"kind"`
	Revision uint64             `json:"revision"`
	Next     uint64             `json:"next,omitempty"`
	Event    string             `json:"event,omitempty"`
	Fault    string             `json:"fault"`

	Since    time.Time `json:"since"`
	Released bool      `json:"released,omitempty"`
}

// Trouble is what an operator decides about.
func (h Held) Trouble() events.Trouble {
	return events.Trouble{Kind: h.Kind, Stream: h.Because, Revision: h.Revision, Next: h.Next, Event: h.Event,
		Type: h.Type,
		Err:  errors.New(h.Fault)}
}

// longestFault keeps an item small: the whole fault is in the log lines.
const longestFault = 1000

// heldBy is r's stream, held because of t: from r on, or from an earlier event of the same
// stream that is the trouble.
func heldBy(feed string, r events.Recorded, t *events.Trouble, now time.Time) Held {
	text := t.Error()
	if len(text) > longestFault {
		text = strings.ToValidUTF8(text[:longestFault], "") + "…"
	}
	h := Held{Feed: feed, Stream: r.Stream, From: r.Revision, Type: r.Type, Company: companyOf(r),
		Because: t.Stream, Kind: t.Kind, Revision: t.Revision, Next: t.Next, Event: t.Event, Fault: text, Since: now.UTC()}
	if t.Stream == r.Stream {
		h.From = min(r.Revision, t.Revision)
	}
	return h
}

// key does not hold the names themselves: another application's may be of any length.
func (h Held) key() string {
	sum := sha256.Sum256([]byte(h.Feed + "/" + h.Stream))
	return hex.EncodeToString(sum[:])
}

// released is the group of what is held no more. It stays, so that its guard is known.
const released = "released"

// put writes what is held, or that it is no more.
func (r *Room) put(ctx context.Context, h Held) error {
	at := events.Position{Commit: 1, Prepare: 1}
	old, err := r.list.Get(ctx, h.key())
	switch {
	case err == nil:
		at = events.Position{Commit: old.At.Commit + 1, Prepare: old.At.Commit + 1}
	case !errors.Is(err, tables.ErrNotFound):
		return fmt.Errorf("look up whether %s holds %.200s: %w", h.Feed, h.Stream, err)
	}
	body, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("encode that %s holds %.200s: %w", h.Feed, h.Stream, err)
	}
	item := tables.Item{Key: h.key(), Group: h.Feed, Order: at, Due: h.Since, At: at, Body: body}
	if h.Released {
		item.Group, item.Due = released, tables.Never
	}
	if err := r.list.Put(ctx, item); err != nil {
		return fmt.Errorf("write that %s holds %.200s: %w", h.Feed, h.Stream, err)
	}
	return nil
}

// mostHeld bounds what is listed at once.
const mostHeld = 10_000

// Held lists what is held, by every process on these tables, the longest first.
func (r *Room) Held(ctx context.Context) ([]Held, error) {
	items, err := r.list.Due(ctx, tables.Never.Add(-time.Second), mostHeld)
	if err != nil {
		return nil, fmt.Errorf("list what is in quarantine: %w", err)
	}
	return heldOf(items)
}

func (r *Room) heldBy(ctx context.Context, feed string) ([]Held, error) {
	items, err := r.list.InGroup(ctx, feed, mostHeld)
	if err != nil {
		return nil, fmt.Errorf("list what %s holds: %w", feed, err)
	}
	return heldOf(items)
}

func heldOf(items []tables.Item) ([]Held, error) {
	out := make([]Held, len(items))
	for i, it := range items {
		if err := json.Unmarshal(it.Body, &out[i]); err != nil {
			return nil, fmt.Errorf("read the item %s of the quarantine: %w", it.Key, err)
		}
	}
	return out, nil
}

// Holds says whether anybody holds the stream, or, of a name that ends with a dash, any
// stream whose name begins with it.
func (r *Room) Holds(ctx context.Context, stream string) (bool, error) {
	all, err := r.Held(ctx)
	for _, h := range all {
		if h.Stream == stream || strings.HasSuffix(stream, "-") && strings.HasPrefix(h.Stream, stream) {
			return true, nil
		}
	}
	return false, err
}

// tell says loudly that a stream is held.
func (r *Room) tell(h Held) {
	r.logger.Error("a stream of the log is held: look with 'folio quarantine show', then skip or retry",
		"held_by", h.Feed, "stream", h.Stream, "from", h.From, "type", h.Type, "kind", h.Kind, "because", h.Because, "error",
		h.Fault)
}

// writing bounds the note of a stream that a command met: the caller waits for its answer.
const writing = 2 * time.Second

// Hold implements commands.Guard: it tells of the trouble once.
func (r *Room) Hold(t *events.Trouble) {
	r.mu.Lock()
	known := r.met[t.Stream]
	r.met[t.Stream] = true
	r.mu.Unlock()
	if known {
		return
	}
	at := events.Recorded{Stream: t.Stream, Revision: t.Revision, Type: t.Type}
	r.note(heldBy(commandsFeed, at, t, r.now()))
}

// Sound implements commands.Guard.
func (r *Room) Sound(stream string) {
	r.mu.Lock()
	known := len(r.met) > 0 && r.met[stream]
	delete(r.met, stream)
	r.mu.Unlock()
	if known {
		r.note(Held{Feed: commandsFeed, Stream: stream, Because: stream, Since: r.now().UTC(), Released: true})
	}
}

func (r *Room) note(h Held) {
	if h.Released {
		r.logger.Info("a stream that was held can be read again", "held_by", h.Feed, "stream", h.Stream)
	} else {
		r.tell(h)
	}
	ctx, done := context.WithTimeout(context.Background(), writing)
	defer done()
	if err := r.put(ctx, h); err != nil {
		r.logger.Warn("the quarantine cannot be written", "error", err)
	}
}
