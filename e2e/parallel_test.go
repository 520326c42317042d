//go:build !long

package e2e

import (
	"flag"
	"runtime"
	"strconv"
)

// A test mostly waits for the program that it started, so twice as many run at a time as there are cores, unless
// -parallel says how many. The long tests measure how soon others take over, and have the cores for themselves.
func init() {
	atATime = func() error {
		f := flag.Lookup("test.parallel")
		if f.Value.String() != f.DefValue {
			return nil
		}
		return f.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
}
