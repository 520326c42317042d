package delivery_test

import (
	"context"
	"slices"

	"folio/events"
	"folio/processors/delivery"
	"folio/processors/processortest"
)

// memoryLog is the event log of a world.
type memoryLog struct{ *processortest.Log }

func newMemoryLog() *memoryLog { return &memoryLog{processortest.NewLog()} }

// facts are the events of the whole log, or of one stream.
func (l *memoryLog) facts(stream string) []events.Recorded {
	held, _ := l.Events()
	if stream != "" {
		held = l.Stream(stream)
	}
	out := slices.Clone(held)
	for i, r := range out {
		opened, err := events.Open(r)
		if err != nil {
			panic(err)
		}
		out[i] = opened
	}
	return out
}

// past finds what a company was owed in the log itself.
type past struct{ log *memoryLog }

func (p past) Owed(_ context.Context, company string, after, until events.Position, limit int) (out []delivery.Owed,
	err error) {
	for _, r := range p.log.facts("") {
		e, ok := r.Event.(events.DeliveryScheduled)
		if ok && e.Company == company && after.Before(r.Position) && !until.Before(r.Position) && len(out) < limit {
			out = append(out, delivery.Owed{Delivery: e.Delivery, Code: e.Code, At: r.Meta.At, Scheduled: r.Position})
		}
	}
	return out, nil
}
