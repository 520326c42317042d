package eventstore_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/gossip"
	features "github.com/EventStore/EventStore-Client-Go/v4/protos/serverfeatures"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	"folio/eventstore"
)

type recordedEvent = streams.ReadResp_ReadEvent_RecordedEvent

// fake is a server with just enough behaviour, and hooks to misbehave. Positions are
// 10, 20, 30, ...
type fake struct {
	streams.UnimplementedStreamsServer
	features.UnimplementedServerFeaturesServer

	dir     string
	version string
	behind  atomic.Int64 // events at the end that the leader does not show

	silent atomic.Bool         // who asks only whether the log is there has no answer
	asked  chan struct{}       // one of them asked meanwhile
	gossip gossip.GossipServer // nil: the server is no cluster

	// before and after run around the n-th append (from 1); an error is the answer.
	before, after func(n int) error
	// reading runs before the n-th read or subscription (from 1); handled ends it.
	reading func(n int, req *streams.ReadReq, out streams.Streams_ReadServer) (handled bool, err error)

	mu       sync.Mutex
	server   *grpc.Server
	stored   []*recordedEvent
	changed  chan struct{}
	appends  int
	reads    int
	connects int
}

func newFake(t *testing.T) *fake {
	t.Helper()
	dir, err := os.MkdirTemp("", "folio-fake-")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{dir: dir, version: "24.10.0", changed: make(chan struct{}), asked: make(chan struct{}, 1)}
	t.Cleanup(func() {
		f.stop()
		os.RemoveAll(dir)
	})
	return f
}

func (f *fake) address() string { return "unix://" + filepath.Join(f.dir, "s") }

func (f *fake) start(t *testing.T) {
	t.Helper()
	f.listen(t, "unix", filepath.Join(f.dir, "s"))
}

func (f *fake) listen(t *testing.T, network, address string) net.Addr {
	t.Helper()
	lis, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer(grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
		MinTime: time.Second, PermitWithoutStream: true,
	}))
	streams.RegisterStreamsServer(srv, f)
	features.RegisterServerFeaturesServer(srv, f)
	if f.gossip != nil {
		gossip.RegisterGossipServer(srv, f.gossip)
	}
	f.mu.Lock()
	f.server = srv
	f.mu.Unlock()
	go srv.Serve(lis)
	return lis.Addr()
}

func portOf(a net.Addr) uint32 { return uint32(a.(*net.TCPAddr).Port) }

// stop cuts every connection.
func (f *fake) stop() {
	f.mu.Lock()
	srv := f.server
	f.server = nil
	f.mu.Unlock()
	if srv != nil {
		srv.Stop()
	}
}

func (f *fake) count(n *int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return *n
}

func (f *fake) GetSupportedMethods(context.Context, *shared.Empty) (*features.SupportedMethods, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connects++
	return &features.SupportedMethods{EventStoreServerVersion: f.version}, nil
}

// own says that a call asks only whether the log is there, or which one it is: hooks and
// counts are for the others.
func own(ctx context.Context) bool {
	md, _ := metadata.FromIncomingContext(ctx)
	return len(md.Get(eventstore.ProbeHeader)) > 0 || len(md.Get("requires-leader")) > 0
}

func (f *fake) Append(in streams.Streams_AppendServer) error {
	var opts *streams.AppendReq_Options
	var proposed []*streams.AppendReq_ProposedMessage
	for {
		m, err := in.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if o := m.GetOptions(); o != nil {
			opts = o
		} else {
			proposed = append(proposed, m.GetProposedMessage())
		}
	}
	if own(in.Context()) {
		f.ignores(in.Context())
		return in.SendAndClose(wrongVersion(0))
	}
	f.mu.Lock()
	f.appends++
	n := f.appends
	f.mu.Unlock()
	if f.before != nil {
		if err := f.before(n); err != nil {
			return err
		}
	}
	resp := f.write(opts, proposed)
	if f.after != nil {
		if err := f.after(n); err != nil {
			return err
		}
	}
	return in.SendAndClose(resp)
}

func (f *fake) write(opts *streams.AppendReq_Options,
	proposed []*streams.AppendReq_ProposedMessage) *streams.AppendResp {
	f.mu.Lock()
	defer f.mu.Unlock()
	stream := string(opts.StreamIdentifier.StreamName)
	mine := f.of(stream)
	next := 0
	if r, ok := opts.ExpectedStreamRevision.(*streams.AppendReq_Options_Revision); ok {
		next = int(r.Revision) + 1
	}
	if next < len(mine) { // our own append, heard before?
		for i, p := range proposed {
			if next+i >= len(mine) || mine[next+i].Id.String() != p.Id.String() {
				return wrongVersion(len(mine))
			}
		}
		return succeeded(mine[next+len(proposed)-1])
	}
	if next != len(mine) {
		return wrongVersion(len(mine))
	}
	for i, p := range proposed {
		f.put(stream, uint64(next+i), p.Metadata["type"], p.Id, p.Data, p.CustomMetadata)
	}
	close(f.changed)
	f.changed = make(chan struct{})
	return succeeded(f.stored[len(f.stored)-1])
}

func (f *fake) put(stream string, revision uint64, typ string, id *shared.UUID, data, meta []byte) {
	at := uint64(len(f.stored)+1) * 10
	f.stored = append(f.stored, &recordedEvent{
		Id: id, StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte(stream)}, StreamRevision: revision,
		CommitPosition: at, PreparePosition: at, Data: data, CustomMetadata: meta,
		Metadata: map[string]string{"type": typ, "content-type": "application/json", "created": "0"},
	})
}

