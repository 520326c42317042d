package commands_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/commands"
	"folio/events"
)

// explosive panics where a decider must not.
var explosive = commands.Decider[int, string]{
	Category: "account",
	Decide: func(c string, _ int) ([]events.Event, error) {
		if c == "decide" {
			panic("in the decision")
		}
		return []events.Event{events.PasswordChanged{Secret: c}}, nil
	},
	Evolve: func(n int, e events.Event) int {
		if p, ok := e.(events.PasswordChanged); ok && p.Secret == "evolve" {
			panic("in the fold")
		}
		return n + 1
	},
}

func TestAPanicOfADeciderIsTheErrorOfOneCommand(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, time.Now)
	run := func(id, c string) (commands.Executed[int], error) {
		return commands.Bind(x, explosive).Execute(t.Context(), id, c,
			commands.Request{ID: uuid.NewSHA1(uuid.NameSpaceOID, []byte(id+c)), At: time.Now()})
	}
	if _, err := run("1", "decide"); err == nil || !strings.Contains(err.Error(), "in the decision") {
		t.Errorf("got %v", err)
	}
	// What is in the log is acknowledged, even when its fold panics afterwards.
	if out, err := run("1", "evolve"); err != nil || len(out.Events) != 1 {
		t.Errorf("got %+v, %v", out, err)
	}
	var trouble *events.Trouble
	if _, err := run("1", "next"); !errors.As(err, &trouble) || trouble.Kind != events.Unappliable ||
		!errors.Is(err, commands.Held()) {
		t.Errorf("got %v", err)
	}
	if out, err := run("2", "next"); err != nil || out.State != 1 {
		t.Errorf("another stream: %+v, %v", out, err)
	}
}
