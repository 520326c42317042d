package bus_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
)

func TestAnEntryOfTheLogAndItsMessageSayTheSame(t *testing.T) {
	at := time.Date(2026, 3, 2, 15, 4, 5, 678, time.UTC)
	whole := events.Recorded{ID: "5e0bdc0b-2f4a-4d8e-8b0e-0e3d1f4ab001", Stream: "invoice-1", Revision: 7,
		Position: events.Position{Commit: 12, Prepare: 11}, Type: "InvoiceCreated", Raw: []byte(`{"a":1}`),
		Logged: at.Add(time.Second),
		Meta:   events.Meta{Correlation: "c", Causation: "b", Schema: 3, Actor: "a", Request: "r", At: at}}
	for name, r := range map[string]events.Recorded{"whole": whole,
		"bare": {ID: whole.ID, Stream: "s", Type: "t", Raw: []byte{}}} {
		m, err := bus.DefaultMarshaler{}.Unmarshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := bus.Record(m); err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("%s: got %+v, %v\nwant %+v", name, got, err, r)
		}
	}
	for _, lacking := range []string{bus.MetadataRevision, bus.MetadataPosition, bus.MetadataSchema} {
		m, _ := bus.DefaultMarshaler{}.Unmarshal(whole)
		delete(m.Metadata, lacking)
		if _, err := bus.Record(m); err == nil {
			t.Errorf("a message without %s was taken for one from the log", lacking)
		}
	}
}

func TestWhatIsPublishedComesBackAsItWas(t *testing.T) {
	log := openLog(t)
	p, err := bus.NewPublisher(bus.PublisherConfig{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	m := message.NewMessage("not a UUID", message.Payload("no JSON \xff"))
	m.Metadata = message.Metadata{bus.MetadataType: "Noted", bus.MetadataStream: "note-1", bus.MetadataSchema: "2",
		bus.MetadataCorrelation: "c", "their own": "word"}
	if err := p.Publish(bus.Category("note"), m); err != nil {
		t.Fatal(err)
	}
	r, found, err := log.ReadLast(t.Context(), "note-1")
	if err != nil || !found {
		t.Fatal(found, err)
	}
	got, err := bus.DefaultMarshaler{}.Unmarshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if got.UUID != m.UUID || string(got.Payload) != string(m.Payload) {
		t.Errorf("came back as %s: %q", got.UUID, got.Payload)
	}
	for k, v := range m.Metadata {
		if got.Metadata[k] != v {
			t.Errorf("metadata %s is %q, want %q", k, got.Metadata[k], v)
		}
	}
}

func TestWherePublishedMessagesGo(t *testing.T) {
	log := openLog(t)
	p, err := bus.NewPublisher(bus.PublisherConfig{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	publish := func(topic, id string, metadata ...string) error {
		m := message.NewMessage(id, message.Payload(`{}`))
		for i := 0; i < len(metadata); i += 2 {
			m.Metadata[metadata[i]] = metadata[i+1]
		}
		return p.Publish(topic, m)
	}
	const one, two = "5e0bdc0b-2f4a-4d8e-8b0e-0e3d1f4ab001", "5e0bdc0b-2f4a-4d8e-8b0e-0e3d1f4ab002"
	for range 2 { // said where, a message is written once
		if err := publish(bus.All, one, "stream", "note-1", "type", "Noted", bus.MetadataExpected, "none"); err != nil {
			t.Fatal(err)
		}
		if err := publish(bus.Types("Noted"), two, "stream", "note-1", "type", "Noted", bus.MetadataExpected,
			"0"); err != nil {
			t.Fatal(err)
		}
	}
	if err := publish(bus.All, one, "stream", "note-1", "type", "Noted", bus.MetadataExpected, "none"); err != nil {
		t.Fatal(err)
	}
	if err := publish(bus.All, two, "stream", "other-1", "type", "Noted", bus.MetadataExpected, "4"); !errors.Is(err,
		eventstore.ErrConflict) {
		t.Errorf("a revision that is not there: %v", err)
	}
	if last, _, err := log.ReadLast(t.Context(), "note-1"); err != nil || last.Revision != 1 {
		t.Errorf("the stream ends at %d (%v), want two events", last.Revision, err)
	}
	for name, err := range map[string]error{
		"no such topic":      publish("notes", one, "stream", "note-1", "type", "Noted"),
		"another category":   publish(bus.Category("note"), one, "stream", "invoice-1", "type", "Noted"),
		"another type":       publish(bus.Types("Noted"), one, "stream", "note-1", "type", "Paid"),
		"no type":            publish(bus.Category("note"), one),
		"no stream":          publish(bus.All, one, "type", "Noted"),
		"an expected nobody": publish(bus.All, one, "stream", "note-1", "type", "Noted", bus.MetadataExpected, "some"),
	} {
		if err == nil || strings.Contains(err.Error(), "conflict") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := publish(bus.All, one, "stream", "note-1", "type", "Noted"); err == nil {
		t.Error("a closed publisher publishes")
	}
}
