package processortest

import (
	"context"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/tables"
)

// Step performs an effect of a process on the world, unless the process is dead or dies
// there: then it gives an error.
type Step func(name string, do func() error) error

// Log is a log as the process sees it: each append is a step.
func (s Step) Log(log commands.Log) commands.Log { return steppedLog{log, s} }

type steppedLog struct {
	commands.Log
	step Step
}

func (l steppedLog) Append(ctx context.Context, stream string, expected int64,
	ps ...eventstore.Pending) (a eventstore.Appended, err error) {
	err = l.step("append "+ps[len(ps)-1].Type, func() (err error) {
		a, err = l.Log.Append(ctx, stream, expected, ps...)
		return err
	})
	return a, err
}

// Tables are tables as the process sees them: each write of worklists and checkpoints is a
// step.
func (s Step) Tables(store tables.Store) tables.Store { return steppedTables{store, s} }

type steppedTables struct {
	tables.Store
	step Step
}

func (t steppedTables) Apply(ctx context.Context, b tables.Batch) error {
	return t.step("apply", func() error { return t.Store.Apply(ctx, b) })
}

func (t steppedTables) Worklist(name string) tables.Worklist {
	return steppedWorklist{t.Store.Worklist(name), t.step}
}

type steppedWorklist struct {
	tables.Worklist
	step Step
}

func (l steppedWorklist) Put(ctx context.Context, items ...tables.Item) error {
	return l.step("put", func() error { return l.Worklist.Put(ctx, items...) })
}

func (l steppedWorklist) Remove(ctx context.Context, key string, at events.Position) error {
	return l.step("remove", func() error { return l.Worklist.Remove(ctx, key, at) })
}

func (l steppedWorklist) Postpone(ctx context.Context, key string, due time.Time) error {
	return l.step("postpone", func() error { return l.Worklist.Postpone(ctx, key, due) })
}
