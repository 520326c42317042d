package main

import (
	"context"
	"path/filepath"
	"time"

	"folio/clock"
	"folio/exports"
	"folio/fault"
	"folio/projections"
	"folio/readapi"
)

// openExports opens the desk that makes exports for callers; none without a transparency log.
func (s *service) openExports(ctx context.Context) (err error) {
	if s.flags.Transparency == "off" || !s.flags.has(roleRead) {
		return nil
	}
	source, err := s.exportSource(ctx)
	if err != nil {
		return err
	}
	source.Documents = projections.NewReader(s.tables, streams{s.log})
	source.Turn = s.turn
	s.exports, err = exports.Open(exports.Config{Maker: source, Dir: filepath.Join(s.flags.Data, "exports"),
		Patience: 2*s.flags.CheckpointEvery + time.Minute, Now: time.Now, Log: s.logger})
	return err
}

// turn runs what an export needs memory for when it is the company's turn. Unlike a caller it comes again when too many
// are in line.
func (s *service) turn(ctx context.Context, company string, memory int64, f func() error) error {
	for {
		leave, err := s.gates.work.Enter(ctx, company, memory)
		if err == nil {
			defer leave()
			return f()
		}
		refused := fault.As(err)
		if refused == nil || !clock.Sleep(ctx, time.Duration(max(refused.RetryAfter, 1))*time.Second) {
			return err
		}
	}
}

// exporter is the desk as the API has it; nil when there is none.
func (s *service) exporter() readapi.Exports {
	if s.exports == nil {
		return nil
	}
	return s.exports
}
