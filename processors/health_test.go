package processors_test

import (
	"errors"
	"testing"
	"time"

	"folio/processors"
)

func TestWhoStandsByHasNoFault(t *testing.T) {
	var h processors.Health
	now := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	h.Begin(now)
	h.Failed(now, errors.New("the tables are away"))
	if h.Get().Fault == "" {
		t.Fatal("the fault is not shown")
	}
	h.End(now.Add(time.Second))
	if s := h.Get(); s.Fault != "" || s.Owner || s.CaughtUp {
		t.Errorf("after the end of its run: %+v", s)
	}
}
