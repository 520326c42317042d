package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
)

// onStores opens the stores of a data folder that must be there, beside a running service
// or without one, and closes them after do.
func onStores(ctx context.Context, d dataFlags, do func(*stores) error) error {
	s, err := openExisting(ctx, d)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.close(ctx))
}

// operated is the identity of what an operator does now with a command.
func operated(command string) commands.Request {
	return commands.Request{ID: commands.Derived("folio "+command, ulid.Make().String()), Actor: "folio " + command,
		At: time.Now()}
}

// foldAll folds every aggregate of a kind, and tells the order in which they came to be. One
// that cannot be read on is as it was until then.
func foldAll[S, C any](ctx context.Context, log *eventstore.Log,
	d commands.Decider[S, C]) (map[string]S, []string, error) {
	states, order, broken := map[string]S{}, []string{}, map[string]bool{}
	prefix := d.Stream("")
	for r, err := range log.All(ctx, events.Position{}, eventstore.Filter{Streams: []string{prefix}}) {
		if err != nil {
			return nil, nil, fmt.Errorf("read the streams %s…: %w", prefix, err)
		}
		id := r.Stream[len(prefix):]
		if events.KinshipOf(r) == events.Foreign || broken[id] {
			continue
		}
		if r, err = events.Open(r); err != nil {
			broken[id] = true
			continue
		}
		if _, known := states[id]; !known {
			order = append(order, id)
		}
		states[id] = d.Next(states[id], r.Event, r.Meta.At)
	}
	return states, order, nil
}
