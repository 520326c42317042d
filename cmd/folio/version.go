package main

import (
	"fmt"
	"runtime"

	"folio/version"
)

type versionCmd struct{}

// Run prints what this program was built from.
func (versionCmd) Run() error {
	fmt.Printf("folio %s %s %s/%s\n", version.Number(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
