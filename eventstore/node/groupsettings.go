//lint:file-ignore SA1019 The deprecated fields are what older clients send.

package node

import (
	"math"
	"time"

	"folio/eventstore/node/group"
	"folio/eventstore/node/groups"
	"folio/eventstore/node/protocol"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// strategyField is consumer_strategy, which newer clients send and update requests do not declare.
const strategyField = 16

// groupSettings is what Create and Update have in common.
type groupSettings interface {
	ProtoReflect() protoreflect.Message
	GetResolveLinks() bool
	GetRevision() uint64
	GetExtraStatistics() bool
	GetMaxRetryCount() int32
	GetMinCheckpointCount() int32
	GetMaxCheckpointCount() int32
	GetMaxSubscriberCount() int32
	GetLiveBufferSize() int32
	GetReadBatchSize() int32
	GetHistoryBufferSize() int32
	GetMessageTimeoutMs() int32
	GetMessageTimeoutTicks() int64
	GetCheckpointAfterMs() int32
	GetCheckpointAfterTicks() int64
}

// readSettings takes the strategy's name where the client sends one, otherwise its number.
func readSettings(s groupSettings, numbered int32, named string) group.Settings {
	const tick = 100 * time.Nanosecond
	out := group.Settings{
		ResolveLinks: s.GetResolveLinks(), ExtraStatistics: s.GetExtraStatistics(), MaxRetryCount: int(s.GetMaxRetryCount()),
		MinCheckpointCount: int(s.GetMinCheckpointCount()), MaxCheckpointCount: int(s.GetMaxCheckpointCount()),
		MaxSubscriberCount: int(s.GetMaxSubscriberCount()), LiveBufferSize: int(s.GetLiveBufferSize()),
		ReadBatchSize: int(s.GetReadBatchSize()), HistoryBufferSize: int(s.GetHistoryBufferSize()),
		MessageTimeout: time.Duration(s.GetMessageTimeoutMs())*time.Millisecond +
			boundedTicks(s.GetMessageTimeoutTicks())*tick,
		CheckpointAfter: time.Duration(s.GetCheckpointAfterMs())*time.Millisecond +
			boundedTicks(s.GetCheckpointAfterTicks())*tick,
		Strategy: group.Strategy(named),
	}
	if named == "" {
		out.Strategy = group.Strategy(unknownText(s.ProtoReflect().GetUnknown(), strategyField))
	}
	if out.Strategy == "" {
		out.Strategy = map[int32]group.Strategy{0: group.DispatchToSingle, 1: group.RoundRobin, 2: group.Pinned}[numbered]
	}
	return out
}

// boundedTicks keeps the sum of both ways to write a time within what a Duration holds.
func boundedTicks(n int64) time.Duration { return time.Duration(min(n, int64(math.MaxInt64/1000))) }

// unknownText finds a text field among those that the generated message does not declare.
func unknownText(b []byte, field protowire.Number) string {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return ""
		}
		b = b[n:]
		if number == field && kind == protowire.BytesType {
			if text, n := protowire.ConsumeString(b); n >= 0 {
				return text
			}
			return ""
		}
		if n = protowire.ConsumeFieldValue(number, kind, b); n < 0 {
			return ""
		}
		b = b[n:]
	}
	return ""
}

// createdConfig reads a Create request. Clients of before 21.10 know no stream option: they name the stream
// beside it and put the start into the settings.
func createdConfig(o *persistent.CreateReq_Options) (c groups.Config, err error) {
	c.Settings = readSettings(o.GetSettings(), int32(o.GetSettings().GetNamedConsumerStrategy()),
		o.GetSettings().GetConsumerStrategy())
	switch source := o.GetStreamOption().(type) {
	case *persistent.CreateReq_Options_All:
		c.Stream = groups.WholeLog
		c.StartFrom = groups.StartText(groups.WholeLog, source.All.GetPosition().GetCommitPosition(),
			source.All.GetEnd() != nil)
		if c.Filter, err = createdFilter(source.All.GetFilter()); err != nil {
			return c, err
		}
	case *persistent.CreateReq_Options_Stream:
		c.StartFrom = groups.StartText("", source.Stream.GetRevision(), source.Stream.GetEnd() != nil)
		c.Stream, err = streamName(source.Stream.GetStreamIdentifier())
	default:
		c.StartFrom = groups.StartText("", o.GetSettings().GetRevision(), o.GetSettings().GetRevision() == math.MaxUint64)
		c.Stream, err = streamName(o.GetStreamIdentifier())
	}
	if err != nil {
		return c, err
	}
	c.Group = o.GetGroupName()
	return c, c.Check()
}

// updatedConfig reads an Update request, likewise. It cannot change a filter.
func updatedConfig(o *persistent.UpdateReq_Options) (c groups.Config, err error) {
	c.Settings = readSettings(o.GetSettings(), int32(o.GetSettings().GetNamedConsumerStrategy()), "")
	switch source := o.GetStreamOption().(type) {
	case *persistent.UpdateReq_Options_All:
		c.Stream = groups.WholeLog
		c.StartFrom = groups.StartText(groups.WholeLog, source.All.GetPosition().GetCommitPosition(),
			source.All.GetEnd() != nil)
	case *persistent.UpdateReq_Options_Stream:
		c.StartFrom = groups.StartText("", source.Stream.GetRevision(), source.Stream.GetEnd() != nil)
		c.Stream, err = streamName(source.Stream.GetStreamIdentifier())
	default:
		c.StartFrom = groups.StartText("", o.GetSettings().GetRevision(), o.GetSettings().GetRevision() == math.MaxUint64)
		c.Stream, err = streamName(o.GetStreamIdentifier())
	}
	if err != nil {
		return c, err
	}
	c.Group = o.GetGroupName()
	return c, c.Check()
}

func createdFilter(o *persistent.CreateReq_AllOptions_FilterOptions) (*groups.FilterConfig, error) {
	if o == nil {
		return nil, nil
	}
	f := &groups.FilterConfig{}
	var e *persistent.CreateReq_AllOptions_FilterOptions_Expression
	switch kind := o.GetFilter().(type) {
	case *persistent.CreateReq_AllOptions_FilterOptions_StreamIdentifier:
		f.ByStream, e = true, kind.StreamIdentifier
	case *persistent.CreateReq_AllOptions_FilterOptions_EventType:
		e = kind.EventType
	default:
		return nil, protocol.Invalid("The filter must be on the stream's name or on the event's type.")
	}
	f.Regex, f.Prefixes = e.GetRegex(), e.GetPrefix()
	return f, nil
}

// sourceName reads the stream option that every other request has: a stream, or $all.
func sourceName(stream *shared.StreamIdentifier, all *shared.Empty) (string, error) {
	if all != nil {
		return groups.WholeLog, nil
	}
	return streamName(stream)
}
