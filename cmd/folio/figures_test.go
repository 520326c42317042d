package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFigures(t *testing.T) {
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "figures.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	all, err := readFigures("")
	if err != nil || all["AR"].IdentificationThreshold.String() != "10000000" || all["UY"].UnitValues[2025].String() != "6.42" || !all["CL"].IdentificationThreshold.IsZero() {
		t.Errorf("without a file: %v, %v", all, err)
	}
	all, err = readFigures(write(`{"AR": {"identification_threshold": 12500000.50}, "CL": {"identification_threshold": "5000000"}, "UY": {"unit_values": {"2025": "6.4229", "2026": 6.7}}}`))
	if err != nil {
		t.Fatal(err)
	}
	u := all["UY"].UnitValues
	if all["AR"].IdentificationThreshold.String() != "12500000.50" || all["CL"].IdentificationThreshold.String() != "5000000" ||
		u[2025].String() != "6.4229" || u[2026].String() != "6.7" || u[2024].String() != "6.16" {
		t.Errorf("%v", all)
	}
	if again, _ := readFigures(""); again["UY"].UnitValues[2025].String() != "6.42" {
		t.Error("a file changed the defaults")
	}
	for name, c := range map[string]struct{ content, says string }{
		"no JSON":                {"UY: 6", "figures.json"},
		"another country":        {`{"BR": {}}`, `"BR"`},
		"a mistyped name":        {`{"AR": {"treshold": 1}}`, "treshold"},
		"a threshold of Uruguay": {`{"UY": {"identification_threshold": 1}}`, "unit_values"},
		"units of Argentina":     {`{"AR": {"unit_values": {"2025": 1}}}`, "identification_threshold"},
		"no year":                {`{"UY": {"unit_values": {"25": 6}}}`, "25"},
		"nothing":                {`{"UY": {"unit_values": {"2025": 0}}}`, "above 0"},
		"words":                  {`{"AR": {"identification_threshold": "much"}}`, "much"},
	} {
		if _, err := readFigures(write(c.content)); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "--figures") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readFigures(filepath.Join(t.TempDir(), "none.json")); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestAMissingFigureIsSaid(t *testing.T) {
	for day, want := range map[string]bool{"2026-11-27T12:00:00Z": false, "2027-01-01T02:00:00Z": false, "2027-01-01T12:00:00Z": true} {
		var out bytes.Buffer
		at, err := time.Parse(time.RFC3339, day)
		if err != nil {
			t.Fatal(err)
		}
		warnOfFigures(defaultFigures(), at, slog.New(slog.NewTextHandler(&out, nil)))
		if got := strings.Contains(out.String(), "missing=2026 used=2025"); got != want {
			t.Errorf("%s: %q", day, out.String())
		}
	}
}
