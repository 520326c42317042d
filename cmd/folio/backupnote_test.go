package main

import (
	"path/filepath"
	"strings"
	"testing"

	vaultsqlite "folio/vault/sqlite"
)

func TestAVaultElsewhereGoesWithBackupsMadeBeforeItsCopyOnly(t *testing.T) {
	v, err := vaultsqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vault.db"), filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	if err := checkVaultBackup(t.Context(), v, note{Log: "a", Position: 1}); err == nil || !strings.Contains(err.Error(), "after folio backup") {
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
