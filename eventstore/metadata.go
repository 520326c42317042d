package eventstore

import (
	stdjson "encoding/json"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"folio/events"
)

// userMetadata is what the log keeps beside the data of an event.
type userMetadata struct {
	events.Meta
	Others jsontext.Value `json:",embed"`
}

// Metadata are the bytes that the log keeps beside p's data.
func (p Pending) Metadata() ([]byte, error) {
	if p.RawMeta != nil {
		return p.RawMeta, nil
	}
	p.Meta.At = p.Meta.At.UTC()
	if len(p.Extra) == 0 {
		return stdjson.Marshal(p.Meta)
	}
	others, err := json.Marshal(p.Extra, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if len(Extra(events.Recorded{RawMeta: others})) < len(p.Extra) {
		return nil, errors.New("a name of Extra is one of Meta's")
	}
	return json.Marshal(userMetadata{p.Meta, others})
}

// Extra is the metadata of r beside Meta, as far as it is texts; the rest is another program's
// affair.
func Extra(r events.Recorded) map[string]string {
	var all userMetadata
	if json.Unmarshal(r.RawMeta, &all) != nil || len(all.Others) == 0 {
		return nil
	}
	var members map[string]any
	if json.Unmarshal(all.Others, &members) != nil {
		return nil
	}
	out := make(map[string]string, len(members))
	for name, v := range members {
		if text, ok := v.(string); ok {
			out[name] = text
		}
	}
	return out
}
