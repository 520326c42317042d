package node

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/google/uuid"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// eventMessage is a ReadResp that carries an event, still to be encoded; that of persistent subscriptions
// has the same fields in the same places. Encoding straight from the
// stored record saves the message structs, maps and copies, which cost more than reading the record.
type eventMessage struct {
	event, link *storage.Record // event is nil when a link's target is gone
	textIDs     bool
	counted     bool // of a persistent subscription: it says how often it was tried
	retries     int32
}

// codec encodes eventMessage by hand and everything else as protobuf does.
type codec struct{ encoding.CodecV2 }

func newCodec() codec { return codec{encoding.GetCodecV2(grpcproto.Name)} }

func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*eventMessage)
	if !ok {
		return c.CodecV2.Marshal(v)
	}
	pool := mem.DefaultBufferPool() // gRPC gives the memory back once it has written the message
	var held *[]byte
	text := m.encode(func(size int) []byte {
		held = pool.Get(size)
		return (*held)[:0]
	})
	*held = text
	return mem.BufferSlice{mem.NewBuffer(held, pool)}, nil
}

// encode writes lengths before contents, as protobuf has it, so all sizes are taken first. The fuzz test
// compares the result with what protobuf itself writes. Room gives memory for so many bytes.
func (m *eventMessage) encode(room func(size int) []byte) []byte {
	var event, link recordedSize
	inner := 0
	if m.event != nil {
		event = m.size(m.event)
		inner += 1 + protowire.SizeBytes(event.total)
	}
	position := m.event // the message's position is the link's where there is one
	if m.link != nil {
		link = m.size(m.link)
		inner += 1 + protowire.SizeBytes(link.total)
		position = m.link
	}
	inner += 1 + protowire.SizeVarint(position.Pos)
	if m.counted {
		inner += 1 + protowire.SizeVarint(uint64(m.retries))
	}
	b := appendLength(room(1+protowire.SizeBytes(inner)), 1, inner) // ReadResp.event
	if m.event != nil {
		b = m.appendRecorded(appendLength(b, 1, event.total), m.event, event)
	}
	if m.link != nil {
		b = m.appendRecorded(appendLength(b, 2, link.total), m.link, link)
	}
	b = appendNumber(b, 3, position.Pos)
	if m.counted {
		b = protowire.AppendVarint(protowire.AppendTag(b, 5, protowire.VarintType), uint64(m.retries))
	}
	return b
}

// recordedSize holds the lengths of a RecordedEvent's parts, which precede them on the wire.
type recordedSize struct{ total, id, idInner, stream, kind, created int }

func (m *eventMessage) size(r *storage.Record) (s recordedSize) {
	if m.textIDs {
		s.id = 1 + protowire.SizeBytes(36)
	} else {
		s.idInner = sizeNumber(binary.BigEndian.Uint64(r.ID[:])) + sizeNumber(binary.BigEndian.Uint64(r.ID[8:]))
		s.id = 1 + protowire.SizeBytes(s.idInner)
	}
	s.stream = 1 + protowire.SizeBytes(len(r.Stream))
	s.kind = entrySize(len("type"), len(r.Kind))
	s.created = entrySize(len("created"), decimals(r.Created))
	s.total = 1 + protowire.SizeBytes(s.id) + 1 + protowire.SizeBytes(s.stream) + sizeNumber(r.Rev) + 2*sizeNumber(r.Pos) +
		1 + protowire.SizeBytes(s.kind) + 1 + protowire.SizeBytes(s.created) +
		1 + protowire.SizeBytes(entrySize(len("content-type"), len(contentType(r)))) +
		sizeField(len(r.Meta)) + sizeField(len(r.Data))
	return s
}

// appendRecorded writes the fields of RecordedEvent in the order of their numbers.
func (m *eventMessage) appendRecorded(b []byte, r *storage.Record, s recordedSize) []byte {
	b = appendLength(b, 1, s.id)
	if m.textIDs {
		b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), uuid.UUID(r.ID).String())
	} else {
		b = appendLength(b, 1, s.idInner)
		b = appendNumber(b, 1, binary.BigEndian.Uint64(r.ID[:]))
		b = appendNumber(b, 2, binary.BigEndian.Uint64(r.ID[8:]))
	}
	b = appendLength(b, 2, s.stream)
	b = append(appendLength(b, 3, len(r.Stream)), r.Stream...)
	b = appendNumber(b, 3, r.Rev)
	b = appendNumber(b, 4, r.Pos)
	b = appendNumber(b, 5, r.Pos)
	b = appendEntry(appendLength(b, 6, s.kind), "type", len(r.Kind))
	b = append(b, r.Kind...)
	b = appendEntry(appendLength(b, 6, s.created), "created", decimals(r.Created))
	b = strconv.AppendInt(b, r.Created, 10)
	content := contentType(r)
	b = appendEntry(appendLength(b, 6, entrySize(len("content-type"), len(content))), "content-type", len(content))
	b = append(b, content...)
	if len(r.Meta) > 0 {
		b = append(appendLength(b, 7, len(r.Meta)), r.Meta...)
	}
	if len(r.Data) > 0 {
		b = append(appendLength(b, 8, len(r.Data)), r.Data...)
	}
	return b
}

func contentType(r *storage.Record) string {
	if r.JSON {
		return "application/json"
	}
	return "application/octet-stream"
}

func decimals(n int64) int {
	var b [20]byte
	return len(strconv.AppendInt(b[:0], n, 10))
}

func entrySize(key, value int) int {
	return 1 + protowire.SizeBytes(key) + 1 + protowire.SizeBytes(value)
}

// appendEntry starts an entry of the metadata map; the value's bytes follow.
func appendEntry(b []byte, key string, value int) []byte {
	b = protowire.AppendString(protowire.AppendTag(b, 1, protowire.BytesType), key)
	return appendLength(b, 2, value)
}

func appendLength(b []byte, field protowire.Number, length int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.BytesType), uint64(length))
}

// appendNumber leaves out zero, as proto3 does; none of the fields it is used for knows the difference.
func appendNumber(b []byte, field protowire.Number, n uint64) []byte {
	if n == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}

func sizeNumber(n uint64) int {
	if n == 0 {
		return 0
	}
	return 1 + protowire.SizeVarint(n)
}

func sizeField(length int) int {
	if length == 0 {
		return 0
	}
	return 1 + protowire.SizeBytes(length)
}

// parseID reads an event id in either of its two forms.
func parseID(id *shared.UUID) (uuid.UUID, error) {
	var out uuid.UUID
	switch v := id.GetValue().(type) {
	case *shared.UUID_Structured_:
		binary.BigEndian.PutUint64(out[:], uint64(v.Structured.GetMostSignificantBits()))
		binary.BigEndian.PutUint64(out[8:], uint64(v.Structured.GetLeastSignificantBits()))
	case *shared.UUID_String_:
		parsed, err := uuid.Parse(v.String_)
		if err != nil {
			return out, fmt.Errorf("event id %q is not a UUID", v.String_)
		}
		out = parsed
	}
	if out == uuid.Nil {
		return out, fmt.Errorf("the event id is missing or zero")
	}
	return out, nil
}
