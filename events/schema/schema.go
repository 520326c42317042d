// Package schema has a JSON Schema (draft 2020-12) of every event and version, for readers of
// the feed and of exports. The files are made from the types of package events by its test,
// and never change once a version is past.
package schema

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

//go:embed files/*.json
var files embed.FS

// Entry is one schema.
type Entry struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// Get is the schema of an event's version; false when there is none.
func Get(name string, version int) ([]byte, bool) {
	raw, err := files.ReadFile(fmt.Sprintf("files/%s.v%d.json", name, version))
	return raw, err == nil
}

// All lists the schemas by name and version.
func All() (all []Entry) {
	names, err := fs.Glob(files, "files/*.json")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	for _, file := range names {
		name, rest, _ := strings.Cut(strings.TrimPrefix(file, "files/"), ".v")
		version, _ := strconv.Atoi(strings.TrimSuffix(rest, ".json"))
		all = append(all, Entry{name, version})
	}
	slices.SortFunc(all, func(a, b Entry) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return a.Version - b.Version
	})
	return all
}
