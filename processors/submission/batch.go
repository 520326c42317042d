package submission

import (
	"slices"

	"folio/authority"
	"folio/country"
	"folio/events"
)

// maxBatch keeps a settlement (outcomes with their codes to print, and a question each
// if the answer is lost) well below the log's limit for one append, 1 MiB.
const maxBatch = 250

// batchLimit is how many documents may share a call: what the authority takes, less
// where the kind goes alone.
func batchLimit(d session, last authority.Last) int {
	n := min(max(last.BatchLimit, 1), maxBatch)
	kind, ok := country.TypeOf(d.rules, d.id.OfficialCode)
	if ok && kind.BatchLimit > 0 {
		n = min(n, kind.BatchLimit)
	}
	return n
}

// resize learns from a settled call how many documents the next one takes. One that an authority
// cut short at a rejected document (ARCA: what comes after it is not processed) halves it, since
// all that was cut off is opened, told and sent again; one that it took whole doubles it.
func (t *turn) resize(outcomes []events.Outcome) {
	n := len(outcomes)
	cut := slices.ContainsFunc(outcomes, func(o events.Outcome) bool { return o.Result == events.NotProcessed })
	switch {
	case onlyUnprocessed(outcomes):
	case cut:
		t.most = max(n/2, 1)
	case t.most > 0 && n >= t.most:
		if t.most *= 2; t.most >= maxBatch {
			t.most = 0
		}
	}
}
