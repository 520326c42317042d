package node

import (
	"context"
	"errors"
	"sync"
	"time"

	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	rpc "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/emptypb"
)

const (
	maxOpenBatches    = 128 // appends of one call that have begun and are not final
	maxRunningBatches = 256 // appends of one call that wait for the disk
	serverWriteTime   = 10 * time.Second
	batchAnswersAhead = 64
)

// BatchAppend takes appends in pieces, many at a time on one call. They happen in the order in which their
// final pieces came; each is answered when it is on disk, in any order. The Node and Python clients append
// this way, and a Node client that does not await its appends relies on that order.
func (n *Node) BatchAppend(call streams.Streams_BatchAppendServer) error {
	ctx, cancel := context.WithCancel(call.Context())
	b := &batchCall{node: n, call: call, ctx: ctx, open: map[string]*batch{},
		answers: make(chan *streams.BatchAppendResp, batchAnswersAhead),
		slots:   make(chan struct{}, maxRunningBatches)}
	sent := make(chan error, 1)
	go func() { sent <- b.sendAnswers(cancel) }()
	err := protocol.Each(call.Recv, b.take)
	b.running.Wait()
	close(b.answers)
	sendErr := <-sent
	cancel()
	return errors.Join(err, sendErr)
}

type batchCall struct {
	node    *Node
	call    streams.Streams_BatchAppendServer
	ctx     context.Context
	open    map[string]*batch // by correlation id
	answers chan *streams.BatchAppendResp
	slots   chan struct{}
	running sync.WaitGroup
}

// batch is one append that is still coming in.
type batch struct {
	storage.Change
	size     int
	deadline time.Time
	refused  *rpc.Status
	req      *streams.BatchAppendReq // the first one, with the options
}

// sendAnswers goes on reading answers after a failed send, so that nobody waits on it.
func (b *batchCall) sendAnswers(cancel context.CancelFunc) (err error) {
	for resp := range b.answers {
		if err == nil {
			if err = b.call.Send(resp); err != nil {
				cancel()
			}
		}
	}
	return err
}

