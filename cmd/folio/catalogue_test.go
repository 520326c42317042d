package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
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
	table.WriteString("\n| metric | labels | what it tells | where it is seen |\n|---|---|---|---|\n")
	known, seen := map[string]bool{}, seenIn(t)
	for _, m := range all {
		known[m.Name] = true
		if m.Help == "" {
			t.Errorf("%s has no help", m.Name)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", m.Name, strings.Join(m.Labels, ", "), m.Help, seen.of(t, m.Name))
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

// base is the metric that a query means: a histogram is asked for by its parts.
func base(name string) string {
	for _, suffix := range []string{"_bucket", "_count", "_sum"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// forAQuestion are the metrics, by the beginnings of their names, that no panel and no alert shows, with why: an
// operator asks for them when a panel does not say enough.
var forAQuestion = map[string]string{
	"folio_admission_used":         "how full a gate is, when its line is long",
	"folio_certificates_expired":   "companies that gave up are many and stay",
	"folio_foreign_events_total":   "a log that others use too",
	"folio_invoices_backlog":       "whether the panel of open invoices shows all of them",
	"folio_log_":                   "how the embedded log does what its appends take",
	"folio_processor_caught_up":    "the lag says it with a time",
	"folio_reader_":                "what a rebuild reads",
	"folio_series_without_numbers": "companies that gave up are many and stay",
	"folio_submission_waiting":     "by reason in a panel",
	"folio_watermill_":             "Watermill's own",
	"folio_webhook_answer_seconds": "a slow receiver waits for itself alone",
	"folio_webhook_calls":          "whether deliveries are under way at all",
	"folio_webhook_companies":      "whether one company waits or many",
}

// places are where metrics are seen, by name.
type places map[string][]string

// seenIn reads the panels and the alerts.
func seenIn(t *testing.T) places {
	t.Helper()
	seen := places{}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(read(t, "../../deploy/grafana/folio.json"), &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			seen.add(target.Expr, "«"+p.Title+"»")
		}
	}
	for _, a := range alerts(t) {
		seen.add(a.expr, a.name)
	}
	return seen
}

func (p places) add(expr, place string) {
	for _, name := range metricName.FindAllString(expr, -1) {
		if n := base(name); !slices.Contains(p[n], place) {
			p[n] = append(p[n], place)
		}
	}
}

// of is where a metric is seen; that of one that is seen nowhere has to be said in forAQuestion.
func (p places) of(t *testing.T, metric string) string {
	t.Helper()
	if in := p[metric]; len(in) > 0 {
		return strings.Join(in, ", ")
	}
	for begins, why := range forAQuestion {
		if strings.HasPrefix(metric, begins) {
			return "asked for: " + why
		}
	}
	t.Errorf("%s is in no panel and no alert, and forAQuestion does not say why", metric)
	return ""
}

// alert is a rule of deploy/prometheus/alerts.yml.
type alert struct{ name, expr, runbook string }

var rule = regexp.MustCompile(`(?s)- alert: (\w+)\n\s+expr: >-\n(.*?)\n\s+for: .*?runbook_url: (\S+)`)

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	rules := string(read(t, "../../deploy/prometheus/alerts.yml"))
	for _, m := range rule.FindAllStringSubmatch(rules, -1) {
		all = append(all, alert{m[1], m[2], m[3]})
	}
	if n := strings.Count(rules, "- alert: "); len(all) != n || n == 0 {
		t.Fatalf("%d of %d rules have an expression and a place in the handbook", len(all), n)
	}
	return all
}

var (
	heading = regexp.MustCompile(`(?m)^### (.+)$`)
	noSlug  = regexp.MustCompile(`[^a-z0-9 -]`)
)

// Each alert has a test of its rule, and leads to the section of the handbook that names it; each name there is one of
// an alert.
func TestTheHandbookHasEachAlert(t *testing.T) {
	book, tests := string(read(t, "../../docs/operating.md")), string(read(t, "../../deploy/prometheus/alerts_test.yml"))
	sections := map[string]string{}
	found := heading.FindAllStringSubmatchIndex(book, -1)
	for i, at := range found {
		end := len(book)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		slug := strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(book[at[2]:at[3]]), ""), " ", "-")
		sections["docs/operating.md#"+slug] = book[at[0]:end]
	}
	named := map[string]bool{}
	for _, a := range alerts(t) {
		named[a.name] = true
		section, is := sections[a.runbook]
		if !is {
			t.Errorf("%s leads to %s, which is no section", a.name, a.runbook)
		} else if !regexp.MustCompile(`\b` + a.name + `\b`).MatchString(section) {
			t.Errorf("%s leads to %s, which does not name it", a.name, a.runbook)
		}
		if !strings.Contains(tests, "- name: "+a.name+"\n") {
			t.Errorf("%s is not tried by promtool", a.name)
		}
	}
	for _, name := range regexp.MustCompile(`\bFolio[A-Z]\w+`).FindAllString(book, -1) {
		if !named[name] {
			t.Errorf("the handbook names %s, which is no alert", name)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func namedMetricsExist(t *testing.T, known map[string]bool) {
	t.Helper()
	for _, file := range []string{"prometheus/alerts.yml", "prometheus/alerts_test.yml", "grafana/folio.json"} {
		for _, name := range metricName.FindAllString(string(read(t, "../../deploy/"+file)), -1) {
			if !known[name] && !known[base(name)] {
				t.Errorf("%s names %s, which the program does not have", file, name)
			}
		}
	}
}
