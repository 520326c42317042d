package projections

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"time"

	"folio/projections/engine"
	"folio/tables"
)

func TestTablesThatAreAwayAreToldOnceAProjection(t *testing.T) {
	for _, c := range []struct {
		err   error
		lines int
	}{{tables.ErrUnavailable, 1}, {errors.New("no such column"), 3}} {
		said := &bytes.Buffer{}
		w := engine.NewWorker(Companies, &engine.Options{Log: slog.New(slog.NewTextHandler(said, nil)), Now: time.Now})
		for n := range 3 {
			w.Retrying(c.err, n+1)
		}
		if n := bytes.Count(said.Bytes(), []byte("\n")); n != c.lines {
			t.Errorf("%v: %d lines, want %d:\n%s", c.err, n, c.lines, said)
		}
	}
}
