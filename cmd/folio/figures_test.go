package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/country/figures"
)

func onDay(s string) func(string) time.Time {
	return func(string) time.Time {
		t, err := time.Parse(time.DateOnly, s)
		if err != nil {
			panic(err)
		}
		return t
	}
}

func figuresFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "figures.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnOperatorsFileAddsFigures(t *testing.T) {
	table, err := readFigures(figuresFile(t,
		`[{"country": "UY", "name": "unit_value", "since": "2027-01-01", "value": 6.7123, "source": "INE"},
		{"country": "AR", "name": "consumer_threshold", "since": "2026-12-01", "value": "12500000.50",
		"source": "RG ARCA"}]`))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := printFigures(&out, table, onDay("2027-01-01")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"6.7123", "12500000.50", "5363274.60",
		"MISSING: CL consumer_threshold has none of 2027; the one since 2026-01-01 is used"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "MISSING: UY") {
		t.Error(out.String())
	}
	for name, c := range map[string]struct{ content, says string }{
		"no JSON":         {"UY: 6", "figures.json"},
		"no list":         {`{"UY": {"unit_values": {"2025": 1}}}`, "it is a list such as"},
		"another country": {`[{"country": "BR", "name": "unit_value", "since": "2026-01-01", "value": 1}]`, "row 1 (BR unit_value 2026-01-01): no rule"},
		"a mistyped name": {`[{"country": "AR", "name": "treshold", "since": "2026-01-01", "value": 1}]`, "treshold"},
		"a member":        {`[{"country": "AR", "nam": "consumer_threshold"}]`, "nam"},
		"no day":          {`[{"country": "UY", "name": "unit_value", "since": "2026", "value": 1}]`, "2026"},
		"words":           {`[{"country": "UY", "name": "unit_value", "since": "2026-01-01", "value": "much"}]`, "much"},
		"a day without":   {`[{"country": "UY", "name": "unit_value", "since": 2026, "value": 1}]`, "row 1: since: a JSON number does not belong there"},
		"no value":        {`[{"country": "UY", "name": "unit_value", "since": "2026-01-01", "source": "INE"}]`, "row 1: value is missing"},
		"a value twice":   {`[{"country": "UY", "value": 1, "value": 2}]`, "row 1: value is there twice"},
		"another case":    {`[{"Country": "UY", "value": 1}]`, "row 1: Country is not known"},
		"two lists":       {`[] []`, "after byte"},
	} {
		if _, err := readFigures(figuresFile(t, c.content)); err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "--figures") {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: it speaks of the program's own kinds: %v", name, err)
		}
	}
	if _, err := readFigures(filepath.Join(t.TempDir(), "none.json")); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestAllThatIsWrongWithFiguresIsTold(t *testing.T) {
	_, err := readFigures(figuresFile(t, `[
		{"country": "UY", "name": "unit_value", "since": "2027-01-01", "value": 6.7},
		{"country": "UY", "name": "unit_value", "since": "2027-01-01", "value": 6.8, "source": "INE"},
		{"country": "CL", "name": "goods_fetched", "since": "2027-01-01", "value": 2, "source": "SII"},
		{"country": "CL", "name": "goods_in_transit", "since": "2027-01-01", "value": "1.0", "source": "SII"},
		{"country": "AR", "name": "consumer_threshold", "since": "2027-01-01", "worth": 1, "source": "ARCA"},
		{"country": "UY", "name": "unit_valu", "since": "yesterday", "value": -1, "source": " "}]`))
	if err == nil {
		t.Fatal("the file was taken")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{"--figures", "row 1 (UY unit_value 2027-01-01): source is missing",
		"row 2 (UY unit_value 2027-01-01): row 1 has a value of the same day", "row 3 (CL goods_fetched 2027-01-01): 2 is no",
		"row 5: worth is not known", "row 6 (UY unit_valu yesterday): no rule reads"} {
		if len(lines) != 6 || !strings.Contains(lines[i], want) {
			t.Errorf("line %d of %q has not %q", i, lines, want)
		}
	}
	for _, more := range []string{"YYYY-MM-DD", "-1 is no value", "source is missing"} {
		if !strings.Contains(lines[len(lines)-1], more) {
			t.Errorf("%q does not say %q", lines[len(lines)-1], more)
		}
	}
}

func TestAMissingFigureIsSaid(t *testing.T) {
	for day, want := range map[string]int{"2026-11-27": 0, "2026-12-31": 0, "2027-01-01": 2} {
		var out bytes.Buffer
		warnOfFigures(figures.Table{}, onDay(day), slog.New(slog.NewTextHandler(&out, nil)))
		if got := strings.Count(out.String(), "missing=2027"); got != want {
			t.Errorf("%s: %q", day, out.String())
		}
	}
}
