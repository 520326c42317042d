// Package mongo keeps a vault in a MongoDB database of its own. Writes wait for the
// journal of a majority, because a vault cannot be rebuilt from the log.
package mongo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
	"go.mongodb.org/mongo-driver/mongo/writeconcern"

	"folio/vault"
)

// Open opens or makes the vault in the named database of the server at a mongodb://
// address, with the master key in a file: see vault.New.
func Open(ctx context.Context, address, database, masterKey string) (*vault.Sealed, error) {
	b, err := OpenBackend(ctx, address, database)
	if err != nil {
		return nil, err
	}
	v, err := vault.New(ctx, b, masterKey)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return v, nil
}

// Backend is a vault.Backend in a database.
type Backend struct {
	client *mongo.Client
	c      *mongo.Collection
}

var _ vault.Backend = (*Backend)(nil)

// OpenBackend connects without the keys.
func OpenBackend(ctx context.Context, address, database string) (*Backend, error) {
	journaled, concern := true, writeconcern.Majority()
	concern.Journal = &journaled
	opts := options.Client().ApplyURI(address).SetAppName("folio-vault").
		SetWriteConcern(concern)
	if opts.Validate() != nil { // its text could repeat a password
		return nil, fmt.Errorf("open vault: the address is not of the form mongodb://user:password@host:port/, "+
			"with special characters percent-encoded: %w", vault.ErrInvalid)
	}
	client, err := mongo.Connect(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	return &Backend{client, client.Database(database).Collection("sealed")}, nil
}

// kept is a document of the collection.
type kept struct {
	ID    string `bson:"_id"`
	Bytes []byte `bson:"bytes"`
}

func byID(id string) bson.D { return bson.D{{Key: "_id", Value: id}} }

// Load implements vault.Backend.
func (b *Backend) Load(ctx context.Context, id string) ([]byte, error) {
	var k kept
	err := b.c.FindOne(ctx, byID(id)).Decode(&k)
	if errors.Is(err, mongo.ErrNoDocuments) {
		err = vault.ErrNotFound
	}
	return k.Bytes, err
}

// Save implements vault.Backend. Two first writers can both try to insert: the second
// meets a duplicate key, and replaces what the first wrote.
func (b *Backend) Save(ctx context.Context, id string, sealed []byte) error {
	write := func() error {
		_, err := b.c.ReplaceOne(ctx, byID(id), kept{id, sealed}, options.Replace().SetUpsert(true))
		return err
	}
	err := write()
	if mongo.IsDuplicateKeyError(err) {
		err = write()
	}
	return err
}

// Insert implements vault.Backend.
func (b *Backend) Insert(ctx context.Context, id string, sealed []byte) (bool, error) {
	_, err := b.c.InsertOne(ctx, kept{id, sealed})
	if mongo.IsDuplicateKeyError(err) {
		return false, nil
	}
	return err == nil, err
}

// Swap implements vault.Backend.
func (b *Backend) Swap(ctx context.Context, id string, old, sealed []byte) (bool, error) {
	r, err := b.c.ReplaceOne(ctx, append(byID(id), bson.E{Key: "bytes", Value: old}), kept{id, sealed})
	return err == nil && r.MatchedCount > 0, err
}

// Delete implements vault.Backend.
func (b *Backend) Delete(ctx context.Context, id string) error {
	_, err := b.c.DeleteOne(ctx, byID(id))
	return err
}

// Next implements vault.Backend.
func (b *Backend) Next(ctx context.Context, after string, limit int) (ids []string, err error) {
	rows, err := b.c.Find(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}}}},
		options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(int64(limit)).SetProjection(bson.D{{Key: "_id", Value: 1}}))
	if err != nil {
		return nil, err
	}
	var found []kept
	if err := rows.All(ctx, &found); err != nil {
		return nil, err
	}
	for _, k := range found {
		ids = append(ids, k.ID)
	}
	return ids, nil
}

// Empty implements vault.Backend.
func (b *Backend) Empty(ctx context.Context) (bool, error) {
	err := b.c.FindOne(ctx, bson.D{}).Err()
	if errors.Is(err, mongo.ErrNoDocuments) {
		return true, nil
	}
	return false, err
}

// Close implements vault.Backend; it waits a few seconds for connections in use.
func (b *Backend) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return b.client.Disconnect(ctx)
}

// Destroy drops the whole database, and with it what nothing can bring back. Tests use
// it to leave nothing behind.
func (b *Backend) Destroy(ctx context.Context) error {
	if err := b.c.Database().Drop(ctx); err != nil {
		return fmt.Errorf("drop database %s: %w", b.c.Database().Name(), err)
	}
	return nil
}
