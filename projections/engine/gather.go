package engine

import (
	"context"
	"time"

	"folio/clock"
)

// What nobody waits for is written together: a transaction costs more than what a single event changes. The first
// event after a rest is folded at once, and what comes within the pause behind it in one go. WaitFor ends the pause.
const (
	// gatherPause is that of a Gathered projection.
	gatherPause = 100 * time.Millisecond
	// passingPause is that of any projection behind events of other types: they only move its position, and are many.
	passingPause = 20 * time.Millisecond
)

// Gathered says that no write's answer waits for the projection. Another process, which looks at the stored
// checkpoint, sees it up to a tenth of a second later.
func Gathered[D any]() Rule[D] {
	return Rule[D]{func(p *Projection) { p.gathered = true }}
}

// gather lets events come together, after a batch that has all there is, unless somebody waits for one that is not
// there yet.
func (f *feed) gather(ctx context.Context, b Batch) {
	if f.replaces != nil || !b.CaughtUp {
		return
	}
	pause := passingPause
	if f.w.p.gathered {
		pause = gatherPause
	} else if len(b.Events) > 0 {
		return
	}
	if asked, calm := f.w.gauge.calm(); calm {
		clock.SleepUnless(ctx, pause, asked)
	}
}
