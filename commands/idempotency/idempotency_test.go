package idempotency_test

import (
	"strings"
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/idempotency"
	"folio/events"
)

type row = commandtest.Case[idempotency.Command]

func TestIdempotency(t *testing.T) {
	noon := time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)
	made := events.RequestAccepted{BodyHash: "h1", Resource: "C1", Time: noon}
	answered := events.RequestAnswered{Status: 201, Body: "{}"}
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
		row{Name: "another route's first use fixes what it makes",
			When: idempotency.Accept{BodyHash: "h1", Resource: "C1", Time: noon}, Then: []events.Event{made}},
		row{Name: "its answer is kept", Given: []events.Event{made},
			When: idempotency.Answer{Answer: answered}, Then: []events.Event{answered}},
		row{Name: "the first answer wins", Given: []events.Event{made, answered},
			When: idempotency.Answer{Answer: events.RequestAnswered{Status: 200}}},
		row{Name: "a key that was not used has no answer", When: idempotency.Answer{Answer: answered}},
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
