//go:build long

package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"testing"
	"time"
)

// panels are what of deploy/grafana/folio.json asks Prometheus.
type panels struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
}

// quiet are the panels that may show nothing: they have something only while it is bad.
var quiet = map[string]bool{"Feeds behind": true, "Daily reports": true}

// showsAll asks for every query of the dashboard what happened since a time, as Grafana would: none is refused, and
// each has something to show. .ci/picture-of-the-dashboard draws it.
func (w watchman) showsAll(t *testing.T, since time.Time) {
	t.Helper()
	content, err := os.ReadFile("../deploy/grafana/folio.json")
	if err != nil {
		t.Fatal(err)
	}
	var board panels
	if err := json.Unmarshal(content, &board); err != nil {
		t.Fatal(err)
	}
	const step = 2
	now := time.Now()
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			q := url.Values{"query": {windows.ReplaceAllString(target.Expr, "[20s]")}, "step": {strconv.Itoa(step)},
				"start": {strconv.FormatInt(since.Unix(), 10)}, "end": {strconv.FormatInt(now.Unix(), 10)}}
			a, err := http.Get(w.base + "/api/v1/query_range?" + q.Encode())
			if err != nil {
				t.Fatal(err)
			}
			got := decode[struct {
				Status, Error string
				Data          struct{ Result []json.RawMessage }
			}](t, answer{body: readAll(t, a)})
			a.Body.Close()
			if got.Status != "success" {
				t.Errorf("%s: %s", p.Title, got.Error)
			} else if len(got.Data.Result) == 0 && !quiet[p.Title] {
				t.Errorf("%s shows nothing: %s", p.Title, target.Expr)
			}
		}
	}
}
