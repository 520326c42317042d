package eventstore

import (
	"testing"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

// answer is what a server sends of an event.
func answer(change func(*streams.ReadResp_ReadEvent)) *streams.ReadResp {
	e := &streams.ReadResp_ReadEvent{
		Event: &streams.ReadResp_ReadEvent_RecordedEvent{
			Id: &shared.UUID{Value: &shared.UUID_Structured_{Structured: &shared.UUID_Structured{
				MostSignificantBits: -2, LeastSignificantBits: 7}}},
			StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte("invoice-1")},
			StreamRevision:   3, PreparePosition: 1 << 40, CommitPosition: 1<<40 + 1,
			Metadata: map[string]string{"type": "InvoiceCreated", "created": "17641728000000000",
				"content-type": "application/json"},
			CustomMetadata: []byte(`{"schema":1}`), Data: []byte(`{"invoice":"1"}`)},
		Position: &streams.ReadResp_ReadEvent_CommitPosition{CommitPosition: 1<<40 + 1}}
	if change != nil {
		change(e)
	}
	return &streams.ReadResp{Content: &streams.ReadResp_Event{Event: e}}
}

var unusual = []*streams.ReadResp{
	answer(func(e *streams.ReadResp_ReadEvent) { e.Link = e.Event }),
	answer(func(e *streams.ReadResp_ReadEvent) {
		e.Event.Id = &shared.UUID{Value: &shared.UUID_String_{String_: "6f8d0c1e-4a80-4b62-9bb4-1c9a5ff3a4a1"}}
	}),
	answer(func(e *streams.ReadResp_ReadEvent) {
		e.Position = &streams.ReadResp_ReadEvent_NoPosition{NoPosition: &shared.Empty{}}
	}),
	{Content: &streams.ReadResp_Checkpoint_{Checkpoint: &streams.ReadResp_Checkpoint{CommitPosition: 5,
		PreparePosition: 5}}},
	{Content: &streams.ReadResp_CaughtUp_{CaughtUp: &streams.ReadResp_CaughtUp{}}},
}

// An event is decoded by hand, and comes out as protobuf would decode it, as does everything else.
func TestAnEventIsDecodedAsProtobufDecodesIt(t *testing.T) {
	usual := []*streams.ReadResp{answer(nil), answer(func(e *streams.ReadResp_ReadEvent) {
		e.Event.Data, e.Event.CustomMetadata, e.Position = nil, nil, nil
		e.Event.Metadata["type"] = "somebody else's"
	})}
	for i, m := range append(usual, unusual...) {
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if byHand := decodeEvent(b) != nil; byHand != (i < len(usual)) {
			t.Errorf("message %d is decoded by hand: %v", i, byHand)
		}
		decodedAlike(t, b)
		decodedAlike(t, b, 1) // as gRPC hands over what came in two frames
	}
}

// FuzzDecodeEvent: whatever a server sends, it is taken as protobuf takes it, or refused as protobuf refuses it.
func FuzzDecodeEvent(f *testing.F) {
	for _, m := range append([]*streams.ReadResp{answer(nil)}, unusual...) {
		b, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { decodedAlike(t, b) })
}

func decodedAlike(t *testing.T, b []byte, cuts ...int) {
	t.Helper()
	var want, got streams.ReadResp
	wrong := proto.Unmarshal(b, &want)
	var data mem.BufferSlice
	rest := append([]byte{}, b...)
	for _, at := range cuts {
		data, rest = append(data, mem.SliceBuffer(rest[:at])), rest[at:]
	}
	data = append(data, mem.SliceBuffer(rest))
	got.Content = &streams.ReadResp_CaughtUp_{} // what was there before is gone
	err := encoding.GetCodecV2(grpcproto.Name).Unmarshal(data, &got)
	if (err != nil) != (wrong != nil) {
		t.Fatalf("%q: %v, protobuf: %v", b, err, wrong)
	}
	if diff := cmp.Diff(&want, &got, protocmp.Transform()); err == nil && diff != "" {
		t.Fatalf("%q: %s", b, diff)
	}
}

func BenchmarkDecodeEvent(b *testing.B) {
	text, err := proto.Marshal(answer(func(e *streams.ReadResp_ReadEvent) { e.Event.Data = make([]byte, 1000) }))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("protobuf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := proto.Unmarshal(text, new(streams.ReadResp)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := mem.BufferSlice{mem.SliceBuffer(text)}
			if err := encoding.GetCodecV2(grpcproto.Name).Unmarshal(m, new(streams.ReadResp)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
