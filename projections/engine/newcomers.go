package engine

import "context"

// newcomers marks the projections that this process is the first to build, in tables which
// others have served from before: nobody has been promised anything of them yet.
func (r *Runner) newcomers(ctx context.Context) error {
	served := false
	var fresh []*worker
	for _, p := range r.o.Projections {
		b, err := loadBuild(ctx, r.o.Tables, p)
		if err != nil {
			return err
		}
		served = served || b.Ready
		if !b.Ready && b.Building == 0 {
			fresh = append(fresh, r.workers[p.name])
		}
	}
	if served {
		for _, w := range fresh {
			w.state.isNew()
		}
	}
	return nil
}

// isNew says that the projection is being built for the first time.
func (s *state) isNew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.New = true
}
