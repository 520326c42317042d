package node

import (
	"context"
	"errors"
	"strings"

	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// Delete hides a stream's events; appending to it again goes on after the last revision.
func (n *Node) Delete(ctx context.Context, req *streams.DeleteReq) (*streams.DeleteResp, error) {
	o := req.GetOptions()
	pos, err := n.deleteStream(ctx, storage.SoftDelete, o.GetStreamIdentifier(), o)
	if err != nil {
		return nil, err
	}
	return &streams.DeleteResp{PositionOption: &streams.DeleteResp_Position_{
		Position: &streams.DeleteResp_Position{CommitPosition: pos, PreparePosition: pos}}}, nil
}

// Tombstone deletes a stream for ever: its name cannot be used again.
func (n *Node) Tombstone(ctx context.Context, req *streams.TombstoneReq) (*streams.TombstoneResp, error) {
	o := req.GetOptions()
	pos, err := n.deleteStream(ctx, storage.Tombstone, o.GetStreamIdentifier(), o)
	if err != nil {
		return nil, err
	}
	return &streams.TombstoneResp{PositionOption: &streams.TombstoneResp_Position_{
		Position: &streams.TombstoneResp_Position{CommitPosition: pos, PreparePosition: pos}}}, nil
}

// deleteStream does both. Unlike an append's, its conflict is an error of the call.
func (n *Node) deleteStream(ctx context.Context, kind storage.ChangeKind, id *shared.StreamIdentifier,
	o expecting) (uint64, error) {
	expected, err := expectation(o)
	if err != nil {
		return 0, err
	}
	stream, err := writableStream(id)
	if err != nil {
		return 0, err
	}
	if strings.HasPrefix(stream, storage.MetadataPrefix) {
		return 0, protocol.Invalid("A metadata stream cannot be deleted: write new metadata instead.")
	}
	out := n.store.Submit(ctx, &storage.Change{Kind: kind, Stream: stream, Expected: expected})
	switch {
	case errors.Is(out.Err, storage.ErrStreamDeleted):
		return 0, protocol.StreamDeleted(stream)
	case out.Err != nil:
		return 0, out.Err
	case out.Wrong:
		return 0, protocol.DeleteConflict(stream, expected, out.Current)
	}
	return out.Pos, nil
}
