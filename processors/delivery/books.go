package delivery

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"folio/tables"
)

// books are the short lists of companies as the tables have them, in memory: most
// companies have one or two deliveries under way, and need not be read again and again.
// Only the feed changes lists (save), so a book that was read once is kept up with it, and
// a moment ahead of the tables.
// A long list has no book and is read where it is.
type books struct {
	mu    sync.Mutex
	known *simplelru.LRU[string, *book]
	items int // in all books
}

// book is one list; a partial one only says that the list is too long.
type book struct {
	items   map[string]tables.Item
	partial bool
}

// The bounds of memory: an item takes some hundred bytes.
const (
	keptBooks = 20_000
	maxBook   = 128
	maxBooked = 100_000 // items in all
)

func newBooks() *books {
	b := &books{}
	known, err := simplelru.NewLRU(keptBooks, func(_ string, gone *book) { b.items -= len(gone.items) })
	if err != nil {
		panic(err) // only for a size below 1
	}
	b.known = known
	return b
}

func (b *books) forgetAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known.Purge()
}

func (b *books) forget(list string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known.Remove(list)
}

// learn keeps a whole list, or that it is too long: partial.
func (b *books) learn(list string, items []tables.Item, partial bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known.Remove(list)
	k := &book{partial: partial || b.items+len(items) > maxBooked}
	if !k.partial {
		k.items = make(map[string]tables.Item, len(items))
		for _, it := range items {
			k.items[it.Key] = it
		}
	}
	b.items += len(k.items)
	b.known.Add(list, k)
}

// apply makes a change that will be written.
func (b *books) apply(c tables.WorklistChange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k, ok := b.known.Peek(c.Worklist)
	if !ok || k.partial {
		return
	}
	before := len(k.items)
	for _, it := range c.Put {
		if old, ok := k.items[it.Key]; !ok || old.At.Before(it.At) {
			k.items[it.Key] = it
		}
	}
	for _, r := range c.Remove {
		if old, ok := k.items[r.Key]; ok && !r.At.Before(old.At) {
			delete(k.items, r.Key)
		}
	}
	for _, p := range c.Postpone {
		if it, ok := k.items[p.Key]; ok {
			it.Due = p.Due
			k.items[p.Key] = it
		}
	}
	b.items += len(k.items) - before
	if len(k.items) > maxBook || b.items > maxBooked {
		b.items -= len(k.items)
		k.items, k.partial = nil, true
	}
}

// open is the book of a list, nil when the list must be read.
func (b *books) open(list string) *book {
	if k, ok := b.known.Get(list); ok && !k.partial {
		return k
	}
	return nil
}

// has says whether anything is known of a list, be it that it is long.
func (b *books) has(list string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.known.Contains(list)
}

// whole says whether a list is in memory.
func (b *books) whole(list string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open(list) != nil
}

func (b *books) get(list, key string) (it tables.Item, found, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.open(list)
	if k == nil {
		return it, false, false
	}
	it, found = k.items[key]
	return it, found, true
}

func (b *books) group(list, group string) (out []tables.Item, known bool) {
	return b.some(list, func(it tables.Item) bool { return it.Group == group }, byOrder)
}

func (b *books) due(list string, now time.Time) (out []tables.Item, known bool) {
	return b.some(list, func(it tables.Item) bool { return !it.Due.After(now) }, byDue)
}

func (b *books) some(list string, of func(tables.Item) bool, in func(a, b tables.Item) int) (out []tables.Item, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.open(list)
	if k == nil {
		return nil, false
	}
	for _, it := range k.items {
		if of(it) {
			out = append(out, it)
		}
	}
	slices.SortFunc(out, in)
	return out, true
}

// next is the earliest due time; some is false when nothing waits for the clock.
func (b *books) next(list string) (next time.Time, some, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.open(list)
	if k == nil {
		return next, false, false
	}
	for _, it := range k.items {
		if it.Due.Before(tables.Never) && (!some || it.Due.Before(next)) {
			next, some = it.Due, true
		}
	}
	return next, some, true
}

// byOrder and byDue are the orders of tables.Worklist.
func byOrder(a, b tables.Item) int {
	return cmp.Or(a.Order.Compare(b.Order), strings.Compare(a.Key, b.Key))
}

func byDue(a, b tables.Item) int { return cmp.Or(a.Due.Compare(b.Due), byOrder(a, b)) }

// study reads a company's list into its book, unless it is known already. Nobody may
// change lists meanwhile: hold Processor.lists, or be the feed.
func (p *Processor) study(ctx context.Context, company string) error {
	name := listName(company)
	if p.books.has(name) {
		return nil
	}
	list, err := p.written(ctx, company)
	if err != nil {
		return err
	}
	items, err := list.Due(ctx, tables.Never, maxBook+1)
	if err != nil {
		return err
	}
	partial := len(items) > maxBook
	if !partial { // those that wait for another delivery have no due time
		n, err := list.Count(ctx)
		if err != nil {
			return err
		}
		partial = n != int64(len(items))
	}
	p.books.learn(name, items, partial)
	return nil
}
