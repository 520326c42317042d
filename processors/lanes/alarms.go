package lanes

import (
	"container/heap"
	"context"
	"time"
)

// alarms are the lanes that wait for a time, as a heap: the first one after place 0, which stays empty, is due first.
type alarms[L Lane] []*lane[L]

func (a alarms[L]) Len() int           { return len(a) - 1 }
func (a alarms[L]) Less(i, j int) bool { return a[i+1].at.Before(a[j+1].at) }
func (a alarms[L]) Swap(i, j int) {
	a[i+1], a[j+1] = a[j+1], a[i+1]
	a[i+1].index, a[j+1].index = i+1, j+1
}

// Push and Pop implement heap.Interface.
func (a *alarms[L]) Push(l any) {
	*a = append(*a, l.(*lane[L]))
	(*a)[len(*a)-1].index = len(*a) - 1
}

func (a *alarms[L]) Pop() any {
	l := (*a)[len(*a)-1]
	*a, l.index = (*a)[:len(*a)-1], 0
	return l
}

func (a *alarms[L]) set(l *lane[L]) { heap.Push(a, l) }

func (a *alarms[L]) clear(l *lane[L]) {
	if l.index > 0 {
		heap.Remove(a, l.index-1)
	}
}

// longestSleep bounds how long an alarm relies on the machine's clock, which may be set meanwhile.
const longestSleep = time.Hour

// ring starts each lane when its time has come, until ctx ends.
func (s *Set[L]) ring(ctx context.Context, armed <-chan struct{}) {
	for now := s.c.Clock.Now(); ; now = s.c.Clock.Now() {
		at, some := s.due(ctx, now)
		var next <-chan time.Time
		if some {
			next = s.c.Clock.At(at)
		}
		select {
		case <-next:
			s.due(ctx, at) // the clock rang, so it is that late
		case <-armed:
		case <-ctx.Done():
			return
		}
	}
}

// due starts the lanes whose time has come, and says when to look again.
func (s *Set[L]) due(ctx context.Context, now time.Time) (next time.Time, some bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.alarms.Len() > 0 && ctx.Err() == nil {
		first := s.alarms[1]
		if first.at.After(now) {
			if latest := now.Add(longestSleep); first.at.After(latest) {
				return latest, true
			}
			return first.at, true
		}
		s.start(first)
	}
	return time.Time{}, false
}
