package group

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Strategy is the name of how messages are shared out, as clients send it.
type Strategy string

// The strategies that the server has.
const (
	RoundRobin          Strategy = "RoundRobin"
	DispatchToSingle    Strategy = "DispatchToSingle"
	Pinned              Strategy = "Pinned"
	PinnedByCorrelation Strategy = "PinnedByCorrelation"
)

// Settings of a group, in the terms of the protocol.
type Settings struct {
	ResolveLinks       bool
	ExtraStatistics    bool
	MaxRetryCount      int
	MinCheckpointCount int
	MaxCheckpointCount int
	MaxSubscriberCount int // 0 means any number
	LiveBufferSize     int
	ReadBatchSize      int
	HistoryBufferSize  int
	MessageTimeout     time.Duration // 0 waits for ever
	CheckpointAfter    time.Duration
	Strategy           Strategy
}

// maxBuffer bounds the three sizes: what is over it helps nobody and costs memory.
const maxBuffer = 100_000

// Validate refuses what the server refuses, and sizes that no machine has memory for.
func (s *Settings) Validate() error {
	switch {
	case !slices.Contains([]Strategy{RoundRobin, DispatchToSingle, Pinned, PinnedByCorrelation}, s.Strategy):
		return fmt.Errorf("the consumer strategy %q is unknown", s.Strategy)
	case s.HistoryBufferSize <= 0 || s.LiveBufferSize <= 0 || s.ReadBatchSize <= 0:
		return errors.New("buffer sizes and the read batch size must be positive")
	case max(s.HistoryBufferSize, s.LiveBufferSize) > maxBuffer:
		return fmt.Errorf("buffer sizes must not exceed %d", maxBuffer)
	case s.ReadBatchSize >= s.HistoryBufferSize:
		return errors.New("the read batch size may not be greater than or equal to the buffer size")
	case s.MaxRetryCount < 0 || s.MaxSubscriberCount < 0 || s.MinCheckpointCount < 0 || s.MaxCheckpointCount < 0:
		return errors.New("counts must not be negative")
	case s.MessageTimeout < 0 || s.CheckpointAfter < 0:
		return errors.New("times must not be negative")
	}
	return nil
}

// deadline is when a message sent now is taken for lost; zero for never.
func (s *Settings) deadline(now time.Time) time.Time {
	if s.MessageTimeout == 0 {
		return time.Time{}
	}
	return now.Add(s.MessageTimeout)
}
