package node

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// bare is a client without manners.
func bare(t testing.TB, n *Node) streams.StreamsClient { return bareAt(t, n.Address()) }

func bareAt(t testing.TB, address string) streams.StreamsClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(64<<20)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return streams.NewStreamsClient(conn)
}

func appendOptions(stream string) *streams.AppendReq {
	return &streams.AppendReq{Content: &streams.AppendReq_Options_{Options: &streams.AppendReq_Options{
		StreamIdentifier:       &shared.StreamIdentifier{StreamName: []byte(stream)},
		ExpectedStreamRevision: &streams.AppendReq_Options_Any{Any: &shared.Empty{}}}}}
}

func proposed(data []byte, meta map[string]string) *streams.AppendReq {
	return &streams.AppendReq{Content: &streams.AppendReq_ProposedMessage_{
		ProposedMessage: &streams.AppendReq_ProposedMessage{
			Id: &shared.UUID{Value: &shared.UUID_String_{String_: testID(len(data)).String()}}, Metadata: meta, Data: data}}}
}

var goodMeta = map[string]string{"type": "E", "content-type": "application/json"}

// sendAll sends until the server answers, and answers its status.
func sendAll(t *testing.T, c streams.StreamsClient, more func(i int) *streams.AppendReq) (codes.Code, string) {
	t.Helper()
	call, err := c.Append(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		m := more(i)
		if m == nil {
			break
		}
		if err := call.Send(m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return status.Code(err), err.Error()
		}
	}
	_, err = call.CloseAndRecv()
	return status.Code(err), fmt.Sprint(err)
}

func TestMalformedAppends(t *testing.T) {
	c := bare(t, start(t, Options{}))
	list := func(ms ...*streams.AppendReq) func(int) *streams.AppendReq {
		return func(i int) *streams.AppendReq {
			if i < len(ms) {
				return ms[i]
			}
			return nil
		}
	}
	noID := proposed(nil, goodMeta)
	noID.GetProposedMessage().Id = nil
	badID := proposed(nil, goodMeta)
	badID.GetProposedMessage().Id = &shared.UUID{Value: &shared.UUID_String_{String_: "x"}}
	noExpectation := appendOptions("s")
	noExpectation.GetOptions().ExpectedStreamRevision = nil
	for _, tc := range []struct {
		name string
		send func(int) *streams.AppendReq
		code codes.Code
		text string
	}{
		{"nothing at all", list(), codes.Unknown, "options"},
		{"an event before the options", list(proposed(nil, goodMeta)), codes.Unknown, "options"},
		{"an empty message", list(&streams.AppendReq{}), codes.Unknown, "options"},
		{"options twice", list(appendOptions("s"), appendOptions("s")), codes.Unknown, "event"},
		{"no stream name", list(appendOptions("")), codes.InvalidArgument, "name"},
		{"a name that is not UTF-8", list(appendOptions("\xff")), codes.InvalidArgument, "UTF-8"},
		{"an endless name", list(appendOptions(strings.Repeat("x", 10_000))), codes.InvalidArgument, "long"},
		{"no expectation", list(noExpectation), codes.Unknown, "expected"},
		{"no id", list(appendOptions("s"), noID), codes.Unknown, "id"},
		{"an id that is none", list(appendOptions("s"), badID), codes.Unknown, "UUID"},
		{"no type", list(appendOptions("s"), proposed(nil, map[string]string{"content-type": "x"})), codes.InvalidArgument,
			"type"},
		{"no content type", list(appendOptions("s"), proposed(nil, map[string]string{"type": "x"})), codes.InvalidArgument,
			"content-type"},
		{"an empty type", list(appendOptions("s"), proposed(nil, map[string]string{"type": "", "content-type": "x"})),
			codes.Unknown, "type"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, text := sendAll(t, c, tc.send); got != tc.code || !strings.Contains(text, tc.text) {
				t.Errorf("got %s %q, want %s with %q", got, text, tc.code, tc.text)
			}
		})
	}
}

