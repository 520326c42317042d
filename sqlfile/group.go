package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"folio/fault"
)

// mostTogether bounds how many changes share a transaction, so that nobody waits long for others.
const mostTogether = 64

// Group lets changes that wait for a Writer at the same time share one transaction, because a commit costs more than
// a small change. Nobody waits for others to come: what comes alone is committed alone.
type Group struct {
	w *Writer

	mu      sync.Mutex
	running bool
	waiting []*change
}

// change is one caller's part of a transaction.
type change struct {
	ctx  context.Context
	fn   func(context.Context, *sql.Tx) error
	err  error
	done chan struct{} // closed when err is known
	lead chan struct{} // closed when it is this caller's turn to run those that wait
}

// NewGroup shares the transactions of w.
func NewGroup(w *Writer) *Group { return &Group{w: w} }

// Transact is Writer.Transact, except that fn may run in one transaction with others: what it changed is undone alone
// when
// it fails, and all of them fail when the commit does. Once fn has begun, Transact returns when that is known.
func (g *Group) Transact(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	c := &change{ctx: ctx, fn: fn, done: make(chan struct{}), lead: make(chan struct{})}
	g.mu.Lock()
	if !g.running {
		g.running = true
		close(c.lead)
	}
	g.waiting = append(g.waiting, c)
	g.mu.Unlock()
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	select {
	case <-c.lead:
		g.run()
		<-c.done // it was the first that waited
		return c.err
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return g.leave(c, ctx.Err())
	case <-patience.C:
		return g.leave(c, fmt.Errorf("%w: other writes took longer than %s", fault.StoreUnavailable, Patience))
	}
}

// leave gives up waiting; when it is too late for that, the change has its own outcome.
func (g *Group) leave(c *change, why error) error {
	g.mu.Lock()
	for i, other := range g.waiting {
		if other == c {
			g.waiting = append(g.waiting[:i:i], g.waiting[i+1:]...)
			g.mu.Unlock()
			select {
			case <-c.lead: // its turn came just now
				g.next()
			default:
			}
			return why
		}
	}
	g.mu.Unlock()
	<-c.done
	return c.err
}

// run runs what waits, and then has the next one run what has come meanwhile.
func (g *Group) run() {
	g.mu.Lock()
	n := min(len(g.waiting), mostTogether)
	batch := g.waiting[:n:n]
	g.waiting = append([]*change(nil), g.waiting[n:]...)
	g.mu.Unlock()
	ended := false
	defer func() {
		for _, c := range batch {
			if !ended { // a change panicked; whoever asked for it may recover
				c.err = errors.Join(c.err, errPanicked)
			}
			close(c.done)
		}
		g.next()
	}()
	g.together(batch)
	ended = true
}

var errPanicked = errors.New("a change that shared the transaction panicked")

// next makes the first of those that wait run all of them.
func (g *Group) next() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.running = false
		return
	}
	close(g.waiting[0].lead)
}

// together runs the changes in one transaction.
func (g *Group) together(batch []*change) {
	if len(batch) == 1 {
		batch[0].err = g.w.Transact(batch[0].ctx, batch[0].fn)
		return
	}
	// Nobody's end is the end of the others.
	err := g.w.Transact(context.WithoutCancel(batch[0].ctx), func(ctx context.Context, tx *sql.Tx) error {
		for _, c := range batch {
			if c.err = c.ctx.Err(); c.err != nil {
				continue
			}
			if err := c.apart(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range batch {
		if c.err = Explain(c.err); c.err == nil {
			c.err = err
		}
	}
}

// apart runs a change so that it can be undone alone. Its error is that of the whole transaction.
func (c *change) apart(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return err
	}
	if c.err = c.fn(ctx, tx); c.err != nil {
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO one"); err != nil {
			return errors.Join(err, c.err)
		}
	}
	_, err := tx.ExecContext(ctx, "RELEASE one")
	return err
}
