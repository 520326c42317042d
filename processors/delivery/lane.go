package delivery

import (
	"context"
	"errors"
	"time"

	"folio/commands/webhook"
	"folio/tables"
)

// lane works on one company. One exists only while the company has something due or on
// its way.
type lane struct {
	company string
	wake    chan struct{} // one is enough: it says "look again now"

	// Of Processor.mu: what was taken and is not heard of yet, and the calls under way.
	busy    map[string]bool
	sending int
}

// maxLanes bounds the companies that are worked on at a time; more wait in a queue.
const maxLanes = 20_000

// window is how many deliveries of a company may be taken and not yet heard of.
const window = 64

// wake makes a company look at its list. Before the lists are as new as the log nothing
// starts.
func (p *Processor) wake(company string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ready || p.ctx.Err() != nil {
		return
	}
	if l, ok := p.lanes[company]; ok {
		kick(l.wake)
		return
	}
	if len(p.lanes) >= maxLanes {
		if !p.queued[company] {
			p.queue, p.queued[company] = append(p.queue, company), true
		}
		return
	}
	p.start(company)
}

func (p *Processor) start(company string) {
	l := &lane{company: company, wake: make(chan struct{}, 1), busy: map[string]bool{}}
	p.lanes[company] = l
	p.running.Go(func() { p.serve(p.ctx, l) })
}

// heard says that the lists know what became of a delivery that a lane had taken.
func (p *Processor) heard(company, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l, ok := p.lanes[company]; ok {
		delete(l.busy, id)
		kick(l.wake)
	}
}

// serve sends what is due until nothing is.
func (p *Processor) serve(ctx context.Context, l *lane) {
	for ctx.Err() == nil {
		started, pause, err := p.fill(ctx, l)
		if err == nil && pause > 0 {
			p.rest(ctx, l, pause)
			continue
		}
		if err == nil && started == 0 {
			var gone bool
			if gone, err = p.retire(ctx, l); gone {
				return
			}
		}
		if err != nil && ctx.Err() == nil {
			p.Logger.Warn("deliveries of a company cannot be listed, trying again", "company", l.company, "error", err)
			p.wait(ctx, failurePause)
			continue
		}
		if started == 0 && p.occupied(l) {
			select {
			case <-l.wake:
			case <-ctx.Done():
			}
		}
	}
}

func (p *Processor) occupied(l *lane) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(l.busy) > 0 || l.sending > 0
}

// rest waits until a company's pace allows its next call, or until there are news.
func (p *Processor) rest(ctx context.Context, l *lane, d time.Duration) {
	select {
	case <-p.Clock.At(p.Clock.Now().Add(d)):
	case <-l.wake:
	case <-ctx.Done():
	}
}

// fill starts as many calls as the company may have. A pause is how long its pace wants
// it to wait with the rest.
func (p *Processor) fill(ctx context.Context, l *lane) (started int, pause time.Duration, err error) {
	sub, err := p.subs.now(ctx, l.company)
	if err != nil || sub.Status == webhook.Paused {
		return 0, 0, err
	}
	p.mu.Lock()
	room, busy := min(p.gate.share()-l.sending, window-len(l.busy)), len(l.busy)
	p.mu.Unlock()
	if room <= 0 {
		return 0, 0, nil
	}
	items, err := p.due(ctx, l.company, busy+room)
	if err != nil {
		return 0, 0, err
	}
	for _, it := range items {
		if started == room {
			break
		}
		if !p.take(l, it.Key) {
			continue
		}
		// It may have been under way when the list was read, and be over since.
		fresh, err := p.stillDue(ctx, l, it)
		if err != nil {
			return started, 0, err
		}
		if !fresh {
			continue
		}
		if pause = p.pace.ask(l.company, p.Clock.Now()); pause > 0 {
			p.putBack(l, it.Key)
			return started, pause, nil
		}
		begun, err := p.enter(ctx, l, it)
		if err != nil {
			return started, 0, err
		}
		if begun {
			started++
		}
	}
	return started, 0, nil
}

