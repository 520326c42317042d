package engine

// Wake ends the pauses of projections that wait to try again: what they waited for may be back.
func (r *Runner) Wake() {
	for _, w := range r.workers {
		select {
		case w.poke <- struct{}{}:
		default: // it is about to look anyway
		}
	}
}
