package delivery

import (
	"context"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
)

// connections bounds the calls at a time. It is asked for one at a time by each company and
// answers in the order of asking, so companies take turns. Companies whose receivers
// are slow cannot take the last quarter: those that answer fast never wait for them.
type connections struct {
	max, perCompany int64
	used            atomic.Int64
	all, slow       *semaphore.Weighted
	slowpokes       *lru.Cache[string, bool]
}

// keptCompanies is of how many companies such small things are remembered as how their
// receivers did.
const keptCompanies = 50_000

func newConnections(all, perCompany int) *connections {
	n := int64(all)
	return &connections{max: n, perCompany: int64(perCompany), all: semaphore.NewWeighted(n),
		slow: semaphore.NewWeighted(max(1, n*3/4)), slowpokes: cacheOf[bool](keptCompanies)}
}

// share is how many calls one company may have now.
func (c *connections) share() int {
	if 2*c.used.Load() >= c.max {
		return 1
	}
	return int(c.perCompany)
}

// enter waits for a place; leave gives it back.
func (c *connections) enter(ctx context.Context, company string) (leave func(), err error) {
	slow := c.slowpoke(company)
	if slow {
		if err := c.slow.Acquire(ctx, 1); err != nil {
			return nil, err
		}
	}
	if err := c.all.Acquire(ctx, 1); err != nil {
		if slow {
			c.slow.Release(1)
		}
		return nil, err
	}
	c.used.Add(1)
	return func() {
		c.used.Add(-1)
		c.all.Release(1)
		if slow {
			c.slow.Release(1)
		}
	}, nil
}

// slowpoke says whether a company's receiver was slow the last time.
func (c *connections) slowpoke(company string) bool {
	slow, _ := c.slowpokes.Get(company)
	return slow
}

// judge remembers how a company's receiver did the last time.
func (c *connections) judge(company string, slow bool) {
	if slow {
		c.slowpokes.Add(company, true)
	} else {
		c.slowpokes.Remove(company)
	}
}
