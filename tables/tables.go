// Package tables is the contract for everything that readers see and workers
// plan with: documents, checkpoints, worklists and leases.
//
// Nothing in a store of this contract is a source of truth. All of it was folded
// from the event log and can be dropped and folded again, which is why a store may
// trade durability for speed as long as it stays consistent with itself: after a
// crash it may have forgotten its newest writes, but never holds a checkpoint that
// is ahead of the documents and worklists it stands for.
//
// Every document and every worklist item keeps the log position of the event that
// shaped it last. A write whose position is not later changes nothing, so hearing
// an event twice, or from a writer that lost its lease, is harmless.
//
// The two implementations are tables/sqlite and tables/mongo; tabletest holds the
// suite that both pass.
package tables

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/fault"
)

var (
	// ErrNotFound: there is no such document, checkpoint or worklist item.
	ErrNotFound = errors.New("not found")
	// ErrNoTable: the table was never defined here, or was dropped since.
	ErrNoTable = errors.New("no such table")
	// ErrSchemaChanged: Define was given another shape under a name in use. The way
	// out is a new name (a raised version), never a silent change of a filled table.
	ErrSchemaChanged = errors.New("table exists with another shape")
	// ErrOtherLog: the checkpoint belongs to another event log, so its position and
	// the documents beside it mean nothing here. The way out is to rebuild:
	// ResetCheckpoint and Truncate, or the folder of the log that they came from.
	ErrOtherLog = errors.New("checkpoint of another event log")
	// ErrUnavailable: the store is busy, locked, full or cannot be reached. Whether a write
	// came through is not known; the guards make it harmless to write it again. It is a
	// fault, so that a caller of the API gets 503 and Retry-After.
	ErrUnavailable error = fault.StoreUnavailable
	// ErrCheckpointMoved: the stored checkpoint is not the one that the batch follows on.
	// The store stepped back (a server lost what it had acknowledged, a copy was restored)
	// or another process writes the same feed. The way out is to begin again from what is
	// stored, remembering nothing.
	ErrCheckpointMoved = errors.New("the checkpoint is not the one that was saved last")
	// ErrLeaseLost: the lease that the batch was written under ran out, or a newer owner holds it.
	ErrLeaseLost = errors.New("lease lost: it ran out, or has a newer owner")
	// ErrInvalid: the arguments can be right in no state of the store.
	ErrInvalid = errors.New("invalid argument")
)

// Store keeps documents, checkpoints, worklists and leases. All methods are safe
// for concurrent use, from several processes too.
type Store interface {
	// Define creates the tables and indexes that are missing. It is idempotent;
	// a table that exists with another shape is ErrSchemaChanged and stays as it is.
	Define(ctx context.Context, schemas ...Schema) error
	// Drop removes a table with its documents; a table that is not there is no error.
	Drop(ctx context.Context, table string) error
	// Tables lists the defined tables, sorted by name. SQLite leaves out those that somebody dropped by hand;
	// MongoDB cannot tell them from those that are empty.
	Tables(ctx context.Context) ([]Schema, error)
	// Truncate removes all documents of a table and keeps its definition.
	Truncate(ctx context.Context, table string) error

	// Get reads one document; ErrNotFound when there is none.
	Get(ctx context.Context, table, id string) (Document, error)
	// GetMany reads those of the documents that exist, by id.
	GetMany(ctx context.Context, table string, ids []string) (map[string]Document, error)
	// Page reads one page of a table: see Query.
	Page(ctx context.Context, q Query) (Page, error)
	// Scan reads the rows of a table whole, in the order of their ids whatever list they are in:
	// those after an id, at most so many; none at the end.
	Scan(ctx context.Context, table, after string, limit int) ([]Row, error)
	// Sum counts and adds up documents by group, ordered by the groups' values: see Sums. It
	// reads an index, not the documents.
	Sum(ctx context.Context, q Sums) ([]Group, error)

	// Apply writes a batch: see Batch for the order and the guards.
	Apply(ctx context.Context, b Batch) error
	// Checkpoint reads how far a feed came; ErrNotFound when it never wrote one.
	Checkpoint(ctx context.Context, name string) (Checkpoint, error)
	// Checkpoints reads those of all feeds, ordered by name.
	Checkpoints(ctx context.Context) ([]Checkpoint, error)
	// ResetCheckpoint forgets a checkpoint, so that its feed starts over.
	ResetCheckpoint(ctx context.Context, name string) error

	// Worklist gives a handle; a worklist needs no definition. Its name follows the
	// rule of table names, and a wrong one is an error of every call on it.
	Worklist(name string) Worklist
	Leases

	// Close releases the store; the handles it gave are dead afterwards.
	Close() error
}

