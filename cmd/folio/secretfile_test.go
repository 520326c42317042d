package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASecretMayStandInAFileThatNobodyElseReads(t *testing.T) {
	file := func(content string, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tc := range []struct{ name, value, file, want, wrong string }{
		{"neither", "", "", "", ""},
		{"the flag", "a", "", "a", ""},
		{"the file", "", file("mongodb://u:s3cret@h\n", 0o600), "mongodb://u:s3cret@h", ""},
		{"both", "s3cret", file("s3cret", 0o600), "", "give one of them"},
		{"others may read it", "", file("s3cret", 0o644), "", "chmod 600"},
		{"two lines", "", file("s3cret\ns3cret\n", 0o600), "", "one line"},
		{"nothing", "", file("\n", 0o600), "", "one line"},
		{"no file", "", filepath.Join(t.TempDir(), "gone"), "", "--mongo-file"},
	} {
		got, err := orFile("--mongo", tc.value, tc.file)
		if got != tc.want || (err == nil) != (tc.wrong == "") {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), tc.wrong) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
