package waiting

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"folio/events"
	"folio/tables"
)

var authoritySchema = tables.Schema{Name: "authorities_v1"}

// Authority is how an authority was last seen, by whichever process spoke to it.
type Authority struct {
	Authority   string     `json:"authority"`
	Environment string     `json:"environment"`
	Up          bool       `json:"up"` // it has answered, and did when it was last asked
	Since       time.Time  `json:"since"`
	LastSuccess *time.Time `json:"last_success"`
	LastFailure *time.Time `json:"last_failure"`
	Fault       string     `json:"fault"`
	NextTry     *time.Time `json:"next_try"`
}

// Authorities reads and writes how authorities were last seen.
type Authorities struct {
	store tables.Store
	now   func() time.Time
}

// OpenAuthorities defines the table.
func OpenAuthorities(ctx context.Context, store tables.Store, now func() time.Time) (*Authorities, error) {
	if err := store.Define(ctx, authoritySchema); err != nil {
		return nil, fmt.Errorf("define the table of authorities: %w", err)
	}
	return &Authorities{store, now}, nil
}

// Put replaces what is known of an authority and environment.
func (a *Authorities) Put(ctx context.Context, s Authority) error {
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode how %s was last seen: %w", s.Authority, err)
	}
	at := uint64(a.now().UnixMicro())
	doc := tables.Document{ID: s.Authority + "/" + s.Environment, At: events.Position{Commit: at, Prepare: at}, Body: body}
	if err := a.store.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: authoritySchema.Name,
		Documents: []tables.Document{doc}}}}); err != nil {
		return fmt.Errorf("note how %s was last seen: %w", s.Authority, err)
	}
	return nil
}

// All lists what is known, by authority and environment.
func (a *Authorities) All(ctx context.Context) ([]Authority, error) {
	page, err := a.store.Page(ctx, tables.Query{Table: authoritySchema.Name, Limit: 100})
	if err != nil {
		return nil, fmt.Errorf("read how authorities were last seen: %w", err)
	}
	out := make([]Authority, len(page.Documents))
	for i, d := range page.Documents {
		if err := json.Unmarshal(d.Body, &out[i]); err != nil {
			return nil, fmt.Errorf("decode how %s was last seen: %w", d.ID, err)
		}
	}
	return out, nil
}
