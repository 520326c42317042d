package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"folio/clock"
	"folio/processors/lanes"
)

// book notes what turns were taken, and when.
type book struct {
	mu    sync.Mutex
	began time.Time
	lines []string
}

func (b *book) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, fmt.Sprintf("%s %s", time.Since(b.began), fmt.Sprintf(format, args...)))
}

func (b *book) wants(t *testing.T, want ...string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Equal(b.lines, want) {
		t.Errorf("turns were\n%q, want\n%q", b.lines, want)
	}
}

// lane answers with its script, and Done after that.
type lane struct {
	book   *book
	key    string
	script []lanes.Next
	take   time.Duration // how long a turn takes
}

func (l *lane) Turn(ctx context.Context, woken bool) lanes.Next {
	l.book.note("%s woken=%v", l.key, woken)
	clock.Sleep(ctx, l.take)
	if len(l.script) == 0 {
		return lanes.Done()
	}
	next := l.script[0]
	l.script = l.script[1:]
	return next
}

// inSet runs a test with an open set of lanes that have a script; what changes the configuration may be nil.
func inSet(t *testing.T, script []lanes.Next, take time.Duration, change func(*lanes.Config[*lane]),
	do func(*book, *lanes.Set[*lane])) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &book{began: time.Now()}
		c := lanes.Config[*lane]{AtOnce: 100, Clock: clock.Real{},
			Pauses: lanes.Pauses{Base: time.Second, Steps: []int{1, 5}},
			New:    func(key string) *lane { return &lane{b, key, slices.Clone(script), take} },
			Failed: func(key string, err error, next time.Time) { b.note("%s: %v", key, err) }}
		if change != nil {
			change(&c)
		}
		s := lanes.New(c)
		s.Wake("before it is open")
		ctx, cancel := context.WithCancel(t.Context())
		s.Open(ctx)
		do(b, s)
		cancel()
		s.Close()
		if s.Len() != 0 {
			t.Errorf("%d lanes are left", s.Len())
		}
	})
}

func TestALaneLivesAsLongAsItsKeyHasWork(t *testing.T) {
	inSet(t, []lanes.Next{lanes.Again()}, 0, nil, func(b *book, s *lanes.Set[*lane]) {
		s.Wake("a")
		synctest.Wait()
		if _, ok := s.Lane("a"); ok || s.Len() != 0 {
			t.Error("a lane without work is kept")
		}
		s.Wake("a")
		synctest.Wait()
		b.wants(t, "0s a woken=false", "0s a woken=false", "0s a woken=false", "0s a woken=false")
	})
}

func TestAPauseEndsAtItsTimeOrWithAWake(t *testing.T) {
	hour := time.Date(2000, 1, 1, 1, 0, 0, 0, time.UTC) // the bubble's clock begins at 0:00
	inSet(t, []lanes.Next{lanes.Until(hour), lanes.Until(hour.Add(time.Hour))}, 0, nil,
		func(b *book, s *lanes.Set[*lane]) {
			s.Wake("a")
			time.Sleep(90 * time.Minute)
			s.WakeAll()
			time.Sleep(time.Hour)
			b.wants(t, "0s a woken=false", "1h0m0s a woken=false", "1h30m0s a woken=true")
		})
}

func TestAWakeMeanwhileIsNotLost(t *testing.T) {
	inSet(t, nil, time.Second, nil, func(b *book, s *lanes.Set[*lane]) {
		s.Wake("a")
		time.Sleep(time.Second / 2)
		s.Wake("a") // its turn, which will say Done, has not seen this
		time.Sleep(time.Minute)
		b.wants(t, "0s a woken=false", "1s a woken=true")
	})
}

func TestMoreEndsOnlyPausesThatSaySo(t *testing.T) {
	inSet(t, []lanes.Next{lanes.Asleep(), lanes.Asleep().OrMore()}, 0, nil, func(b *book, s *lanes.Set[*lane]) {
		s.More("a")
		time.Sleep(time.Second)
		s.More("a")
		time.Sleep(time.Second)
		s.Wake("a")
		time.Sleep(time.Second)
		s.More("a")
		time.Sleep(time.Second)
		b.wants(t, "0s a woken=false", "2s a woken=true", "3s a woken=false")
	})
}

