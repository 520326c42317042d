// Package waiting keeps why the invoices of a series wait, for whoever asks. A
// worker writes it when it cannot go on; readers compose pending_reason from it. It is
// a note, not a fact: losing it loses nothing but the explanation.
package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"folio/cache"
	"folio/events"
	"folio/tables"
)

// Code names a reason; callers may rely on it.
type Code string

// The reasons for which an invoice is Pending, or In process without an answer.
const (
	NoCertificate    Code = "NO_CERTIFICATE"
	CertificateFault Code = "CERTIFICATE_REFUSED"
	NoProfile        Code = "FISCAL_PROFILE_INCOMPLETE"
	OtherEnvironment Code = "ENVIRONMENT_NOT_SERVED"
	AuthorityDown    Code = "AUTHORITY_UNAVAILABLE"
	// ContingencyAvailable: as AuthorityDown, and the company may open a contingency.
	ContingencyAvailable Code = "CONTINGENCY_AVAILABLE"
	// ContingencyPoint: documents of the point of sale are issued by a code that was given ahead.
	ContingencyPoint Code = "POINT_OF_SALE_CONTINGENCY"
	// ContingencyMove: an invoice before this one is on its way to a contingency point, or this one is.
	ContingencyMove   Code = "CONTINGENCY_MOVE"
	AuthorityRefuses  Code = "AUTHORITY_REFUSES_SERIES"
	AuthorityDisagree Code = "AUTHORITY_CONTRADICTS_ITSELF"
	AuthorityDeciding Code = "AUTHORITY_DECIDING"
	NoRate            Code = "EXCHANGE_RATE_UNKNOWN"
	NoRange           Code = "NO_NUMBERING_RANGE"
	RangeExhausted    Code = "NUMBERING_RANGE_EXHAUSTED"
	SeriesHeld        Code = "SERIES_HELD"
	RecordsHeld       Code = "RECORDS_HELD"
	TaxpayerBusy      Code = "TAXPAYER_BUSY"
	LogDown           Code = "LOG_UNAVAILABLE"
	StoreDown         Code = "STORE_UNAVAILABLE"
	Internal          Code = "INTERNAL"
)

// Reason is why a series waits.
type Reason struct {
	Code     Code         `json:"code"`
	Text     string       `json:"text"`               // what happened and what would help
	NextTry  *time.Time   `json:"next_try,omitempty"` // when it goes on by itself; nil: with an event
	Attempts int          `json:"attempts,omitempty"`
	Since    time.Time    `json:"since"`
	Tried    *Tried       `json:"tried,omitempty"` // nil: the authority was not spoken to
	Denied   time.Time    `json:"denied,omitzero"` // since when the authority denies what it says it had
	Open     []Submission `json:"open,omitempty"`  // of a series with several open submissions: each of them
}

// Add puts a sentence after the text, with a code that may be another one.
func (r *Reason) Add(code Code, sentence string) { r.Code, r.Text = code, r.Text+" "+sentence }

// Submission is an open submission, and why it waits.
type Submission struct {
	Submission string   `json:"submission"`
	Invoices   []string `json:"invoices"`
	Reason     Reason   `json:"reason"`
}

// About is why one invoice of the series waits: that of its submission, or of the series
// while it is in none.
func (r *Reason) About(invoice string) *Reason {
	if r == nil {
		return nil
	}
	for i := range r.Open {
		if slices.Contains(r.Open[i].Invoices, invoice) {
			return &r.Open[i].Reason
		}
	}
	return r
}

// Tried is what was said to the authority while nothing definitive came of it, for an
// auditor. A series that goes on begins anew.
type Tried struct {
	Turns int `json:"turns"` // that called it
	First Try `json:"first"`
	Last  Try `json:"last"` // kept of the turns 1, 2, 4, 8, ... so that a week of tries is a handful
}

// Try are the calls of one turn; of many only the first and last ones.
type Try struct {
	Turn  int           `json:"turn"` // from 1 on
	Calls []events.Call `json:"calls"`
}

// Unassigned is the series of a company's invoices that no certificate has given an
// environment yet.
func Unassigned(company string) string { return company + "/unassigned" }

var schema = tables.Schema{Name: "waiting_v2", Attributes: []tables.Attribute{{Name: "state"}}}

// Notes reads and writes reasons.
type Notes struct {
	store tables.Store
	now   func() time.Time
	seen  *cache.Cache[seen]
}

// seen is what a note said a moment ago.
type seen struct {
	reason *Reason
	at     time.Time
}

const (
	// believed is for how long a note is not read again: those of many invoices that wait are one note.
	believed   = 100 * time.Millisecond
	seenMemory = 1 << 20
)

// Open defines the table.
func Open(ctx context.Context, store tables.Store, now func() time.Time) (*Notes, error) {
	if err := store.Define(ctx, schema); err != nil {
		return nil, fmt.Errorf("define the table of waiting reasons: %w", err)
	}
	return &Notes{store, now, cache.New(seenMemory, func(s seen) int { return cache.SizeOf(s.reason) })}, nil
}

// Put replaces the note of a series; nil says that it goes on. Under a lease that another owner took it is
// tables.ErrLeaseLost, and the note stays as that owner left it; nil: whoever writes is alone.
func (n *Notes) Put(ctx context.Context, series string, r *Reason, lease *tables.Grant) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode why %s waits: %w", series, err)
	}
	at, err := n.next(ctx, series)
	if err != nil {
		return fmt.Errorf("note why %s waits: %w", series, err)
	}
	doc := tables.Document{ID: series, At: events.Position{Commit: at, Prepare: at}, Body: body, Attributes: stateOf(r)}
	if err := n.store.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: schema.Name,
		Documents: []tables.Document{doc}}}, Lease: lease}); err != nil {
		return fmt.Errorf("note why %s waits: %w", series, err)
	}
	n.seen.Remove(series)
	return nil
}

// next is the guard of a new note. Notes come from the clock, not from events, and the
// later one must win also when the clock stood still or was set back.
func (n *Notes) next(ctx context.Context, series string) (uint64, error) {
	now := uint64(n.now().UnixMicro())
	old, err := n.store.Get(ctx, schema.Name, series)
	if errors.Is(err, tables.ErrNotFound) {
		return now, nil
	}
	return max(now, old.At.Commit+1), err
}

// Get is the note of a series, nil when it does not wait: as it is, or was a moment ago where another process writes
// it. It is not to be changed.
func (n *Notes) Get(ctx context.Context, series string) (*Reason, error) {
	now := time.Now() // of the machine: the clock of notes may stand still
	if s, ok := n.seen.Get(series); ok && now.Sub(s.at) < believed {
		return s.reason, nil
	}
	r, err := n.Stored(ctx, series)
	if err == nil {
		n.seen.Add(series, seen{r, now})
	}
	return r, err
}

// Stored is the note of a series as it is, whoever wrote it.
func (n *Notes) Stored(ctx context.Context, series string) (*Reason, error) {
	doc, err := n.store.Get(ctx, schema.Name, series)
	if errors.Is(err, tables.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read why %s waits: %w", series, err)
	}
	var r *Reason
	if err := json.Unmarshal(doc.Body, &r); err != nil {
		return nil, fmt.Errorf("decode why %s waits: %w", series, err)
	}
	return r, nil
}
