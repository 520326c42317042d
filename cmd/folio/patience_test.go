package main

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"folio/clock"
	"folio/commands/account"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/fault"
	"folio/faultproxy/calls"
	"folio/processors/reactor"
	"folio/projections/engine"
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

// What a database's trouble asks of an operator is not what it asks of a caller.
func TestWhatADatabasesTroubleAsksOfAnOperator(t *testing.T) {
	for cause, want := range map[string]string{
		"the disk is full: 13":              "seal: the disk is full: make room: 13",
		"another process keeps the file: x": "seal: another process keeps the file: it is asked for again",
		"no such host":                      "seal: the database is busy or cannot be reached: start it",
	} {
		err := fmt.Errorf("seal: %w: %s", fault.StoreUnavailable, cause)
		for _, got := range []string{explain(err), projectionFeed(engine.Status{Err: err}).Fault,
			processorFeed(reactor.Status{Fault: err.Error()}).Fault} {
			if !strings.HasPrefix(got, want) || strings.Contains(got, "Send the request") {
				t.Errorf("%s: %s", cause, got)
			}
		}
	}
}
