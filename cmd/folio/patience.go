package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"folio/clock"
	"folio/fault"
	"folio/tables"
)

// startPatience is how long a start waits for databases that are busy or away, and a command for the log, too.
const startPatience = 30 * time.Second

// databaseAway tells an operator which database is away, and why. The fault's own words are
// for callers of the API, who can only send their request again.
func databaseAway(text string) string { return forOperators.Replace(text) }

var forOperators = strings.NewReplacer(
	fault.StoreUnavailable.Text+": the disk is full", "the disk is full: make room",
	fault.StoreUnavailable.Text+": another process keeps the file",
	"another process keeps the file: it is asked for again; end that process if it stands",
	fault.StoreUnavailable.Text,
	"the database is busy or cannot be reached: start it, put its address right, or end the process that keeps it")

// patiently takes a step of the start again while a database is busy or away: another
// process may be in the middle of a write, or the server of a start of its own. One line
// tells that it waits.
func patiently(ctx context.Context, logger *slog.Logger, step func() error) error {
	limit, told := time.Now().Add(startPatience), false
	for {
		err := step()
		if !errors.Is(err, tables.ErrUnavailable) || time.Now().After(limit) {
			return err
		}
		if !told {
			logger.Warn("the start waits for a database that is busy or away", "longest", startPatience.String(), "error",
				databaseAway(err.Error()))
			told = true
		}
		if !clock.Sleep(ctx, 250*time.Millisecond) {
			return ctx.Err()
		}
	}
}
