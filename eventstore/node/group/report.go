package group

import "time"

// Report is what a group says of itself.
type Report struct {
	Waiting, Retrying, Flying int
	Total                     int64
	Checkpoint                uint64
	HasCheckpoint             bool
	Consumers                 []ConsumerReport
}

// ConsumerReport is one consumer's part of a Report.
type ConsumerReport struct {
	Name         string
	Total        int64
	Flying, Room int
}

// Report answers counts for whoever asks how the group is doing.
func (g *Group) Report() Report {
	r := Report{Waiting: len(g.waiting), Retrying: len(g.retrying), Flying: g.flying, Total: g.total,
		Checkpoint: g.progress.saved, HasCheckpoint: g.progress.savedSome}
	for _, c := range g.consumers {
		r.Consumers = append(r.Consumers, ConsumerReport{Name: c.Name, Total: c.total, Flying: c.count, Room: c.room()})
	}
	return r
}

// Deadline is when Expire will next have something to do; zero for never.
func (g *Group) Deadline() (next time.Time) {
	for _, c := range g.consumers {
		for _, flights := range c.flying {
			if d := flights[0].deadline; !d.IsZero() && (next.IsZero() || d.Before(next)) {
				next = d
			}
		}
	}
	return next
}
