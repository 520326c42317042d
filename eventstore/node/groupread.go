package node

import (
	"errors"
	"io"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"folio/eventstore/node/group"
)

const (
	defaultBuffer = 10
	maxAckIDs     = 2000
)

// groupCall is one subscriber of a group.
type groupCall struct {
	group    *liveGroup
	consumer *group.Consumer
	call     persistent.PersistentSubscriptions_ReadServer
	textIDs  bool
}

// Read delivers a group's messages and takes their acknowledgements.
func (p persistentService) Read(call persistent.PersistentSubscriptions_ReadServer) error {
	c, err := p.join(call)
	if err != nil {
		return answer(call, err)
	}
	defer p.node.subscriptions.Add(-1)
	defer c.leave()
	heard := make(chan error, 1)
	go func() { heard <- c.listen() }()
	return answer(call, c.deliver(heard))
}

// join reads the options and connects the subscriber; the caller counts it out again.
func (p persistentService) join(call persistent.PersistentSubscriptions_ReadServer) (*groupCall, error) {
	first, err := call.Recv()
	if err != nil {
		return nil, endOfRequest(err)
	}
	o := first.GetOptions()
	if o == nil {
		return nil, broken("The first message of a subscription must hold its options.")
	}
	stream, err := sourceName(o.GetStreamIdentifier(), o.GetAll())
	if err != nil {
		return nil, err
	}
	c := &groupCall{call: call}
	switch o.GetUuidOption().GetContent().(type) {
	case *persistent.ReadReq_Options_UUIDOption_Structured:
	case *persistent.ReadReq_Options_UUIDOption_String_:
		c.textIDs = true
	default:
		return nil, invalid("The form of UUIDs (uuid_option) is missing.")
	}
	size := int(o.GetBufferSize())
	if size < 0 {
		return nil, invalid("The buffer size must not be negative.")
	}
	if size == 0 {
		size = defaultBuffer
	}
	if c.group, err = p.node.groups.find(stream, o.GetGroupName()); err != nil {
		return nil, err
	}
	if err := p.node.admitSubscription(); err != nil {
		return nil, err
	}
	if err := c.enter(size); err != nil {
		p.node.subscriptions.Add(-1)
		return nil, err
	}
	return c, nil
}

func (c *groupCall) enter(size int) (err error) {
	g := c.group
	id := g.config.Stream + "::" + g.config.Group
	g.mu.Lock()
	c.consumer, err = g.group.Join(consumerName(c.call), size)
	g.mu.Unlock()
	if err != nil {
		return groupFull(g.config.Stream, g.config.Group)
	}
	err = c.call.Send(&persistent.ReadResp{Content: &persistent.ReadResp_SubscriptionConfirmation_{
		SubscriptionConfirmation: &persistent.ReadResp_SubscriptionConfirmation{SubscriptionId: id}}})
	if err != nil {
		c.leave()
		return err
	}
	g.poke()
	return nil
}

// consumerName is what GetInfo shows: the client's own name for its connection, or its address.
func consumerName(call persistent.PersistentSubscriptions_ReadServer) string {
	if md, ok := metadata.FromIncomingContext(call.Context()); ok {
		if names := md.Get("connection-name"); len(names) > 0 {
			return names[0]
		}
	}
	if p, ok := peer.FromContext(call.Context()); ok {
		return p.Addr.String()
	}
	return ""
}

func (c *groupCall) leave() {
	g := c.group
	g.mu.Lock()
	g.park(g.group.Leave(c.consumer))
	g.mu.Unlock()
	g.poke()
}

// deliver sends what the group hands to this subscriber.
func (c *groupCall) deliver(heard <-chan error) error {
	g := c.group
	for {
		select {
		case <-c.consumer.Wake():
		case err := <-heard:
			return err
		case <-c.call.Context().Done():
			return c.call.Context().Err()
		case <-g.gone:
			return groupDropped(g.config.Stream, g.config.Group)
		case <-g.node.closing:
			return errStopped
		case <-g.node.store.failed:
			return g.node.store.stopReason()
		}
		g.mu.Lock()
		messages := c.consumer.Take()
		g.mu.Unlock()
		for i := range messages {
			m := *messages[i].Value.(*eventMessage)
			m.textIDs, m.retries = c.textIDs, int32(messages[i].Retries)
			m.counted = true
			if err := c.call.SendMsg(&m); err != nil {
				return err
			}
		}
	}
}

// listen takes acknowledgements until the client has no more to say.
func (c *groupCall) listen() error {
	for {
		req, err := c.call.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.hear(req); err != nil {
			return err
		}
	}
}

func (c *groupCall) hear(req *persistent.ReadReq) error {
	g := c.group
	switch content := req.GetContent().(type) {
	case *persistent.ReadReq_Ack_:
		ids, err := messageIDs(content.Ack.GetIds())
		if err != nil {
			return err
		}
		g.mu.Lock()
		g.group.Ack(c.consumer, ids...)
		g.mu.Unlock()
	case *persistent.ReadReq_Nack_:
		ids, err := messageIDs(content.Nack.GetIds())
		if err != nil {
			return err
		}
		g.mu.Lock()
		g.park(g.group.Nack(c.consumer, group.Action(content.Nack.GetAction()), content.Nack.GetReason(), ids...))
		g.mu.Unlock()
	default:
		return broken("Every message of a subscription but the first must acknowledge something.")
	}
	g.poke()
	return nil
}

func messageIDs(ids []*shared.UUID) ([][16]byte, error) {
	if len(ids) > maxAckIDs {
		return nil, invalid("Too many ids in one acknowledgement: at most 2000.")
	}
	out := make([][16]byte, len(ids))
	for i, id := range ids {
		parsed, err := parseID(id)
		if err != nil {
			return nil, invalid(err.Error())
		}
		out[i] = parsed
	}
	return out, nil
}
