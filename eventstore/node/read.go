package node

import (
	"context"
	"errors"
	"math"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// Read answers reads and subscriptions of one stream or of $all.
func (n *Node) Read(req *streams.ReadReq, call streams.Streams_ReadServer) error {
	r, err := n.parseRead(req.GetOptions(), call)
	if err != nil {
		return answer(call, err)
	}
	switch {
	case r.subscribe:
		err = r.runSubscription()
	case r.stream == "":
		err = r.readAll()
	default:
		err = r.readStream()
	}
	if errors.Is(err, errStreamDeleted) {
		err = streamDeleted(r.stream)
	}
	return answer(call, err)
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
	filter    *filter
}

// parseRead refuses every combination that the server refuses: a subscription reads forwards, and only
// $all has filters.
func (n *Node) parseRead(o *streams.ReadReq_Options, call streams.Streams_ReadServer) (*read, error) {
	r := &read{node: n, ctx: call.Context(), call: call, links: o.GetResolveLinks(),
		backwards: o.GetReadDirection() == streams.ReadReq_Options_Backwards}
	if d := o.GetReadDirection(); d != streams.ReadReq_Options_Forwards && d != streams.ReadReq_Options_Backwards {
		return nil, invalid("The read direction is unknown.")
	}
	switch o.GetUuidOption().GetContent().(type) {
	case *streams.ReadReq_Options_UUIDOption_Structured:
	case *streams.ReadReq_Options_UUIDOption_String_:
		r.textIDs = true
	default:
		return nil, invalid("The form of UUIDs (uuid_option) is missing.")
	}
	switch c := o.GetCountOption().(type) {
	case *streams.ReadReq_Options_Count:
		r.count = c.Count
	case *streams.ReadReq_Options_Subscription:
		r.subscribe = true
	default:
		return nil, invalid("Either a count or a subscription is needed.")
	}
	if r.subscribe && r.backwards {
		return nil, invalid("A subscription cannot read backwards.")
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
			return invalid("Only $all can be read through a filter.")
		}
		r.filter, err = parseFilter(f.Filter)
	case *streams.ReadReq_Options_NoFilter:
	default:
		err = invalid("Either a filter or no_filter is needed.")
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
			return invalid("The revision to start at is missing.")
		}
	case *streams.ReadReq_Options_All:
		switch at := source.All.GetAllOption().(type) {
		case *streams.ReadReq_Options_AllOptions_Position:
			if at.Position.GetCommitPosition() < at.Position.GetPreparePosition() {
				return broken("The commit position must not be less than the prepare position.")
			}
			r.again = at.Position.GetPreparePosition() < at.Position.GetCommitPosition()
			return r.startAt(at.Position.GetCommitPosition())
		case *streams.ReadReq_Options_AllOptions_Start:
			r.fromStart = true
		case *streams.ReadReq_Options_AllOptions_End:
			r.fromEnd = true
		default:
			return invalid("The position to start at is missing.")
		}
	default:
		return invalid("Either a stream or $all is needed.")
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
		return broken("The start is out of range.")
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
		var events []record
		var more bool
		var err error
		if r.backwards {
			events, more, err = s.allBackward(r.ctx, from, r.pageSize())
		} else {
			events, more, err = s.allForward(r.ctx, from, after, r.pageSize())
		}
		if err != nil {
			return err
		}
		if done, err := r.sendMatching(events); err != nil || done || !more {
			return err
		}
		from = events[len(events)-1].pos
		if after = from; !r.backwards {
			from++
		}
	}
}

// sendMatching answers whether the count was reached.
func (r *read) sendMatching(events []record) (done bool, err error) {
	for i := range events {
		ok, err := r.filter.matches(&events[i])
		if err != nil {
			return false, err
		}
		if !ok || hidden(&events[i]) {
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
		return pageEvents
	}
	return int(min(r.count, pageEvents))
}

// readStream reads what the stream's metadata lets readers see, as the stream was when the read began.
func (r *read) readStream() error {
	if r.fromEnd && !r.backwards || r.count == 0 {
		return broken("A stream is read from its end backwards only, and at least one event.")
	}
	end, err := r.node.store.streamEnd(r.ctx, r.stream)
	if err != nil {
		return err
	}
	if end.missing() {
		return r.call.Send(&streams.ReadResp{Content: &streams.ReadResp_StreamNotFound_{
			StreamNotFound: &streams.ReadResp_StreamNotFound{StreamIdentifier: &shared.
				StreamIdentifier{StreamName: []byte(r.stream)}}}})
	}
	from, to, step := max(signed(r.from), end.meta.first(end.last)), end.last, 1
	if r.backwards {
		from, to, step = min(signed(r.from), end.last), end.meta.first(end.last), -1
		if r.fromEnd {
			from = end.last
		}
	}
	for (to-from)*int64(step) >= 0 {
		events, more, err := r.node.store.streamPage(r.ctx,
			span{r.stream, end.num, from, to, step, int(min(r.count, pageEvents))})
		if err != nil {
			return err
		}
		if done, err := r.sendYoung(&end.meta, events); err != nil || done || !more {
			return err
		}
		from = int64(events[len(events)-1].rev) + int64(step)
	}
	return nil
}

// sendYoung leaves out events past $maxAge: a forward read skips them, a backward one ends at the first.
func (r *read) sendYoung(meta *streamMeta, events []record) (done bool, err error) {
	for i := range events {
		if r.node.store.expired(meta, &events[i]) {
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

// expired compares with the clock at the time of the read, as the server does.
func (s *store) expired(meta *streamMeta, r *record) bool {
	return meta.maxAge > 0 && r.created < ticks(s.now())-int64(meta.maxAge/100)
}

// send goes past the generated Send: the codec encodes the stored event itself.
func (r *read) send(event *record) error {
	m := eventMessage{event: event, textIDs: r.textIDs}
	if r.links && string(event.kind) == linkType {
		if err := r.resolve(&m); err != nil {
			return err
		}
	}
	return r.call.SendMsg(&m)
}
