package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"folio/eventstore/node/group"
)

const (
	groupConfigStream = "$persistentSubscriptionConfig"
	groupConfigType   = "$PersistentConfig"
	maxGroups         = 1000
)

// groupConfig is the durable definition of one persistent subscription.
type groupConfig struct {
	Stream    string
	Group     string
	StartFrom string
	Filter    *filterConfig
	group.Settings
}

type filterConfig struct {
	ByStream bool     `json:"byStream"`
	Regex    string   `json:"regex,omitempty"`
	Prefixes []string `json:"prefixes,omitempty"`
}

// filter compiles the expression; nil lets everything pass.
func (f *filterConfig) filter() (*filter, error) {
	if f == nil {
		return nil, nil
	}
	out := &filter{byStream: f.ByStream}
	return out, out.choose(f.Regex, f.Prefixes)
}

func (c *groupConfig) check() error {
	switch {
	case c.Group == "":
		return invalid("The group's name is missing.")
	case len(c.Group) > maxGroupName || !utf8.ValidString(c.Group):
		return invalid("The group's name must be valid UTF-8 of at most 1024 bytes.")
	}
	if _, err := c.Filter.filter(); err != nil {
		return err
	}
	if err := c.Settings.Validate(); err != nil {
		return groupFailed(c.Stream, c.Group, err.Error())
	}
	if _, _, err := c.start(); err != nil {
		return invalid("The start " + c.StartFrom + " is out of range.")
	}
	return nil
}

// start answers the first place to deliver, or that only new events are wanted.
func (c *groupConfig) start() (first uint64, end bool, err error) {
	text := c.StartFrom
	if c.Stream == wholeLog {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "C:"), "/P:")
	}
	if text == "-1" {
		return 0, true, nil
	}
	first, err = strconv.ParseUint(text, 10, 63)
	return first, false, err
}

func (c *groupConfig) checkpointStream() string {
	return "$persistentsubscription-" + c.Stream + "::" + c.Group + "-checkpoint"
}

func (c *groupConfig) parkedStream() string {
	return "$persistentsubscription-" + c.Stream + "::" + c.Group + "-parked"
}

// storedGroup has the field names of the server's own configuration events.
type storedGroup struct {
	Stream                string        `json:"stream"`
	Group                 string        `json:"group"`
	Filter                *filterConfig `json:"filter,omitempty"`
	ResolveLinkTos        bool          `json:"resolveLinkTos"`
	ExtraStatistics       bool          `json:"extraStatistics"`
	MessageTimeout        int64         `json:"messageTimeout"` // ms
	StartPosition         string        `json:"startPosition"`
	LiveBufferSize        int           `json:"liveBufferSize"`
	HistoryBufferSize     int           `json:"historyBufferSize"`
	MaxRetryCount         int           `json:"maxRetryCount"`
	ReadBatchSize         int           `json:"readBatchSize"`
	CheckPointAfter       int64         `json:"checkPointAfter"` // ms
	MinCheckPointCount    int           `json:"minCheckPointCount"`
	MaxCheckPointCount    int           `json:"maxCheckPointCount"`
	MaxSubscriberCount    int           `json:"maxSubscriberCount"`
	NamedConsumerStrategy string        `json:"namedConsumerStrategy"`
}

type storedGroups struct {
	Version string        `json:"version"`
	Updated time.Time     `json:"updated"`
	Entries []storedGroup `json:"entries"`
}

func (c *groupConfig) stored() storedGroup {
	return storedGroup{c.Stream, c.Group, c.Filter, c.ResolveLinks, c.ExtraStatistics, c.MessageTimeout.Milliseconds(),
		c.StartFrom,
		c.LiveBufferSize, c.HistoryBufferSize, c.MaxRetryCount, c.ReadBatchSize, c.CheckpointAfter.Milliseconds(),
		c.MinCheckpointCount, c.MaxCheckpointCount, c.MaxSubscriberCount, string(c.Strategy)}
}

func (s *storedGroup) config() groupConfig {
	return groupConfig{s.Stream, s.Group, s.StartPosition, s.Filter, group.Settings{
		ResolveLinks: s.ResolveLinkTos, ExtraStatistics: s.ExtraStatistics,
		MessageTimeout: time.Duration(s.MessageTimeout) * time.Millisecond,
		LiveBufferSize: s.LiveBufferSize, HistoryBufferSize: s.HistoryBufferSize, MaxRetryCount: s.MaxRetryCount,
		ReadBatchSize:   s.ReadBatchSize,
		CheckpointAfter: time.Duration(s.CheckPointAfter) * time.Millisecond, MinCheckpointCount: s.MinCheckPointCount,
		MaxCheckpointCount: s.MaxCheckPointCount, MaxSubscriberCount: s.MaxSubscriberCount,
		Strategy: group.Strategy(s.NamedConsumerStrategy)}}
}

// loadGroups reads the newest configuration. An event that is none, which only a client can have written,
// is an error: going on without the groups would hide them.
func (s *store) loadGroups(ctx context.Context) ([]groupConfig, error) {
	r, found, err := s.newest(ctx, groupConfigStream)
	if err != nil || !found {
		return nil, err
	}
	var stored storedGroups
	if err := json.Unmarshal(r.data, &stored); err != nil {
		return nil, fmt.Errorf("read the persistent subscriptions from %s, revision %d: %w", groupConfigStream, r.rev, err)
	}
	out := make([]groupConfig, len(stored.Entries))
	for i := range stored.Entries {
		out[i] = stored.Entries[i].config()
		if err := out[i].check(); err != nil {
			return nil, fmt.Errorf("persistent subscription %s::%s: %w", out[i].Stream, out[i].Group, err)
		}
	}
	return out, nil
}

func (s *store) saveGroups(ctx context.Context, configs []groupConfig) error {
	stored := storedGroups{Version: "2", Updated: s.now().UTC(), Entries: make([]storedGroup, len(configs))}
	for i := range configs {
		stored.Entries[i] = configs[i].stored()
	}
	data, err := json.Marshal(stored)
	if err != nil {
		return fmt.Errorf("encode the persistent subscriptions: %w", err)
	}
	return s.appendOwn(ctx, groupConfigStream, record{kind: []byte(groupConfigType), json: true, data: data})
}

// newest is the last event of a stream that readers may see.
func (s *store) newest(ctx context.Context, stream string) (r record, found bool, err error) {
	end, err := s.streamEnd(ctx, stream)
	if errors.Is(err, errStreamDeleted) {
		return r, false, nil
	}
	if err != nil || end.missing() || end.last < end.meta.first(end.last) {
		return r, false, err
	}
	events, _, err := s.streamPage(ctx, span{stream, end.num, end.last, end.last, 1, 1})
	if err != nil {
		return r, false, err
	}
	return events[0], true, nil
}

// appendOwn writes an event of the node's own. It passes exact revisions: appends without one make the
// store keep an index of ids.
func (s *store) appendOwn(ctx context.Context, stream string, r record) error {
	r.id = uuid.New()
	for {
		var last int64
		err := s.readers.with(ctx, func(db *database) (err error) {
			_, last, err = streamLast(db, stream)
			return err
		})
		if err != nil {
			return err
		}
		out := s.submit(ctx, &change{kind: appendEvents, stream: stream, expected: last, events: []record{r}})
		if !out.wrong {
			return out.err
		}
	}
}
