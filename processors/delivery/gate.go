package delivery

import (
	"context"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
)

// gate bounds the calls at a time. It is asked for one at a time by each company and
// answers in the order of asking, so companies take turns. Companies whose receivers
// are slow cannot take the last quarter: those that answer fast never wait for them.
type gate struct {
	max, perCompany int64
	used            atomic.Int64
	all, slow       *semaphore.Weighted
	slowpokes       *lru.Cache[string, bool]
}

// keptCompanies is of how many companies such small things are remembered as how their
// receivers did.
const keptCompanies = 50_000

func newGate(connections, perCompany int) *gate {
	slowpokes, err := lru.New[string, bool](keptCompanies)
	if err != nil {
		panic(err) // only for a size below 1
	}
	n := int64(connections)
	return &gate{max: n, perCompany: int64(perCompany), all: semaphore.NewWeighted(n),
		slow: semaphore.NewWeighted(max(1, n*3/4)), slowpokes: slowpokes}
}

// share is how many calls one company may have now.
func (g *gate) share() int {
	if 2*g.used.Load() >= g.max {
		return 1
	}
	return int(g.perCompany)
}

// enter waits for a place; leave gives it back.
func (g *gate) enter(ctx context.Context, company string) (leave func(), err error) {
	slow := g.slowpoke(company)
	if slow {
		if err := g.slow.Acquire(ctx, 1); err != nil {
			return nil, err
		}
	}
	if err := g.all.Acquire(ctx, 1); err != nil {
		if slow {
			g.slow.Release(1)
		}
		return nil, err
	}
	g.used.Add(1)
	return func() {
		g.used.Add(-1)
		g.all.Release(1)
		if slow {
			g.slow.Release(1)
		}
	}, nil
}

// slowpoke says whether a company's receiver was slow the last time.
func (g *gate) slowpoke(company string) bool {
	slow, _ := g.slowpokes.Get(company)
	return slow
}

// judge remembers how a company's receiver did the last time.
func (g *gate) judge(company string, slow bool) {
	if slow {
		g.slowpokes.Add(company, true)
	} else {
		g.slowpokes.Remove(company)
	}
}
