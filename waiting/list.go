package waiting

import (
	"context"
	"encoding/json"
	"fmt"

	"folio/tables"
)

// Note is a series that waits.
type Note struct {
	Series string
	Reason
}

const waits = "waits"

func stateOf(r *Reason) map[string]string {
	if r == nil {
		return map[string]string{"state": "goes on"}
	}
	return map[string]string{"state": waits}
}

// List gives some of the series that wait, by name, and how many there are.
func (n *Notes) List(ctx context.Context, limit int) (some []Note, all int64, err error) {
	page, err := n.store.Page(ctx, tables.Query{Table: schema.Name, Limit: limit,
		Filters: []tables.Filter{{Attribute: "state", Op: tables.Equal, Value: waits}}})
	if err != nil {
		return nil, 0, fmt.Errorf("list what waits: %w", err)
	}
	some = make([]Note, len(page.Documents))
	for i, d := range page.Documents {
		some[i].Series = d.ID
		if err := json.Unmarshal(d.Body, &some[i].Reason); err != nil {
			return nil, 0, fmt.Errorf("decode why %s waits: %w", d.ID, err)
		}
	}
	return some, page.Total, nil
}
