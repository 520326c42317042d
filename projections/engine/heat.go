package engine

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"folio/tables"
)

// heat knows which documents of a projection changed since somebody looked, in the process that folds it.
type heat struct {
	live atomic.Bool // this process writes the documents that are read

	mu      sync.Mutex
	seed    maphash.Seed
	epoch   uint64          // of the feed: it may begin with other documents
	changes [stripes]uint32 // by hash of the id
	kept    []forgetful
}

const stripes = 256

// forgetful keeps what was made of documents.
type forgetful interface {
	forget(id string)
	forgetTotal(list string)
	clear()
}

// Mark is a moment, to be taken before documents are read.
type Mark struct {
	epoch   uint64
	changes [stripes]uint32
}

func (h *heat) mark() Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Mark{h.epoch, h.changes}
}

// since runs f, which keeps something made of a document, unless that changed after the mark.
func (h *heat) since(m Mark, id string, f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.live.Load() || m.epoch != h.epoch {
		return
	}
	if i := h.stripe(id); m.changes[i] == h.changes[i] {
		f()
	}
}

func (h *heat) stripe(id string) int { return int(maphash.String(h.seed, id) % stripes) }

// set says whether this process writes the documents that are read. Nothing of before is kept.
func (h *heat) set(live bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live.Store(live)
	h.epoch++
	for _, k := range h.kept {
		k.clear()
	}
}

// changed forgets what is written. A feed calls it before a write, so that nobody keeps what is replaced meanwhile,
// and after it, before it tells that it came so far.
func (h *heat) changed(table string, writes []tables.Write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.kept) == 0 {
		return
	}
	for _, w := range writes {
		forget := forgetful.forget
		switch w.Table {
		case table:
		case countersOf(table):
			forget = forgetful.forgetTotal
		default:
			continue
		}
		for _, d := range w.Documents {
			h.changedOne(d.ID, forget)
		}
		for _, id := range w.Deletes {
			h.changedOne(id, forget)
		}
	}
}

func (h *heat) changedOne(id string, forget func(forgetful, string)) {
	h.changes[h.stripe(id)]++
	for _, k := range h.kept {
		forget(k, id)
	}
}
