package groups

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"folio/eventstore/node/group"
	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"
)

const (
	ConfigStream    = "$persistentSubscriptionConfig"
	groupConfigType = "$PersistentConfig"
	maxGroups       = 1000
	maxGroupName    = 1024
)

// WholeLog is the source of a group over $all.
const WholeLog = "$all"

// Config is the durable definition of one persistent subscription.
type Config struct {
	Stream    string
	Group     string
	StartFrom string
	Filter    *FilterConfig
	group.Settings
}

type FilterConfig struct {
	ByStream bool     `json:"byStream"`
	Regex    string   `json:"regex,omitempty"`
	Prefixes []string `json:"prefixes,omitempty"`
}

// filter compiles the expression; nil lets everything pass.
func (f *FilterConfig) filter() (*protocol.Filter, error) {
	if f == nil {
		return nil, nil
	}
	out := &protocol.Filter{ByStream: f.ByStream}
	return out, out.Choose(f.Regex, f.Prefixes)
}

func (c *Config) Check() error {
	switch {
	case c.Group == "":
		return protocol.Invalid("The group's name is missing.")
	case len(c.Group) > maxGroupName || !utf8.ValidString(c.Group):
		return protocol.Invalid("The group's name must be valid UTF-8 of at most 1024 bytes.")
	}
	if _, err := c.Filter.filter(); err != nil {
		return err
	}
	if err := c.Settings.Validate(); err != nil {
		return groupFailed(c.Stream, c.Group, err.Error())
	}
	if _, _, err := c.start(); err != nil {
		return protocol.Invalid("The start " + c.StartFrom + " is out of range.")
	}
	return nil
}

// start answers the first place to deliver, or that only new events are wanted.
func (c *Config) start() (first uint64, end bool, err error) {
	text := c.StartFrom
	if c.Stream == WholeLog {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "C:"), "/P:")
	}
	if text == "-1" {
		return 0, true, nil
	}
	first, err = strconv.ParseUint(text, 10, 63)
	return first, false, err
}

func (c *Config) checkpointStream() string {
	return "$persistentsubscription-" + c.Stream + "::" + c.Group + "-checkpoint"
}

func (c *Config) parkedStream() string {
	return "$persistentsubscription-" + c.Stream + "::" + c.Group + "-parked"
}

// storedGroup has the field names of the server's own configuration events.
type storedGroup struct {
	Stream                string        `json:"stream"`
	Group                 string        `json:"group"`
	Filter                *FilterConfig `json:"filter,omitempty"`
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

func (c *Config) stored() storedGroup {
	return storedGroup{c.Stream, c.Group, c.Filter, c.ResolveLinks, c.ExtraStatistics, c.MessageTimeout.Milliseconds(),
		c.StartFrom,
		c.LiveBufferSize, c.HistoryBufferSize, c.MaxRetryCount, c.ReadBatchSize, c.CheckpointAfter.Milliseconds(),
		c.MinCheckpointCount, c.MaxCheckpointCount, c.MaxSubscriberCount, string(c.Strategy)}
}

func (s *storedGroup) config() Config {
	return Config{s.Stream, s.Group, s.StartPosition, s.Filter, group.Settings{
		ResolveLinks: s.ResolveLinkTos, ExtraStatistics: s.ExtraStatistics,
		MessageTimeout: time.Duration(s.MessageTimeout) * time.Millisecond,
		LiveBufferSize: s.LiveBufferSize, HistoryBufferSize: s.HistoryBufferSize, MaxRetryCount: s.MaxRetryCount,
		ReadBatchSize:   s.ReadBatchSize,
		CheckpointAfter: time.Duration(s.CheckPointAfter) * time.Millisecond, MinCheckpointCount: s.MinCheckPointCount,
		MaxCheckpointCount: s.MaxCheckPointCount, MaxSubscriberCount: s.MaxSubscriberCount,
		Strategy: group.Strategy(s.NamedConsumerStrategy)}}
}

// LoadGroups reads the newest configuration. An event that is none, which only a client can have written,
// is an error: going on without the groups would hide them.
func LoadGroups(ctx context.Context, s *storage.Store) ([]Config, error) {
	r, found, err := s.Newest(ctx, ConfigStream)
	if err != nil || !found {
		return nil, err
	}
	var stored storedGroups
	if err := json.Unmarshal(r.Data, &stored); err != nil {
		return nil, fmt.Errorf("read the persistent subscriptions from %s, revision %d: %w", ConfigStream, r.Rev, err)
	}
	out := make([]Config, len(stored.Entries))
	for i := range stored.Entries {
		out[i] = stored.Entries[i].config()
		if err := out[i].Check(); err != nil {
			return nil, fmt.Errorf("persistent subscription %s::%s: %w", out[i].Stream, out[i].Group, err)
		}
	}
	return out, nil
}

func saveGroups(ctx context.Context, s *storage.Store, configs []Config) error {
	stored := storedGroups{Version: "2", Updated: s.Now().UTC(), Entries: make([]storedGroup, len(configs))}
	for i := range configs {
		stored.Entries[i] = configs[i].stored()
	}
	data, err := json.Marshal(stored)
	if err != nil {
		return fmt.Errorf("encode the persistent subscriptions: %w", err)
	}
	return s.AppendOwn(ctx, ConfigStream, storage.Record{Kind: []byte(groupConfigType), JSON: true, Data: data})
}

// StartText writes a start as the server stores it: a revision, or both halves of a position; -1 is the end.
func StartText(source string, n uint64, end bool) string {
	text := strconv.FormatUint(n, 10)
	if end {
		text = "-1"
	}
	if source == WholeLog {
		return "C:" + text + "/P:" + text
	}
	return text
}
