package main

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"folio/httpapi"

	"github.com/go-chi/chi/v5"
)

// proxied are the rules of deploy/proxy/nginx.conf: which calls go to read. All others go to write.
func proxied(t *testing.T) (toRead []*regexp.Regexp) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/proxy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\s+"~(\S.*)"\s+folio_read;$`).FindAllSubmatch(text, -1) {
		toRead = append(toRead, regexp.MustCompile(string(m[1])))
	}
	if len(toRead) < 3 {
		t.Fatalf("only %d rules were found", len(toRead))
	}
	return toRead
}

// routed are the calls that a process with one role answers.
func routed(t *testing.T, role string) map[string]bool {
	t.Helper()
	s := &service{stores: &stores{}}
	s.flags.Roles = []string{role}
	r := httpapi.NewRouter(httpapi.Config{})
	s.routes(r)
	found := map[string]bool{}
	if err := chi.Walk(r, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		found[method+" "+regexp.MustCompile(`\{[^}]+\}|\*`).ReplaceAllString(path, "X")] = true
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheProxySendsEachCallToWhoAnswersIt(t *testing.T) {
	toRead := proxied(t)
	reads, writes := routed(t, roleRead), routed(t, roleWrite)
	if len(reads) < 40 || len(writes) < 20 {
		t.Fatalf("%d reads and %d writes were found", len(reads), len(writes))
	}
	for _, role := range []struct {
		calls, others map[string]bool
		read          bool
	}{{reads, writes, true}, {writes, reads, false}} {
		for call := range role.calls {
			sent := false
			for _, rule := range toRead {
				sent = sent || rule.MatchString(call)
			}
			if !role.others[call] && sent != role.read {
				t.Errorf("%s is sent to read: %t", call, sent)
			}
		}
	}
}
