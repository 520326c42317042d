package processortest

import (
	"log/slog"

	"folio/clock"
	"folio/commands"
	"folio/processors/reactor"
	"folio/tables"
)

// Base is what a processor needs of the world, with this log followed. Appends of x may go elsewhere: see Step.
func (l *Log) Base(x *commands.Executor, store tables.Store, c clock.Clock) reactor.Base {
	return reactor.Base{Executor: x, Source: l, Log: "L", Tables: store, Clock: c, Logger: slog.New(slog.DiscardHandler)}
}
