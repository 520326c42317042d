package main

import (
	"log/slog"
	"testing"
	"time"

	"folio/clock"
	"folio/commands/account"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/faultproxy/calls"
)

// TestACommandWaitsForALogThatAServiceCallsAway: a node that has no core for some seconds ends no command.
func TestACommandWaitsForALogThatAServiceCallsAway(t *testing.T) {
	t.Parallel()
	n, err := node.Open(t.Context(), node.Options{Dir: t.TempDir(), Network: node.Network{Address: "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close(t.Context()) })
	p := calls.New(t, n.Address())
	open := func(serves bool) *eventstore.Log {
		s, err := openStores(t.Context(), dataFlags{Data: t.TempDir(), Eventstore: p.Address(), serves: serves}, false,
			slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.close(t.Context()) })
		return s.log
	}
	command, service := open(false), open(true)
	p.Answer("Read", calls.NotReady())
	for changed := service.HealthChanged(); service.Health().Reads(); changed = service.HealthChanged() {
		select {
		case <-changed:
		case <-time.After(time.Minute):
			t.Fatal("the service does not notice that the log is away")
		}
	}
	done := make(chan error, 1)
	go func() {
		_, _, err := foldAll(t.Context(), command, account.Decider)
		done <- err
	}()
	for asked := p.Answered("Read"); p.Answered("Read") < asked+3; {
		if !clock.Sleep(t.Context(), 10*time.Millisecond) {
			t.Fatal("nobody asks the log")
		}
	}
	p.Heal()
	if err := <-done; err != nil {
		t.Errorf("the command ends: %v", err)
	}
}
