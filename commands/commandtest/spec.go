// Package commandtest is the given/when/then of every decider test.
package commandtest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"folio/commands"
	"folio/events"
)

// Case is one row. Then and Err are exclusive; neither means that nothing happens.
type Case[C any] struct {
	Name  string
	Given []events.Event
	When  C
	Then  []events.Event
	Err   error
}

// Run folds Given, decides When and compares. It decides twice on the same state, so
// that a decider which changes its state is found out.
func Run[S, C any](t *testing.T, d commands.Decider[S, C], cases ...Case[C]) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			state := d.Fold(c.Given...)
			for range 2 {
				got, err := d.Decide(c.When, state)
				if !errors.Is(err, c.Err) {
					t.Fatalf("err = %v, want %v", err, c.Err)
				}
				if diff := cmp.Diff(c.Then, got); len(got)+len(c.Then) > 0 && diff != "" {
					t.Fatalf("events (-want +got):\n%s", diff)
				}
			}
		})
	}
}
