package httpapi

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/fault"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

func TestBurstIsAdmittedToTheLimitAndTheWaitIsExact(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(DefaultLimits, clock.now)
	for i := range 50 {
		if d := l.Take("k"); !d.Allowed || d.Remaining != 49-i || d.Limit != 50 {
			t.Fatalf("call %d: %+v", i, d)
		}
	}
	for _, c := range []struct {
		after time.Duration
		wait  int
	}{{0, 1}, {300 * time.Millisecond, 1}, {699 * time.Millisecond, 1}} {
		clock.advance(c.after)
		if d := l.Take("k"); d.Allowed || d.RetryAfter != c.wait || d.Remaining != 0 || d.Reset != 1 {
			t.Fatalf("after %s more: %+v, want a wait of %d", c.after, d, c.wait)
		}
	}
	if d := l.Take("other"); !d.Allowed {
		t.Error("another key is refused too")
	}
	clock.advance(time.Millisecond)
	if d := l.Take("k"); !d.Allowed {
		t.Errorf("exactly one second after the burst: %+v", d)
	}
}

func TestTheMinuteHoldsBesideTheSecond(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(Limits{PerSecond: 50, PerMinute: 120}, clock.now)
	for _, n := range []int{50, 50, 20} {
		for range n {
			if d := l.Take("k"); !d.Allowed {
				t.Fatalf("refused early: %+v", d)
			}
		}
		clock.advance(time.Second)
	}
	d := l.Take("k")
	if d.Allowed || d.Limit != 120 || d.RetryAfter != 57 {
		t.Fatalf("call 121 of the minute: %+v, want a wait of 57 s for the first burst", d)
	}
	for range 1000 {
		l.Take("k") // refused calls must not count
	}
	clock.advance(57 * time.Second)
	if d := l.Take("k"); !d.Allowed {
		t.Errorf("after the wait: %+v", d)
	}
}

func TestSustainedRateAtTheLimitIsNeverRefused(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(DefaultLimits, clock.now)
	for i := range 10_000 {
		if d := l.Take("k"); !d.Allowed {
			t.Fatalf("call %d at 50 a second: %+v", i, d)
		}
		clock.advance(20 * time.Millisecond)
	}
}

// Whatever the arrivals, no half-open window holds more than its limit, a refusal
// is right (the window is full), and retrying after Retry-After succeeds while one
// second less would not (when the wait is more than a second).
func TestNoWindowEverHoldsMoreThanItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := Limits{PerSecond: rapid.IntRange(1, 6).Draw(t, "second"),
			PerMinute: rapid.IntRange(1, 20).Draw(t, "minute")}
		clock := newFakeClock()
		l := NewLimiter(limits, clock.now)
		var admitted []time.Time
		inWindow := func(at time.Time, length time.Duration) (n int) {
			for _, a := range admitted {
				if a.After(at.Add(-length)) && !a.After(at) {
					n++
				}
			}
			return n
		}
		fits := func(at time.Time) bool {
			return inWindow(at, time.Second) < limits.PerSecond && inWindow(at, time.Minute) < limits.PerMinute
		}
		gaps := rapid.SliceOfN(rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 400), rapid.Int64Range(900, 1100),
			rapid.Int64Range(0, 30_000)), 1, 80).Draw(t, "gaps")
		for _, gap := range gaps {
			clock.advance(time.Duration(gap) * time.Millisecond)
			want := fits(clock.at)
			d := l.Take("k")
			if d.Allowed != want {
				t.Fatalf("at %s allowed is %v, want %v", clock.at, d.Allowed, want)
			}
			if d.Allowed {
				admitted = append(admitted, clock.at)
				continue
			}
			wait := time.Duration(d.RetryAfter) * time.Second
			if d.RetryAfter < 1 || !fits(clock.at.Add(wait)) {
				t.Fatalf("a wait of %d s is not enough", d.RetryAfter)
			}
			if d.RetryAfter > 1 && fits(clock.at.Add(wait-time.Second)) {
				t.Fatalf("a wait of %d s is longer than needed", d.RetryAfter)
			}
		}
		for _, a := range admitted {
			if inWindow(a, time.Second) > limits.PerSecond || inWindow(a, time.Minute) > limits.PerMinute {
				t.Fatalf("the windows that end at %s hold too many", a)
			}
		}
	})
}

