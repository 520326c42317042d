// Package ferret starts FerretDB, a server that speaks MongoDB's protocol over SQLite,
// inside a test process. The module is for tests only: nothing of it is in the product.
//
// FerretDB 1.24 reads whole collections to answer a query, applies updates in a read
// and a write of its own, and knows few kinds of indexes. Writes are let in one at a
// time, so that updates are what they are in MongoDB. It shows that we speak the protocol
// right, on small data, with several processes; it proves nothing about speed.
package ferret

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// Start runs a server on listen, "127.0.0.1:0" for a free port of the loopback interface,
// with its data in folder, until ctx ends; stopped is closed when it is down. The address
// is mongodb://.
func Start(ctx context.Context, folder, listen string) (address string, stopped <-chan struct{}, err error) {
	if folder == "" {
		return "", nil, errors.New("start ferretdb: no folder for its data")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return "", nil, fmt.Errorf("start ferretdb: %w", err)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler:   "sqlite",
		SQLiteURL: "file:" + folder + "/",
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("start ferretdb: %w", err), l.Close())
	}
	backend := strings.Trim(strings.TrimPrefix(server.MongoDBURI(), "mongodb://"), "/")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Run(ctx) // it returns nil always; what failed shows at the client
	}()
	go (&front{backend: backend}).serve(ctx, l)
	return "mongodb://" + l.Addr().String() + "/", done, nil
}
