package delivery

import (
	"context"
	"errors"
	"time"

	"folio/commands/webhook"
	"folio/processors/lanes"
	"folio/tables"
)

// lane works on one company, as long as it has something due or on its way.
type lane struct {
	*Processor
	company string

	// Of Processor.mu: what was taken and is not heard of yet, and the calls under way.
	busy    map[string]bool
	sending int
}

// maxLanes bounds the companies that are worked on at a time; more wait for their turn.
const maxLanes = 20_000

// window is how many deliveries of a company may be taken and not yet heard of.
const window = 64

func (p *Processor) newLane(company string) *lane {
	return &lane{Processor: p, company: company, busy: map[string]bool{}}
}

// heard says that the lists know what became of a delivery that a lane had taken.
func (p *Processor) heard(company, id string) {
	if l, ok := p.lanes.Lane(company); ok {
		p.mu.Lock()
		delete(l.busy, id)
		p.mu.Unlock()
		p.lanes.Wake(company)
	}
}

// Turn implements lanes.Lane: it sends what is due.
func (l *lane) Turn(ctx context.Context, _ bool) lanes.Next {
	started, pause, err := l.fill(ctx)
	switch {
	case err != nil:
		return lanes.Failed(err)
	case pause > 0:
		return lanes.Until(l.Clock.Now().Add(pause))
	case started > 0:
		return lanes.Again()
	case l.occupied():
		return lanes.Asleep()
	}
	return l.retire(ctx)
}

func (l *lane) occupied() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.busy) > 0 || l.sending > 0
}

// fill starts as many calls as the company may have. A pause is how long its pace wants
// it to wait with the rest.
func (l *lane) fill(ctx context.Context) (started int, pause time.Duration, err error) {
	sub, err := l.subs.now(ctx, l.company)
	if err != nil || sub.Status == webhook.Paused {
		return 0, 0, err
	}
	l.mu.Lock()
	room, busy := min(l.connections.share()-l.sending, window-len(l.busy)), len(l.busy)
	l.mu.Unlock()
	if room <= 0 {
		return 0, 0, nil
	}
	items, err := l.list(l.company).Due(ctx, l.Clock.Now(), busy+room)
	if err != nil {
		return 0, 0, err
	}
	for _, it := range items {
		if started == room {
			break
		}
		if !l.take(it.Key) {
			continue
		}
		// It may have been under way when the list was read, and be over since.
		fresh, err := l.stillDue(ctx, it)
		if err != nil {
			return started, 0, err
		}
		if !fresh {
			continue
		}
		if pause = l.pace.ask(l.company, l.Clock.Now()); pause > 0 {
			l.putBack(it.Key)
			return started, pause, nil
		}
		begun, err := l.enter(ctx, it)
		if err != nil {
			return started, 0, err
		}
		if begun {
			started++
		}
	}
	return started, 0, nil
}

// enter gets a delivery a connection and begins its turn, unless the list says
// something else by then.
func (l *lane) enter(ctx context.Context, it tables.Item) (begun bool, err error) {
	asked := l.Clock.Now()
	leave, err := l.connections.enter(ctx, l.company)
	if err != nil {
		l.putBack(it.Key)
		return false, err
	}
	if l.Clock.Now().Sub(asked) > behind {
		if fresh, err := l.stillDue(ctx, it); err != nil || !fresh {
			leave()
			return false, err
		}
	}
	l.calls.Go(func() { l.call(ctx, it, leave) })
	return true, nil
}

// stillDue says whether the list has a taken delivery as it was read; otherwise it is put
// back.
func (l *lane) stillDue(ctx context.Context, it tables.Item) (bool, error) {
	now, err := l.list(l.company).Get(ctx, it.Key)
	if err == nil && now.At == it.At && !now.Due.After(l.Clock.Now()) {
		return true, nil
	}
	l.putBack(it.Key)
	if errors.Is(err, tables.ErrNotFound) {
		err = nil
	}
	return false, err
}

// take marks a delivery as on its way; false when it is already.
func (l *lane) take(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[id] {
		return false
	}
	l.busy[id] = true
	l.sending++
	return true
}

// putBack undoes take.
func (l *lane) putBack(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.busy, id)
	l.sending--
}

// call is one turn of one delivery, with its connection.
func (l *lane) call(ctx context.Context, it tables.Item, leave func()) {
	news, err := l.attempt(ctx, l.company, it, leave)
	if err != nil && ctx.Err() == nil {
		l.Logger.Warn("a delivery failed for a reason of our own, trying again",
			"delivery", it.Key, "company", l.company, "error", err)
		l.sleep(ctx, failurePause)
	}
	if news { // the feed will tell of it
		l.mu.Lock()
		l.sending--
		l.mu.Unlock()
	} else {
		l.putBack(it.Key)
	}
	l.lanes.Wake(l.company)
}

// pruneEvery is after how many rests of a company the traces on its list are pruned.
const pruneEvery = 32

func (p *Processor) traces(company string) bool {
	n, _ := p.traced.Get(company)
	p.traced.Add(company, (n+1)%pruneEvery)
	return n == pruneEvery-1
}

// retire ends the lane of a company that has nothing due and nothing on its way. Its
// next due time, if any, is then the timekeeper's business.
func (l *lane) retire(ctx context.Context) lanes.Next {
	if l.traces(l.company) {
		if err := l.prune(ctx, l.list(l.company)); err != nil {
			return lanes.Failed(err)
		}
	}
	rests, err := l.rest(ctx, l.company)
	switch {
	case err != nil:
		return lanes.Failed(err)
	case !rests:
		return lanes.Again()
	}
	return lanes.Done()
}
