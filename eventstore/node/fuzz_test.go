package node

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"testing"

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
		events, _, err := n.store.allForward(t.Context(), pos, 0, 1)
		if err != nil || len(events) == 0 {
			t.Fatalf("stored at %d and not there: %v", pos, err)
		}
	})
}

// FuzzRecord: a row that parses is exactly what would be written again; any other is refused.
func FuzzRecord(f *testing.F) {
	r := record{pos: 77, prev: 7, rev: 3, created: 12345, id: testID(1), json: true, stream: []byte("s"),
		kind: []byte("E"), data: []byte("{}")}
	f.Add(uint64(77), appendRecord(nil, &r))
	f.Add(uint64(0), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, pos uint64, row []byte) {
		got, err := parseRecord(pos, row)
		if err != nil {
			return
		}
		again, err := parseRecord(pos, appendRecord(nil, &got))
		if err != nil || again.rev != got.rev || !bytes.Equal(again.data, got.data) || again.id != got.id {
			t.Fatalf("%+v became %+v, %v", got, again, err)
		}
	})
}

// FuzzEventMessage: the encoding by hand is what protobuf reads as the same message.
func FuzzEventMessage(f *testing.F) {
	f.Add(uint64(1), uint64(0), int64(0), "s", "E", []byte("m"), []byte("d"), true, true)
	f.Add(uint64(1<<63-1), uint64(1<<63-1), int64(1<<62), "", "", []byte(nil), []byte(nil), false, false)
	f.Fuzz(func(t *testing.T, pos, rev uint64, created int64, stream, kind string, meta, data []byte, text, json bool) {
		pos, stream = max(pos, 1), "s"+stream // neither is ever empty
		r := record{pos: pos, rev: rev, created: created, stream: []byte(stream), kind: []byte(kind), meta: meta, data: data,
			json: json, id: testID(stream)}
		for _, m := range []*eventMessage{{event: &r, textIDs: text}, {link: &r, textIDs: text},
			{event: &r, link: &r, textIDs: text}} {
			var got streams.ReadResp
			b := m.encode()
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
	recorded := func(r *record) *streams.ReadResp_ReadEvent_RecordedEvent {
		if r == nil {
			return nil
		}
		id := &shared.UUID{Value: &shared.UUID_String_{String_: testID(string(r.stream)).String()}}
		if !m.textIDs {
			s := &shared.UUID_Structured{}
			for i := range 8 {
				s.MostSignificantBits = s.MostSignificantBits<<8 | int64(r.id[i])
				s.LeastSignificantBits = s.LeastSignificantBits<<8 | int64(r.id[8+i])
			}
			id = &shared.UUID{Value: &shared.UUID_Structured_{Structured: s}}
		}
		return &streams.ReadResp_ReadEvent_RecordedEvent{Id: id,
			StreamIdentifier: &shared.StreamIdentifier{StreamName: r.stream},
			StreamRevision:   r.rev, PreparePosition: r.pos, CommitPosition: r.pos, CustomMetadata: r.meta, Data: r.data,
			Metadata: map[string]string{"type": string(r.kind), "created": strconv.FormatInt(r.created, 10),
				"content-type": contentType(r)}}
	}
	position := m.event
	if position == nil {
		position = m.link
	}
	return &streams.ReadResp{Content: &streams.ReadResp_Event{Event: &streams.ReadResp_ReadEvent{Event: recorded(m.event),
		Link:     recorded(m.link),
		Position: &streams.ReadResp_ReadEvent_CommitPosition{CommitPosition: position.pos}}}}
}

// FuzzMetadata: no stream metadata can break a reader.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"$maxAge":9223372036854775807,"$maxCount":1,"$tb":-5}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{"$tb":1,"$acl":{"$r":["a",null]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := parseMeta(b)
		if m.maxAge < 0 || m.maxCount < 0 || m.tb < 0 || m.first(10) < 0 {
			t.Fatalf("%+v", m)
		}
		data, ok := m.withTruncateBefore(5)
		if !ok {
			return
		}
		again := parseMeta(data)
		sound := m.maxAge > 0 || m.maxCount > 0 || m.tb > 0
		if sound && (again.tb != 5 || again.maxCount != m.maxCount || again.maxAge != m.maxAge) {
			t.Fatalf("%+v became %+v", m, again)
		}
	})
}

// FuzzFilter: an expression is compiled or refused, and a match ends in time.
func FuzzFilter(f *testing.F) {
	f.Add("^(?!x)", "invoice-1")
	f.Add("(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")
	f.Fuzz(func(t *testing.T, expression, subject string) {
		o := &streams.ReadReq_Options_FilterOptions{CheckpointIntervalMultiplier: 1,
			Filter: &streams.ReadReq_Options_FilterOptions_EventType{
				EventType: &streams.ReadReq_Options_FilterOptions_Expression{Regex: expression}}}
		parsed, err := parseFilter(o)
		if err != nil {
			return
		}
		_, _ = parsed.matches(&record{kind: []byte(subject)})
	})
}
