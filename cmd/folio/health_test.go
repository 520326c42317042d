package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/clock/clocktest"
	"folio/events"
	"folio/eventstore"
	"folio/fault"
	"folio/processors"
	"folio/processors/notices"
	"folio/processors/reactor"
	"folio/processors/submission"
	"folio/quarantine"
	"folio/tables"
	"folio/waiting"
)

func TestReadModelsThatHoldMoreThanTheLog(t *testing.T) {
	s := open(t, t.TempDir())
	defer shut(t, s)
	ahead := tables.Checkpoint{Name: "notices", Store: s.id, At: events.Position{Commit: 1 << 40, Prepare: 1 << 40}}
	if err := s.tables.Apply(t.Context(), tables.Batch{Checkpoint: &ahead}); err != nil {
		t.Fatal(err)
	}
	err := s.expectTables(t.Context())
	if !errors.Is(err, eventstore.ErrReplaced) || !strings.Contains(err.Error(), "folio projections rebuild --all") {
		t.Fatalf("an older log under newer read models: %v", err)
	}
	again := open(t, t.TempDir()) // a log that is refused is never used again
	defer shut(t, again)
	ahead.Store = again.id
	if err := again.tables.Apply(t.Context(), tables.Batch{Checkpoint: &ahead}); err != nil {
		t.Fatal(err)
	}
	if err := again.forgetAhead(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := again.expectTables(t.Context()); err != nil {
		t.Errorf("after the rebuild: %v", err)
	}
}

func TestTheAddressFromAFile(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name  string
		flags dataFlags
		want  string
		says  string
	}{
		{"one line", dataFlags{EventstoreFile: file("good", "esdb://h:1?tls=false\n", 0o600)}, "esdb://h:1?tls=false", ""},
		{"no file", dataFlags{Eventstore: "esdb://h"}, "esdb://h", ""},
		{"both", dataFlags{Eventstore: "esdb://h", EventstoreFile: file("both", "x", 0o600)}, "", "one of them"},
		{"empty", dataFlags{EventstoreFile: file("empty", "\n", 0o600)}, "", "one line"},
		{"two lines", dataFlags{EventstoreFile: file("two", "s3cret\ns3cret", 0o600)}, "", "one line"},
		{"open to others", dataFlags{EventstoreFile: file("open", "s3cret", 0o644)}, "", "chmod 600"},
	} {
		got, err := c.flags.eventstore()
		if got != c.want || (err == nil) != (c.says == "") ||
			err != nil && (!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

// Each role says of itself whether it can do its work.
func TestReadyzByRole(t *testing.T) {
	s := open(t, t.TempDir())
	defer shut(t, s)
	held, err := quarantine.Open(t.Context(), s.log, s.tables, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	notes, err := waiting.Open(t.Context(), s.tables, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		roles []string
		fault string // part that is away
		want  int
	}{
		{"all is well", []string{roleWrite, roleRead}, "", http.StatusOK},
		{"disk short, writing", []string{roleWrite, roleRead}, "disk", http.StatusServiceUnavailable},
		{"disk short, reading", []string{roleRead}, "disk", http.StatusOK},
		{"tables away", []string{roleRead}, "tables", http.StatusServiceUnavailable},
		{"vault away", []string{roleRead}, "vault", http.StatusServiceUnavailable},
	} {
		x := &service{stores: s, flags: serveFlags{Roles: c.roles}, logger: slog.New(slog.DiscardHandler), quarantine: held,
			notes:      notes,
			submission: &submission.Processor{}}
		if c.fault != "" {
			x.well.note(c.fault, errors.New("gone"))
		}
		w := httptest.NewRecorder()
		x.readyz(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if w.Code != c.want {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
		if told := strings.Contains(w.Body.String(), `"fault":"gone"`); told != (c.fault != "") {
			t.Errorf("%s: %s", c.name, w.Body)
		}
	}
}

// taken are leases that another process has.
type taken struct{ tables.Leases }

func (taken) Acquire(context.Context, string, string, time.Duration) (tables.Grant, bool, error) {
	return tables.Grant{}, false, nil
}

// A processor that refuses its worklist shows in readyz and in a metric, until another process does its work.
func TestReadyzTellsOfAProcessorsFailedRun(t *testing.T) {
	s, err := newService(t.Context(), serveFlags{Roles: []string{roleProcessors, roleNode}, Addr: "127.0.0.1:0",
		authorityFlags: authorityFlags{Authority: "testing"},
		RetryBase:      time.Second, dataFlags: dataFlags{Data: t.TempDir()}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	ask := func(h http.HandlerFunc) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w
	}
	want := func(status int, fails string, what string) {
		t.Helper()
		if w := ask(s.readyz); w.Code != status ||
			strings.Contains(w.Body.String(), "their log") != (status != http.StatusOK) {
			t.Errorf("%s: %d %s", what, w.Code, w.Body)
		}
		w := ask(s.metrics.handler().ServeHTTP)
		if line := `folio_processor_failing{processor="notices"} ` + fails; !strings.Contains(w.Body.String(), line) {
			t.Errorf("%s: no metric %s", what, line)
		}
	}
	want(http.StatusOK, "0", "every processor stands by")
	theirs := tables.Checkpoint{Name: notices.Name, Store: "their log", At: events.Position{Commit: 1}}
	if err := s.tables.Apply(t.Context(), tables.Batch{Checkpoint: &theirs}); err != nil {
		t.Fatal(err)
	}
	p := processors.Find[*notices.Processor](s.processors)
	if err := p.Run(t.Context()); !errors.Is(err, tables.ErrOtherLog) {
		t.Fatalf("the run ended with %v", err)
	}
	want(http.StatusServiceUnavailable, "1", "a run failed")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go reactor.Own(ctx, s.logger, taken{}, "us", p)
	for p.Status().Fault != "" {
		time.Sleep(time.Millisecond) // until it has asked for its lease
	}
	want(http.StatusOK, "0", "another process runs it")
}

// A store that is read and cannot be written is away: a write is what callers need it for.
func TestReadyzTriesWhatAWriteNeeds(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	defer shut(t, d)
	s := &service{stores: d}
	for file, ask := range map[string]func(context.Context) error{"tables.db": s.askTables, "vault.db": s.vault.Probe} {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		other, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		do := func(statement string) {
			if _, err := other.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		if err := ask(t.Context()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		do("BEGIN IMMEDIATE")
		clocktest.Prompt(t, file, examineWithin, func() {
			if err := ask(t.Context()); !errors.Is(err, fault.StoreUnavailable) {
				t.Errorf("%s while another process writes: %v", file, err)
			}
		})
		do("ROLLBACK")
		// A backup reads for minutes, while SQLite's log has what was written meanwhile.
		do("BEGIN")
		do("SELECT * FROM sqlite_schema")
		if err := d.vault.Seal(t.Context(), "meanwhile", []byte(file)); err != nil {
			t.Fatal(err)
		}
		if err := ask(t.Context()); err != nil {
			t.Errorf("%s while another process reads: %v", file, err)
		}
		do("ROLLBACK")
	}
}
