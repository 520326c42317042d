package node

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
)

func textID(parts ...any) *shared.UUID {
	return &shared.UUID{Value: &shared.UUID_String_{String_: testID(parts...).String()}}
}

func batchOptions(stream string) *streams.BatchAppendReq_Options {
	return &streams.BatchAppendReq_Options{StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte(stream)},
		ExpectedStreamPosition: &streams.BatchAppendReq_Options_NoStream{NoStream: &emptypb.Empty{}}}
}

func batchEvents(parts ...any) []*streams.BatchAppendReq_ProposedMessage {
	return []*streams.BatchAppendReq_ProposedMessage{{Id: textID(parts...), Metadata: goodMeta, Data: []byte(`{}`)}}
}

// exchange sends everything and collects the answers by correlation id.
func exchange(t *testing.T, c streams.StreamsClient,
	reqs ...*streams.BatchAppendReq) map[string]*streams.BatchAppendResp {
	t.Helper()
	call, err := c.BatchAppend(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reqs {
		if err := call.Send(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := call.CloseSend(); err != nil {
		t.Fatal(err)
	}
	out := map[string]*streams.BatchAppendResp{}
	for {
		r, err := call.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out[r.GetCorrelationId().GetString_()] = r
	}
}

func TestBatchAppend(t *testing.T) {
	n := start(t, Options{MaxAppendSize: 1000})
	c := bare(t, n)
	late := batchOptions("late")
	late.DeadlineOption = &streams.BatchAppendReq_Options_Deadline{Deadline: durationpb.New(-time.Second)}
	huge := batchEvents("huge")
	huge[0].Data = make([]byte, 2000)
	nameless := batchEvents("nameless")
	nameless[0].Metadata = nil
	exists := batchOptions("absent")
	exists.ExpectedStreamPosition = &streams.BatchAppendReq_Options_StreamExists{StreamExists: &emptypb.Empty{}}
	req := func(id string, o *streams.BatchAppendReq_Options, final bool,
		es []*streams.BatchAppendReq_ProposedMessage) *streams.BatchAppendReq {
		return &streams.BatchAppendReq{CorrelationId: textID(id), Options: o, IsFinal: final, ProposedMessages: es}
	}
	got := exchange(t, c,
		req("pieces", batchOptions("pieces"), false, batchEvents("p", 1)),
		req("whole", batchOptions("whole"), true, batchEvents("w")),
		req("late", late, true, batchEvents("l")),
		req("huge", batchOptions("huge"), true, huge),
		req("nameless", batchOptions("nameless"), true, nameless),
		req("absent", exists, true, batchEvents("a")),
		req("no stream", &streams.BatchAppendReq_Options{}, true, batchEvents("n")),
		req("pieces", nil, false, batchEvents("p", 2)),
		req("pieces", nil, true, batchEvents("p", 3)),
	)
	for _, tc := range []struct {
		id       string
		revision uint64
		code     codes.Code
		detail   string
	}{
		{"pieces", 2, codes.OK, ""},
		{"whole", 0, codes.OK, ""},
		{"late", 0, codes.DeadlineExceeded, "event_store.client.Timeout"},
		{"huge", 0, codes.InvalidArgument, "event_store.client.MaximumAppendSizeExceeded"},
		{"nameless", 0, codes.InvalidArgument, "event_store.client.BadRequest"},
		{"absent", 0, codes.AlreadyExists, "event_store.client.WrongExpectedVersion"},
		{"no stream", 0, codes.InvalidArgument, "event_store.client.BadRequest"},
	} {
		r := got[testID(tc.id).String()]
		switch {
		case r == nil:
			t.Errorf("%s: no answer", tc.id)
		case tc.code == codes.OK && (r.GetSuccess() == nil || r.GetSuccess().GetCurrentRevision() != tc.revision ||
			r.GetSuccess().GetPosition().GetCommitPosition() == 0):
			t.Errorf("%s: %v", tc.id, r)
		case tc.code != codes.OK && (codes.Code(r.GetError().GetCode()) != tc.code || len(r.GetError().GetDetails()) != 1 ||
			!strings.HasSuffix(r.GetError().GetDetails()[0].GetTypeUrl(), "/"+tc.detail)):
			t.Errorf("%s: %v, want %s with %s", tc.id, r, tc.code, tc.detail)
		}
	}
	if n.store.Last.Load() == 0 || n.Stats().Events != 4 {
		t.Errorf("%+v, want 4 events", n.Stats())
	}
}

func TestBatchAppendIsBounded(t *testing.T) {
	c := bare(t, start(t, Options{}))
	call, err := c.BatchAppend(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; err == nil; i++ {
		err = call.Send(&streams.BatchAppendReq{CorrelationId: textID(i), Options: batchOptions("s"),
			ProposedMessages: batchEvents(i)})
	}
	if _, err := call.Recv(); grpcCode(err) != codes.ResourceExhausted {
		t.Errorf("got %v", err)
	}
}
