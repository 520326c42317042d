package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress tells how far long work is: on a terminal one line that is written over,
// elsewhere a plain line now and then. Work that ends at once says nothing.
type progress struct {
	what, unit string
	total      int64 // 0 when it is not known
	out        io.Writer
	terminal   bool
	now        func() time.Time

	mu            sync.Mutex
	started, told time.Time
}

// startProgress counts in events, or in bytes for the unit "MB".
func startProgress(what, unit string, total int64) *progress {
	p := &progress{what: what, unit: unit, total: total, out: os.Stderr, terminal: term.IsTerminal(int(os.Stderr.Fd())), now: time.Now}
	p.started = p.now()
	p.told = p.started
	return p
}

const (
	onTerminal = 200 * time.Millisecond
	elsewhere  = 5 * time.Second
)

// at says how much is done so far.
func (p *progress) at(done int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, pause := p.now(), elsewhere
	if p.terminal {
		pause = onTerminal
	}
	if now.Sub(p.told) < pause {
		return
	}
	p.told = now
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", p.line(done, now.Sub(p.started)))
	} else {
		fmt.Fprintln(p.out, p.line(done, now.Sub(p.started)))
	}
}

// end takes the line off the terminal.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal && p.told != p.started {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *progress) line(done int64, took time.Duration) string {
	rate := float64(done) / max(took.Seconds(), 1e-9)
	text := fmt.Sprintf("%s: %s %s, %s a second", p.what, p.count(float64(done)), p.unit, p.count(rate))
	if p.total <= 0 {
		return text
	}
	text = fmt.Sprintf("%s: %s of %s %s (%d %%), %s a second", p.what, p.count(float64(done)), p.count(float64(p.total)), p.unit,
		min(done*100/p.total, 100), p.count(rate))
	if left := float64(p.total - done); left > 0 && rate > 0 {
		text += fmt.Sprintf(", %s left", time.Duration(left/rate*float64(time.Second)).Round(time.Second))
	}
	return text
}

func (p *progress) count(n float64) string {
	if p.unit == "MB" {
		return fmt.Sprintf("%.1f", n/1e6)
	}
	return fmt.Sprintf("%.0f", n)
}

// counted is a writer that tells how much went through it.
type counted struct {
	p    *progress
	done int64
}

// Write implements io.Writer.
func (c *counted) Write(b []byte) (int, error) {
	c.done += int64(len(b))
	c.p.at(c.done)
	return len(b), nil
}

// grows tells how large a file has become until stop, for copies that say nothing
// themselves.
func (p *progress) grows(file string) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(onTerminal)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if info, err := os.Stat(file); err == nil {
					p.at(info.Size())
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended; p.end() }
}

// sizeOf is 0 for a file that is not there.
func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
