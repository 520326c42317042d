package main

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/circuit"
	"folio/tables/sqlite"
	"folio/waiting"
)

// An authority that has never answered is not up, whatever lets its calls pass.
func TestAnAuthorityThatNeverAnsweredIsNotUp(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	seen, err := waiting.OpenAuthorities(t.Context(), store, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{seen: seen, logger: slog.New(slog.DiscardHandler)}
	at := time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		state circuit.State
		up    bool
	}{
		{circuit.State{Up: true, LastFailure: &at, Fault: "connection refused"}, false},
		{circuit.State{Up: true, LastSuccess: &at}, true},
		{circuit.State{Up: true, LastSuccess: &at, LastFailure: &at}, true},
		{circuit.State{LastSuccess: &at, LastFailure: &at}, false},
	} {
		c.state.Authority, c.state.Environment = "arca", authority.Testing
		s.authoritySeen(c.state)
		all, err := seen.All(t.Context())
		if err != nil || len(all) != 1 || all[0].Up != c.up {
			t.Errorf("%+v: %+v, %v, want up %v", c.state, all, err, c.up)
		}
	}
}
