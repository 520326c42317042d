package main

import (
	"fmt"
	"testing"

	"folio/projections/engine"
)

// For reading there is a line for each member that differs; JSON has both documents.
func TestADifferenceIsShownByItsMembers(t *testing.T) {
	changed := engine.Difference{ID: "D", Left: []byte(`{"a":{"b":[1,2.50]},"c":"x"}`),
		Right: []byte(`{"a":{"b":[1,2.5]},"c":"x","d":null}`)}
	for _, x := range []struct {
		format string
		d      engine.Difference
		want   string
	}{
		{"text", changed, "[[D a.b[1] 2.50 2.5] [D d  <nil>]]"},
		{"text", engine.Difference{ID: "D", Right: []byte(`{}`)}, "[[D whole document missing there]]"},
		{"text", engine.Difference{ID: "D", Left: []byte(`{}`), Right: []byte(`{}`)}, "[[D attributes only  ]]"},
		{"csv", engine.Difference{ID: "D", Left: []byte(`{}`)}, "[[D {} ]]"},
		{"json", engine.Difference{ID: "D", Left: []byte(`{}`)}, "[[D [123 125] <nil>]]"},
	} {
		if got := fmt.Sprint(differenceRows(formatFlag{x.format}, x.d)); got != x.want {
			t.Errorf("%s: %s, want %s", x.format, got, x.want)
		}
	}
}
