package main

import (
	"strings"
	"testing"
)

func TestASeriesIsNamedOrAllAre(t *testing.T) {
	for line, says := range map[string]string{
		"series release --reason x":                     "name one series",
		"series release S-Testing-6-1 --all --reason x": "name one series",
		"series release --all --next 3 --reason x":      "name one series",
		"series release --all --void S --reason x":      "name one series",
		"series release S-Testing-6-1 --yes --reason x": "name one series",
	} {
		if _, err := run(t, strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The command that is offered for a series that a restore held asks for the next number: without one the numbers that
// were used since the backup would be given out again.
func TestAReleaseAfterARestoreAsksForTheNumber(t *testing.T) {
	for held, want := range map[string]string{
		restoredFrom + "2026-11-30T17:10:54Z: numbers given out after it": "folio series release S --next N --reason ...",
		"looked at": "folio series release S --reason ...",
	} {
		if got := releasing("S", held); got != want {
			t.Errorf("%q: %q, want %q", held, got, want)
		}
	}
}
