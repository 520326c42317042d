// This module pins the released clients whose tests conformance/run takes. Nothing is built from it: the
// two cannot even be linked into one program.
module folio/conformance/modules

go 1.26.0

require (
	github.com/EventStore/EventStore-Client-Go/v4 v4.2.0
	github.com/kurrent-io/KurrentDB-Client-Go v1.4.2
)
