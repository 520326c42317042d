package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/tables"
	"folio/tables/mongo"
	tablesqlite "folio/tables/sqlite"
	"folio/vault"
	vaultmongo "folio/vault/mongo"
	vaultsqlite "folio/vault/sqlite"
)

// stores are the three places that data is kept in, opened.
type stores struct {
	node   *node.Node // nil when the log is elsewhere
	log    *eventstore.Log
	id     string // of the log
	tables tables.Store
	vault  *vault.Sealed
}

// openStores opens log, tables and vault. With own the embedded node is started, and
// a folder in use is refused; without it a running service's node is used through
// its socket, and one is started only if there is none.
func openStores(ctx context.Context, d dataFlags, own bool, logger *slog.Logger) (_ *stores, err error) {
	s := &stores{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close(context.WithoutCancel(ctx)))
		}
	}()
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	address := d.Eventstore
	if address == "" {
		if address, err = s.embedded(ctx, d, own, logger); err != nil {
			return nil, err
		}
	}
	if s.log, err = eventstore.Open(ctx, eventstore.Options{Address: address, Prefix: d.StreamPrefix, Logger: logger}); err != nil {
		return nil, fmt.Errorf("open the event log: %w", err)
	}
	if s.id, err = storeID(ctx, s.log); err != nil {
		return nil, err
	}
	if err := s.openTables(ctx, d); err != nil {
		return nil, err
	}
	if err := s.checkVault(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// embedded is the address of the data folder's node.
func (s *stores) embedded(ctx context.Context, d dataFlags, own bool, logger *slog.Logger) (string, error) {
	if !own {
		address, err := node.FindAddress(d.nodeDir())
		if err == nil || !errors.Is(err, node.ErrNotRunning) {
			return address, err
		}
	}
	n, err := node.Open(ctx, node.Options{Dir: d.nodeDir(), Logger: logger, Network: d.network})
	if err != nil {
		return "", fmt.Errorf("start the embedded event log: %w", err)
	}
	s.node = n
	if at := n.Network(); at != nil {
		logger.Info("EventStoreDB clients reach the log", "address", at.String(), "tls", d.network.CertFile != "")
	}
	return n.Address(), nil
}

func (s *stores) openTables(ctx context.Context, d dataFlags) (err error) {
	if d.Mongo != "" {
		database := mongoDatabase(d.Mongo)
		models, err := mongo.Open(ctx, d.Mongo, database)
		if err != nil {
			return fmt.Errorf("open the read models: %w", err)
		}
		s.tables = models
		if s.vault, err = vaultmongo.Open(ctx, d.Mongo, database+"_vault", d.masterKey()); err != nil {
			return fmt.Errorf("open the vault: %w", err)
		}
		return nil
	}
	inFolder, err := tablesqlite.Open(ctx, filepath.Join(d.Data, "tables.db"))
	if err != nil {
		return fmt.Errorf("open the read models: %w", err)
	}
	s.tables = local{inFolder}
	if s.vault, err = vaultsqlite.Open(ctx, filepath.Join(d.Data, "vault.db"), d.masterKey()); err != nil {
		return fmt.Errorf("open the vault: %w", err)
	}
	return nil
}

// mongoDatabase is the database that an address names, mongodb://HOST/DATABASE, or
// folio. The vault has one of its own beside it.
func mongoDatabase(address string) string {
	if u, err := url.Parse(address); err == nil && strings.Trim(u.Path, "/") != "" {
		return strings.Trim(u.Path, "/")
	}
	return "folio" // also for an address at fault, which the driver explains
}

func (s *stores) close(ctx context.Context) error {
	var errs []error
	if s.log != nil {
		errs = append(errs, s.log.Close())
	}
	if s.tables != nil {
		errs = append(errs, s.tables.Close())
	}
	if s.vault != nil {
		errs = append(errs, s.vault.Close())
	}
	if s.node != nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		errs = append(errs, s.node.Close(ctx))
	}
	return errors.Join(errs...)
}

// storeID is the log's id, drawn when the log is first used.
func storeID(ctx context.Context, l *eventstore.Log) (string, error) {
	for {
		id := ""
		for r, err := range l.Read(ctx, eventstore.StoreStream, 0) {
			if err != nil {
				return "", fmt.Errorf("read which log this is: %w", err)
			}
			if r, err = events.Open(r); err != nil {
				return "", err
			}
			e, ok := r.Event.(events.StoreCreated)
			if !ok {
				return "", fmt.Errorf("the stream %s holds %s: this is not a log of Folio's", eventstore.StoreStream, r.Type)
			}
			id = e.Store
		}
		if id != "" {
			return id, nil
		}
		if err := createStore(ctx, l, eventstore.NoStream, "folio"); err != nil && !errors.Is(err, eventstore.ErrConflict) {
			return "", err
		}
	}
}

// followed are the streams whose states the executor believes without reading them.
var followed = []string{"account-", "apikey-", "company-"}

// follow tells the executor of what others record, until ctx ends.
func follow(ctx context.Context, l *eventstore.Log, x *commands.Executor) error {
	end, err := l.End(ctx)
	if err != nil {
		return fmt.Errorf("find the end of the log: %w", err)
	}
	return l.Follow(ctx, end, eventstore.Filter{Streams: followed}, eventstore.FollowOptions{
		OnState: func(s eventstore.FollowState) { x.Connected(s.Connected && s.CaughtUp) },
	}, func(_ context.Context, b eventstore.Batch) error {
		x.Heard(b.Events...)
		return nil
	})
}
