package arch

import (
	"strings"
	"testing"
)

// Strangers read package audit and build it alone: Go's standard library and the packages of signed notes and trees are
// all that it needs, and nothing of the house.
func TestTheAuditorsPackageStandsAlone(t *testing.T) {
	found := false
	for _, p := range packages(t) {
		if p.ImportPath != "audit" && !strings.HasPrefix(p.ImportPath, "audit/") {
			continue
		}
		found = true
		for _, i := range p.Imports {
			if !alone(i) {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
	if !found {
		t.Error("there is no package audit")
	}
	for i, want := range map[string]bool{"archive/zip": true, "golang.org/x/mod/sumdb/tlog": true, "folio/audit": true,
		"folio/events": false, "github.com/google/uuid": false, "golang.org/x/text/width": false} {
		if alone(i) != want {
			t.Errorf("%s may be imported: %v", i, !want)
		}
	}
}

func alone(path string) bool {
	root, _, _ := strings.Cut(path, "/")
	return !strings.Contains(root, ".") && root != module || path == module+"/audit" ||
		strings.HasPrefix(path, "golang.org/x/mod/sumdb/")
}
