package node

import (
	"context"
	"errors"
	"strings"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

// Delete hides a stream's events; appending to it again goes on after the last revision.
func (n *Node) Delete(ctx context.Context, req *streams.DeleteReq) (*streams.DeleteResp, error) {
	o := req.GetOptions()
	expected, err := int64(0), error(nil)
	switch e := o.GetExpectedStreamRevision().(type) {
	case *streams.DeleteReq_Options_Revision:
		expected, err = exact(e.Revision)
	case *streams.DeleteReq_Options_NoStream:
		expected = expectNoStream
	case *streams.DeleteReq_Options_Any:
		expected = expectAny
	case *streams.DeleteReq_Options_StreamExists:
		expected = expectExists
	default:
		err = broken("The expected revision is missing.")
	}
	pos, err := n.deleteStream(ctx, softDelete, o.GetStreamIdentifier(), expected, err)
	if err != nil {
		return nil, answerUnary(ctx, err)
	}
	return &streams.DeleteResp{PositionOption: &streams.DeleteResp_Position_{
		Position: &streams.DeleteResp_Position{CommitPosition: pos, PreparePosition: pos}}}, nil
}

// Tombstone deletes a stream for ever: its name cannot be used again.
func (n *Node) Tombstone(ctx context.Context, req *streams.TombstoneReq) (*streams.TombstoneResp, error) {
	o := req.GetOptions()
	expected, err := int64(0), error(nil)
	switch e := o.GetExpectedStreamRevision().(type) {
	case *streams.TombstoneReq_Options_Revision:
		expected, err = exact(e.Revision)
	case *streams.TombstoneReq_Options_NoStream:
		expected = expectNoStream
	case *streams.TombstoneReq_Options_Any:
		expected = expectAny
	case *streams.TombstoneReq_Options_StreamExists:
		expected = expectExists
	default:
		err = broken("The expected revision is missing.")
	}
	pos, err := n.deleteStream(ctx, tombstone, o.GetStreamIdentifier(), expected, err)
	if err != nil {
		return nil, answerUnary(ctx, err)
	}
	return &streams.TombstoneResp{PositionOption: &streams.TombstoneResp_Position_{
		Position: &streams.TombstoneResp_Position{CommitPosition: pos, PreparePosition: pos}}}, nil
}

// deleteStream does both. Unlike an append's, its conflict is an error of the call.
func (n *Node) deleteStream(ctx context.Context, kind changeKind, id *shared.StreamIdentifier, expected int64,
	err error) (uint64, error) {
	if err != nil {
		return 0, err
	}
	stream, err := writableStream(id)
	if err != nil {
		return 0, err
	}
	if strings.HasPrefix(stream, metadataPrefix) {
		return 0, invalid("A metadata stream cannot be deleted: write new metadata instead.")
	}
	out := n.store.submit(ctx, &change{kind: kind, stream: stream, expected: expected})
	switch {
	case errors.Is(out.err, errStreamDeleted):
		return 0, streamDeleted(stream)
	case out.err != nil:
		return 0, out.err
	case out.wrong:
		return 0, deleteConflict(stream, expected, out.current)
	}
	return out.pos, nil
}
