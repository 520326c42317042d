package node

import (
	"cmp"

	"folio/eventstore/node/group"
	"folio/eventstore/node/groups"
	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

const (
	defaultBuffer = 10
	maxAckIDs     = 2000
)

// groupCall is one subscriber of a group.
type groupCall struct {
	node     *Node
	group    *groups.Group
	consumer *group.Consumer
	call     persistent.PersistentSubscriptions_ReadServer
	textIDs  bool
}

// Read delivers a group's messages and takes their acknowledgements.
func (p persistentService) Read(call persistent.PersistentSubscriptions_ReadServer) error {
	c, err := p.join(call)
	if err != nil {
		return err
	}
	defer p.node.subscriptions.Add(-1)
	defer c.group.Leave(c.consumer)
	heard := make(chan error, 1)
	go func() { heard <- protocol.Each(call.Recv, c.hear) }()
	return c.deliver(heard)
}

// join reads the options and connects the subscriber; the caller counts it out again.
func (p persistentService) join(call persistent.PersistentSubscriptions_ReadServer) (*groupCall, error) {
	first, err := call.Recv()
	if err != nil {
		return nil, endOfRequest(err)
	}
	o := first.GetOptions()
	if o == nil {
		return nil, protocol.Broken("The first message of a subscription must hold its options.")
	}
	stream, err := sourceName(o.GetStreamIdentifier(), o.GetAll())
	if err != nil {
		return nil, err
	}
	c := &groupCall{node: p.node, call: call}
	switch o.GetUuidOption().GetContent().(type) {
	case *persistent.ReadReq_Options_UUIDOption_Structured:
	case *persistent.ReadReq_Options_UUIDOption_String_:
		c.textIDs = true
	default:
		return nil, protocol.Invalid("The form of UUIDs (uuid_option) is missing.")
	}
	size := int(o.GetBufferSize())
	if size < 0 {
		return nil, protocol.Invalid("The buffer size must not be negative.")
	}
	size = cmp.Or(size, defaultBuffer)
	if c.group, err = p.node.groups.Find(stream, o.GetGroupName()); err != nil {
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
	if c.consumer, err = g.Join(consumerName(c.call), size); err != nil {
		return err
	}
	id := g.Config.Stream + "::" + g.Config.Group
	err = c.call.Send(&persistent.ReadResp{Content: &persistent.ReadResp_SubscriptionConfirmation_{
		SubscriptionConfirmation: &persistent.ReadResp_SubscriptionConfirmation{SubscriptionId: id}}})
	if err != nil {
		g.Leave(c.consumer)
		return err
	}
	g.Poke()
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
		case <-g.Gone:
			return g.Dropped()
		case <-c.node.closing:
			return storage.ErrStopped
		case <-c.node.store.Failed:
			return c.node.store.StopReason()
		}
		messages := g.Take(c.consumer)
		for i := range messages {
			d := messages[i].Value.(*groups.Delivery)
			m := eventMessage{event: d.Event, link: d.Link, textIDs: c.textIDs, counted: true,
				retries: int32(messages[i].Retries)}
			if err := c.call.SendMsg(&m); err != nil {
				return err
			}
		}
	}
}

// hear takes acknowledgements.
func (c *groupCall) hear(req *persistent.ReadReq) error {
	switch content := req.GetContent().(type) {
	case *persistent.ReadReq_Ack_:
		ids, err := messageIDs(content.Ack.GetIds())
		if err != nil {
			return err
		}
		c.group.Ack(c.consumer, ids)
	case *persistent.ReadReq_Nack_:
		ids, err := messageIDs(content.Nack.GetIds())
		if err != nil {
			return err
		}
		c.group.Nack(c.consumer, group.Action(content.Nack.GetAction()), content.Nack.GetReason(), ids)
	default:
		return protocol.Broken("Every message of a subscription but the first must acknowledge something.")
	}
	return nil
}

func messageIDs(ids []*shared.UUID) ([][16]byte, error) {
	if len(ids) > maxAckIDs {
		return nil, protocol.Invalid("Too many ids in one acknowledgement: at most 2000.")
	}
	out := make([][16]byte, len(ids))
	for i, id := range ids {
		parsed, err := parseID(id)
		if err != nil {
			return nil, protocol.Invalid(err.Error())
		}
		out[i] = parsed
	}
	return out, nil
}
