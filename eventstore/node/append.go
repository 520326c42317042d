package node

import (
	"errors"
	"io"
	"time"
	"unicode/utf8"

	"folio/eventstore/node/groups"
	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/protobuf/proto"
)

const (
	maxStreamName   = 8 << 10
	maxAppendEvents = 50_000
	drainBytes      = 64 << 20
	drainTime       = 10 * time.Second
)

// Append stores the events of one call as one atomic, durable change.
func (n *Node) Append(call streams.Streams_AppendServer) error {
	c, err := n.receiveAppend(call)
	if err != nil {
		drain(call)
		return err
	}
	out := n.store.Submit(call.Context(), c)
	switch {
	case errors.Is(out.Err, storage.ErrStreamDeleted):
		return protocol.StreamDeleted(c.Stream)
	case out.Err != nil:
		return out.Err
	case out.Wrong:
		return call.SendAndClose(wrongVersion(c.Expected, out.Current))
	}
	return call.SendAndClose(appended(out))
}

// drain takes in what the client still sends, within bounds: an error sent while the client is
// writing reaches it as a bare EOF.
func drain(call streams.Streams_AppendServer) {
	size, deadline := 0, time.Now().Add(drainTime)
	for size < drainBytes && time.Now().Before(deadline) {
		req, err := call.Recv()
		if err != nil {
			return
		}
		size += 256 + len(req.GetProposedMessage().GetData()) + len(req.GetProposedMessage().GetCustomMetadata())
	}
}

// receiveAppend collects a call into one change, refusing as early as it can: what a client may make the
// node hold is bounded by MaxAppendSize.
func (n *Node) receiveAppend(call streams.Streams_AppendServer) (*storage.Change, error) {
	first, err := call.Recv()
	if err != nil {
		return nil, endOfRequest(err)
	}
	options := first.GetOptions()
	if options == nil {
		return nil, protocol.Broken("The first message of an append must hold its options.")
	}
	c := &storage.Change{Kind: storage.AppendEvents}
	if c.Stream, err = writableStream(options.GetStreamIdentifier()); err != nil {
		return nil, err
	}
	if c.Expected, err = expectation(options); err != nil {
		return nil, err
	}
	size := 0
	return c, protocol.Each(call.Recv, func(req *streams.AppendReq) error {
		m := req.GetProposedMessage()
		if m == nil {
			return protocol.Broken("Every message of an append but the first must hold an event.")
		}
		return n.addProposed(c, &size, m)
	})
}

func endOfRequest(err error) error {
	if errors.Is(err, io.EOF) {
		return protocol.Broken("The request ended before its options.")
	}
	return err
}

// proposal is an event as both append calls carry it.
type proposal interface {
	GetId() *shared.UUID
	GetMetadata() map[string]string
	GetCustomMetadata() []byte
	GetData() []byte
}

// addProposed checks one event and adds it to c; size is that of all events so far, counted as the
// server counts: two bytes for each UTF-16 unit of the type. Any content type but JSON is stored as binary.
func (n *Node) addProposed(c *storage.Change, size *int, m proposal) error {
	kind, content := m.GetMetadata()["type"], m.GetMetadata()["content-type"]
	_, hasKind := m.GetMetadata()["type"]
	if _, hasContent := m.GetMetadata()["content-type"]; !hasKind || !hasContent {
		return protocol.MissingProperty()
	}
	if kind == "" || !utf8.ValidString(kind) {
		return protocol.Broken("An event's type must not be empty.")
	}
	id, err := parseID(m.GetId())
	if err != nil {
		return protocol.Broken(err.Error())
	}
	*size += len(m.GetData()) + len(m.GetCustomMetadata()) + 2*utf16Units(kind)
	if *size > n.options.MaxAppendSize || len(c.Events) == maxAppendEvents {
		return protocol.AppendTooLarge(n.options.MaxAppendSize)
	}
	c.Events = append(c.Events, storage.Record{ID: id, JSON: content == "application/json", Kind: []byte(kind),
		Meta: m.GetCustomMetadata(), Data: m.GetData()})
	return nil
}

// utf16Units is the length of s in .NET.
func utf16Units(s string) (units int) {
	for _, r := range s {
		units++
		if r > 0xffff {
			units++
		}
	}
	return units
}

// writableStream refuses the names of views, and the stream that the node could not start without.
func writableStream(id *shared.StreamIdentifier) (string, error) {
	name, err := streamName(id)
	switch {
	case err != nil:
		return "", err
	case storage.IsIndex(name):
		return "", protocol.AccessDenied("The stream '" + name +
			"' is an index that the node keeps: it cannot be written to.")
	case name == groups.ConfigStream, name == storage.MetadataPrefix+groups.ConfigStream:
		return "", protocol.AccessDenied("The stream '" + name + "' is the node's own: change persistent subscriptions " +
			"through " +
			"their calls.")
	}
	return name, nil
}

