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

// lossyTables are slow, and every so many answers of theirs are lost: what was asked is
// done.
type lossyTables struct {
	tables.Store
	takes time.Duration
	every int64 // 0: none
	n     atomic.Int64

	meanwhile func() // may be nil
}

func (s *lossyTables) Apply(ctx context.Context, b tables.Batch) error {
	time.Sleep(s.takes)
	if s.meanwhile != nil {
		s.meanwhile()
	}
	err := s.Store.Apply(ctx, b)
	if n := s.n.Add(1); err == nil && s.every > 0 && n%s.every == 0 {
		err = errors.New("the connection was lost")
	}
	return err
}

func TestALostAnswerOfTheTablesAndACrashLoseNoDelivery(t *testing.T) {
	inWorld(t, func(w *world) {
		w.answers(func(c call) (outbound.Ending, time.Duration) {
			if c.document == "I2" {
				return outbound.Delivered, 20 * time.Second
			}
			return outbound.Delivered, 10 * time.Millisecond
		})
		lossy := func(c *settings) { c.Tables = &lossyTables{Store: c.Tables, takes: time.Second, every: 2} }
		owe := func(id string) {
			w.record("delivery-"+id, events.DeliveryScheduled{Delivery: id, Company: "C1", Webhook: 1, Code: "ISE",
				Payload: fmt.Appendf(nil, `{"document_id":%q}`, id), Due: time.Now()})
		}
		w.subscribe("C1", "ISE")
		w.live(lossy)
		time.Sleep(time.Minute)
		owe("I1")
		time.Sleep(500 * time.Millisecond) // the company has come to rest
		owe("I2")
		time.Sleep(10 * time.Second)
		same(t, "calls", len(w.got()), 2)
		w.p.stop() // during the second
		w.live(lossy)
		time.Sleep(time.Hour)
		same(t, "status", string(w.state("I2").Status), "delivered")
	})
}
