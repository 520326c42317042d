package delivery

// List names the worklist of a company, for tests.
func List(company string) string { return listName(company) }

// Evict forgets what is in memory of the lists, as a process does that has too many.
func (p *Processor) Evict() { p.cache.Evict() }
