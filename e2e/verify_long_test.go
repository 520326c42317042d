//go:build long

package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/eventstore/node/storage"

	"github.com/google/uuid"
)

// scene is a data folder with a past, and copies of it that are attacked.
type scene struct {
	dir, key, checkpoint string // checkpoint is a file that somebody kept before the attacks
	size                 int64
	all                  []storage.Imported
	logged               []events.Recorded
}

// newScene is three accepted invoices, a callback URL and what came of it, and a checkpoint that somebody kept.
func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{dir: t.TempDir()}
	p := serve(t, s.dir, "--checkpoint-every", "200ms")
	c := issuing(t, p, s.dir, 72)
	chile := chilean(t, p, s.dir)
	chile.enumerate(t, http.StatusCreated, 33, caf(t, s.dir, rutIssuer, 33, 1, 100))
	for i := range 3 {
		c.issue(t, body("FCA", 1, fmt.Sprint("scene-", i)))
	}
	chile.issue(t, pesos("FAC", "scene-cl"))
	c.want(t, 201, "POST", c.path("/webhooks"),
		map[string]any{"url": "https://example.com/hook", "events": []string{"ISE"}})
	p.stop(t)
	s.read(t)
	p = serve(t, s.dir, "--checkpoint-every", "200ms")
	a := newAuditor(t, p.base)
	s.key, s.size = a.key, a.reach(int64(len(s.all))-1).N
	s.checkpoint = filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(s.checkpoint, a.endpoint("checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.stop(t)
	s.read(t)
	return s
}

// read takes in every event of the log.
func (s *scene) read(t *testing.T) {
	t.Helper()
	s.all, s.logged = nil, nil
	log, done := opened(t, s.dir)
	defer done()
	for r, err := range log.All(t.Context(), events.Position{}, eventstore.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		s.logged = append(s.logged, r)
		s.all = append(s.all, storage.Imported{Position: r.Position.Commit, Stream: r.Stream, Revision: r.Revision,
			ID:   uuid.MustParse(r.ID),
			Type: r.Type, JSON: true, Metadata: r.RawMeta, Data: r.Raw, Created: r.Logged})
	}
}

// opened is the log of a folder that nobody serves.
func opened(t *testing.T, dir string) (log *eventstore.Log, done func()) {
	t.Helper()
	n, err := node.Open(t.Context(), node.Options{Dir: filepath.Join(dir, "log")})
	if err != nil {
		t.Fatal(err)
	}
	if log, err = eventstore.Open(t.Context(), eventstore.Options{Address: n.Address()}); err != nil {
		t.Fatal(err)
	}
	return log, func() {
		if err := errors.Join(log.Close(), n.Close(context.Background())); err != nil {
			t.Error(err)
		}
	}
}

// copied is a copy of the folder.
func (s *scene) copied(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSocket != 0 {
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(to, rel), 0o700))
		}
		content, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(filepath.Join(to, rel), content, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// forged is a copy whose log is another one, with every checksum, revision and the high-water mark right.
func (s *scene) forged(t *testing.T, forge func(all []storage.Imported) []storage.Imported) string {
	t.Helper()
	to := s.copied(t)
	all := make([]storage.Imported, len(s.all))
	for i, e := range s.all {
		e.Data, e.Metadata = bytes.Clone(e.Data), bytes.Clone(e.Metadata)
		all[i] = e
	}
	all = forge(all)
	next := map[string]uint64{}
	for i := range all {
		all[i].Revision = next[all[i].Stream]
		next[all[i].Stream]++
		if i > 0 && all[i].Position <= all[i-1].Position {
			all[i].Position = all[i-1].Position + 1
		}
	}
	if err := os.RemoveAll(filepath.Join(to, "log")); err != nil {
		t.Fatal(err)
	}
	n, err := storage.Import(t.Context(), filepath.Join(to, "log"), seq(all))
	if err != nil || n != uint64(len(all)) {
		t.Fatalf("the forged log has %d of %d events: %v", n, len(all), err)
	}
	return to
}

func seq(all []storage.Imported) iter.Seq2[storage.Imported, error] {
	return func(yield func(storage.Imported, error) bool) {
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// find is the n-th event of a type, from 0; -1 the last.
func (s *scene) find(t *testing.T, name string, n int) int {
	t.Helper()
	var at []int
	for i, e := range s.all {
		if e.Type == name {
			at = append(at, i)
		}
	}
	if n < 0 {
		n += len(at)
	}
	if n < 0 || n >= len(at) {
		t.Fatalf("there are %d events of %s", len(at), name)
	}
	return at[n]
}

// place is how verify names one.
func (s *scene) place(i int) string {
	return fmt.Sprintf("stream %s, revision %d, position %s", s.all[i].Stream, s.all[i].Revision, s.logged[i].Position)
}

func execute(t *testing.T, file, query string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := db.ExecContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.RowsAffected(); err != nil || n < 1 {
		t.Fatalf("%s changed %d rows: %v", query, n, err)
	}
}

// Each attack on a copy of the data is found, and its place is named: of an event that is missing or was added, that of
// the next one, or of the stream that it is missing from.
func TestVerifyFindsEachAttack(t *testing.T) {
	s := newScene(t)
	out := succeed(t, "verify", "--data", s.copied(t), "--checkpoint", s.checkpoint, "--key", s.key)
	if !strings.Contains(out, "nothing differs") || !strings.Contains(out, "4 submissions written again") {
		t.Errorf("of data that nobody touched it says:\n%s", out)
	}
	created, attempt, checkpoint := s.find(t, "InvoiceCreated", 1), s.find(t, "SubmissionOpened", 0),
		s.find(t, "CheckpointRecorded", -3)
	settled := s.find(t, "SubmissionSettled", 0)
	last := len(s.all) - 1
	stream := func(i int) string { return "stream " + s.all[i].Stream }
	forge := func(f func([]storage.Imported) []storage.Imported) func(t *testing.T) string {
		return func(t *testing.T) string { return s.forged(t, f) }
	}
	for name, a := range map[string]struct {
		attack func(t *testing.T) string
		names  []string // any of which is the place
	}{
		"a byte of the data, nothing recomputed": {func(t *testing.T) string {
			dir := s.copied(t)
			execute(t, filepath.Join(dir, "log", "events.db"),
				`UPDATE events SET rec = CAST(replace(CAST(rec AS TEXT), 'scene-1', 'scene-7') AS BLOB) WHERE pos = ?`,
				s.all[created].Position)
			return dir
		}, []string{fmt.Sprintf("position %d", s.all[created].Position)}},
		"a byte of the data, checksums recomputed": {forge(func(all []storage.Imported) []storage.Imported {
			all[created].Data = bytes.Replace(all[created].Data, []byte("scene-1"), []byte("scene-7"), 1)
			return all
		}), []string{s.place(created)}},
		"a byte of the metadata, checksums recomputed": {forge(func(all []storage.Imported) []storage.Imported {
			all[created].Metadata = bytes.Replace(all[created].Metadata, []byte(`"actor":"key:`), []byte(`"actor":"kez:`), 1)
			return all
		}), []string{s.place(created)}},
		"an event is deleted": {forge(func(all []storage.Imported) []storage.Imported {
			return slices.Delete(all, attempt, attempt+1)
		}),
			[]string{stream(attempt), s.place(attempt + 1), stream(attempt + 1)}},
		"an event is inserted": {forge(func(all []storage.Imported) []storage.Imported {
			e := all[created]
			e.Type, e.Data, e.ID, e.Position = "ProcessingRequested", []byte(`{}`), uuid.New(), e.Position+1
			return slices.Insert(all, created+1, e)
		}), []string{stream(created)}},
		"two events are swapped": {forge(func(all []storage.Imported) []storage.Imported {
			i, j := created, s.find(t, "InvoiceCreated", 2)
			all[i].Data, all[j].Data = all[j].Data, all[i].Data
			return all
		}), []string{s.place(created)}},
		"the last event is dropped": {forge(func(all []storage.Imported) []storage.Imported { return all[:last] }),
			[]string{fmt.Sprintf("position %s", s.logged[last-1].Position), stream(last)}},
		"a stream is renamed": {forge(func(all []storage.Imported) []storage.Imported {
			was := all[created].Stream
			for i := range all {
				if all[i].Stream == was {
					all[i].Stream = was + "X"
				}
			}
			return all
		}), []string{stream(created) + "X, revision 0"}},
		"a checkpoint is removed": {forge(func(all []storage.Imported) []storage.Imported {
			return slices.Delete(all, checkpoint, checkpoint+1)
		}),
			[]string{stream(checkpoint), s.place(checkpoint + 1)}},
		"a row of a read model is changed": {func(t *testing.T) string {
			dir := s.copied(t)
			execute(t, filepath.Join(dir, "tables.db"),
				`UPDATE `+model(t, dir)+` SET body = CAST(replace(CAST(body AS TEXT), 'scene-1', 'scene-7') AS BLOB) WHERE id = ?`,
				strings.TrimPrefix(s.all[created].Stream, "invoice-"))
			return dir
		}, []string{stream(created), strings.TrimPrefix(s.all[created].Stream, "invoice-")}},
		"a column that lists are filtered by is changed": {func(t *testing.T) string {
			dir := s.copied(t)
			execute(t, filepath.Join(dir, "tables.db"), `UPDATE `+model(t, dir)+` SET f_external_reference = 'hidden' WHERE id = ?`,
				strings.TrimPrefix(s.all[created].Stream, "invoice-"))
			return dir
		}, []string{strings.TrimPrefix(s.all[created].Stream, "invoice-")}},
		"the log's time of an event is moved forward, within the order": {forge(
			func(all []storage.Imported) []storage.Imported {
				for i := range all[created:] {
					if at := all[created].Created.Add(time.Hour); all[created+i].Type != "CheckpointRecorded" {
						all[created+i].Created = at
					}
				}
				return all
			}), []string{s.place(created)}},
		"the answer of a call is changed": {func(t *testing.T) string {
			dir := s.copied(t)
			execute(t, filepath.Join(dir, "vault.db"),
				`UPDATE sealed SET bytes = (SELECT bytes FROM sealed WHERE id LIKE 'secret/%' LIMIT 1) WHERE id = 'file/' || ?`,
				digest(t, s.all[settled].Data, `"answer":"`))
			return dir
		}, []string{s.place(settled)}},
		"the file of what was sent is changed": {func(t *testing.T) string {
			dir := s.copied(t)
			execute(t, filepath.Join(dir, "vault.db"),
				`UPDATE sealed SET bytes = (SELECT bytes FROM sealed WHERE id LIKE 'secret/%' LIMIT 1) WHERE id = 'file/' || ?`,
				digest(t, s.all[attempt].Data, `"sha256":"`))
			return dir
		}, []string{s.place(attempt)}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := a.attack(t)
			out, errs, code := command(t, "verify", "--data", dir)
			if code != 1 || !strings.Contains(errs, "What to do: ") ||
				!slices.ContainsFunc(a.names, func(n string) bool { return strings.Contains(errs, n) }) {
				t.Errorf("it ends with %d and should name one of %q:\n%s%s", code, a.names, out, errs)
			}
			t.Log(strings.TrimSpace(errs))
		})
	}
	t.Run("the tree is rebuilt over the forged log with the operator's own key", s.rebuilt)
}