// streamName refuses what could not be read back. The server takes any length; ours is a bound.
func streamName(id *shared.StreamIdentifier) (string, error) {
	name := id.GetStreamName()
	switch {
	case len(name) == 0:
		return "", protocol.Invalid("The stream's name is missing.")
	case len(name) > maxStreamName:
		return "", protocol.Invalid("The stream's name is too long: at most 8192 bytes.")
	case !utf8.Valid(name):
		return "", protocol.Invalid("The stream's name is not valid UTF-8.")
	case string(name) == storage.MetadataPrefix, string(name) == "$all":
		return "", protocol.Invalid("'" + string(name) + "' is no stream that can be named.")
	}
	return string(name), nil
}

// expecting is a request that expects a revision of its stream.
type expecting interface {
	proto.Message
	GetRevision() uint64
}

// expectation reads the revision that a request expects.
func expectation(o expecting) (int64, error) {
	m := o.ProtoReflect()
	given := m.WhichOneof(m.Descriptor().Oneofs().ByName("expected_stream_revision"))
	if given == nil {
		return 0, protocol.Broken("The expected revision is missing.")
	}
	switch given.Name() {
	case "revision":
		return exact(o.GetRevision())
	case "no_stream":
		return storage.ExpectNoStream, nil
	case "stream_exists":
		return storage.ExpectExists, nil
	}
	return storage.ExpectAny, nil
}

// exact leaves out the revision of a tombstone, which no append can expect.
func exact(revision uint64) (int64, error) {
	if revision >= storage.TombstoneRevision {
		return 0, protocol.Broken("The expected revision is out of range.")
	}
	return int64(revision), nil
}

// appended answers with the position of the last event; an empty append to no stream has no revision.
func appended(out storage.Result) *streams.AppendResp {
	success := &streams.AppendResp_Success{
		CurrentRevisionOption: &streams.AppendResp_Success_NoStream{NoStream: &shared.Empty{}},
		PositionOption: &streams.AppendResp_Success_Position{
			Position: &streams.AppendResp_Position{CommitPosition: out.Pos, PreparePosition: out.Pos}},
	}
	if out.Current >= 0 {
		success.CurrentRevisionOption = &streams.AppendResp_Success_CurrentRevision{CurrentRevision: uint64(out.Current)}
	}
	return &streams.AppendResp{Result: &streams.AppendResp_Success_{Success: success}}
}

// wrongVersion fills both generations of the fields: old clients read the ones named 20_6_0.
func wrongVersion(expected, current int64) *streams.AppendResp {
	w := &streams.AppendResp_WrongExpectedVersion{
		CurrentRevisionOption_20_6_0: &streams.AppendResp_WrongExpectedVersion_NoStream_20_6_0{
			NoStream_20_6_0: &shared.Empty{}},
		CurrentRevisionOption: &streams.AppendResp_WrongExpectedVersion_CurrentNoStream{
			CurrentNoStream: &shared.Empty{}},
	}
	if current >= 0 {
		w.CurrentRevisionOption_20_6_0 = &streams.AppendResp_WrongExpectedVersion_CurrentRevision_20_6_0{
			CurrentRevision_20_6_0: uint64(current)}
		w.CurrentRevisionOption = &streams.AppendResp_WrongExpectedVersion_CurrentRevision{CurrentRevision: uint64(current)}
	}
	switch expected {
	case storage.ExpectAny:
		w.ExpectedRevisionOption_20_6_0 = &streams.AppendResp_WrongExpectedVersion_Any_20_6_0{Any_20_6_0: &shared.Empty{}}
		w.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedAny{ExpectedAny: &shared.Empty{}}
	case storage.ExpectExists:
		w.ExpectedRevisionOption_20_6_0 = &streams.AppendResp_WrongExpectedVersion_StreamExists_20_6_0{
			StreamExists_20_6_0: &shared.Empty{}}
		w.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedStreamExists{
			ExpectedStreamExists: &shared.Empty{}}
	default: // no stream is 2^64-1 in the old field
		w.ExpectedRevisionOption_20_6_0 = &streams.AppendResp_WrongExpectedVersion_ExpectedRevision_20_6_0{
			ExpectedRevision_20_6_0: uint64(expected)}
		w.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedRevision{ExpectedRevision: uint64(
			expected)}
	}
	if expected == storage.ExpectNoStream {
		w.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedNoStream{
			ExpectedNoStream: &shared.Empty{}}
	}
	return &streams.AppendResp{Result: &streams.AppendResp_WrongExpectedVersion_{WrongExpectedVersion: w}}
}
