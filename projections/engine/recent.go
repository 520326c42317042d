package engine

// recent remembers at least the last n values used, and at most twice as many: what
// was not used while n others were is forgotten all at once. Large values take the place of many.
type recent[V any] struct {
	n          int
	weight     int // in bytes, of what was put since the last time, as far as somebody weighed it
	young, old map[string]V
}

// heavy is how many bytes of values take the place of n, however few they are.
const heavy = 1 << 20

func newRecent[V any](n int) *recent[V] {
	return &recent[V]{n: n, young: map[string]V{}}
}

func (r *recent[V]) get(key string) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.young[key] = v
	}
	return v, ok
}

func (r *recent[V]) put(key string, v V) { r.young[key] = v }

// weigh tells how large a value is.
func (r *recent[V]) weigh(bytes int) { r.weight += bytes }

// trim is called between batches, so that nothing a batch uses is forgotten in it.
func (r *recent[V]) trim() {
	if len(r.young) >= r.n || r.weight >= heavy {
		r.old, r.young, r.weight = r.young, map[string]V{}, 0
	}
}
