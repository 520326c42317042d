// Package mongo keeps a vault in a MongoDB database of its own. Writes wait for the
// journal of a majority, because a vault cannot be rebuilt from the log.
package mongo

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/mongodb"
	"folio/vault"
)

// Open opens or makes the vault in the named database of the server at an
// address (see mongodb.Parse), with the master key in a file: see vault.New.
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
	client *mongodb.Client
	db     *mongodb.Database
	c      *mongodb.Collection
}

var _ vault.Backend = (*Backend)(nil)

// OpenBackend connects without the keys.
func OpenBackend(ctx context.Context, address, database string, opts ...mongodb.Option) (*Backend, error) {
	client, err := mongodb.Connect(ctx, address, "folio-vault", opts...)
	if err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	db := client.Database(database)
	return &Backend{client, db, db.Collection("sealed")}, nil
}

// kept is a document of the collection.
type kept struct {
	ID    string `bson:"_id"`
	Bytes []byte `bson:"bytes"`
}

func byID(id string) bson.D { return bson.D{{Key: "_id", Value: id}} }

// Load implements vault.Backend.
func (b *Backend) Load(ctx context.Context, id string) ([]byte, error) {
	raw, err := b.c.FindOne(ctx, byID(id))
	if errors.Is(err, mongo.ErrNoDocuments) {
		return nil, vault.ErrNotFound
	} else if err != nil {
		return nil, err
	}
	var k kept
	if err := bson.Unmarshal(raw, &k); err != nil {
		return nil, fmt.Errorf("stored bytes of %.80q: %w", id, err)
	}
	return k.Bytes, nil
}

// Save implements vault.Backend. Two first writers can both try to insert: the second
// meets a duplicate key, and replaces what the first wrote.
func (b *Backend) Save(ctx context.Context, id string, sealed []byte) error {
	write := func() error {
		_, err := b.c.Replace(ctx, byID(id), kept{id, sealed}, options.Replace().SetUpsert(true))
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
	err := b.c.Insert(ctx, kept{id, sealed})
	if mongo.IsDuplicateKeyError(err) {
		return false, nil
	}
	return err == nil, err
}

// Swap implements vault.Backend.
func (b *Backend) Swap(ctx context.Context, id string, old, sealed []byte) (bool, error) {
	return b.c.Replace(ctx, append(byID(id), bson.E{Key: "bytes", Value: old}), kept{id, sealed})
}

// Delete implements vault.Backend.
func (b *Backend) Delete(ctx context.Context, id string) error {
	return b.c.Delete(ctx, byID(id))
}

// Erase implements vault.Backend. The server says nothing of what its files and its oplog still have.
func (*Backend) Erase(context.Context) error { return nil }

// Next implements vault.Backend.
func (b *Backend) Next(ctx context.Context, after string, limit int) (ids []string, err error) {
	err = b.c.Each(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}}}},
		options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(int64(limit)).SetProjection(
			bson.D{{Key: "_id", Value: 1}}),
		func(raw bson.Raw) (bool, error) {
			id, _ := raw.Lookup("_id").StringValueOK()
			ids = append(ids, id)
			return true, nil
		})
	return ids, err
}

// Empty implements vault.Backend.
func (b *Backend) Empty(ctx context.Context) (bool, error) {
	_, err := b.c.FindOne(ctx, bson.D{})
	if errors.Is(err, mongo.ErrNoDocuments) {
		return true, nil
	}
	return false, err
}

// Close implements vault.Backend; it waits a few seconds for connections in use.
func (b *Backend) Close() error { return b.client.Close() }

// Destroy drops the whole database, and with it what nothing can bring back. Tests use
// it to leave nothing behind.
func (b *Backend) Destroy(ctx context.Context) error {
	if err := b.db.Drop(ctx); err != nil {
		return fmt.Errorf("drop database %s: %w", b.db.Name(), err)
	}
	return nil
}
