package deploycheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

func ignored(t *testing.T) *patternmatcher.PatternMatcher {
	t.Helper()
	f, err := os.Open("../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	patterns, err := ignorefile.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Everything that the program is made of is copied.
func TestTheImageHasAllOfTheProgram(t *testing.T) {
	m := ignored(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-json=Dir,GoFiles,EmbedFiles,Standard", "./cmd/folio")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                 string
			GoFiles, EmbedFiles []string
			Standard            bool
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		at, err := filepath.Rel(root, p.Dir)
		if err != nil || p.Standard || !filepath.IsLocal(at) {
			continue // of another module
		}
		for _, name := range append(p.GoFiles, p.EmbedFiles...) {
			files++
			if out, err := m.MatchesOrParentMatches(filepath.Join(at, name)); err != nil || out {
				t.Errorf("%s is not copied (%v)", filepath.Join(at, name), err)
			}
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "client/go.mod"} {
		if out, err := m.MatchesOrParentMatches(name); err != nil || out {
			t.Errorf("%s is not copied (%v)", name, err)
		}
	}
	if files < 500 {
		t.Errorf("only %d files were looked at", files)
	}
}

// What an operator or a test leaves in the tree is not.
func TestTheImageHasNoDataAndNoKey(t *testing.T) {
	m := ignored(t)
	for _, name := range []string{".git/config", "folio-data/vault.db", "folio-data/master.key", "my-data/log/events.db",
		"walk.pfx", "walk-data/master.key", "cmd/folio/folio-data/vault.db", "certificate/company.pfx", "vault/master.key",
		"master.key.old-20261129", "secrets/mongo", ".env", "vault/.env.local", "client-ts/node_modules/x/index.js",
		"e2e/testdata/first-release/data.tar.gz", "country/cl/testdata/keys/cl_caf_33.pem", "tables.db-wal",
		"backup/backup.json",
		"compose/secrets.sh", "deploy/systemd/folio.env", "httpapi/server_test.go", "authority/dgi/company.key"} {
		if out, err := m.MatchesOrParentMatches(name); err != nil || !out {
			t.Errorf("%s is copied (%v)", name, err)
		}
	}
}
