package node

import (
	"context"

	"folio/eventstore/node/group"
	"folio/eventstore/node/groups"
	"folio/eventstore/node/protocol"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"google.golang.org/grpc/codes"
)

// GetInfo describes one group.
func (p persistentService) GetInfo(ctx context.Context, req *persistent.GetInfoReq) (*persistent.GetInfoResp, error) {
	o := req.GetOptions()
	stream, err := sourceName(o.GetStreamIdentifier(), o.GetAll())
	if err != nil {
		return nil, err
	}
	g, err := p.node.groups.Find(stream, o.GetGroupName())
	if err != nil {
		return nil, err
	}
	info, err := p.info(ctx, g)
	if err != nil {
		return nil, err
	}
	return &persistent.GetInfoResp{SubscriptionInfo: info}, nil
}

// List describes the groups of one stream, of $all, or all there are. None is an error, as at the server.
func (p persistentService) List(ctx context.Context, req *persistent.ListReq) (*persistent.ListResp, error) {
	source := ""
	if one := req.GetOptions().GetListForStream(); one != nil {
		var err error
		if source, err = sourceName(one.GetStream(), one.GetAll()); err != nil {
			return nil, err
		}
	}
	found := p.node.groups.List(source)
	if len(found) == 0 && source != "" {
		return nil, &protocol.Refusal{Code: codes.NotFound,
			Message:  "Stream " + source + " has no subscription groups.",
			Trailers: []string{"exception", "persistent-subscription-does-not-exist", "stream-name", source, "group-name", ""}}
	}
	resp := &persistent.ListResp{}
	for _, g := range found {
		info, err := p.info(ctx, g)
		if err != nil {
			return nil, err
		}
		resp.Subscriptions = append(resp.Subscriptions, info)
	}
	return resp, nil
}

func (p persistentService) info(ctx context.Context, g *groups.Group) (*persistent.SubscriptionInfo, error) {
	parked, err := g.ParkedCount(ctx)
	if err != nil {
		return nil, err
	}
	last, some, err := p.node.groups.End(ctx, g.Config.Stream)
	if err != nil {
		return nil, err
	}
	r := g.Report()
	c := &g.Config
	info := &persistent.SubscriptionInfo{
		EventSource: c.Stream, GroupName: c.Group, Status: "Live", TotalItems: r.Total,
		ResolveLinkTos: c.ResolveLinks, StartFrom: c.StartFrom,
		MessageTimeoutMilliseconds: int32(c.MessageTimeout.Milliseconds()),
		ExtraStatistics:            c.ExtraStatistics, MaxRetryCount: int32(c.MaxRetryCount),
		LiveBufferSize: int32(c.LiveBufferSize),
		BufferSize:     int32(c.HistoryBufferSize), ReadBatchSize: int32(c.ReadBatchSize),
		CheckPointAfterMilliseconds: int32(c.CheckpointAfter.Milliseconds()), MinCheckPointCount: int32(c.MinCheckpointCount),
		MaxCheckPointCount: int32(c.MaxCheckpointCount), ReadBufferCount: int32(r.Waiting),
		RetryBufferCount:      int32(r.Retrying),
		TotalInFlightMessages: int32(r.Flying), OutstandingMessagesCount: int32(r.Flying + r.Waiting + r.Retrying),
		NamedConsumerStrategy: string(c.Strategy), MaxSubscriberCount: int32(c.MaxSubscriberCount),
		ParkedMessageCount: parked,
	}
	if r.HasCheckpoint {
		info.LastCheckpointedEventPosition = groups.StartText(c.Stream, r.Checkpoint, false)
	}
	if some {
		info.LastKnownEventPosition = groups.StartText(c.Stream, last, false)
	}
	for _, consumer := range r.Consumers {
		info.Connections = append(info.Connections, connection(&consumer))
	}
	return info, nil
}

func connection(c *group.ConsumerReport) *persistent.SubscriptionInfo_ConnectionInfo {
	return &persistent.SubscriptionInfo_ConnectionInfo{From: c.Name, Username: "anonymous", ConnectionName: c.Name,
		TotalItems: c.Total, AvailableSlots: int32(min(c.Room, 1<<31-1)), InFlightMessages: int32(c.Flying)}
}
