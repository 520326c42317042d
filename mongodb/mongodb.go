// Package mongodb is how Folio uses a MongoDB server: what an address may say, which
// promises are asked of the server, how long a command may take, and which failures pass.
//
// Every write waits for the journal of a majority, every read sees only what a majority
// has, and all go to the primary. So what was acknowledged stays when a primary is lost,
// and nothing that was read is taken back. A server of its own (no replica set) acknowledges
// from its journal.
package mongodb

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/event"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
	"go.mongodb.org/mongo-driver/mongo/readconcern"
	"go.mongodb.org/mongo-driver/mongo/readpref"
	"go.mongodb.org/mongo-driver/mongo/writeconcern"
)

// Patience is how long one command may take, finding the server included, before it is
// fault.StoreUnavailable.
const Patience = 3 * time.Second

// Building is how long a command may take that touches a whole collection: making an
// index, dropping, emptying.
const Building = time.Minute

// Option changes how a client connects.
type Option func(*options.ClientOptions)

// WithMonitor shows every command to m.
func WithMonitor(m *event.CommandMonitor) Option {
	return func(o *options.ClientOptions) { o.SetMonitor(m) }
}

// Client is a connection to a server.
type Client struct {
	c *mongo.Client
	*primary
}

// Connect makes a client for the server at an address (see Parse), known to the server by
// the name given. It does not wait for the server: the first command does.
func Connect(ctx context.Context, address, name string, opts ...Option) (*Client, error) {
	if _, err := Parse(address); err != nil {
		return nil, err
	}
	journaled, concern := true, writeconcern.Majority()
	concern.Journal = &journaled
	o := options.Client().ApplyURI(address).SetAppName(name).
		SetWriteConcern(concern).SetReadConcern(readconcern.Majority()).SetReadPreference(readpref.Primary()).
		SetServerSelectionTimeout(Patience).SetConnectTimeout(Patience).SetHeartbeatInterval(2 * time.Second)
	p := newPrimary()
	o.SetServerMonitor(&event.ServerMonitor{TopologyDescriptionChanged: p.changed})
	for _, opt := range opts {
		opt(o)
	}
	if err := o.Validate(); err != nil {
		return nil, explain(address, err)
	}
	c, err := mongo.Connect(ctx, o)
	if err != nil {
		return nil, explain(address, err)
	}
	return &Client{c, p}, nil
}

// Close ends the connections; it waits a few seconds for those in use.
func (c *Client) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return c.c.Disconnect(ctx)
}

// Database is one of the server's.
func (c *Client) Database(name string) *Database { return &Database{c.c.Database(name), c.primary} }

// Database holds collections.
type Database struct {
	d *mongo.Database
	*primary
}

// Name is the database's.
func (d *Database) Name() string { return d.d.Name() }

// Collection is one of the database's.
func (d *Database) Collection(name string) *Collection {
	return &Collection{d.d.Collection(name), d.primary}
}

// Drop removes the database.
func (d *Database) Drop(ctx context.Context) error {
	return d.within(ctx, Building, func(ctx context.Context) error { return d.d.Drop(ctx) })
}

// Run runs a command and decodes its answer.
func (d *Database) Run(ctx context.Context, command, answer any) error {
	return d.within(ctx, Patience, func(ctx context.Context) error { return d.d.RunCommand(ctx, command).Decode(answer) })
}
