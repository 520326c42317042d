package engine

// recent remembers at least the last n values used, and at most twice as many: what
// was not used while n others were is forgotten all at once.
type recent[V any] struct {
	n          int
	young, old map[string]V
}

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

// trim is called between batches, so that nothing a batch uses is forgotten in it.
func (r *recent[V]) trim() {
	if len(r.young) >= r.n {
		r.old, r.young = r.young, map[string]V{}
	}
}
