package delivery

// List names the worklist of a company, for tests.
func List(company string) string { return listName(company) }
