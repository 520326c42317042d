package admission

import "runtime"

// cores is read before main changes how many threads run Go code.
var cores = runtime.GOMAXPROCS(0)

// Cores is how many cores the process may use, as of its start.
func Cores() int { return cores }
