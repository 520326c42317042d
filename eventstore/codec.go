package eventstore

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	"folio/events"
)

// codec decodes the events that a read or a subscription receives by hand, and everything else as protobuf does. A
// message of an event is most of what a reader of the log does: protobuf makes a dozen small objects and copies each
// field, and here an event is one object, one copy of its bytes and one map. The fuzz test compares the two.
//
// The client has no option for it, so it takes the place of gRPC's own codec in the process.
type codec struct{ encoding.CodecV2 }

func init() { encoding.RegisterCodecV2(codec{encoding.GetCodecV2(grpcproto.Name)}) }

// Unmarshal implements encoding.CodecV2.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if r, ok := v.(*streams.ReadResp); ok && isEvent(data) {
		if event := decodeEvent(data.Materialize()); event != nil {
			r.Reset()
			r.Content = event
			return nil
		}
	}
	return c.CodecV2.Unmarshal(data, v)
}

// isEvent says whether an answer to a read begins as one that carries an event.
func isEvent(data mem.BufferSlice) bool {
	return len(data) > 0 && data[0].Len() > 0 && uint64(data[0].ReadOnlyData()[0]) == keyBytes1
}

// received is all that one event's message is made of.
type received struct {
	content  streams.ReadResp_Event
	event    streams.ReadResp_ReadEvent
	record   streams.ReadResp_ReadEvent_RecordedEvent
	id       shared.UUID
	idForm   shared.UUID_Structured_
	idBits   shared.UUID_Structured
	stream   shared.StreamIdentifier
	position streams.ReadResp_ReadEvent_CommitPosition
}

// The keys of fields: their number and how they are written.
const (
	keyBytes1  = 1<<3 | uint64(protowire.BytesType)
	keyBytes2  = 2<<3 | uint64(protowire.BytesType)
	keyBytes3  = 3<<3 | uint64(protowire.BytesType)
	keyBytes6  = 6<<3 | uint64(protowire.BytesType)
	keyBytes7  = 7<<3 | uint64(protowire.BytesType)
	keyBytes8  = 8<<3 | uint64(protowire.BytesType)
	keyNumber1 = 1<<3 | uint64(protowire.VarintType)
	keyNumber2 = 2<<3 | uint64(protowire.VarintType)
	keyNumber3 = 3<<3 | uint64(protowire.VarintType)
	keyNumber4 = 4<<3 | uint64(protowire.VarintType)
	keyNumber5 = 5<<3 | uint64(protowire.VarintType)
)

// field is one field of a message: a number or bytes.
type field struct {
	key    uint64
	number uint64
	bytes  []byte
}

// next takes the first field off b; false when b does not begin with one.
func next(b []byte) (f field, rest []byte, ok bool) {
	n := 0
	if f.key, n = binary.Uvarint(b); n <= 0 {
		return f, nil, false
	}
	b = b[n:]
	switch protowire.Type(f.key & 7) {
	case protowire.VarintType:
		f.number, n = protowire.ConsumeVarint(b)
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(b)
	default:
		return f, nil, false
	}
	if n < 0 {
		return f, nil, false
	}
	return f, b[n:], true
}

// decodeEvent decodes a ReadResp that carries an event without a link, as servers write it; nil for any other message,
// which protobuf itself decodes. The event keeps b.
func decodeEvent(b []byte) *streams.ReadResp_Event {
	f, rest, ok := next(b)
	if !ok || f.key != keyBytes1 || len(rest) > 0 {
		return nil
	}
	m := new(received)
	for rest = f.bytes; len(rest) > 0; {
		if f, rest, ok = next(rest); !ok {
			return nil
		}
		switch {
		case f.key == keyBytes1 && m.event.Event == nil:
			if m.event.Event = &m.record; !m.decodeRecord(f.bytes) {
				return nil
			}
		case f.key == keyNumber3:
			m.position.CommitPosition, m.event.Position = f.number, &m.position
		default:
			return nil
		}
	}
	m.content.Event = &m.event
	return &m.content
}

func (m *received) decodeRecord(b []byte) bool {
	r := &m.record
	for len(b) > 0 {
		f, rest, ok := next(b)
		if !ok {
			return false
		}
		b = rest
		switch f.key {
		case keyBytes1:
			ok = r.Id == nil && m.decodeID(f.bytes)
		case keyBytes2:
			ok = r.StreamIdentifier == nil && m.decodeStream(f.bytes)
		case keyNumber3:
			r.StreamRevision = f.number
		case keyNumber4:
			r.PreparePosition = f.number
		case keyNumber5:
			r.CommitPosition = f.number
		case keyBytes6:
			ok = m.decodeEntry(f.bytes)
		case keyBytes7:
			r.CustomMetadata = f.bytes[:len(f.bytes):len(f.bytes)]
		case keyBytes8:
			r.Data = f.bytes[:len(f.bytes):len(f.bytes)]
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// decodeID decodes an id in the form that the client asks for.
func (m *received) decodeID(b []byte) bool {
	f, rest, ok := next(b)
	if !ok || f.key != keyBytes1 || len(rest) > 0 {
		return false
	}
	for rest = f.bytes; len(rest) > 0; {
		if f, rest, ok = next(rest); !ok {
			return false
		}
		switch f.key {
		case keyNumber1:
			m.idBits.MostSignificantBits = int64(f.number)
		case keyNumber2:
			m.idBits.LeastSignificantBits = int64(f.number)
		default:
			return false
		}
	}
	m.idForm.Structured, m.id.Value, m.record.Id = &m.idBits, &m.idForm, &m.id
	return true
}

func (m *received) decodeStream(b []byte) bool {
	f, rest, ok := next(b)
	if !ok || f.key != keyBytes3 || len(rest) > 0 {
		return false
	}
	m.stream.StreamName, m.record.StreamIdentifier = f.bytes, &m.stream
	return true
}

// decodeEntry adds an entry to the map of what the server says of the event.
func (m *received) decodeEntry(b []byte) bool {
	key, rest, ok := next(b)
	if !ok || key.key != keyBytes1 {
		return false
	}
	value, rest, ok := next(rest)
	if !ok || value.key != keyBytes2 || len(rest) > 0 || !utf8.Valid(key.bytes) || !utf8.Valid(value.bytes) {
		return false
	}
	if m.record.Metadata == nil {
		m.record.Metadata = make(map[string]string, 3)
	}
	m.record.Metadata[word(key.bytes)] = word(value.bytes)
	return true
}

// words are what events have in common, each kept once.
var words = func() map[string]string {
	out := map[string]string{}
	for _, w := range []string{"type", "created", "content-type", "application/json", "application/octet-stream"} {
		out[w] = w
	}
	for _, e := range events.Catalog() {
		out[e.Name] = e.Name
	}
	return out
}()

func word(b []byte) string {
	if w, ok := words[string(b)]; ok {
		return w
	}
	return string(b)
}
