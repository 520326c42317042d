//lint:file-ignore SA1019 The deprecated fields are what older clients send.

package node

import (
	"context"
	"io"
	"strings"
	"testing"

	"folio/eventstore/node/groups"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/protobuf/proto"
)

// fakeBatch is a call of BatchAppend that brings the given messages.
type fakeBatch struct {
	fakeCall
	messages []*streams.BatchAppendReq
	answers  int
}

func (c *fakeBatch) Send(*streams.BatchAppendResp) error { c.answers++; return nil }
func (c *fakeBatch) Recv() (*streams.BatchAppendReq, error) {
	if len(c.messages) == 0 {
		return nil, io.EOF
	}
	m := c.messages[0]
	c.messages = c.messages[1:]
	return m, nil
}

// FuzzBatchAppend: every final piece has one answer.
func FuzzBatchAppend(f *testing.F) {
	n := start(f, Options{})
	f.Add(marshal(f, &streams.BatchAppendReq{CorrelationId: &shared.UUID{Value: &shared.UUID_String_{String_: testID(
		1).String()}}, IsFinal: true,
		Options:          &streams.BatchAppendReq_Options{StreamIdentifier: streamNamed("s")},
		ProposedMessages: []*streams.BatchAppendReq_ProposedMessage{{Metadata: goodMeta}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var req streams.BatchAppendReq
		if proto.Unmarshal(b, &req) != nil {
			return
		}
		call := &fakeBatch{fakeCall: fakeCall{ctx: t.Context()}, messages: []*streams.BatchAppendReq{&req}}
		if err := n.BatchAppend(call); err == nil && (call.answers == 1) != req.GetIsFinal() {
			t.Fatalf("%d answers to %v", call.answers, &req)
		}
	})
}

// FuzzDelete: a stream is deleted or refused.
func FuzzDelete(f *testing.F) {
	n := start(f, Options{})
	f.Add(marshal(f, &streams.DeleteReq{Options: &streams.DeleteReq_Options{StreamIdentifier: streamNamed("s"),
		ExpectedStreamRevision: &streams.DeleteReq_Options_Any{Any: &shared.Empty{}}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var soft streams.DeleteReq
		if proto.Unmarshal(b, &soft) == nil {
			_, _ = n.Delete(t.Context(), &soft)
		}
		var hard streams.TombstoneReq
		if proto.Unmarshal(b, &hard) == nil {
			_, _ = n.Tombstone(t.Context(), &hard)
		}
	})
}

// FuzzGroupRequests: whatever a request on persistent subscriptions holds, it is carried out or refused, and
// what was carried out can be read again by the next start.
func FuzzGroupRequests(f *testing.F) {
	n := start(f, Options{})
	p := persistentService{node: n}
	f.Add(marshal(f, &persistent.CreateReq{Options: &persistent.CreateReq_Options{StreamIdentifier: streamNamed("s"),
		GroupName: "g",
		Settings: &persistent.CreateReq_Settings{HistoryBufferSize: 20, LiveBufferSize: 20, ReadBatchSize: 10,
			ConsumerStrategy: "Pinned"}}}))
	f.Add(marshal(f, &persistent.CreateReq{Options: &persistent.CreateReq_Options{GroupName: "g",
		StreamOption: &persistent.CreateReq_Options_All{
			All: &persistent.CreateReq_AllOptions{FilterOption: &persistent.CreateReq_AllOptions_Filter{
				Filter: &persistent.CreateReq_AllOptions_FilterOptions{
					Filter: &persistent.CreateReq_AllOptions_FilterOptions_EventType{
						EventType: &persistent.CreateReq_AllOptions_FilterOptions_Expression{Regex: "(a+)+"}}}}}},
		Settings: &persistent.CreateReq_Settings{HistoryBufferSize: 20, LiveBufferSize: 20, ReadBatchSize: 10}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var create persistent.CreateReq
		if proto.Unmarshal(b, &create) == nil {
			if _, err := p.Create(t.Context(), &create); err == nil {
				if _, err := groups.LoadGroups(t.Context(), n.store); err != nil {
					t.Fatalf("stored and unreadable: %v", err)
				}
			}
		}
		for _, request := range []struct {
			m  proto.Message
			do func(proto.Message)
		}{
			{&persistent.UpdateReq{}, func(m proto.Message) { _, _ = p.Update(t.Context(), m.(*persistent.UpdateReq)) }},
			{&persistent.GetInfoReq{}, func(m proto.Message) { _, _ = p.GetInfo(t.Context(), m.(*persistent.GetInfoReq)) }},
			{&persistent.ListReq{}, func(m proto.Message) { _, _ = p.List(t.Context(), m.(*persistent.ListReq)) }},
			{&persistent.ReplayParkedReq{}, func(m proto.Message) {
				_, _ = p.ReplayParked(t.Context(), m.(*persistent.ReplayParkedReq))
			}},
			{&persistent.DeleteReq{}, func(m proto.Message) { _, _ = p.Delete(t.Context(), m.(*persistent.DeleteReq)) }},
		} {
			if proto.Unmarshal(b, request.m) == nil {
				request.do(request.m)
			}
		}
		for _, g := range n.groups.List("") { // or a long run reaches the limit
			_ = n.groups.Remove(t.Context(), g.Config.Stream, g.Config.Group)
		}
	})
}

// fakeGroupCall is a subscriber that brings the given messages and then hangs up.
type fakeGroupCall struct {
	fakeCall
	messages []*persistent.ReadReq
	hangUp   context.CancelFunc
}

func (c *fakeGroupCall) Send(*persistent.ReadResp) error { return nil }
func (c *fakeGroupCall) Recv() (*persistent.ReadReq, error) {
	if len(c.messages) == 0 {
		c.hangUp()
		return nil, io.EOF
	}
	m := c.messages[0]
	c.messages = c.messages[1:]
	return m, nil
}

// FuzzGroupRead: a subscriber may say anything; nothing stays behind when it is gone.
func FuzzGroupRead(f *testing.F) {
	n := start(f, Options{})
	fill(f, n, 20)
	if err := n.groups.Create(f.Context(), groups.Config{Stream: groups.WholeLog, Group: "g", StartFrom: "C:0/P:0",
		Settings: fuzzSettings()}); err != nil {
		f.Fatal(err)
	}
	first := &persistent.ReadReq{Content: &persistent.ReadReq_Options_{Options: &persistent.ReadReq_Options{GroupName: "g",
		StreamOption: &persistent.ReadReq_Options_All{All: &shared.Empty{}}, BufferSize: 5,
		UuidOption: &persistent.ReadReq_Options_UUIDOption{
			Content: &persistent.ReadReq_Options_UUIDOption_Structured{Structured: &shared.Empty{}}}}}}
	f.Add(marshal(f, first), marshal(f, &persistent.ReadReq{
		Content: &persistent.ReadReq_Nack_{Nack: &persistent.ReadReq_Nack{
			Ids:    []*shared.UUID{{Value: &shared.UUID_String_{String_: testID(1).String()}}},
			Action: persistent.ReadReq_Nack_Park}}}))
	f.Fuzz(func(t *testing.T, opening, second []byte) {
		var a, b persistent.ReadReq
		if proto.Unmarshal(opening, &a) != nil || proto.Unmarshal(second, &b) != nil {
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_ = persistentService{node: n}.Read(&fakeGroupCall{fakeCall: fakeCall{ctx: ctx},
			messages: []*persistent.ReadReq{&a, &b}, hangUp: cancel})
		if got := n.subscriptions.Load(); got != 0 {
			t.Fatalf("%d subscriptions are left", got)
		}
	})
}

// FuzzUsers: a file of users is read or refused, and never names what it holds.
func FuzzUsers(f *testing.F) {
	f.Add("admin:$2a$04$abcdefghijklmnopqrstuuMlJVpUSHtmgRlYwKS.bqUDLQtgfTyGa:read\n")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := ParseUsers(strings.NewReader(text))
		if (err != nil) == (u.hashes != nil) {
			t.Fatalf("%v and %d users", err, len(u.names))
		}
	})
}
