package tables

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"folio/events"
)

// Never is the due time of an item that waits for another event, not for the clock:
// Due and Groups never give it, NextDue does not count it, InGroup shows it.
var Never = time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)

// Item is one thing to do. Waits are data: a worker asks for what is due, does it, and
// records the result as an event, whose fold then removes or replaces the item.
type Item struct {
	Key   string // unique in its worklist
	Group string // what must go in order, a numbering series for instance; may be empty
	// Order sorts items of a group, and items due at the same time.
	Order events.Position
	// Due is kept in UTC to the microsecond, the rest cut off. The zero time is due at once.
	Due time.Time
	// At is the position of the event that put the item here: the guard.
	At   events.Position
	Body []byte // JSON, or empty
}

// Removal takes an item off a worklist as of an event.
type Removal struct {
	Key string
	At  events.Position
}

// Postponement changes the due time of an item, as Worklist.Postpone does.
type Postponement struct {
	Key string
	Due time.Time
}

// WorklistChange is what a batch does to one worklist: puts, then removals, then
// postponements.
type WorklistChange struct {
	Worklist string
	Put      []Item
	Remove   []Removal
	Postpone []Postponement
}

// Worklist is a durable list of due things, rebuildable from the log. It gives no item
// to one worker alone: who works on it is a matter of leases, and what a second worker
// could do is made harmless by the commands that record the result.
type Worklist interface {
	// Put adds items or replaces those whose guard is earlier. An item, or the trace of
	// a removed one, with the same or a later guard is left alone.
	Put(ctx context.Context, items ...Item) error
	// Remove takes the item away unless its guard is later than at, and leaves a trace,
	// so that an older Put heard again does not bring it back.
	Remove(ctx context.Context, key string, at events.Position) error
	// Get reads an item that was not removed; ErrNotFound otherwise.
	Get(ctx context.Context, key string) (Item, error)
	// Due gives items whose time has come, by due time, then Order, then Key.
	Due(ctx context.Context, now time.Time, limit int) ([]Item, error)
	// Groups gives the groups that have due items, the longest waiting first.
	Groups(ctx context.Context, now time.Time, limit int) ([]string, error)
	// InGroup gives a group's items, due or not, by Order, then Key.
	InGroup(ctx context.Context, group string, limit int) ([]Item, error)
	// All gives items, due or not, by Key.
	All(ctx context.Context, limit int) ([]Item, error)
	// Postpone changes the due time alone; the guard stays. An item that is gone is no
	// error. A rebuild forgets it: what must survive one is an event.
	Postpone(ctx context.Context, key string, due time.Time) error
	// NextDue is the earliest due time, false when nothing waits for the clock.
	NextDue(ctx context.Context) (time.Time, bool, error)
	// Count counts items that were not removed.
	Count(ctx context.Context) (int64, error)
	// PruneBefore forgets traces of removals before p. Safe for every p up to the feed's
	// checkpoint, because nothing before it is heard again without starting over.
	PruneBefore(ctx context.Context, p events.Position) (int64, error)
	// Clear forgets items and traces, for a rebuild.
	Clear(ctx context.Context) error
}

// Validate refuses changes that no store can keep.
func (c WorklistChange) Validate() error {
	if err := CheckName("worklist", c.Worklist); err != nil {
		return err
	}
	for _, it := range c.Put {
		if err := it.validate(); err != nil {
			return fmt.Errorf("worklist %s, item %q: %w", c.Worklist, clip(it.Key), err)
		}
	}
	for _, r := range c.Remove {
		if err := checkKey(r.Key, r.At); err != nil {
			return fmt.Errorf("worklist %s, removal of %q: %w", c.Worklist, clip(r.Key), err)
		}
	}
	return nil
}

func (it Item) validate() error {
	if err := checkKey(it.Key, it.At); err != nil {
		return err
	}
	if err := CheckPosition(it.Order); err != nil {
		return err
	}
	if !text(it.Group) {
		return fmt.Errorf("the group must be text: %w", ErrInvalid)
	}
	if len(it.Body) > MaxBody || !utf8.Valid(it.Body) {
		return fmt.Errorf("the body must be UTF-8 of at most %d bytes: %w", MaxBody, ErrInvalid)
	}
	return nil
}

// ByOrder compares items as InGroup gives them.
func ByOrder(a, b Item) int { return cmp.Or(a.Order.Compare(b.Order), strings.Compare(a.Key, b.Key)) }

// ByDue compares items as Due gives them.
func ByDue(a, b Item) int { return cmp.Or(a.Due.Compare(b.Due), ByOrder(a, b)) }

func checkKey(key string, at events.Position) error {
	if key == "" || len(key) > 512 || !text(key) {
		return fmt.Errorf("the key must be 1 to 512 bytes of text: %w", ErrInvalid)
	}
	return CheckPosition(at)
}

// Micros is a due time as stores keep it: microseconds since 1970, never below 0.
func Micros(t time.Time) int64 {
	if t.IsZero() || t.Before(time.Unix(0, 0)) {
		return 0
	}
	return min(t.UnixMicro(), Never.UnixMicro())
}

// FromMicros is the time that Micros gave, the zero time for 0.
func FromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}
