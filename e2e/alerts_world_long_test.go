//go:build long

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alertLimit is how long an alert may take to fire or to clear: the windows of the shortened rules are 15 s.
const alertLimit = 3 * time.Minute

// shorter are the thresholds of the rules that no test can wait for. Everything else of the rules is what is shipped,
// but for their windows and waiting times.
var shorter = map[string]string{
	`waits_for="service"}) > 900`:                      `waits_for="service"}) > 2`,
	`state="In process"}) > 3600`:                      `state="In process"}) > 2`,
	`waits_for="company"}) > 86400`:                    `waits_for="company"}) > 1`,
	`folio_webhook_oldest_due_seconds) > 300`:          `folio_webhook_oldest_due_seconds) > 2`,
	`folio_daily_report_oldest_due_seconds) > 21600`:   `folio_daily_report_oldest_due_seconds) > 1`,
	`(folio_contingency_days_left) < 3`:                `(folio_contingency_days_left) < 99`,
	`max(folio_email_oldest_due_seconds) > 900`:        `max(folio_email_oldest_due_seconds) > 2`,
	`(folio_projection_lag_seconds) > 60`:              `(folio_projection_lag_seconds) > 1`,
	`(rate(folio_http_request_seconds_bucket[5m]))) >`: `(rate(folio_http_request_seconds_bucket[5m]))) + 2 >`,
}

var (
	waits   = regexp.MustCompile(`(?m)^(\s+for:) .*$`)
	windows = regexp.MustCompile(`\[\d+[mh]\]`)
)

// watchman is Debian's Prometheus, with the shipped rules.
type watchman struct{ client }

// watch starts it on processes, known by their addresses.
func watch(t *testing.T, bases ...string) watchman {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Fatal("install prometheus, the package of Debian, and run this again")
	}
	dir := t.TempDir()
	content, err := os.ReadFile("../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	rules := windows.ReplaceAllString(shortened(t, string(content)), "[15s]")
	rules = waits.ReplaceAllString(rules, "$1 0s")
	targets := make([]string, len(bases))
	for i, b := range bases {
		targets[i] = `"` + strings.TrimPrefix(b, "http://") + `"`
	}
	config := fmt.Sprintf("global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n"+
		"rule_files: [alerts.yml]\nscrape_configs: [{job_name: folio, static_configs: [{targets: [%s]}]}]\n",
		strings.Join(targets, ", "))
	for name, text := range map[string]string{"alerts.yml": rules, "prometheus.yml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // Prometheus does not say which port it took
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program, "--config.file", filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path",
		filepath.Join(dir, "data"), "--web.listen-address", address, "--log.level", "warn")
	out := newOutput()
	run.Stdout, run.Stderr = out, out
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGKILL)
		_ = run.Wait()
		if t.Failed() {
			t.Log(out.tail())
		}
	})
	w := watchman{client{base: "http://" + address}}
	eventually(t, startLimit, "Prometheus answers", func() (string, bool) {
		a, err := http.Get(w.base + "/-/ready")
		if err != nil {
			return err.Error(), false
		}
		a.Body.Close()
		return a.Status, a.StatusCode == http.StatusOK
	})
	return w
}

func shortened(t *testing.T, rules string) string {
	t.Helper()
	for shipped, short := range shorter {
		if !strings.Contains(rules, shipped) {
			t.Errorf("no rule has %s", shipped)
		}
		rules = strings.ReplaceAll(rules, shipped, short)
	}
	return rules
}

// firing are the names of the alerts that fire.
func (w watchman) firing(t *testing.T) (names []string) {
	t.Helper()
	a, err := http.Get(w.base + "/api/v1/alerts")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	got := decode[struct {
		Data struct {
			Alerts []struct {
				State  string
				Labels map[string]string
			}
		}
	}](t, answer{body: readAll(t, a)})
	for _, x := range got.Data.Alerts {
		if x.State == "firing" {
			names = append(names, strings.TrimPrefix(x.Labels["alertname"], "Folio"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// tells waits until all of the alerts fire, or until none of them does any more.
func (w watchman) tells(t *testing.T, fire bool, alerts ...string) {
	t.Helper()
	eventually(t, alertLimit, fmt.Sprintf("%v fire: %v", alerts, fire), func() (string, bool) {
		names := w.firing(t)
		for _, a := range alerts {
			if slices.Contains(names, a) != fire {
				return fmt.Sprint("firing: ", names), false
			}
		}
		return "", true
	})
}
