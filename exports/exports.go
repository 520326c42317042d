// Package exports writes what the log has of a company into one file that others verify without this program: package
// audit says what is in it and holds it against the log's checkpoint. Exports keeps such files for callers of the API.
package exports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"folio/audit"
	"folio/clock"
	"folio/events"
	"folio/eventstore"
	"folio/fault"
	"folio/papers"
	"folio/projections"
	"folio/transparency"
)

// Log is the event log as it is read here; *eventstore.Log is one.
type Log interface {
	All(ctx context.Context, after events.Position, f eventstore.Filter) iter.Seq2[events.Recorded, error]
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
	End(ctx context.Context) (events.Position, error)
}

// Secrets is the vault as it is read here.
type Secrets interface {
	transparency.Opener
	papers.Files
}

// Source is what exports are made of.
type Source struct {
	Log       Log
	LogID     string
	Secrets   Secrets
	Papers    papers.Maker
	Documents *projections.Reader
	Tree      *transparency.Store
	// Turn runs what takes so much memory when it is the company's turn; nil: at once.
	Turn func(ctx context.Context, company string, memory int64, f func() error) error
	Now  func() time.Time
}

// Order says what an export is of.
type Order struct {
	Company  string
	From, To string // YYYY-MM-DD, of the documents; both empty: the whole history
	Key      string // the Idempotency-Key it was asked for with, "" for none
	By       string // who asks, as events name actors
}

// Whole says that the order is for the company's whole history.
func (o Order) Whole() bool { return o.From == "" && o.To == "" }

// Progress is how far an export has come.
type Progress struct {
	Step  string `json:"step"` // checkpoint, events, documents, files
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0: not known
}

// Result is what an export has.
type Result struct {
	Events, Invoices int
	Until            events.Position // the last event that the checkpoint covers
}

// ErrNoCheckpoint: nothing can be proven yet.
var ErrNoCheckpoint = &fault.Error{Code: fault.Unavailable, Constant: "NO_CHECKPOINT", RetryAfter: 60,
	Text: "The transparency log has no checkpoint yet that covers the company's facts, or its tiles are being " +
		"built anew: " +
		"ask again after the next one, which a running service makes within --checkpoint-every."}

// Await waits until a published checkpoint covers what the log has of the company now, at most as long as patience. It
// gives how many facts are not covered by then.
func (s Source) Await(ctx context.Context, o Order, patience time.Duration) (beyond int, err error) {
	end, err := s.Log.End(ctx)
	if err != nil {
		return 0, err
	}
	for deadline := s.Now().Add(patience); ; {
		beyond, err = s.beyond(ctx, o, end)
		if err == nil && beyond == 0 || err != nil && !errors.Is(err, ErrNoCheckpoint) || !s.Now().Before(deadline) {
			return beyond, err
		}
		if !clock.Sleep(ctx, 500*time.Millisecond) {
			return beyond, ctx.Err()
		}
	}
}

// beyond counts the company's facts between the published checkpoint and a position.
func (s Source) beyond(ctx context.Context, o Order, end events.Position) (n int, err error) {
	prover, err := s.prover(ctx)
	if err != nil {
		return 0, err
	}
	own := newOwner(s.Log, o)
	for r, err := range s.Log.All(ctx, prover.Last, eventstore.Filter{Streams: own.prefixes()}) {
		if err != nil {
			return n, fmt.Errorf("read behind the checkpoint: %w", err)
		}
		if end.Before(r.Position) {
			break
		}
		mine, err := own.counts(ctx, r)
		if err != nil {
			return n, err
		}
		if mine && transparency.Counts(r) {
			n++
		}
	}
	return n, nil
}

func (s Source) prover(ctx context.Context) (*transparency.Prover, error) {
	p, err := s.Tree.Prover(ctx)
	if errors.Is(err, transparency.ErrNone) || errors.Is(err, transparency.ErrIncomplete) {
		err = fmt.Errorf("%w: %w", ErrNoCheckpoint, err)
	}
	return p, err
}

// Write writes an export as of the published checkpoint. Scratch is a folder for what is put aside; tell hears how far
// it
// has come, and may be nil. What it takes in memory is bounded by MaxFiles, whatever the company has.
func (s Source) Write(ctx context.Context, to io.Writer, scratch string, o Order, tell func(Progress)) (Result, error) {
	if tell == nil {
		tell = func(Progress) {}
	}
	prover, err := s.prover(ctx)
	if err != nil {
		return Result{}, err
	}
	at := s.Now()
	a, err := newArchive(to, scratch, at)
	if err != nil {
		return Result{}, err
	}
	w := &writer{Source: s, Order: o, archive: a, prover: prover, scratch: scratch, tell: tell,
		own: newOwner(s.Log, o), open: map[string]bool{}, sent: map[string]string{}}
	defer func() { _ = w.close() }() // what is aside has no name any more
	if err := w.run(ctx); err != nil {
		return Result{}, err
	}
	result := Result{Events: w.events, Invoices: len(w.invoices), Until: prover.Last}
	return result, a.close(w.manifest(at), func(sum string) (string, error) {
		return transparency.Sign(ctx, s.Secrets, prover.Head.Key, audit.Statement(prover.Head.Origin, sum))
	})
}
