package access

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"folio/clock"
	"folio/fault"
)

// rule says what failures cost: the first ones are free, each further one doubles the wait,
// from a second up to the longest.
type rule struct {
	free    int
	longest time.Duration
}

// The rules of log-ins. What is guessed for one account from one place is slowed down hard.
// What is guessed for an account from many places, or from a place for many accounts, is
// slowed down late and never for long: the owner, or a neighbour behind the same proxy,
// shares that wait. A place that knew the account's password before waits its turn instead
// of being refused.
var (
	pairRule  = rule{free: 5, longest: 15 * time.Minute}
	crowdRule = rule{free: 100, longest: time.Minute}
	knownRule = rule{free: 5, longest: 4 * time.Second}
)

// forgetAfter is how long a subject's failures are remembered after the last one.
const forgetAfter = 30 * time.Minute

// subject is whose failures count together.
type subject struct {
	name string
	rule rule
}

// throttle slows down repeated failures of a subject. A success forgets them.
type throttle struct {
	now func() time.Time
	mu  sync.Mutex
	m   *simplelru.LRU[string, *failures]
}

type failures struct {
	count int
	until time.Time
	last  time.Time
}

// maxSubjects bounds the memory, to some 10 MB; beyond it the subject that failed longest
// ago is forgotten.
const maxSubjects = 50_000

func newThrottle(now func() time.Time) *throttle {
	m, err := simplelru.NewLRU[string, *failures](maxSubjects, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &throttle{now: now, m: m}
}

// wait is how long until the last of the subjects may try again.
func (t *throttle) wait(subjects ...subject) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, wait := t.now(), time.Duration(0)
	for _, s := range subjects {
		if f, ok := t.m.Peek(s.name); ok {
			wait = max(wait, f.until.Sub(now))
		}
	}
	return wait
}

// check is a fault TooMany while one of the subjects must wait.
func (t *throttle) check(subjects ...subject) error {
	wait := t.wait(subjects...)
	if wait <= 0 {
		return nil
	}
	return &fault.Error{Code: fault.TooMany, Constant: "LOGIN_THROTTLED",
		RetryAfter: int((wait + time.Second - 1) / time.Second),
		Text:       "Too many log-ins failed. Wait as long as Retry-After says, then try the right password."}
}

// pause waits until the subject may try again, or ctx ends.
func (t *throttle) pause(ctx context.Context, s subject) error {
	wait := t.wait(s)
	if wait <= 0 {
		return nil
	}
	if !clock.Sleep(ctx, wait) {
		return ctx.Err()
	}
	return nil
}

// failed counts a failure of each subject.
func (t *throttle) failed(subjects ...subject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	for _, s := range subjects {
		f, ok := t.m.Peek(s.name)
		if !ok || now.Sub(f.last) > forgetAfter {
			f = &failures{}
		}
		f.count++
		f.last = now
		if over := f.count - s.rule.free; over > 0 {
			f.until = now.Add(min(time.Second<<min(over-1, 20), s.rule.longest))
		}
		t.m.Add(s.name, f)
	}
}

func (t *throttle) succeeded(subjects ...subject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range subjects {
		t.m.Remove(s.name)
	}
}
