package delivery

import (
	"encoding/json"
	"time"

	"folio/events"
)

// Schedule owes a payload to a company's callback URL. Its aggregate id is Delivery:
// the id of the event that it tells of. Scheduling it again is nothing new.
//
// Whoever schedules has looked whether the subscription hears the code
// (webhook.State.Hears) and names it in Webhook. Payload is a JSON object without
// "attempt", which each attempt adds. Deliveries of one Document keep their order;
// without a Document there is none. A zero Due is at once.
type Schedule struct {
	Delivery string          `json:"delivery"`
	Company  string          `json:"company"`
	Webhook  int64           `json:"webhook"`
	Code     string          `json:"code"`
	Document string          `json:"document,omitempty"`
	Payload  json.RawMessage `json:"payload"`
	Due      time.Time       `json:"due"`
}

func (c Schedule) decide(s State) ([]events.Event, error) {
	if s.Status != None {
		return nil, nil
	}
	return []events.Event{events.DeliveryScheduled{Delivery: c.Delivery, Company: c.Company, Webhook: c.Webhook,
		Code: c.Code, Document: c.Document, Payload: c.Payload, Due: c.Due}}, nil
}

// RecordAttempt records what came of one attempt, and with it when the next one is due
// or that it was the last. An attempt that is not the next one of the present series
// is nothing new: it was recorded before, or somebody asked for a new series meanwhile.
type RecordAttempt struct{ Attempt events.DeliveryAttempted }

func (c RecordAttempt) decide(s State) ([]events.Event, error) {
	e := c.Attempt
	if s.Status != Pending || e.Series != s.Series || e.Attempt != s.Attempts+1 {
		return nil, nil
	}
	e.Company, e.Document, e.Next = s.Company, s.Document, nil
	if e.Delivered {
		return []events.Event{e}, nil
	}
	if e.Attempt >= Attempts(s.Code) {
		return []events.Event{e, events.DeliveryExhausted{Company: s.Company, Document: s.Document}}, nil
	}
	next := e.Started.Add(Intervals[e.Attempt])
	e.Next = &next
	return []events.Event{e}, nil
}

// Resend begins a new series of attempts, to the present subscription of Company. A
// replay asks once for each delivery, and leaves alone what is still owed.
type Resend struct {
	Company string
	Webhook int64
	Replay  string // empty when a person asks for this one
	Due     time.Time
}

func (c Resend) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None || s.Company != c.Company:
		return nil, ErrUnknown
	case c.Replay != "" && (s.Replay == c.Replay || s.Status == Pending):
		return nil, nil
	}
	return []events.Event{events.DeliveryResent{Company: s.Company, Document: s.Document, Webhook: c.Webhook, Code: s.Code,
		Series: s.Series + 1, Replay: c.Replay, Due: c.Due}}, nil
}

// Supersede ends a series because a later delivery of the document arrived. A series that
// somebody asked for meanwhile goes on.
type Supersede struct {
	By     string
	Series int
}

func (c Supersede) decide(s State) ([]events.Event, error) {
	return s.end(c.Series, events.DeliverySuperseded{Company: s.Company, Document: s.Document, By: c.By})
}

// end records e unless the series has ended already or another one began.
func (s State) end(series int, e events.Event) ([]events.Event, error) {
	if s.Status != Pending || s.Series != series {
		return nil, nil
	}
	return []events.Event{e}, nil
}

// Cancel ends a series that is owed to a subscription that is gone. One that was asked for
// meanwhile, to a later subscription, goes on.
type Cancel struct {
	Reason string
	Series int
}

func (c Cancel) decide(s State) ([]events.Event, error) {
	return s.end(c.Series, events.DeliveryCancelled{Company: s.Company, Document: s.Document, Reason: c.Reason})
}
