package resource

import "encoding/json"

// BatchRow is what came of one row of a batch: the invoice, or the problem that a create
// would have answered with.
type BatchRow struct {
	Row      int             `json:"row"` // the line, from 1 on
	Key      string          `json:"idempotency_key"`
	Status   int             `json:"status"`           // that a create would have had
	Replayed bool            `json:"replayed"`         // the key was used before
	Position string          `json:"position"`         // for Folio-Min-Position
	Invoice  *Invoice        `json:"invoice"`          // null without one
	Problem  json.RawMessage `json:"problem,omitzero"` // where there is no invoice
}
