// Package version is which Folio this is: the one source for the command line, readyz, the log and the User-Agent.
package version

import (
	"runtime/debug"
	"strings"
	"sync"
)

// given is the version of a build without the repository beside it, such as that of an image:
// go build -ldflags "-X folio/version.given=v2.0.0".
var given string

// Number is the version: that of the tag, or the commit's as v0.0.0-TIME-COMMIT, with +dirty when the
// sources were changed; devel when neither is known.
func Number() string { return number() }

var number = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(given, info)
})

func of(given string, info *debug.BuildInfo) string {
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
	return "devel"
}

// UserAgent names a part of Folio to whom it calls, as Folio/2.0.0 (webhooks).
func UserAgent(part string) string {
	return "Folio/" + strings.TrimPrefix(Number(), "v") + " (" + part + ")"
}
