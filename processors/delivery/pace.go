package delivery

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// pace spreads the calls to each company's receiver over time, so that a backlog is not
// a burst: so many a second on average, and a few ahead of that.
type pace struct {
	every, ahead time.Duration

	mu   sync.Mutex
	next *simplelru.LRU[string, time.Time] // by company: when the average allows its next call
}

// aheadOfPace is how many calls may come before the average allows them. In any one
// second there are at most so many more than Config.PerSecond.
const aheadOfPace = 20

func newPace(perSecond int) *pace {
	next, err := simplelru.NewLRU[string, time.Time](keptCompanies, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	every := time.Second / time.Duration(perSecond)
	return &pace{every: every, ahead: (aheadOfPace - 1) * every, next: next}
}

// ask takes a call, or says how long to wait before the next one may be asked for.
func (p *pace) ask(company string, now time.Time) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next, _ := p.next.Get(company)
	if early := next.Sub(now); early > p.ahead {
		return early - p.ahead
	}
	if next.Before(now) {
		next = now
	}
	p.next.Add(company, next.Add(p.every))
	return 0
}