func TestHostileClientsTakeNothingDown(t *testing.T) {
	n := start(t, Options{})
	c := bare(t, n)
	t.Run("a frame over the limit", func(t *testing.T) {
		code, _ := sendAll(t, c, func(i int) *streams.AppendReq {
			return []*streams.AppendReq{appendOptions("s"), proposed(make([]byte, 18<<20), goodMeta), nil}[i]
		})
		if code != codes.ResourceExhausted {
			t.Errorf("got %s", code)
		}
	})
	t.Run("an append that never ends", func(t *testing.T) {
		block := make([]byte, 1<<20)
		sent := 0
		code, _ := sendAll(t, c, func(i int) *streams.AppendReq {
			if i == 0 {
				return appendOptions("s")
			}
			sent++
			return proposed(block, goodMeta)
		})
		if code != codes.InvalidArgument || sent > 2*drainBytes>>20 {
			t.Errorf("got %s after %d messages", code, sent)
		}
	})
	t.Run("junk on the socket", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 20 {
			conn, err := net.Dial("unix", strings.TrimPrefix(n.Address(), targetScheme))
			if err != nil {
				t.Fatal(err)
			}
			junk := make([]byte, 1+rng.IntN(5000))
			for i := range junk {
				junk[i] = byte(rng.Uint32())
			}
			if rng.IntN(2) == 0 {
				junk = append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), junk...)
			}
			_, _ = conn.Write(junk)
			_ = conn.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			_, _ = conn.Read(make([]byte, 100))
			_ = conn.Close()
		}
	})
	t.Run("many subscriptions", func(t *testing.T) {
		for range 500 {
			if _, err := c.Read(t.Context(), subscribeAll()); err != nil {
				t.Fatal(err)
			}
		}
		write(t, connect(t, n.Address()), "meanwhile", esdb.NoStream{}, event("E", 1))
	})
	if es, err := drainRead(connect(t, n.Address()).ReadStream(t.Context(), "meanwhile", esdb.ReadStreamOptions{},
		10)); err != nil || len(es) != 1 {
		t.Errorf("after all that: %d events, %v", len(es), err)
	}
}

func subscribeAll() *streams.ReadReq {
	return &streams.ReadReq{Options: &streams.ReadReq_Options{
		StreamOption: &streams.ReadReq_Options_All{
			All: &streams.ReadReq_Options_AllOptions{AllOption: &streams.ReadReq_Options_AllOptions_Start{
				Start: &shared.Empty{}}}},
		CountOption:  &streams.ReadReq_Options_Subscription{Subscription: &streams.ReadReq_Options_SubscriptionOptions{}},
		FilterOption: &streams.ReadReq_Options_NoFilter{NoFilter: &shared.Empty{}},
		UuidOption: &streams.ReadReq_Options_UUIDOption{
			Content: &streams.ReadReq_Options_UUIDOption_String_{String_: &shared.Empty{}}},
	}}
}

func TestMalformedReads(t *testing.T) {
	c := bare(t, start(t, Options{}))
	position := func(commit, prepare uint64) func(*streams.ReadReq_Options) {
		return func(o *streams.ReadReq_Options) {
			o.GetAll().AllOption = &streams.ReadReq_Options_AllOptions_Position{
				Position: &streams.ReadReq_Options_Position{CommitPosition: commit, PreparePosition: prepare}}
		}
	}
	filtered := func(f *streams.ReadReq_Options_FilterOptions) func(*streams.ReadReq_Options) {
		return func(o *streams.ReadReq_Options) { o.FilterOption = &streams.ReadReq_Options_Filter{Filter: f} }
	}
	byType := &streams.ReadReq_Options_FilterOptions_EventType{
		EventType: &streams.ReadReq_Options_FilterOptions_Expression{Regex: "x"}}
	for _, tc := range []struct {
		name  string
		spoil func(*streams.ReadReq_Options)
		code  codes.Code
	}{
		{"no stream", func(o *streams.ReadReq_Options) { o.StreamOption = nil }, codes.InvalidArgument},
		{"no count", func(o *streams.ReadReq_Options) { o.CountOption = nil }, codes.InvalidArgument},
		{"no form of ids", func(o *streams.ReadReq_Options) { o.UuidOption = nil }, codes.InvalidArgument},
		{"no filter option", func(o *streams.ReadReq_Options) { o.FilterOption = nil }, codes.InvalidArgument},
		{"no start", func(o *streams.ReadReq_Options) { o.GetAll().AllOption = nil }, codes.InvalidArgument},
		{"an unknown direction", func(o *streams.ReadReq_Options) { o.ReadDirection = 9 }, codes.InvalidArgument},
		{"a subscription backwards", func(o *streams.ReadReq_Options) { o.ReadDirection = 1 }, codes.InvalidArgument},
		{"a commit position before its prepare position", position(1, 2), codes.Unknown},
		{"a position out of range", position(1<<63, 1<<63), codes.Unknown},
		{"an empty filter", filtered(&streams.ReadReq_Options_FilterOptions{CheckpointIntervalMultiplier: 1}),
			codes.InvalidArgument},
		{"a filter without checkpoints", filtered(&streams.ReadReq_Options_FilterOptions{Filter: byType}), codes.Unknown},
		{"no options", nil, codes.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := subscribeAll()
			if tc.spoil == nil {
				req.Options = nil
			} else {
				tc.spoil(req.Options)
			}
			call, err := c.Read(t.Context(), req)
			if err == nil {
				_, err = call.Recv()
			}
			if status.Code(err) != tc.code {
				t.Errorf("got %v, want %s", err, tc.code)
			}
		})
	}
}