// enter gets a delivery a place at the gate and begins its turn, unless the list says
// something else by then.
func (p *Processor) enter(ctx context.Context, l *lane, it tables.Item) (begun bool, err error) {
	asked := p.Clock.Now()
	leave, err := p.gate.enter(ctx, l.company)
	if err != nil {
		p.drop(l, it.Key)
		return false, err
	}
	if p.Clock.Now().Sub(asked) > behind {
		if fresh, err := p.stillDue(ctx, l, it); err != nil || !fresh {
			leave()
			return false, err
		}
	}
	p.running.Go(func() { p.call(ctx, l, it, leave) })
	return true, nil
}

// stillDue says whether the list has a taken delivery as it was read; otherwise it is put
// back.
func (p *Processor) stillDue(ctx context.Context, l *lane, it tables.Item) (bool, error) {
	now, err := p.listed(ctx, l.company, it.Key)
	if err == nil && now.At == it.At && !now.Due.After(p.Clock.Now()) {
		return true, nil
	}
	p.putBack(l, it.Key)
	if errors.Is(err, tables.ErrNotFound) {
		err = nil
	}
	return false, err
}

// due is what a company's list has due, by due time.
func (p *Processor) due(ctx context.Context, company string, limit int) ([]tables.Item, error) {
	if !p.books.has(listName(company)) {
		if err := p.hold(ctx, company); err != nil {
			return nil, err
		}
		err := p.study(ctx, company)
		p.lists.Release(1)
		if err != nil {
			return nil, err
		}
	}
	items, known := p.books.due(listName(company), p.Clock.Now())
	if !known {
		list, err := p.written(ctx, company)
		if err != nil {
			return nil, err
		}
		return list.Due(ctx, p.Clock.Now(), limit)
	}
	return items[:min(limit, len(items))], nil
}

// take marks a delivery as on its way; false when it is already.
func (p *Processor) take(l *lane, id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.busy[id] {
		return false
	}
	l.busy[id] = true
	l.sending++
	return true
}

// putBack undoes take.
func (p *Processor) putBack(l *lane, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(l.busy, id)
	l.sending--
}

// drop forgets a delivery of which nothing will be heard, and looks for another.
func (p *Processor) drop(l *lane, id string) {
	p.putBack(l, id)
	kick(l.wake)
}

// call is one turn of one delivery, with its place at the gate.
func (p *Processor) call(ctx context.Context, l *lane, it tables.Item, leave func()) {
	id := it.Key
	news, err := p.attempt(ctx, l.company, it, leave)
	if err != nil && ctx.Err() == nil {
		p.Logger.Warn("a delivery failed for a reason of our own, trying again", "delivery", id, "company", l.company, "error", err)
		p.wait(ctx, failurePause)
	}
	if !news {
		p.drop(l, id)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l.sending--
	kick(l.wake)
}

// pruneEvery is after how many rests of a company the traces on its list are pruned.
const pruneEvery = 32

func (p *Processor) traces(company string) bool {
	n, _ := p.traced.Get(company)
	p.traced.Add(company, (n+1)%pruneEvery)
	return n == pruneEvery-1
}

// retire ends the lane of a company that has nothing due and nothing on its way. Its
// next due time, if any, is then the timekeeper's business. A paused company has none:
// the change of its subscription wakes it.
func (p *Processor) retire(ctx context.Context, l *lane) (bool, error) {
	if p.occupied(l) {
		return false, nil
	}
	if p.traces(l.company) {
		if err := p.prune(ctx, p.list(l.company)); err != nil {
			return false, err
		}
	}
	if err := p.hold(ctx, l.company); err != nil {
		return false, err
	}
	defer p.lists.Release(1)
	sub, err := p.subs.now(ctx, l.company)
	if err != nil {
		return false, err
	}
	next := tables.Never
	if sub.Status != webhook.Paused {
		var rests bool
		if next, rests, err = p.restAt(ctx, l.company); err != nil || !rests {
			return false, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-l.wake:
		return false, nil
	default:
	}
	delete(p.lanes, l.company)
	if len(p.queue) > 0 && p.ctx.Err() == nil {
		next := p.queue[0]
		p.queue = p.queue[1:]
		delete(p.queued, next)
		p.start(next)
	}
	p.resting[l.company] = next
	kick(p.settling)
	return true, nil
}
