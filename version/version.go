// Package version is which Folio this is: the one source for the command line, readyz, the log and the User-Agent.
package version

import (
	_ "embed"
	"runtime/debug"
	"strings"
	"sync"
)

// given is the version of a build without the repository beside it, such as that of an image:
// go build -ldflags "-X folio/version.given=v2.0.0".
var given string

// archived has the tag, if any, and the commit of sources that `git archive` packed (.gitattributes), as those of a
// release are. In a clone it has nothing.
//
//go:embed archived.txt
var archived string

// Number is the version: that of the tag, or the commit's as v0.0.0-TIME-COMMIT, with +dirty when the
// sources were changed; devel when neither is known. `go build` knows nothing in a linked worktree: `make build` does.
func Number() string { return number() }

var number = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(given, archived, info)
})

func of(given, archived string, info *debug.BuildInfo) string {
	if given != "" {
		return given
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(len(s.Value), 12)]
		}
	}
	switch known := strings.Fields(archived); {
	case strings.Contains(archived, "$"):
	case len(known) == 1:
		return "devel-" + known[0]
	case len(known) > 1:
		return known[0]
	}
	return "devel"
}

// UserAgent names a part of Folio to whom it calls, as Folio/2.0.0 (webhooks).
func UserAgent(part string) string {
	return "Folio/" + strings.TrimPrefix(Number(), "v") + " (" + part + ")"
}
