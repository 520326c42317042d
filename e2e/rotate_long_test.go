//go:build long

package e2e

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sealedWith says with how many different keys the vault's values are sealed, and what the
// wrapped data keys are.
func sealedWith(db *sql.DB) (keys int, wrapped string, err error) {
	err = db.QueryRowContext(context.Background(), "SELECT count(DISTINCT hex(substr(bytes, 1, 5))), "+
		"(SELECT hex(bytes) FROM sealed WHERE id = 'keys/data') FROM sealed WHERE id <> 'keys/data'").Scan(&keys, &wrapped)
	return keys, wrapped, err
}

// moments are those at which a rotation is killed. Each is asked again and again, with the
// wrapped keys as they were before it began.
var rotationMoments = []struct {
	name string
	args []string
	now  func(db *sql.DB, dir, before string) bool
}{
	{"the next master key is made", []string{"--master"}, func(_ *sql.DB, dir, _ string) bool {
		_, err := os.Stat(filepath.Join(dir, "master.key.next"))
		return err == nil
	}},
	{"the keys are wrapped anew", []string{"--master"}, func(db *sql.DB, _, before string) bool {
		_, wrapped, err := sealedWith(db)
		return err == nil && wrapped != before
	}},
	{"a new data key is drawn", nil, func(db *sql.DB, _, before string) bool {
		_, wrapped, err := sealedWith(db)
		return err == nil && wrapped != before
	}},
	{"some values are sealed anew", nil, func(db *sql.DB, _, _ string) bool {
		keys, _, err := sealedWith(db)
		return err == nil && keys > 1
	}},
	{"all values are sealed anew", nil, func(db *sql.DB, _, before string) bool {
		keys, wrapped, err := sealedWith(db)
		return err == nil && keys == 1 && wrapped != before
	}},
}

// killedRotation starts a rotation and kills it at its moment, or when it has ended.
func killedRotation(t *testing.T, dir string, n int) {
	t.Helper()
	m := rotationMoments[n]
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "vault.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, before, err := sealedWith(db)
	if err != nil {
		t.Fatal(err)
	}
	p := begin(t, append([]string{"vault", "rotate", "--data", dir}, m.args...)...)
	tick := time.NewTicker(200 * time.Microsecond)
	defer tick.Stop()
	for !m.now(db, dir, before) {
		select {
		case <-p.done:
			if p.err != nil {
				t.Fatalf("until %s: %v\n%s", m.name, p.err, p.stderr)
			}
			return
		case <-tick.C:
		}
	}
	p.kill()
}

// A service issues invoices while the keys of its vault are changed, and whoever changes
// them is killed again and again.
func TestKilledWhileKeysAreChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c := issuing(t, p, dir, 1)
	first := c.issue(t, body("FCB", 1, "before"))
	made := []invoice{first}
	opens := func(when string) {
		t.Helper()
		made = append(made, c.issue(t, body("FCB", 1, when)))
		for _, i := range made { // in a process that starts now: it reads the keys anew
			out := succeed(t, "history", "--calls", "--data", dir, i.ID)
			if !strings.Contains(out, "FECAESolicitar") || !strings.Contains(out, "<CAE>") {
				t.Fatalf("%s: the calls of %s are not shown:\n%s", when, i, out)
			}
		}
		c.pdf(t, http.MethodPost, made[len(made)-1].ID, "/download-pdf/A4")
	}
	for n, m := range rotationMoments {
		killedRotation(t, dir, n)
		opens("killed once " + m.name)
	}
	if out := succeed(t, "vault", "rotate", "--data", dir, "--master"); !strings.Contains(out, "new master key") ||
		!strings.Contains(out, "new data key") {
		t.Errorf("the last rotation says %s", out)
	}
	// The one before may have finished what was interrupted, master key included: this one makes a key of its own.
	succeed(t, "vault", "rotate", "--data", dir, "--master")
	opens("at the end")
	p.stop(t)
	p = serve(t, dir, unlimited...)
	c.base = p.base
	opens("after a restart")
	login(t, p.base, email, password)
	olds, err := filepath.Glob(filepath.Join(dir, "master.key.old-*"))
	if err != nil || len(olds) < 2 {
		t.Errorf("the old master keys kept are %v, %v", olds, err)
	}
	for _, old := range olds {
		if _, errs, code := command(t, "history", "--data", dir, "--master-key-file", old, first.ID); code == 0 ||
			!strings.Contains(errs, "does not open this vault") {
			t.Errorf("%s still opens the vault: %d %s", fmt.Sprint(old), code, errs)
		}
	}
	p.stop(t)
}
