package idempotency_test

import (
	"strings"
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/idempotency"
	"folio/events"
)

type row = commandtest.Case[idempotency.Accept]

func TestIdempotency(t *testing.T) {
	noon := time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)
	first := events.RequestAccepted{BodyHash: "h1", Invoice: "I1", Time: noon}
	commandtest.Run(t, idempotency.Decider,
		row{Name: "the first use of a key fixes body, invoice and time",
			When: idempotency.Accept{BodyHash: "h1", Invoice: "I1", Time: noon}, Then: []events.Event{first}},
		row{Name: "the same body again is nothing new, whatever invoice it would have made",
			Given: []events.Event{first},
			When:  idempotency.Accept{BodyHash: "h1", Invoice: "I2", Time: noon.Add(time.Hour)}},
		row{Name: "another body is refused",
			Given: []events.Event{first},
			When:  idempotency.Accept{BodyHash: "h2", Invoice: "I1", Time: noon}, Err: idempotency.ErrOtherBody},
	)
	s := idempotency.Decider.Fold(first)
	if want := (idempotency.State{BodyHash: "h1", Invoice: "I1", Time: noon}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

func TestAKeyBelongsToItsCompanyAndIsNotShownInTheStreamsName(t *testing.T) {
	id := idempotency.ID("C1", "order-17")
	if id == idempotency.ID("C2", "order-17") || id == idempotency.ID("C1", "order-18") {
		t.Error("two keys share a stream")
	}
	if strings.Contains(id, "order-17") || !strings.HasPrefix(id, "C1-") {
		t.Errorf("stream %s", id)
	}
}
