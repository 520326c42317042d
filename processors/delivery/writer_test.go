package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"folio/events"
	"folio/outbound"
	"folio/tables"
)

// hinderedTables take their time for each write of the feed's, or refuse it.
type hinderedTables struct {
	tables.Store
	takes   time.Duration
	refuses *atomic.Bool
}

func (s hinderedTables) Apply(ctx context.Context, b tables.Batch) error {
	time.Sleep(s.takes)
	if s.refuses.Load() {
		return errors.New("the disk is full")
	}
	return s.Store.Apply(ctx, b)
}

func TestATransactionDelaysNobodysCall(t *testing.T) {
	for name, before := range map[string]func(*world){
		"lists in memory":              func(*world) {},
		"lists that are not in memory": func(w *world) { w.p.p.Evict() },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				for i := range 5 {
					w.subscribe(fmt.Sprintf("C%d", i), "ISE")
				}
				w.live(func(c *settings) {
					c.Tables = hinderedTables{c.Tables, 2 * time.Second, new(atomic.Bool)}
				})
				time.Sleep(time.Minute)
				from := time.Now()
				for i := range 5 {
					before(w)
					w.owe(fmt.Sprintf("C%d", i), 1)
					time.Sleep(100 * time.Millisecond) // each is heard while the one before is written
				}
				time.Sleep(time.Minute)
				same(t, "calls", len(w.got()), 5)
				for i, c := range w.got() {
					if late := c.at.Sub(from) - time.Duration(i)*100*time.Millisecond; late > 10*time.Millisecond {
						t.Errorf("%s: called %s late", c, late)
					}
				}
			})
		})
	}
}

func TestTablesThatRefuseForAWhile(t *testing.T) {
	inWorld(t, func(w *world) {
		w.answers(func(c call) (outbound.Ending, time.Duration) {
			if c.attempt == 1 && c.document == "C0" {
				return outbound.Status, time.Millisecond
			}
			return outbound.Delivered, time.Millisecond
		})
		const companies = 30
		for i := range companies {
			w.subscribe(fmt.Sprintf("C%d", i), "ISE")
		}
		refuses := new(atomic.Bool)
		w.live(func(c *settings) { c.Tables = hinderedTables{c.Tables, time.Millisecond, refuses} })
		time.Sleep(time.Minute)
		refuses.Store(true)
		for i := range companies {
			w.owe(fmt.Sprintf("C%d", i), 3)
			time.Sleep(time.Second)
		}
		if fault := w.p.p.Status().Fault; fault == "" {
			t.Error("nobody is told that the tables refuse")
		}
		refuses.Store(false)
		time.Sleep(time.Hour)
		if fault := w.p.p.Status().Fault; fault != "" {
			t.Errorf("it still fails: %s", fault)
		}
		same(t, "calls", len(w.got()), 3*companies+3) // of C0 each twice
		before := len(w.got())
		w.p.stop()
		w.live()
		time.Sleep(time.Hour)
		same(t, "calls of the next life", len(w.got())-before, 0)
		for _, r := range w.log.facts("") {
			if e, ok := r.Event.(events.DeliveryScheduled); ok {
				same(t, "status of "+e.Delivery, string(w.state(e.Delivery).Status), "delivered")
			}
		}
	})
}
