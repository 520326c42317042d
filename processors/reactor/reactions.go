package reactor

import (
	"context"

	"folio/events"
)

// Reaction is what a processor does about one type of event.
type Reaction struct {
	name   string
	handle func(context.Context, events.Recorded) error
}

// Type is the stored name of the events that it reacts to.
func (r Reaction) Type() string { return r.name }

// On folds events of type E. It must be quick, do nothing to the world, and take the same event twice.
func On[E events.Event](fold func(ctx context.Context, r events.Recorded, e E) error) Reaction {
	return Reaction{events.Name[E](), func(ctx context.Context, r events.Recorded) error {
		return fold(ctx, r, r.Event.(E))
	}}
}

// Also is On for a reaction that needs the record (stream, position, time) and not what is in the event.
func Also[E events.Event](fold func(ctx context.Context, r events.Recorded) error) Reaction {
	return Reaction{events.Name[E](), fold}
}

// Reactions are those of a processor, by type; its filter follows from them.
type Reactions struct {
	types []string
	by    map[string]func(context.Context, events.Recorded) error
}

// react refuses two reactions to one type, at start.
func react(processor string, all []Reaction) Reactions {
	out := Reactions{by: map[string]func(context.Context, events.Recorded) error{}}
	for _, r := range all {
		if out.by[r.name] != nil {
			panic("processors: " + processor + " has two reactions to " + r.name)
		}
		out.types, out.by[r.name] = append(out.types, r.name), r.handle
	}
	return out
}

// fold takes an event that was opened; one without a reaction is none of the processor's.
func (r Reactions) fold(ctx context.Context, e events.Recorded) error {
	if handle := r.by[e.Type]; handle != nil {
		return handle(ctx, e)
	}
	return nil
}
