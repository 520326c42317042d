package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"folio/monitor"
)

var update = flag.Bool("update", false, "write docs/metrics.md anew")

const (
	catalogueFile  = "../../docs/metrics.md"
	catalogueBegin = "<!-- catalogue: go test ./cmd/folio -run TestTheMetricsAreInTheCatalogue -update -->\n"
	catalogueEnd   = "<!-- /catalogue -->"
)

// catalogue is that of a process with every role and the embedded log.
func catalogue(t *testing.T) []monitor.Metric {
	t.Helper()
	c, _, err := parse(t, "serve", "--data", t.TempDir(), "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newService(t.Context(), c.Serve.serveFlags, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.close(t.Context()); err != nil {
		t.Error(err)
	}
	return s.metrics.registry.Catalogue()
}

// docs/metrics.md is the catalogue of the registry: no metric without a line, no line without a metric. Rules and
// dashboard name no other.
func TestTheMetricsAreInTheCatalogue(t *testing.T) {
	all := catalogue(t)
	var table strings.Builder
	table.WriteString("\n| metric | labels | what it tells |\n|---|---|---|\n")
	known := map[string]bool{}
	for _, m := range all {
		known[m.Name] = true
		if m.Help == "" {
			t.Errorf("%s has no help", m.Name)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", m.Name, strings.Join(m.Labels, ", "), m.Help)
	}
	table.WriteString("\n")
	content, err := os.ReadFile(catalogueFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(content), catalogueBegin)
	_, after, ends := strings.Cut(rest, catalogueEnd)
	if !ok || !ends {
		t.Fatalf("%s has no place for the catalogue", catalogueFile)
	}
	if want := before + catalogueBegin + table.String() + catalogueEnd + after; *update {
		if err := os.WriteFile(catalogueFile, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if string(content) != want {
		t.Errorf("%s is not what the program has: run the test with -update", catalogueFile)
	}
	namedMetricsExist(t, known)
}

var metricName = regexp.MustCompile(`\bfolio_[a-z0-9_]+`)

func namedMetricsExist(t *testing.T, known map[string]bool) {
	t.Helper()
	files, err := filepath.Glob("../../deploy/*/*")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, file := range files {
		if ext := filepath.Ext(file); ext != ".yml" && ext != ".json" ||
			!strings.Contains(file, "/prometheus/") && !strings.Contains(file, "/grafana/") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read++
		for _, name := range metricName.FindAllString(string(content), -1) {
			base := name
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				base = strings.TrimSuffix(base, suffix)
			}
			if !known[name] && !known[base] {
				t.Errorf("%s names %s, which the program does not have", file, name)
			}
		}
	}
	if read < 3 {
		t.Errorf("only %d files with rules or dashboards", read)
	}
}
