package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/audit"
	"folio/events"
	"folio/eventstore"
)

// half is an export whose third fact nobody can read: an import of it stops midway, as one that is killed there does.
func half(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "half.zip")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	lines, err := w.Create(audit.EventsName)
	if err != nil {
		t.Fatal(err)
	}
	one := `{"stream":"company-01M8Z2QK6W3V5T7X9Y1B3D5F7H","revision":0,"type":"CompanyCreated",` +
		`"id":"6f0d7c1e-6a5b-4f3e-9d2c-1b0a9f8e7d6c","data":"{}","metadata":"{}"}`
	two := strings.Replace(strings.Replace(one, "company-", "invoice-", 1), "6f0d7c1e", "7f0d7c1e", 1)
	three := strings.Replace(two, "7f0d7c1e", "none", 1)
	if _, err := lines.Write([]byte(one + "\n" + two + "\n" + three + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAnImportThatWasInterruptedIsNoLog(t *testing.T) {
	d := dataFlags{Data: t.TempDir(), LogLevel: "error"}
	s := open(t, d.Data)
	c := importCmd{dataFlags: d, File: half(t), LogOrigin: "folio/log"}
	if err := c.fill(t.Context(), s, audit.Report{}); err == nil ||
		!strings.Contains(err.Error(), "remove the folder, and import the export anew") {
		t.Fatalf("half an export is imported: %v", err)
	}
	facts := 0
	for _, err := range s.log.All(t.Context(), events.Position{}, eventstore.Filter{Streams: []string{"company-"}}) {
		if err != nil {
			t.Fatal(err)
		}
		facts++
	}
	shut(t, s)
	if facts != 1 {
		t.Fatalf("%d facts of the export are in the log, want the first", facts)
	}
	for what, run := range map[string]func() error{
		"verify": func() error { return (&verifyCmd{dataFlags: d, DGIHash: "sha256"}).Run(t.Context()) },
		"serve": func() error {
			_, err := newService(t.Context(), serveFlags{dataFlags: d, Roles: []string{roleNode}}, d.logger())
			return err
		},
		"import": func() error { _, err := openStores(t.Context(), d, true, d.logger()); return err },
		"backup": func() error { // what is restored from it would be a whole log
			return (&backupCmd{dataFlags: d, To: filepath.Join(t.TempDir(), "backup")}).Run(t.Context())
		},
		"node check": func() error { return (&nodeCheckCmd{dataFlags: d}).Run(t.Context()) },
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), "has begun and not ended") ||
			!strings.Contains(err.Error(), "remove the folder, and import the export anew") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestAnImportThatEndedLeavesNoMark(t *testing.T) {
	d := dataFlags{Data: t.TempDir()}
	if err := d.beginImport("whole.zip", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := d.beginImport("whole.zip", time.Now()); err == nil {
		t.Error("two imports into one folder began")
	}
	if err := d.imported(); err == nil {
		t.Error("an import that runs counts as whole")
	}
	if err := (&restoreCmd{dataFlags: d}).target(); err == nil || !strings.Contains(err.Error(), "holds data already") {
		t.Errorf("a backup would be restored beside the mark of an import, which no command then takes: %v", err)
	}
	if err := d.endImport(); err != nil {
		t.Fatal(err)
	}
	if err := d.imported(); err != nil {
		t.Error(err)
	}
}