func TestPausesGrowWithFailuresInARow(t *testing.T) {
	bad := errors.New("bad")
	late := lanes.Failed(bad).NotBefore(time.Date(2000, 1, 1, 0, 1, 0, 0, time.UTC)) // the bubble's clock begins at 0:00
	inSet(t, []lanes.Next{lanes.Failed(bad), lanes.Failed(bad), lanes.Failed(bad), lanes.Again(), lanes.Failed(bad), late},
		0, nil,
		func(b *book, s *lanes.Set[*lane]) {
			s.Wake("a")
			time.Sleep(time.Hour)
			b.wants(t, "0s a woken=false", "0s a: bad", "1s a woken=false", "1s a: bad", "6s a woken=false", "6s a: bad",
				"11s a woken=false", "11s a woken=false", "11s a: bad", "12s a woken=false", "12s a: bad", "1m0s a woken=false")
		})
}

type panics struct{}

func (panics) Turn(context.Context, bool) lanes.Next { panic("a bug") }

func TestAPanicIsTheFailureOfItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failures atomic.Int64
		s := lanes.New(lanes.Config[panics]{AtOnce: 1, Clock: clock.Real{}, Pauses: lanes.Pauses{Base: time.Minute},
			New: func(string) panics { return panics{} }, Failed: func(string, error, time.Time) { failures.Add(1) }})
		ctx, cancel := context.WithCancel(t.Context())
		s.Open(ctx)
		s.Wake("a")
		time.Sleep(90 * time.Second)
		if failures.Load() != 2 {
			t.Errorf("%d failures", failures.Load())
		}
		cancel()
		s.Close()
	})
}

// A group with many keys delays another by one turn, and never takes more places than its share.
func TestGroupsTakeTurns(t *testing.T) {
	inSet(t, nil, time.Second, func(c *lanes.Config[*lane]) {
		c.Group = func(key string) string { return key[:1] }
		c.AtOnce, c.Each = 2, 1
	}, func(b *book, s *lanes.Set[*lane]) {
		for i := range 5 {
			s.Wake(fmt.Sprint("A", i))
		}
		synctest.Wait()
		s.Wake("B0")
		s.Wake("C0")
		time.Sleep(time.Hour)
		at := map[string]time.Duration{}
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, l := range b.lines {
			var d, key string
			fmt.Sscan(l, &d, &key)
			took, _ := time.ParseDuration(d)
			at[key] = took
		}
		if at["B0"] > time.Second || at["C0"] > time.Second || len(at) != 7 {
			t.Errorf("turns were at %v", at)
		}
		last := time.Duration(0)
		for i := range 5 {
			last = max(last, at[fmt.Sprint("A", i)])
		}
		if last != 4*time.Second {
			t.Errorf("A's last turn was at %s: it has one place", last)
		}
	})
}

// A thousand keys that wait cost no goroutine each, and come at their times.
func TestManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys = 1000
		began := time.Now()
		var late atomic.Int64
		s := lanes.New(lanes.Config[lanes.Func]{AtOnce: keys, Clock: clock.Real{}, Failed: nil,
			New: func(key string) lanes.Func {
				due, first := began.Add(time.Duration(len(key)*7919%keys)*time.Second), true
				return func(context.Context) lanes.Next {
					if first {
						first = false
						return lanes.Until(due)
					}
					if !time.Now().Equal(due) {
						late.Add(1)
					}
					return lanes.Done()
				}
			}})
		ctx, cancel := context.WithCancel(t.Context())
		s.Open(ctx)
		key := []byte{}
		for range keys {
			key = append(key, 'x')
			s.Wake(string(key))
		}
		synctest.Wait()
		s.WakeWhere(func(string, lanes.Func) bool { return false })
		time.Sleep(2 * keys * time.Second)
		if s.Len() != 0 || late.Load() != 0 {
			t.Errorf("%d are left, %d were late", s.Len(), late.Load())
		}
		cancel()
		s.Close()
	})
}
