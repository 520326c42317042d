package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/schollz/progressbar/v3"
)

// A file that grew since it was measured is copied whole.
func TestABarDoesNotEndTheCopyThatItShows(t *testing.T) {
	for name, c := range map[string]struct {
		told    int64
		content string
	}{
		"as much as was told": {5, "folio"},
		"less than was told":  {9, "folio"},
		"more than was told":  {2, "folio"},
		"an empty file":       {0, ""},
		"told to be empty":    {0, "folio"},
	} {
		t.Run(name, func(t *testing.T) {
			var shown, copied bytes.Buffer
			p := newProgress("copy", max(c.told, 1), progressbar.OptionSetWriter(&shown), progressbar.OptionSetVisibility(true),
				progressbar.OptionThrottle(0))
			n, err := io.Copy(io.MultiWriter(&copied, counted{p}), strings.NewReader(c.content))
			if err != nil || n != int64(len(c.content)) || copied.String() != c.content {
				t.Errorf("%d bytes, %q: %v", n, copied.String(), err)
			}
			if int64(len(c.content)) < c.told && !strings.Contains(shown.String(), "copy") {
				t.Errorf("shown is %q", shown.String())
			}
		})
	}
}

// A backup that a timer makes must not fill its log with bars.
func TestNothingIsShownWithoutATerminal(t *testing.T) {
	var shown bytes.Buffer
	p := newProgress("copy", 5, progressbar.OptionSetWriter(&shown), progressbar.OptionThrottle(0))
	_, _ = counted{p}.Write([]byte("folio"))
	_ = p.Finish()
	if shown.Len() > 0 {
		t.Errorf("shown is %q", shown.String())
	}
}
