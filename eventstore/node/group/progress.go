package group

// progress knows how far everything is done: up to the place before the first message that is not.
type progress struct {
	open       []place // messages begun, in order; ended ones leave when they come to the front
	ended      map[uint64]bool
	considered uint64 // the last place offered or skipped
	some       bool   // whether there was one
	saved      uint64
	savedSome  bool
	since      int // messages ended or skipped since the last checkpoint
}

type place struct {
	at, before uint64
	first      bool // nothing came before it
}

func (p *progress) begin(at uint64) {
	p.open = append(p.open, place{at: at, before: p.considered, first: !p.some})
	p.considered, p.some = at, true
}

func (p *progress) pass(at uint64) { p.considered, p.some = at, true }

func (p *progress) skip(at uint64) {
	p.pass(at)
	p.since++
}

func (p *progress) end(at uint64) {
	if p.ended == nil {
		p.ended = map[uint64]bool{}
	}
	p.ended[at] = true
	p.since++
	for len(p.open) > 0 && p.ended[p.open[0].at] {
		delete(p.ended, p.open[0].at)
		p.open = p.open[1:]
	}
}

// done answers the place up to which everything is done, and whether there is one.
func (p *progress) done() (uint64, bool) {
	if len(p.open) > 0 {
		return p.open[0].before, !p.open[0].first
	}
	return p.considered, p.some
}

// Checkpoint answers the place to save, and whether one is due: at least the minimum ended since the
// last when the time has come (timed), the maximum at once, anything at all when the group closes.
func (g *Group) Checkpoint(timed, closing bool) (at uint64, due bool) {
	p := &g.progress
	at, some := p.done()
	if !some || p.savedSome && at == p.saved {
		return 0, false
	}
	due = closing && p.since > 0 || timed && p.since >= max(1, g.settings.MinCheckpointCount) ||
		g.settings.MaxCheckpointCount > 0 && p.since >= g.settings.MaxCheckpointCount
	return at, due
}

// Saved notes that a checkpoint is stored.
func (g *Group) Saved(at uint64) {
	g.progress.saved, g.progress.savedSome, g.progress.since = at, true, 0
}
