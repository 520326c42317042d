package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBackupsAreTakenKeptAndTried(t *testing.T) {
	dir := t.TempDir()
	if _, err := run(t, "account", "add", "ana@example.com", "--data", dir); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "backups")
	b := schedule{backupFlags: backupFlags{BackupEvery: time.Hour, BackupKeep: 2}, data: dataFlags{Data: dir}, to: to,
		logger: slog.New(slog.DiscardHandler)}
	first := time.Date(2026, 11, 29, 3, 0, 0, 0, time.UTC)
	if wait, err := b.due(first); err != nil || wait != 0 {
		t.Errorf("the first backup waits %s: %v", wait, err)
	}
	interrupted := []string{filepath.Join(to, ".making-20261128T030000Z"), filepath.Join(to, ".removing-20261127T030000Z")}
	for _, name := range interrupted {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(to, "of somebody else"), 0o700); err != nil {
		t.Fatal(err)
	}
	for hour := range 3 {
		if err := b.once(context.Background(), first.Add(time.Duration(hour)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"20261129T040000Z", "20261129T050000Z", "of somebody else"}; !slices.Equal(names, want) {
		t.Errorf("the folder holds %q, want %q", names, want)
	}
	for now, want := range map[time.Duration]time.Duration{2 * time.Hour: time.Hour, 150 * time.Minute: 30 * time.Minute,
		5 * time.Hour: -2 * time.Hour, -48 * time.Hour: time.Hour} {
		if wait, err := b.due(first.Add(now)); err != nil || wait != want {
			t.Errorf("%s after the first, the next one waits %s, want %s: %v", now, wait, want, err)
		}
	}
	triesABackup(t, dir, filepath.Join(to, "20261129T050000Z"))
}

// triesABackup wants a good one to pass, and one that lost a byte, or has no key, to fail.
func triesABackup(t *testing.T, dir, backup string) {
	t.Helper()
	scratch := t.TempDir()
	args := []string{"backup", "verify", backup, "--data", dir, "--scratch", scratch}
	out, err := run(t, args...)
	if err != nil || !strings.Contains(out, "nothing differs") || !strings.Contains(out, "can be restored") {
		t.Errorf("a good backup: %q, %v", out, err)
	}
	if _, err := run(t, "backup", "verify", backup, "--data", t.TempDir(), "--scratch", scratch); err == nil ||
		!strings.Contains(err.Error(), "the master key is missing") {
		t.Errorf("without the master key: %v", err)
	}
	file := filepath.Join(backup, backupVault)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, args...); err == nil ||
		!strings.Contains(err.Error(), "is not as it was when the backup was made") {
		t.Errorf("a damaged backup: %v", err)
	}
	for _, name := range []string{backupVault, backupEvents} {
		damageNoted(t, backup, name)
		if _, err := run(t, args...); err == nil || !strings.Contains(err.Error(), filepath.Join(backup, name)) ||
			strings.Contains(err.Error(), scratch) || strings.Contains(err.Error(), "restore the last backup") {
			t.Errorf("a backup of a damaged %s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("the scratch folder holds %v: %v", left, err)
	}
}

// damageNoted puts what is no database in place of a file, and has the backup say that it was so when it was made.
func damageNoted(t *testing.T, backup, name string) {
	t.Helper()
	file := filepath.Join(backup, name)
	if err := os.WriteFile(file, []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(backup, backupNote))
	if err != nil {
		t.Fatal(err)
	}
	var n note
	if err := json.Unmarshal(text, &n); err != nil {
		t.Fatal(err)
	}
	if n.SHA256[name], err = hashFile(file); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(n); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(backup, backupNote), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWhoMayTakeBackups(t *testing.T) {
	for line, says := range map[string]string{
		"serve --backup-every 1h":                                    "",
		"serve --backup-every 1h --roles node":                       "",
		"serve --backup-every 1ms":                                   "--backup-every is a time",
		"serve --backup-every 1h --backup-keep 0":                    "--backup-keep must be 1",
		"serve --backup-every 1h --roles write,read":                 "with the embedded log",
		"serve --backup-every 1h --eventstore esdb://127.0.0.1:2113": "with the embedded log",
		"serve --backup-every 1h --mongo mongodb://127.0.0.1/folio":  "with the embedded log",
	} {
		_, _, err := parse(t, strings.Fields(line)...)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