// Document is one row of a table.
type Document struct {
	ID string // unique in its table, 1 to 512 bytes
	// At is the position of the last event that shaped the document.
	At events.Position
	// List and Ordinal place a document of a listed table: the ordinal counts from 1,
	// without gaps, within its list. Both stay empty in a table that is not listed. One of an
	// owned table has a list, its owner, and no ordinal.
	List    string
	Ordinal int64
	// Attributes hold what filters look at; every one must be in the schema, one that
	// is left out is stored as "" and comes back so.
	Attributes map[string]string
	// Body is the JSON that readers get: UTF-8, at most MaxBody bytes. Empty comes back nil.
	Body []byte
}

// MaxBody is the largest body that both stores take (MongoDB ends at 16 MiB a document).
const MaxBody = 15 << 20

// Write is what a batch does to one table.
type Write struct {
	Table string
	// Documents are inserted, or replaced when the stored position is earlier. One
	// whose stored position is the same or later is left alone, without an error.
	Documents []Document
	// Deletes are ids removed after Documents were written. They have no guard: a
	// stale writer could bring the document back, so facts are not deleted this way.
	Deletes []string
}

// Batch is written in this order: Writes as given, then Work as given, then
// Checkpoint. A store with transactions writes it whole or not at all. One without
// stops at the first failure and can be interrupted, which leaves the checkpoint
// where it was: the feed then repeats events, and the guards make that harmless.
type Batch struct {
	Writes []Write
	Work   []WorklistChange
	// Checkpoint replaces the one that is stored only if that is the one at After, none for
	// the zero After; otherwise the batch is refused with ErrCheckpointMoved, or
	// ErrOtherLog. One that is there already, because the answer to the first try was
	// lost, is no error.
	Checkpoint *Checkpoint
	// Lease, when given, must still be held by its owner or the batch is refused with
	// ErrLeaseLost. SQLite checks it inside the transaction; MongoDB just before it
	// writes, so there a stale batch can slip through and is stopped by the guards only.
	Lease *Grant
}

// Checkpoint says that everything up to and including At is in the tables.
type Checkpoint struct {
	Name string
	// Store is the id of the event log that At belongs to (StoreCreated).
	Store string
	At    events.Position
	// After is the position of the checkpoint that this one follows on, as it was read or
	// saved last. Reading a checkpoint leaves it zero.
	After events.Position
}

// Follows says whether c may be stored where the checkpoint have is, nil for none: it
// follows on it, or is there already. Otherwise the error says why not.
func (c Checkpoint) Follows(have *Checkpoint) error {
	var at events.Position
	if have != nil {
		if at = have.At; have.Store != c.Store {
			return fmt.Errorf("checkpoint %s is of log %.60q, not of %.60q: %w", c.Name, have.Store, c.Store, ErrOtherLog)
		}
	}
	if at == c.After || at == c.At && have != nil {
		return nil
	}
	return fmt.Errorf("checkpoint %s is at %s, not at %s: %w", c.Name, at, c.After, ErrCheckpointMoved)
}

// Validate refuses a checkpoint that would say nothing.
func (c Checkpoint) Validate() error {
	if c.Name == "" || c.Store == "" || !text(c.Name) || !text(c.Store) {
		return fmt.Errorf("checkpoint %q of log %q: both names must be given: %w", clip(c.Name), clip(c.Store), ErrInvalid)
	}
	if c.At.Before(c.After) {
		return fmt.Errorf("checkpoint %s goes back from %s to %s: %w", c.Name, c.After, c.At, ErrInvalid)
	}
	return CheckPosition(c.At)
}
