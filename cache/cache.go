// Package cache keeps in memory what was used last, up to a number of bytes.
package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// overhead is what an entry takes besides its key and value.
const overhead = 128

// Cache is safe for concurrent use; make it with New.
type Cache[V any] struct {
	limit int
	size  func(V) int

	mu   sync.Mutex
	held int
	lru  *simplelru.LRU[string, sized[V]]
}

type sized[V any] struct {
	value V
	bytes int
}

// New makes a cache of at most limit bytes, of values whose size is known to size. A value
// that alone takes more than a quarter of the limit is not kept.
func New[V any](limit int, size func(V) int) *Cache[V] {
	c := &Cache[V]{limit: limit, size: size}
	lru, err := simplelru.NewLRU(math.MaxInt, func(_ string, gone sized[V]) { c.held -= gone.bytes })
	if err != nil {
		panic(err) // only for a size below 1
	}
	c.lru = lru
	return c
}

// Get is the value of a key, which counts as used now.
func (c *Cache[V]) Get(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Get(key)
	return e.value, ok
}

// Peek is Get that does not count.
func (c *Cache[V]) Peek(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Peek(key)
	return e.value, ok
}

// Add keeps a value in place of the key's last one. What was not used for longest makes room.
func (c *Cache[V]) Add(key string, v V) {
	bytes := c.size(v) + len(key) + overhead
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
	if bytes > c.limit/4 {
		return
	}
	c.lru.Add(key, sized[V]{v, bytes})
	for c.held += bytes; c.held > c.limit; {
		c.lru.RemoveOldest()
	}
}

// Remove forgets a key.
func (c *Cache[V]) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
}

// Clear forgets all keys.
func (c *Cache[V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Purge()
}
