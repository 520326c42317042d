package bus

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
)

// The metadata of a message that came from the log. The first five are always there.
const (
	MetadataType        = "type"
	MetadataStream      = "stream"
	MetadataRevision    = "revision" // in the stream, from 0
	MetadataPosition    = "position" // in the log, such as C:12/P:12
	MetadataSchema      = "schema"   // version of the payload's shape; 0: none was given
	MetadataCorrelation = middleware.CorrelationIDMetadataKey
	MetadataCausation   = "causation_id"
	MetadataActor       = "actor"
	MetadataRequest     = "request"
	MetadataRecordedAt  = "recorded_at" // by whoever recorded it; RFC 3339, UTC
	MetadataLoggedAt    = "logged_at"   // by the log's own clock, likewise
)

// MetadataExpected is what a message that is published may say about its stream: the
// revision of its last event, or "none" for a stream that must not exist. Such a message is
// written once, however often it is published. Without it the message goes to the end.
const MetadataExpected = "expected_revision"

// metadataID keeps the id of a message that was published under another one than a UUID.
const metadataID = "message_id"

// AnyRevision is the expectation of an Append that goes to the end of its stream.
const AnyRevision int64 = -2

// Append is a message as the log takes it.
type Append struct {
	Stream   string
	Expected int64 // revision of the stream's last event, eventstore.NoStream or AnyRevision
	Event    eventstore.Pending
}

// Marshaler turns what the log has into messages, and messages into what it takes.
type Marshaler interface {
	// Unmarshal is the message of an entry of the log. An error stops the subscription at
	// that entry, which is tried again: nothing is skipped.
	Unmarshal(r events.Recorded) (*message.Message, error)
	// Marshal says where a message is appended that is published to a topic.
	Marshal(topic string, m *message.Message) (Append, error)
}

// DefaultMarshaler puts the event's bytes into the payload, its id into UUID and everything
// else into the metadata, under the names above. The zero value is good.
type DefaultMarshaler struct {
	// Type is that of messages which are published without MetadataType; empty: they are
	// refused.
	Type string
}

// Unmarshal implements Marshaler. It takes everything.
func (DefaultMarshaler) Unmarshal(r events.Recorded) (*message.Message, error) {
	m := message.NewMessage(r.ID, message.Payload(r.Raw))
	maps.Copy(m.Metadata, eventstore.Extra(r))
	if id, ok := m.Metadata[metadataID]; ok {
		m.UUID = id
		delete(m.Metadata, metadataID)
	}
	m.Metadata[MetadataType] = r.Type
	m.Metadata[MetadataStream] = r.Stream
	m.Metadata[MetadataRevision] = strconv.FormatUint(r.Revision, 10)
	m.Metadata[MetadataPosition] = r.Position.String()
	m.Metadata[MetadataSchema] = strconv.Itoa(r.Meta.Schema)
	set := func(key, value string) {
		if value != "" {
			m.Metadata[key] = value
		}
	}
	set(MetadataCorrelation, r.Meta.Correlation)
	set(MetadataCausation, r.Meta.Causation)
	set(MetadataActor, r.Meta.Actor)
	set(MetadataRequest, r.Meta.Request)
	set(MetadataRecordedAt, moment(r.Meta.At))
	set(MetadataLoggedAt, moment(r.Logged))
	return m, nil
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func parseMoment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// Record is the entry of the log that a message of DefaultMarshaler was made of, not opened,
// as a handler reads it. It has no RawMeta.
func Record(m *message.Message) (events.Recorded, error) {
	r := events.Recorded{ID: m.UUID, Stream: m.Metadata[MetadataStream], Type: m.Metadata[MetadataType],
		Raw: []byte(m.Payload),
		Meta: events.Meta{Correlation: m.Metadata[MetadataCorrelation], Causation: m.Metadata[MetadataCausation],
			Actor: m.Metadata[MetadataActor], Request: m.Metadata[MetadataRequest]}}
	var errs [5]error
	r.Revision, errs[0] = strconv.ParseUint(m.Metadata[MetadataRevision], 10, 64)
	r.Position, errs[1] = events.ParsePosition(m.Metadata[MetadataPosition])
	r.Meta.Schema, errs[2] = strconv.Atoi(m.Metadata[MetadataSchema])
	r.Meta.At, errs[3] = parseMoment(m.Metadata[MetadataRecordedAt])
	r.Logged, errs[4] = parseMoment(m.Metadata[MetadataLoggedAt])
	if err := errors.Join(errs[:]...); err != nil {
		return r, fmt.Errorf("message %.100s is not from the log: %w", m.UUID, err)
	}
	return r, nil
}

// Marshal implements Marshaler. MetadataStream names the stream; a message without one gets
// a stream of its own in the category that it is published to.
func (d DefaultMarshaler) Marshal(topic string, m *message.Message) (Append, error) {
	a := Append{Stream: m.Metadata[MetadataStream], Expected: AnyRevision}
	id, err := uuid.Parse(m.UUID)
	if err != nil {
		id = uuid.NewSHA1(uuid.NameSpaceOID, []byte(m.UUID))
	}
	a.Event = eventstore.Pending{ID: id, Type: m.Metadata[MetadataType], Data: []byte(m.Payload), Binary: true,
		Extra: map[string]string{}}
	a.Event.Type = cmp.Or(a.Event.Type, d.Type)
	if id.String() != m.UUID {
		a.Event.Extra[metadataID] = m.UUID
	}
	if name, ok := strings.CutPrefix(topic, categoryTopic); ok && a.Stream == "" {
		a.Stream, a.Expected = name+"-"+id.String(), eventstore.NoStream
	}
	if err := d.describe(&a, m); err != nil {
		return Append{}, err
	}
	return a, a.within(topic)
}

// describe takes the metadata of m over.
func (DefaultMarshaler) describe(a *Append, m *message.Message) (err error) {
	meta := &a.Event.Meta
	for k, v := range m.Metadata {
		switch k {
		case MetadataType, MetadataStream, MetadataRevision, MetadataPosition, MetadataLoggedAt:
			// of where the message came from, or taken over already
		case MetadataSchema:
			meta.Schema, err = strconv.Atoi(v)
		case MetadataCorrelation:
			meta.Correlation = v
		case MetadataCausation:
			meta.Causation = v
		case MetadataActor:
			meta.Actor = v
		case MetadataRequest:
			meta.Request = v
		case MetadataRecordedAt:
			meta.At, err = time.Parse(time.RFC3339Nano, v)
		case MetadataExpected:
			if a.Expected = eventstore.NoStream; v != "none" {
				var last uint64
				last, err = strconv.ParseUint(v, 10, 63)
				a.Expected = int64(last)
			}
		default:
			a.Event.Extra[k] = v
		}
		if err != nil {
			return fmt.Errorf("metadata %s of message %.100s: %w", k, m.UUID, err)
		}
	}
	return nil
}

// within says whether subscribers of topic will hear of a.
func (a Append) within(topic string) error {
	f, err := Filter(topic)
	if err != nil {
		return err
	}
	if a.Stream == "" || a.Event.Type == "" {
		return fmt.Errorf("message %s needs the metadata %s and %s", a.Event.ID, MetadataStream, MetadataType)
	}
	matches, err := f.Matcher()
	if err != nil {
		return err
	}
	if !matches(events.Recorded{Stream: a.Stream, Type: a.Event.Type}) {
		return fmt.Errorf("an event %s in stream %s is not of topic %.100s", a.Event.Type, a.Stream, topic)
	}
	return nil
}
