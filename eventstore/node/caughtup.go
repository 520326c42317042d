package node

import (
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"google.golang.org/protobuf/encoding/protowire"
)

// caughtUp says that a subscription is live, with the time and the revision or position that it has seen.
// Clients of before 25 know none of the three and pass over them.
func (r *read) caughtUp(at int64, some bool) error {
	m := &streams.ReadResp_CaughtUp{}
	m.ProtoReflect().SetUnknown(caughtUpFields(r.node.store.Now(), at, some, r.stream == ""))
	return r.call.Send(&streams.ReadResp{Content: &streams.ReadResp_CaughtUp_{CaughtUp: m}})
}

// caughtUpFields encodes what the generated message does not declare: timestamp (1: seconds, nanoseconds),
// stream_revision (2) and position (3: commit, prepare).
func caughtUpFields(now time.Time, at int64, some, all bool) (b []byte) {
	stamp := appendNumber(nil, 1, uint64(now.Unix()))
	stamp = appendNumber(stamp, 2, uint64(now.Nanosecond()))
	b = append(appendLength(b, 1, len(stamp)), stamp...)
	switch {
	case !some:
	case all:
		position := appendNumber(nil, 1, uint64(at))
		position = appendNumber(position, 2, uint64(at))
		b = append(appendLength(b, 3, len(position)), position...)
	default: // revision 0 is told from none
		b = protowire.AppendVarint(protowire.AppendTag(b, 2, protowire.VarintType), uint64(at))
	}
	return b
}
