package node

import (
	"context"
	"errors"
	"math"

	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// Read answers reads and subscriptions of one stream or of $all.
func (n *Node) Read(req *streams.ReadReq, call streams.Streams_ReadServer) error {
	n.store.Stats.Reads.Add(1)
	r, err := n.parseRead(req.GetOptions(), call)
	if err != nil {
		return err
	}
	switch {
	case r.subscribe:
		err = r.runSubscription()
	case r.stream == "":
		err = r.readAll()
	default:
		err = r.readStream()
	}
	if errors.Is(err, storage.ErrStreamDeleted) {
		err = protocol.StreamDeleted(r.stream)
	}
	return err
}

// read is one call of Read, understood.
type read struct {
	node      *Node
	ctx       context.Context
	call      streams.Streams_ReadServer
	stream    string // empty for $all
	backwards bool
	subscribe bool
	count     uint64
	fromStart bool
	fromEnd   bool
	from      uint64 // revision or position, when neither of the two above
	again     bool   // the position lacks its prepare part: the event there comes after it
	links     bool
	textIDs   bool
	filter    *protocol.Filter
}

// parseRead refuses every combination that the server refuses: a subscription reads forwards, and only
// $all has filters.
func (n *Node) parseRead(o *streams.ReadReq_Options, call streams.Streams_ReadServer) (*read, error) {
	r := &read{node: n, ctx: call.Context(), call: call, links: o.GetResolveLinks(),
		backwards: o.GetReadDirection() == streams.ReadReq_Options_Backwards}
	if d := o.GetReadDirection(); d != streams.ReadReq_Options_Forwards && d != streams.ReadReq_Options_Backwards {
		return nil, protocol.Invalid("The read direction is unknown.")
	}
	switch o.GetUuidOption().GetContent().(type) {
	case *streams.ReadReq_Options_UUIDOption_Structured:
	case *streams.ReadReq_Options_UUIDOption_String_:
		r.textIDs = true
	default:
		return nil, protocol.Invalid("The form of UUIDs (uuid_option) is missing.")
	}
	switch c := o.GetCountOption().(type) {
	case *streams.ReadReq_Options_Count:
		r.count = c.Count
	case *streams.ReadReq_Options_Subscription:
		r.subscribe = true
	default:
		return nil, protocol.Invalid("Either a count or a subscription is needed.")
	}
	if r.subscribe && r.backwards {
		return nil, protocol.Invalid("A subscription cannot read backwards.")
	}
	if err := r.parseFilter(o); err != nil {
		return nil, err
	}
	return r, r.parseStart(o)
}

func (r *read) parseFilter(o *streams.ReadReq_Options) (err error) {
	switch f := o.GetFilterOption().(type) {
	case *streams.ReadReq_Options_Filter:
		if o.GetStream() != nil {
			return protocol.Invalid("Only $all can be read through a filter.")
		}
		r.filter, err = protocol.ParseFilter(f.Filter)
	case *streams.ReadReq_Options_NoFilter:
	default:
		err = protocol.Invalid("Either a filter or no_filter is needed.")
	}
	return err
}

func (r *read) parseStart(o *streams.ReadReq_Options) (err error) {
	switch source := o.GetStreamOption().(type) {
	case *streams.ReadReq_Options_Stream:
		if r.stream, err = streamName(source.Stream.GetStreamIdentifier()); err != nil {
			return err
		}
		switch at := source.Stream.GetRevisionOption().(type) {
		case *streams.ReadReq_Options_StreamOptions_Revision:
			return r.startAt(at.Revision)
		case *streams.ReadReq_Options_StreamOptions_Start:
			r.fromStart = true
		case *streams.ReadReq_Options_StreamOptions_End:
			r.fromEnd = true
		default:
			return protocol.Invalid("The revision to start at is missing.")
		}
	case *streams.ReadReq_Options_All:
		switch at := source.All.GetAllOption().(type) {
		case *streams.ReadReq_Options_AllOptions_Position:
			if at.Position.GetCommitPosition() < at.Position.GetPreparePosition() {
				return protocol.Broken("The commit position must not be less than the prepare position.")
			}
			r.again = at.Position.GetPreparePosition() < at.Position.GetCommitPosition()
			return r.startAt(at.Position.GetCommitPosition())
		case *streams.ReadReq_Options_AllOptions_Start:
			r.fromStart = true
		case *streams.ReadReq_Options_AllOptions_End:
			r.fromEnd = true
		default:
			return protocol.Invalid("The position to start at is missing.")
		}
	default:
		return protocol.Invalid("Either a stream or $all is needed.")
	}
	return nil
}

// startAt takes 2^64-1 for the end, which is what the .NET client sends for it.
func (r *read) startAt(n uint64) error {
	if n == math.MaxUint64 {
		r.fromEnd = true
		return nil
	}
	if n > math.MaxInt64 {
		return protocol.Broken("The start is out of range.")
	}
	r.from = n
	return nil
}

// readAll reads from the start position, inclusive, or backwards from what ended before it.
func (r *read) readAll() error {
	s, from, after := r.node.store, r.from, uint64(0)
	switch {
	case r.backwards && r.fromStart, !r.backwards && r.fromEnd, r.count == 0:
		return nil
	case r.backwards && r.fromEnd:
		from = math.MaxUint64
	}
	for {
		var events []storage.Record
		var more bool
		var err error
		if r.backwards {
			events, more, err = s.AllBackward(r.ctx, from, r.pageSize())
		} else {
			events, more, err = s.AllForward(r.ctx, from, after, r.pageSize())
		}
		if err != nil {
			return err
		}
		if done, err := r.sendMatching(events); err != nil || done || !more {
			return err
		}
		from = events[len(events)-1].Pos
		if after = from; !r.backwards {
			from++
		}
	}
}

// sendMatching answers whether the count was reached.
func (r *read) sendMatching(events []storage.Record) (done bool, err error) {
	for i := range events {
		ok, err := r.filter.Matches(&events[i])
		if err != nil {
			return false, err
		}
		if !ok || storage.Hidden(&events[i]) {
			continue
		}
		if err := r.send(&events[i]); err != nil {
			return false, err
		}
		if r.count--; r.count == 0 {
			return true, nil
		}
	}
	return false, nil
}

// pageSize reads no more than was asked for, unless a filter will leave some out.
func (r *read) pageSize() int {
	if r.filter != nil {
		return storage.PageEvents
	}
	return int(min(r.count, storage.PageEvents))
}

// readStream reads what the stream's metadata lets readers see, as the stream was when the read began.
func (r *read) readStream() error {
	if r.fromEnd && !r.backwards || r.count == 0 {
		return protocol.Broken("A stream is read from its end backwards only, and at least one event.")
	}
	end, err := r.node.store.StreamEnd(r.ctx, r.stream)
	if err != nil {
		return err
	}
	if end.Missing() {
		return r.call.Send(&streams.ReadResp{Content: &streams.ReadResp_StreamNotFound_{
			StreamNotFound: &streams.ReadResp_StreamNotFound{StreamIdentifier: &shared.
				StreamIdentifier{StreamName: []byte(r.stream)}}}})
	}
	from, to, step := max(storage.Signed(r.from), end.Meta.First(end.Last)), end.Last, 1
	if r.backwards {
		from, to, step = min(storage.Signed(r.from), end.Last), end.Meta.First(end.Last), -1
		if r.fromEnd {
			from = end.Last
		}
	}
	for (to-from)*int64(step) >= 0 {
		events, more, err := r.node.store.StreamPage(r.ctx,
			storage.Span{Stream: r.stream, Num: end.Num, From: from, To: to, Step: step,
				Limit: int(min(r.count, storage.PageEvents))})
		if err != nil {
			return err
		}
		if done, err := r.sendYoung(&end.Meta, events); err != nil || done || !more {
			return err
		}
		from = int64(events[len(events)-1].Rev) + int64(step)
	}
	return nil
}

// sendYoung leaves out events past $maxAge: a forward read skips them, a backward one ends at the first.
func (r *read) sendYoung(meta *storage.StreamMeta, events []storage.Record) (done bool, err error) {
	for i := range events {
		if r.node.store.Expired(meta, &events[i]) {
			if r.backwards {
				return true, nil
			}
			continue
		}
		if err := r.send(&events[i]); err != nil {
			return false, err
		}
		if r.count--; r.count == 0 {
			return true, nil
		}
	}
	return false, nil
}

// send goes past the generated Send: the codec encodes the stored event itself.
func (r *read) send(event *storage.Record) error {
	m := eventMessage{event: event, textIDs: r.textIDs}
	if r.links && string(event.Kind) == storage.LinkType {
		if err := r.resolve(&m); err != nil {
			return err
		}
	}
	return r.call.SendMsg(&m)
}
