package storage

import "time"

// expectations of a stream's revision that are not a revision; the numbers are the protocol's.
const (
	ExpectNoStream = -1
	ExpectAny      = -2
	ExpectExists   = -4
)

const (
	MetadataPrefix = "$$"
	MetadataType   = "$metadata"
	tombstoneType  = "$streamDeleted"
	softDeleted    = int64(1<<63 - 1) // the $tb of a soft-deleted stream
)

// head is what the writer knows about the end of a stream.
type head struct {
	num      int64 // 0 until the stream is stored
	last     int64 // revision of the last event, -1 without one
	keepsIDs bool
	meta     *StreamMeta // of a metadata stream: its newest event, nil until it was needed
}

// tombstoned streams end with the one event that has the largest revision.
func (h *head) tombstoned() bool { return h.last == TombstoneRevision }

// StreamMeta is the part of a stream's metadata that bounds what readers see. 0 means no bound.
type StreamMeta struct {
	exists   bool
	maxAge   time.Duration
	maxCount int64
	tb       int64 // truncate before this revision
	raw      []byte
}

func (m *StreamMeta) softDeleted() bool { return m.tb == softDeleted }

// First is the lowest revision that readers of a stream ending at last may see.
func (m *StreamMeta) First(last int64) int64 {
	first := max(m.tb, 0)
	if m.maxCount > 0 && last-m.maxCount+1 > first {
		first = last - m.maxCount + 1
	}
	return first
}

// headCache keeps the heads of the streams used last. It has two generations: when the young one is
// full it becomes the old one, so at most twice its size is held and nothing is counted per use.
type headCache struct {
	size       int
	young, old map[string]*head
}

func newHeadCache(size int) *headCache {
	return &headCache{size: size, young: make(map[string]*head), old: map[string]*head{}}
}

func (c *headCache) get(stream string) *head {
	if h := c.young[stream]; h != nil {
		return h
	}
	h := c.old[stream]
	if h != nil {
		c.put(stream, h)
	}
	return h
}

func (c *headCache) put(stream string, h *head) {
	if len(c.young) >= c.size {
		c.old, c.young = c.young, make(map[string]*head, c.size)
	}
	c.young[stream] = h
}

// clear forgets everything, after a transaction that did not happen.
func (c *headCache) clear() { c.young, c.old = make(map[string]*head), map[string]*head{} }
