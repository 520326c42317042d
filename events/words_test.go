package events_test

import (
	"testing"

	"folio/events"
)

func TestWordsOfAnAuthority(t *testing.T) {
	for _, c := range []struct {
		name string
		said []events.AuthorityMessage
		want string
	}{
		{"nothing", nil, ""},
		{"a code and its text", []events.AuthorityMessage{{Code: "10016", Text: "a"}}, "10016: a"},
		{"a text without a code", []events.AuthorityMessage{{Text: "a"}}, "a"},
		{"several", []events.AuthorityMessage{{Code: "10016", Text: "a"}, {Text: "b"}}, "10016: a; b"},
	} {
		if got := events.Words(c.said); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
