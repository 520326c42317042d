package writebehind

import "folio/tables"

// Together is what the writer makes of batches that wait.
func Together(batches ...tables.Batch) tables.Batch {
	all := newLayer()
	for _, b := range batches {
		l := newLayer()
		for _, c := range b.Work {
			for _, it := range c.Put {
				l.put(c.Worklist, it)
			}
			for _, r := range c.Remove {
				l.remove(c.Worklist, r.Key, r.At)
			}
			for _, p := range c.Postpone {
				l.postpone(c.Worklist, p.Key, p.Due)
			}
		}
		all.add(l)
	}
	return tables.Batch{Work: all.changes()}
}
