package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// A module of its own that takes the service's by its folder names each version that this one needs, or a later one:
// otherwise Go refuses to build it, and only the long tests would say so.
func TestModulesThatTakeTheServiceNameItsVersions(t *testing.T) {
	ours := required(t, "../go.mod")
	takers := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return fs.SkipDir
		case d.Name() != "go.mod":
			return nil
		}
		theirs := required(t, path)
		if _, takes := theirs[module]; !takes {
			return nil
		}
		takers++
		for name, version := range ours {
			if v, ok := theirs[name]; ok && semver.Compare(v, version) < 0 {
				t.Errorf("%s needs %s %s, and the service %s: run go mod tidy there", path, name, v, version)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if takers == 0 {
		t.Error("no module takes the service's: this test looks at nothing")
	}
}

// required are the versions that a go.mod names.
func required(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := modfile.Parse(path, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, r := range f.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	return versions
}