func TestRaisedLimitsStayBoundedInMemoryAndNeverAdmitMore(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(Limits{PerMinute: 100_000}, clock.now)
	admitted := 0
	for range 200_000 { // 200,000 calls in 50 s
		if l.Take("k").Allowed {
			admitted++
		}
		clock.advance(250 * time.Microsecond)
	}
	if admitted != 100_000 {
		t.Errorf("admitted %d within a minute, want 100000", admitted)
	}
	for i := range l.shards {
		for _, k := range l.shards[i].keys {
			if n := len(k.rings[1].groups); n > 2*exactLimit {
				t.Errorf("keeps %d groups", n)
			}
		}
	}
}

func TestAClockThatGoesBackAdmitsNothingEarly(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(Limits{PerSecond: 1}, clock.now)
	l.Take("k")
	clock.advance(-time.Hour)
	if d := l.Take("k"); d.Allowed || d.RetryAfter != 1 {
		t.Errorf("an hour earlier: %+v", d)
	}
}

func TestIdleKeysAreForgottenAndTheirNumberIsBounded(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(DefaultLimits, clock.now)
	size := func() (n int) {
		for i := range l.shards {
			n += len(l.shards[i].keys)
		}
		return n
	}
	for i := range 80_000 {
		l.Take("address:" + strconv.Itoa(i))
	}
	if n := size(); n > shardCount*maxPerShard || n < shardCount*maxPerShard/2 {
		t.Errorf("remembers %d", n)
	}
	clock.advance(2 * time.Minute)
	for i := range 2000 {
		l.Take("again:" + strconv.Itoa(i))
	}
	if n := size(); n > 2000 {
		t.Errorf("remembers %d two minutes later, want the 2000 new ones", n)
	}
}

func TestConcurrentCallersShareOneBudget(t *testing.T) {
	clock := newFakeClock()
	l := NewLimiter(Limits{PerSecond: 500, PerMinute: 700}, clock.now)
	var admitted atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 200 {
				if l.Take("k").Allowed {
					admitted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := admitted.Load(); got != 500 {
		t.Errorf("admitted %d of 3200 at one instant, want 500", got)
	}
}

func TestRefusalIsA429WithItsWait(t *testing.T) {
	mux, clock, _ := testRouter(Limits{PerSecond: 2, PerMinute: 3})
	call(mux, "GET", "/a", "")
	call(mux, "GET", "/a", "")
	w := call(mux, "GET", "/a", "")
	p := problemOf(t, w)
	if w.Code != 429 || p.Message != "RATE_LIMIT_EXCEEDED" || w.Header().Get("Retry-After") != "1" ||
		w.Header().Get("RateLimit-Policy") != "2;w=1, 3;w=60" || w.Header().Get("RateLimit-Remaining") != "0" {
		t.Errorf("%d %+v %v", w.Code, p, w.Header())
	}
	clock.advance(time.Second)
	call(mux, "GET", "/a", "")
	if w = call(mux, "GET", "/a", ""); w.Code != 429 || w.Header().Get("Retry-After") != "59" {
		t.Errorf("the minute's refusal: %d, Retry-After %s, want 59", w.Code, w.Header().Get("Retry-After"))
	}
}

// What is read in a second is bounded as calls are: an answer that has begun goes on, and later calls wait for it.
func TestEachPartOfALongAnswerCountsAsACall(t *testing.T) {
	mux, clock, _ := testRouter(Limits{PerSecond: 5})
	mux.Method("GET", "/long", Handler(func(w http.ResponseWriter, r *http.Request) error {
		return Parts(w, r, parts("[1", ",2", ",3]"))
	}))
	for i, left := range []string{"4", "1"} {
		w := call(mux, "GET", "/long", "")
		if got := w.Header().Get("RateLimit-Remaining"); got != left || w.Body.String() != "[1,2,3]\n" {
			t.Errorf("answer %d: %q with %s calls left before its parts, want %s", i, w.Body, got, left)
		}
	}
	if w := call(mux, "GET", "/a", ""); w.Code != 429 {
		t.Errorf("behind six parts of two answers: %d, want 429", w.Code)
	}
	clock.advance(time.Second)
	if w := call(mux, "GET", "/a", ""); w.Code != 404 {
		t.Errorf("a second later: %d, want 404", w.Code)
	}
}

func TestNoLimitsMeansNoHeaders(t *testing.T) {
	d := NewLimiter(Limits{}, nil).Take("k")
	h := http.Header{}
	d.SetHeader(h)
	if !d.Allowed || len(h) != 0 {
		t.Errorf("%+v %v", d, h)
	}
}

func TestDecisionFaultCarriesTheWait(t *testing.T) {
	if f := fault.As(Decision{RetryAfter: 9}.Fault()); f.Code != fault.TooMany || f.RetryAfter != 9 {
		t.Errorf("fault is %+v", f)
	}
}