func (f *fake) of(stream string) []*recordedEvent {
	var out []*recordedEvent
	for _, e := range f.stored {
		if string(e.StreamIdentifier.StreamName) == stream {
			out = append(out, e)
		}
	}
	return out
}

func (f *fake) Read(req *streams.ReadReq, out streams.Streams_ReadServer) error {
	n := 0
	if !own(out.Context()) {
		f.mu.Lock()
		f.reads++
		n = f.reads
		f.mu.Unlock()
	} else if f.ignores(out.Context()) {
		return out.Context().Err()
	}
	if f.reading != nil && n > 0 {
		if handled, err := f.reading(n, req, out); handled || err != nil {
			return err
		}
	}
	o := req.Options
	if o.GetSubscription() != nil && o.GetStream() != nil {
		if err := out.Send(confirmation()); err != nil {
			return err
		}
		<-out.Context().Done()
		return out.Context().Err()
	}
	if o.GetSubscription() != nil {
		return f.subscribe(o, out)
	}
	f.mu.Lock()
	selected := slices.Clone(f.stored)
	if own(out.Context()) {
		selected = selected[:len(selected)-int(f.behind.Load())]
	}
	if s := o.GetStream(); s != nil {
		selected = f.of(string(s.StreamIdentifier.StreamName))
	}
	f.mu.Unlock()
	if s := o.GetStream(); s != nil && len(selected) == 0 {
		return out.Send(&streams.ReadResp{Content: &streams.ReadResp_StreamNotFound_{
			StreamNotFound: &streams.ReadResp_StreamNotFound{StreamIdentifier: s.StreamIdentifier}}})
	}
	from := o.GetStream().GetRevision()
	if o.ReadDirection == streams.ReadReq_Options_Backwards {
		slices.Reverse(selected)
	}
	sent := uint64(0)
	for _, e := range selected {
		if e.CommitPosition < o.GetAll().GetPosition().GetCommitPosition() ||
			(o.GetStream() != nil && e.StreamRevision < from) {
			continue
		}
		if sent == o.GetCount() {
			return nil
		}
		sent++
		if err := out.Send(eventMessage(e)); err != nil {
			return err
		}
	}
	return nil
}

func (f *fake) subscribe(o *streams.ReadReq_Options, out streams.Streams_ReadServer) error {
	if err := out.Send(confirmation()); err != nil {
		return err
	}
	prefixes := o.GetFilter().GetEventType().GetPrefix()
	after, live := o.GetAll().GetPosition().GetCommitPosition(), false
	for {
		f.mu.Lock()
		stored, changed := slices.Clone(f.stored), f.changed
		f.mu.Unlock()
		for _, e := range stored {
			if e.CommitPosition <= after {
				continue
			}
			after = e.CommitPosition
			m := eventMessage(e)
			if !hasPrefix(e.Metadata["type"], prefixes) {
				m = checkpoint(after)
			}
			if err := out.Send(m); err != nil {
				return err
			}
		}
		if !live {
			live = true
			if err := out.Send(&streams.ReadResp{Content: &streams.ReadResp_CaughtUp_{
				CaughtUp: &streams.ReadResp_CaughtUp{}}}); err != nil {
				return err
			}
		}
		select {
		case <-changed:
		case <-out.Context().Done():
			return out.Context().Err()
		}
	}
}

func hasPrefix(s string, prefixes []string) bool {
	return len(prefixes) == 0 || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

func eventMessage(e *recordedEvent) *streams.ReadResp {
	return &streams.ReadResp{Content: &streams.ReadResp_Event{Event: &streams.ReadResp_ReadEvent{
		Event: e, Position: &streams.ReadResp_ReadEvent_CommitPosition{CommitPosition: e.CommitPosition}}}}
}

func checkpoint(at uint64) *streams.ReadResp {
	return &streams.ReadResp{Content: &streams.ReadResp_Checkpoint_{
		Checkpoint: &streams.ReadResp_Checkpoint{CommitPosition: at, PreparePosition: at}}}
}

func confirmation() *streams.ReadResp {
	return &streams.ReadResp{Content: &streams.ReadResp_Confirmation{
		Confirmation: &streams.ReadResp_SubscriptionConfirmation{SubscriptionId: "1"}}}
}

func succeeded(e *recordedEvent) *streams.AppendResp {
	return &streams.AppendResp{Result: &streams.AppendResp_Success_{Success: &streams.AppendResp_Success{
		CurrentRevisionOption: &streams.AppendResp_Success_CurrentRevision{CurrentRevision: e.StreamRevision},
		PositionOption: &streams.AppendResp_Success_Position{Position: &streams.AppendResp_Position{
			CommitPosition: e.CommitPosition, PreparePosition: e.PreparePosition}},
	}}}
}

func wrongVersion(length int) *streams.AppendResp {
	return &streams.AppendResp{Result: &streams.AppendResp_WrongExpectedVersion_{
		WrongExpectedVersion: &streams.AppendResp_WrongExpectedVersion{
			CurrentRevisionOption: &streams.AppendResp_WrongExpectedVersion_CurrentRevision{CurrentRevision: uint64(length - 1)},
		}}}
}