// take adds one piece to its append. The first piece brings the options, the final one sets it going.
func (b *batchCall) take(req *streams.BatchAppendReq) error {
	id, err := parseID(req.GetCorrelationId())
	if err != nil {
		return protocol.Invalid("The correlation id is missing or not a UUID.")
	}
	current := b.open[id.String()]
	if current == nil {
		if len(b.open) == maxOpenBatches {
			return &protocol.Refusal{Code: codes.ResourceExhausted,
				Message: "Too many appends have begun on this call: finish some " +
					"first."}
		}
		current = b.begin(req)
		b.open[id.String()] = current
	}
	for _, m := range req.GetProposedMessages() {
		if current.refused == nil {
			current.refused = badAppend(b.node.addProposed(&current.Change, &current.size, m), b.node.options.MaxAppendSize)
		}
	}
	if current.refused != nil {
		current.Events = nil
	}
	if !req.GetIsFinal() {
		return nil
	}
	delete(b.open, id.String())
	select {
	case b.slots <- struct{}{}:
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
	await := b.start(current)
	b.running.Go(func() {
		defer func() { <-b.slots }()
		b.answers <- b.answer(current, await())
	})
	return nil
}

// begin reads the options. A refusal is kept until the final piece: then it is the answer.
func (b *batchCall) begin(req *streams.BatchAppendReq) *batch {
	o := req.GetOptions()
	c := &batch{req: req, deadline: time.Now().Add(serverWriteTime)}
	var err error
	if c.Stream, err = writableStream(o.GetStreamIdentifier()); err != nil {
		c.refused = badRequest(err.Error())
		if errors.Is(err, protocol.ErrAccessDenied) {
			c.refused = detailed(codes.PermissionDenied, "AccessDenied", &shared.AccessDenied{})
		}
		return c
	}
	switch e := o.GetExpectedStreamPosition().(type) {
	case *streams.BatchAppendReq_Options_StreamPosition:
		c.Expected, err = exact(e.StreamPosition)
	case *streams.BatchAppendReq_Options_NoStream:
		c.Expected = storage.ExpectNoStream
	case *streams.BatchAppendReq_Options_Any:
		c.Expected = storage.ExpectAny
	case *streams.BatchAppendReq_Options_StreamExists:
		c.Expected = storage.ExpectExists
	default:
		err = protocol.Broken("The expected revision is missing.")
	}
	if err != nil {
		c.refused = badRequest(err.Error())
	}
	switch d := o.GetDeadlineOption().(type) {
	case *streams.BatchAppendReq_Options_Deadline:
		c.shorten(time.Now().Add(d.Deadline.AsDuration()))
	case *streams.BatchAppendReq_Options_Deadline_21_10_0:
		c.shorten(d.Deadline_21_10_0.AsTime())
	}
	return c
}

func (c *batch) shorten(deadline time.Time) {
	if deadline.Before(c.deadline) {
		c.deadline = deadline
	}
}

// start queues an append before the next piece is read: the queue is what keeps a client's order. The function
// that it answers waits for the outcome. The deadline is the shorter of the client's and the server's.
func (b *batchCall) start(c *batch) (await func() storage.Result) {
	if c.refused != nil {
		return func() storage.Result { return storage.Result{} }
	}
	ctx, cancel := context.WithDeadline(b.ctx, c.deadline)
	err := ctx.Err()
	if err == nil {
		err = b.node.store.Enqueue(ctx, &c.Change)
	}
	return func() storage.Result {
		defer cancel()
		if err != nil {
			return storage.Result{Err: err}
		}
		return b.node.store.Await(ctx, &c.Change)
	}
}

func (b *batchCall) answer(c *batch, out storage.Result) *streams.BatchAppendResp {
	resp := &streams.BatchAppendResp{CorrelationId: c.req.GetCorrelationId(),
		StreamIdentifier: c.req.GetOptions().GetStreamIdentifier()}
	expectationOf(resp, c.req.GetOptions())
	if c.refused == nil {
		c.refused = c.failure(out)
	}
	if c.refused != nil {
		resp.Result = &streams.BatchAppendResp_Error{Error: c.refused}
		return resp
	}
	resp.Result = &streams.BatchAppendResp_Success_{Success: batchSuccess(out)}
	return resp
}

func batchSuccess(out storage.Result) *streams.BatchAppendResp_Success {
	s := &streams.BatchAppendResp_Success{
		CurrentRevisionOption: &streams.BatchAppendResp_Success_NoStream{NoStream: &emptypb.Empty{}},
		PositionOption: &streams.BatchAppendResp_Success_Position{
			Position: &shared.AllStreamPosition{CommitPosition: out.Pos, PreparePosition: out.Pos}},
	}
	if out.Current >= 0 {
		s.CurrentRevisionOption = &streams.BatchAppendResp_Success_CurrentRevision{CurrentRevision: uint64(out.Current)}
	}
	return s
}

// failure is the status of an append that did not happen; clients tell them apart by their detail.
func (c *batch) failure(out storage.Result) *rpc.Status {
	switch {
	case out.Wrong:
		return detailed(codes.AlreadyExists, "WrongExpectedVersion", c.conflict(out.Current))
	case out.Err == nil:
		return nil
	case errors.Is(out.Err, storage.ErrStreamDeleted):
		return detailed(codes.NotFound, "StreamDeleted",
			&shared.StreamDeleted{StreamIdentifier: c.req.GetOptions().GetStreamIdentifier()})
	case errors.Is(out.Err, context.DeadlineExceeded):
		return detailed(codes.DeadlineExceeded, "Timeout", &shared.Timeout{})
	}
	return detailed(codes.Unknown, out.Err.Error(), &shared.Unknown{})
}

func (c *batch) conflict(current int64) *shared.WrongExpectedVersion {
	w := &shared.WrongExpectedVersion{CurrentStreamRevisionOption: &shared.WrongExpectedVersion_CurrentNoStream{
		CurrentNoStream: &emptypb.Empty{}}}
	if current >= 0 {
		w.CurrentStreamRevisionOption = &shared.WrongExpectedVersion_CurrentStreamRevision{CurrentStreamRevision: uint64(
			current)}
	}
	switch c.Expected {
	case storage.ExpectAny:
		w.ExpectedStreamPositionOption = &shared.WrongExpectedVersion_ExpectedAny{ExpectedAny: &emptypb.Empty{}}
	case storage.ExpectExists:
		w.ExpectedStreamPositionOption = &shared.WrongExpectedVersion_ExpectedStreamExists{
			ExpectedStreamExists: &emptypb.Empty{}}
	case storage.ExpectNoStream:
		w.ExpectedStreamPositionOption = &shared.WrongExpectedVersion_ExpectedNoStream{ExpectedNoStream: &emptypb.Empty{}}
	default:
		w.ExpectedStreamPositionOption = &shared.WrongExpectedVersion_ExpectedStreamPosition{ExpectedStreamPosition: uint64(
			c.Expected)}
	}
	return w
}

// badAppend is the status of an event that cannot be taken, nil for one that can.
func badAppend(err error, limit int) *rpc.Status {
	if err == nil {
		return nil
	}
	if errors.Is(err, protocol.ErrTooLarge) {
		return detailed(codes.InvalidArgument, err.Error(), &shared.MaximumAppendSizeExceeded{MaxAppendSize: uint32(limit)})
	}
	return badRequest(err.Error())
}

func badRequest(message string) *rpc.Status {
	return detailed(codes.InvalidArgument, message, &shared.BadRequest{Message: message})
}

// detailed packs the detail under type.googleapis.com, the name that clients look for.
func detailed(c codes.Code, message string, detail proto.Message) *rpc.Status {
	packed, err := anypb.New(detail)
	if err != nil {
		return &rpc.Status{Code: int32(c), Message: message}
	}
	return &rpc.Status{Code: int32(c), Message: message, Details: []*anypb.Any{packed}}
}

// expectationOf repeats the request's expectation in the answer, as the server does.
func expectationOf(resp *streams.BatchAppendResp, o *streams.BatchAppendReq_Options) {
	switch e := o.GetExpectedStreamPosition().(type) {
	case *streams.BatchAppendReq_Options_StreamPosition:
		resp.ExpectedStreamPosition = &streams.BatchAppendResp_StreamPosition{StreamPosition: e.StreamPosition}
	case *streams.BatchAppendReq_Options_NoStream:
		resp.ExpectedStreamPosition = &streams.BatchAppendResp_NoStream{NoStream: e.NoStream}
	case *streams.BatchAppendReq_Options_Any:
		resp.ExpectedStreamPosition = &streams.BatchAppendResp_Any{Any: e.Any}
	case *streams.BatchAppendReq_Options_StreamExists:
		resp.ExpectedStreamPosition = &streams.BatchAppendResp_StreamExists{StreamExists: e.StreamExists}
	}
}
