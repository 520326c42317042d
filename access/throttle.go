package access

import (
	"sync"
	"time"

	"folio/fault"
)

// freeFailures is how many wrong passwords cost nothing but time.
const freeFailures = 5

// longestLock is the longest wait after many failures.
const longestLock = 15 * time.Minute

// throttle slows down repeated failures of one subject, an account or an address:
// after five, each further one doubles the wait, from a second up to a quarter of an
// hour. A success forgets the failures of the account.
type throttle struct {
	now func() time.Time
	mu  sync.Mutex
	m   map[string]*failures
}

type failures struct {
	count int
	until time.Time
	last  time.Time
}

// maxSubjects bounds the memory; beyond it the oldest failures are forgotten.
const maxSubjects = 50_000

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, m: map[string]*failures{}}
}

// check is a fault TooMany while one of the subjects must wait.
func (t *throttle) check(subjects ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, wait := t.now(), time.Duration(0)
	for _, s := range subjects {
		if f := t.m[s]; f != nil {
			wait = max(wait, f.until.Sub(now))
		}
	}
	if wait <= 0 {
		return nil
	}
	return &fault.Error{Code: fault.TooMany, Constant: "LOGIN_THROTTLED",
		RetryAfter: int((wait + time.Second - 1) / time.Second),
		Text:       "Too many log-ins failed. Wait as long as Retry-After says, then try the right password."}
}

// failed counts a failure of each subject.
func (t *throttle) failed(subjects ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if len(t.m) > maxSubjects {
		for s, f := range t.m {
			if now.Sub(f.last) > longestLock {
				delete(t.m, s)
			}
		}
	}
	for _, s := range subjects {
		f := t.m[s]
		if f == nil || now.Sub(f.last) > 2*longestLock {
			f = &failures{}
			t.m[s] = f
		}
		f.count++
		f.last = now
		if over := f.count - freeFailures; over > 0 {
			f.until = now.Add(min(time.Second<<min(over-1, 20), longestLock))
		}
	}
}

func (t *throttle) succeeded(subject string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.m, subject)
}
