package delivery

import "folio/tables"

// List names the worklist of a company, for tests.
func List(company string) string { return listName(company) }

// Together is what the writer makes of batches that wait.
func Together(batches ...tables.Batch) tables.Batch {
	some := make([]handed, len(batches))
	for i, b := range batches {
		some[i].batch = b
	}
	return together(some)
}

// Evict forgets what is in memory of the lists, as a process does that has too many.
func (p *Processor) Evict() { p.books.forgetAll() }
