package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// attachment is the file with a name whose extension is not known; empty when there is none.
func (v *verifier) attachment(base string) string {
	for _, extension := range Extensions {
		if v.files[base+extension] != nil {
			return base + extension
		}
	}
	return ""
}

// Extensions are those that files named by events may have.
var Extensions = []string{".xml", ".json", ".html", ".png", ".jpg", ".txt"}

// attachments compares the files that events name with the hashes in them, and finds those that no event names.
func (v *verifier) attachments() error {
	for _, base := range slices.Sorted(maps.Keys(v.facts.files)) {
		want := v.facts.files[base]
		name := v.attachment(base)
		if name == "" {
			return differs(base, 0, "the file is missing, which events.ndjson names in line %d (SHA-256 %s)", want.line,
				want.sha256)
		}
		hash := sha256.New()
		if err := v.read(name, func(in io.Reader) error {
			_, err := io.Copy(hash, in)
			return err
		}); err != nil {
			return err
		}
		if got := hex.EncodeToString(hash.Sum(nil)); got != want.sha256 {
			return differs(name, 0, "its SHA-256 is %s, and events.ndjson says %s in line %d", got, want.sha256,
				want.line)
		}
		v.report.Files++
	}
	for _, name := range v.names() {
		_, named := v.facts.files[strings.TrimSuffix(name, path.Ext(name))]
		switch {
		case slices.Contains(Parts, name), strings.HasPrefix(name, Documents):
		case !strings.HasPrefix(name, Attachments):
			return differs(name, 0, "an export has no such file: it was added")
		case !named:
			return differs(name, 0, "no event names it: it was added")
		}
	}
	return nil
}

// calls compares the list of exchanges with the files.
func (v *verifier) calls() error {
	return v.read(CallsName, func(in io.Reader) error {
		return rows(CallsName, in, func(line int, cell func(string) string) error {
			for _, side := range []string{"request", "answer"} {
				name := cell(side)
				if name == "" {
					continue
				}
				base := strings.TrimSuffix(name, path.Ext(name))
				if _, named := v.facts.files[base]; !named || v.files[name] == nil {
					return differs(CallsName, line, "%s is no file of the export that an event names", name)
				}
				stream, revision := cell("stream"), cell("revision")
				if !strings.HasPrefix(name, fmt.Sprintf("%s%s/%s-", Attachments, stream, padded(revision))) {
					return differs(CallsName, line, "%s is not of %s revision %s", name, stream, revision)
				}
			}
			return nil
		})
	})
}

// padded is a revision as it stands in names.
func padded(revision string) string { return strings.Repeat("0", max(0, 6-len(revision))) + revision }
