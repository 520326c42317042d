package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// startProgress shows on a terminal how much of so many bytes is done, how fast and how
// long it still takes; Finish takes the bar away. Elsewhere nothing is shown: a log is no
// place for it.
func startProgress(what string, bytes int64) *progressbar.ProgressBar {
	return newProgress(what, max(bytes, 1), progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(true))
}

// startCount shows how many events are done and how fast. How many there are is not known.
func startCount(what string) *progressbar.ProgressBar { return startUnknown(what, "events") }

// startValues is startCount for values in the vault.
func startValues(what string) *progressbar.ProgressBar { return startUnknown(what, "values") }

func startUnknown(what, unit string) *progressbar.ProgressBar {
	return newProgress(what, -1, progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetItsString(unit))
}

// refreshed is how often a bar is drawn anew.
const refreshed = 200 * time.Millisecond

func newProgress(what string, most int64, options ...progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions64(most, append([]progressbar.Option{
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetVisibility(term.IsTerminal(int(os.Stderr.Fd()))),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(refreshed),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionClearOnFinish(),
	}, options...)...)
}

// counted is a writer that a bar counts. It never fails: a bar does, when there is more to
// write than it was told, and that must not end a backup.
type counted struct{ bar *progressbar.ProgressBar }

// Write implements io.Writer.
func (c counted) Write(b []byte) (int, error) {
	_ = c.bar.Add(len(b))
	return len(b), nil
}

// startGrowth is startProgress of a copy that says nothing itself: it tells how large the
// file has become until stop.
func startGrowth(what, file string, bytes int64) (stop func()) {
	p, done, ended := startProgress(what, bytes), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(refreshed)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = p.Set64(min(sizeOf(file), bytes))
			case <-done:
				_ = p.Finish()
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

// sizeOf is 0 for a file that is not there.
func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
