package writeapi

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// gate bounds how many files of strangers are taken apart at once: one of 200 KB that is
// made to cost takes 20 MB and a fifth of a second of a core. A company has one at a time,
// and companies take turns, so that no flood of one's files keeps another's waiting.
type gate struct {
	all *semaphore.Weighted

	mu    sync.Mutex
	lines map[string]*line // of companies that are in the gate or wait before it
}

// line is where a company's requests wait for each other.
type line struct {
	first   *semaphore.Weighted
	waiting int
}

func newGate(atOnce int64) *gate {
	return &gate{all: semaphore.NewWeighted(atOnce), lines: map[string]*line{}}
}

// Purchases, numbering files and certificates do not wait for each other.
var purchaseGate, rangeGate, certificateGate = newGate(2), newGate(2), newGate(2)

// pass runs f when there is room for one of the company, unless the caller has gone.
func (g *gate) pass(ctx context.Context, company string, f func() error) error {
	l := g.join(company)
	defer g.leave(company)
	for _, s := range []*semaphore.Weighted{l.first, g.all} {
		if err := s.Acquire(ctx, 1); err != nil {
			return err
		}
		defer s.Release(1)
	}
	return f()
}

func (g *gate) join(company string) *line {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[company]
	if l == nil {
		l = &line{first: semaphore.NewWeighted(1)}
		g.lines[company] = l
	}
	l.waiting++
	return l
}

func (g *gate) leave(company string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lines[company].waiting--; g.lines[company].waiting == 0 {
		delete(g.lines, company)
	}
}
