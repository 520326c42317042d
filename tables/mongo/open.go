// Package mongo keeps the tables contract in a MongoDB database, a standalone server
// included: it asks for no transaction over several documents.
//
// What transactions would give comes from order and guards instead. A batch is written
// documents first, checkpoint last, so a crash in between makes the feed repeat events
// and never skip any. Uniqueness rests on _id alone. Positions are kept as texts of
// fixed width, which compare as positions do, and every write of a known document
// carries "stored position is earlier" in its filter. A duplicate key (E11000) at an
// insert means that somebody else was first; the guarded update that follows then
// changes the document or finds that it is already newer.
//
// Bodies and amounts are text; no Decimal128, no server-side scripts.
package mongo

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/events"
	"folio/mongodb"
	"folio/tables"
)

// Store is a tables.Store in a database of its own.
type Store struct {
	client *mongodb.Client
	db     *mongodb.Database

	mu     sync.RWMutex
	tables map[string]*table
}

var _ tables.Store = (*Store)(nil)

// Names of the collections beside the tables, which are called t_<table>.
const (
	schemas     = "schemas"
	checkpoints = "checkpoints"
	leases      = "leases"
	work        = "work"
)

// Open connects to the server at an address (see mongodb.Parse) and uses the named
// database, making what it lacks. A server that does not answer is tables.ErrUnavailable.
func Open(ctx context.Context, address, database string, opts ...mongodb.Option) (*Store, error) {
	client, err := mongodb.Connect(ctx, address, "folio", opts...)
	if err != nil {
		return nil, fmt.Errorf("open tables: %w", err)
	}
	s := &Store{client: client, db: client.Database(database), tables: map[string]*table{}}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open tables in MongoDB database %s: %w", database, err), s.Close())
	}
	return s, nil
}

// prepare makes the indexes of the worklists; FerretDB knows no partial indexes, so
// traces of removed items are in them too.
func (s *Store) prepare(ctx context.Context) error {
	return ensure(ctx, s.db.Collection(work),
		index("due", "l", "gone", "due", "o", "k", "g"),
		index("group", "l", "gone", "g", "o", "k"),
		index("gone", "l", "gone", "at"))
}

// ensure makes the indexes that are missing, one call each: FerretDB 1.24 drops the
// connection when one call repeats several.
func ensure(ctx context.Context, c *mongodb.Collection, models ...mongo.IndexModel) error {
	for _, m := range models {
		if err := c.Index(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the connections; it waits a few seconds for those in use.
func (s *Store) Close() error { return s.client.Close() }

func index(name string, keys ...string) mongo.IndexModel {
	var d bson.D
	for _, k := range keys {
		d = append(d, bson.E{Key: k, Value: 1})
	}
	return mongo.IndexModel{Keys: d, Options: options.Index().SetName(name)}
}

// width is a position as text: two hexadecimal numbers of 16 digits, so that the order
// of texts is the order of positions.
func width(p events.Position) string { return fmt.Sprintf("%016x%016x", p.Commit, p.Prepare) }

func position(text string) (p events.Position, err error) {
	if _, err := fmt.Sscanf(text, "%16x%16x", &p.Commit, &p.Prepare); err != nil || width(p) != text {
		return events.Position{}, fmt.Errorf("stored position %.40q is damaged", text)
	}
	return p, nil
}

// Destroy drops the whole database. It is rebuilt from the log; tests use it to leave
// nothing behind.
func (s *Store) Destroy(ctx context.Context) error {
	if err := s.db.Drop(ctx); err != nil {
		return fmt.Errorf("drop database %s: %w", s.db.Name(), err)
	}
	return nil
}
