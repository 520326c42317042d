package node

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"testing"

	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

// fakeCall is a call of Read whose answers are dropped.
type fakeCall struct {
	grpc.ServerStream
	ctx  context.Context
	sent int
}

func (c *fakeCall) Context() context.Context     { return c.ctx }
func (c *fakeCall) Send(*streams.ReadResp) error { c.sent++; return nil }
func (c *fakeCall) SendMsg(any) error            { c.sent++; return nil }
func (c *fakeCall) SetTrailer(metadata.MD)       {}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FuzzRead: whatever a Read request holds, it is answered or refused with a status, never a panic.
func FuzzRead(f *testing.F) {
	n := start(f, Options{})
	fill(f, n, 100)
	f.Add(marshal(f, subscribeAll()))
	counted := subscribeAll()
	counted.Options.CountOption = &streams.ReadReq_Options_Count{Count: 10}
	f.Add(marshal(f, counted))
	counted.Options.StreamOption = &streams.ReadReq_Options_Stream{Stream: &streams.ReadReq_Options_StreamOptions{
		StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte("invoice-000000001")},
		RevisionOption:   &streams.ReadReq_Options_StreamOptions_Revision{Revision: 3}}}
	f.Add(marshal(f, counted))
	f.Fuzz(func(t *testing.T, b []byte) {
		var req streams.ReadReq
		if proto.Unmarshal(b, &req) != nil {
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // subscriptions end at once
		_ = n.Read(&req, &fakeCall{ctx: ctx})
		if req.GetOptions().GetSubscription() == nil {
			_ = n.Read(&req, &fakeCall{ctx: t.Context()})
		}
	})
}

// fakeAppend is a call of Append that brings the given messages.
type fakeAppend struct {
	fakeCall
	messages []*streams.AppendReq
	answer   *streams.AppendResp
}

func (c *fakeAppend) SendAndClose(r *streams.AppendResp) error { c.answer = r; return nil }
func (c *fakeAppend) Recv() (*streams.AppendReq, error) {
	if len(c.messages) == 0 {
		return nil, io.EOF
	}
	m := c.messages[0]
	c.messages = c.messages[1:]
	return m, nil
}

// FuzzAppend: two arbitrary messages are stored or refused; what is stored reads back.
func FuzzAppend(f *testing.F) {
	n := start(f, Options{})
	f.Add(marshal(f, appendOptions("s")), marshal(f, proposed([]byte("{}"), goodMeta)))
	f.Add(marshal(f, appendOptions("$$s")), marshal(f, proposed([]byte(`{"$maxCount":1}`), goodMeta)))
	f.Add(marshal(f, appendOptions("$all")), marshal(f, proposed(nil, nil)))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var a, b streams.AppendReq
		if proto.Unmarshal(first, &a) != nil || proto.Unmarshal(second, &b) != nil {
			return
		}
		call := &fakeAppend{fakeCall: fakeCall{ctx: t.Context()}, messages: []*streams.AppendReq{&a, &b}}
		err := n.Append(call)
		if (err == nil) != (call.answer != nil) {
			t.Fatalf("answer %v and error %v", call.answer, err)
		}
		if call.answer.GetSuccess() == nil {
			return
		}
		pos := call.answer.GetSuccess().GetPosition().GetCommitPosition()
		events, _, err := n.store.AllForward(t.Context(), pos, 0, 1)
		if err != nil || len(events) == 0 {
			t.Fatalf("stored at %d and not there: %v", pos, err)
		}
	})
}

// FuzzEventMessage: the encoding by hand is what protobuf reads as the same message.
func FuzzEventMessage(f *testing.F) {
	f.Add(uint64(1), uint64(0), int64(0), "s", "E", []byte("m"), []byte("d"), true, true)
	f.Add(uint64(1<<63-1), uint64(1<<63-1), int64(1<<62), "", "", []byte(nil), []byte(nil), false, false)
	f.Fuzz(func(t *testing.T, pos, rev uint64, created int64, stream, kind string, meta, data []byte, text, json bool) {
		pos, stream = max(pos, 1), "s"+stream // neither is ever empty
		r := storage.Record{Pos: pos, Rev: rev, Created: created, Stream: []byte(stream), Kind: []byte(kind), Meta: meta,
			Data: data,
			JSON: json, ID: testID(stream)}
		for _, m := range []*eventMessage{{event: &r, textIDs: text}, {link: &r, textIDs: text},
			{event: &r, link: &r, textIDs: text}} {
			var got streams.ReadResp
			b := m.encode(func(size int) []byte { return make([]byte, 0, size) })
			if err := (proto.UnmarshalOptions{}).Unmarshal(b, &got); err != nil {
				if bytes.Contains([]byte(err.Error()), []byte("UTF-8")) {
					return // names and types are checked when they are written
				}
				t.Fatal(err)
			}
			if diff := cmp.Diff(message(m), &got, protocmp.Transform()); diff != "" {
				t.Fatal(diff)
			}
			if want := proto.Size(&got); want != len(b) {
				t.Fatalf("%d bytes, protobuf needs %d", len(b), want)
			}
		}
	})
}

// message is m as protobuf's own types hold it.
func message(m *eventMessage) *streams.ReadResp {
	recorded := func(r *storage.Record) *streams.ReadResp_ReadEvent_RecordedEvent {
		if r == nil {
			return nil
		}
		id := &shared.UUID{Value: &shared.UUID_String_{String_: testID(string(r.Stream)).String()}}
		if !m.textIDs {
			s := &shared.UUID_Structured{}
			for i := range 8 {
				s.MostSignificantBits = s.MostSignificantBits<<8 | int64(r.ID[i])
				s.LeastSignificantBits = s.LeastSignificantBits<<8 | int64(r.ID[8+i])
			}
			id = &shared.UUID{Value: &shared.UUID_Structured_{Structured: s}}
		}
		return &streams.ReadResp_ReadEvent_RecordedEvent{Id: id,
			StreamIdentifier: &shared.StreamIdentifier{StreamName: r.Stream},
			StreamRevision:   r.Rev, PreparePosition: r.Pos, CommitPosition: r.Pos, CustomMetadata: r.Meta, Data: r.Data,
			Metadata: map[string]string{"type": string(r.Kind), "created": strconv.FormatInt(r.Created, 10),
				"content-type": contentType(r)}}
	}
	position := m.event
	if position == nil {
		position = m.link
	}
	return &streams.ReadResp{Content: &streams.ReadResp_Event{Event: &streams.ReadResp_ReadEvent{Event: recorded(m.event),
		Link:     recorded(m.link),
		Position: &streams.ReadResp_ReadEvent_CommitPosition{CommitPosition: position.Pos}}}}
}

// FuzzFilter: an expression is compiled or refused, and a match ends in time.
func FuzzFilter(f *testing.F) {
	f.Add("^(?!x)", "invoice-1")
	f.Add("(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")
	f.Fuzz(func(t *testing.T, expression, subject string) {
		o := &streams.ReadReq_Options_FilterOptions{CheckpointIntervalMultiplier: 1,
			Filter: &streams.ReadReq_Options_FilterOptions_EventType{
				EventType: &streams.ReadReq_Options_FilterOptions_Expression{Regex: expression}}}
		parsed, err := protocol.ParseFilter(o)
		if err != nil {
			return
		}
		_, _ = parsed.Matches(&storage.Record{Kind: []byte(subject)})
	})
}
