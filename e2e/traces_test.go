package e2e

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A request, the facts that it recorded, what processors made of them and the authority's calls are one trace.
func TestAnInvoiceIsOneTrace(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	traces := map[string]map[string]bool{} // the names of the spans of each
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var all collector.ExportTraceServiceRequest
		if content, err := io.ReadAll(r.Body); err != nil || proto.Unmarshal(content, &all) != nil {
			t.Errorf("no traces were sent: %v", err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, of := range all.GetResourceSpans() {
			for _, scope := range of.GetScopeSpans() {
				for _, s := range scope.GetSpans() {
					id := fmt.Sprintf("%x", s.GetTraceId())
					if traces[id] == nil {
						traces[id] = map[string]bool{}
					}
					traces[id][s.GetName()] = true
				}
			}
		}
	}))
	t.Cleanup(receiver.Close)
	dir := t.TempDir()
	p := serve(t, dir, "--otlp-endpoint", receiver.URL)
	c := issuing(t, p, dir, 72)
	c.issue(t, body("FCA", 1, "traced"))
	p.stop(t)
	mu.Lock()
	defer mu.Unlock()
	for _, spans := range traces {
		if !spans["POST /api/invoices"] {
			continue
		}
		for _, want := range []string{"record InvoiceCreated", "submission hears InvoiceCreated", "record SubmissionOpened",
			"arca FECAESolicitar", "record NumberAssigned, AuthorityAccepted"} {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(spans)),
				func(s string) bool { return strings.HasPrefix(s, want) }) {
				t.Errorf("the trace lacks %s: %v", want, slices.Sorted(maps.Keys(spans)))
			}
		}
		return
	}
	t.Errorf("no trace of the request among %d", len(traces))
}
