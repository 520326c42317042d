package node

import (
	"context"

	"folio/eventstore/node/protocol"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
)

// persistentService answers the calls on persistent subscriptions.
type persistentService struct {
	persistent.UnimplementedPersistentSubscriptionsServer
	node *Node
}

// Create makes a group. Its stream need not exist yet.
func (p persistentService) Create(ctx context.Context, req *persistent.CreateReq) (*persistent.CreateResp, error) {
	c, err := createdConfig(req.GetOptions())
	if err == nil {
		err = p.node.groups.Create(ctx, c)
	}
	return &persistent.CreateResp{}, err
}

// Update changes a group's settings and drops its subscribers.
func (p persistentService) Update(ctx context.Context, req *persistent.UpdateReq) (*persistent.UpdateResp, error) {
	c, err := updatedConfig(req.GetOptions())
	if err == nil {
		err = p.node.groups.Update(ctx, c)
	}
	return &persistent.UpdateResp{}, err
}

// Delete ends a group and forgets how far it was.
func (p persistentService) Delete(ctx context.Context, req *persistent.DeleteReq) (*persistent.DeleteResp, error) {
	o := req.GetOptions()
	stream, err := sourceName(o.GetStreamIdentifier(), o.GetAll())
	if err == nil {
		err = p.node.groups.Remove(ctx, stream, o.GetGroupName())
	}
	return &persistent.DeleteResp{}, err
}

// ReplayParked has parked messages delivered again.
func (p persistentService) ReplayParked(ctx context.Context,
	req *persistent.ReplayParkedReq) (*persistent.ReplayParkedResp, error) {
	return &persistent.ReplayParkedResp{}, p.replayParked(ctx, req.GetOptions())
}

func (p persistentService) replayParked(ctx context.Context, o *persistent.ReplayParkedReq_Options) error {
	stream, err := sourceName(o.GetStreamIdentifier(), o.GetAll())
	if err != nil {
		return err
	}
	g, err := p.node.groups.Find(stream, o.GetGroupName())
	if err != nil {
		return err
	}
	stop := int64(-1)
	if at, ok := o.GetStopAtOption().(*persistent.ReplayParkedReq_Options_StopAt); ok {
		if stop = at.StopAt; stop < 0 {
			return protocol.Invalid("The revision to stop at must not be negative.")
		}
	}
	return g.Replay(ctx, stop)
}

// RestartSubsystem drops every subscriber and reads the configuration and the checkpoints anew.
func (p persistentService) RestartSubsystem(ctx context.Context, _ *shared.Empty) (*shared.Empty, error) {
	return &shared.Empty{}, p.node.groups.Restart(ctx)
}
