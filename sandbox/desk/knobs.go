package desk

import (
	"encoding/json"
	"sync"
)

// Knobs are an authority's behaviour as people see and change it: as JSON.
type Knobs interface {
	// shown is what there is now.
	shown() any
	// change takes another one; with keep, members that are not in the text stay as they
	// are.
	change(text json.RawMessage, keep bool) error
}

// Kept is an authority's behaviour as data. It may be changed while calls are worked on,
// for those that arrive from then on. It is safe for concurrent use.
type Kept[K any] struct {
	clone func(K) K
	check func(K) error

	mu   sync.Mutex
	data K
}

// Keep keeps k. clone makes a copy that shares nothing and has defaults in the place of what
// must not be empty; check says what is wrong with
// one that somebody sent.
func Keep[K any](k K, clone func(K) K, check func(K) error) *Kept[K] {
	return &Kept[K]{clone: clone, check: check, data: clone(k)}
}

// Knobs returns the present ones.
func (p *Kept[K]) Knobs() K {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clone(p.data)
}

// SetKnobs replaces them.
func (p *Kept[K]) SetKnobs(k K) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.data = p.clone(k)
}

func (p *Kept[K]) shown() any { return p.Knobs() }

func (p *Kept[K]) change(text json.RawMessage, keep bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var k K
	if keep {
		k = p.clone(p.data)
	}
	if err := Strict(text, &k); err != nil {
		return err
	}
	if err := p.check(k); err != nil {
		return err
	}
	p.data = p.clone(k)
	return nil
}
