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
