package main

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/quarantine"
	"folio/tables"
	vaultsqlite "folio/vault/sqlite"
)

func TestAVaultElsewhereGoesWithBackupsMadeBeforeItsCopyOnly(t *testing.T) {
	v, err := vaultsqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vault.db"),
		filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	if err := checkVaultBackup(t.Context(), v, note{Log: "a", Position: 1}); err == nil ||
		!strings.Contains(err.Error(), "after folio backup") {
		t.Errorf("a vault without a note: %v", err)
	}
	if err := v.Seal(t.Context(), vaultBackup, []byte(`{"log":"a","position":20}`)); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		n  note
		ok bool
	}{
		{note{Log: "a", Position: 20}, true},
		{note{Log: "a", Position: 10}, true}, // the copy has the note of a later backup
		{note{Log: "a", Position: 21}, false},
		{note{Log: "b", Position: 20}, false},
	} {
		if err := checkVaultBackup(t.Context(), v, tc.n); (err == nil) != tc.ok {
			t.Errorf("%+v: %v", tc.n, err)
		}
	}
}

func TestARestoreRefusesPlacesThatTheBackupDoesNotFit(t *testing.T) {
	whole := map[string]string{backupEvents: "1", backupVault: "1"}
	logOnly, vaultOnly := map[string]string{backupEvents: "1"}, map[string]string{backupVault: "1"}
	for _, tc := range []struct {
		name          string
		n             note
		server, mongo string
		keep          bool
		want          string
	}{
		{"both in the folder", note{SHA256: whole}, "", "", false, ""},
		{"both in the folder, to a server", note{SHA256: whole}, "esdb://x", "", false, "leave out --eventstore"},
		{"both in the folder, to MongoDB", note{SHA256: whole}, "", "mongodb://x", false, "leave out --mongo"},
		{"the log is kept, and in the folder", note{SHA256: whole}, "", "", true, "--eventstore"},
		{"log elsewhere", note{Log: "a", SHA256: vaultOnly}, "esdb://x", "", false, ""},
		{"log elsewhere, not named", note{Log: "a", SHA256: vaultOnly}, "", "", false, "log a on a server"},
		{"vault elsewhere", note{Log: "a", SHA256: logOnly}, "", "mongodb://x", false, ""},
		{"vault elsewhere, not named", note{Log: "a", SHA256: logOnly}, "", "", false, "name it with --mongo"},
		{"both elsewhere", note{Log: "a"}, "esdb://x", "mongodb://x", true, ""},
		{"nothing", note{}, "", "", false, "use another backup"},
	} {
		c := restoreCmd{KeepLog: tc.keep}
		c.Eventstore, c.Mongo = tc.server, tc.mongo
		if err := c.fits(tc.n); (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestABackupOfAnotherLogsFolderIsRefused(t *testing.T) {
	s := open(t, t.TempDir())
	defer shut(t, s)
	c, n := backupCmd{dataFlags: dataFlags{Eventstore: "esdb://elsewhere"}}, note{}
	if err := c.noteStores(t.Context(), s, &n); err != nil || n.Log != s.id {
		t.Errorf("new tables: %+v, %v", n, err)
	}
	of := tables.Checkpoint{Name: "notices", Store: "another log", At: events.Position{Commit: 1, Prepare: 1}}
	if err := s.tables.Apply(t.Context(), tables.Batch{Checkpoint: &of}); err != nil {
		t.Fatal(err)
	}
	if err := c.noteStores(t.Context(), s, &note{}); err == nil || !strings.Contains(err.Error(), "another log") ||
		!strings.Contains(err.Error(), s.id) {
		t.Errorf("tables of another log: %v", err)
	}
}

func TestAStreamThatIsNotThereIsNotShown(t *testing.T) {
	s := open(t, t.TempDir())
	defer shut(t, s)
	room, err := quarantine.Open(t.Context(), s.log, s.tables, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (ward{s, room}).show(t.Context(), &out, "company-NONE"); err == nil ||
		!strings.Contains(err.Error(), `no stream "company-NONE"`) || out.Len() > 0 {
		t.Errorf("no such stream: %v, %q", err, out.String())
	}
	if err := (ward{s, room}).show(t.Context(), &out, eventstore.StoreStream); err != nil ||
		!strings.Contains(out.String(), "StoreCreated") {
		t.Errorf("a stream that is there: %v, %q", err, out.String())
	}
}
