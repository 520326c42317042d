package console

import (
	"testing"

	"folio/events"
	"folio/past"
)

// What a story can tell of has a name in the console's timeline.
func TestEveryFactOfAStoryHasItsName(t *testing.T) {
	for _, e := range events.Catalog() {
		if text := past.Tell(e.Zero, ""); text != "" && factNames[e.Name] == "" {
			t.Errorf("factNames lacks %s, of which a story says %q", e.Name, text)
		}
	}
}
