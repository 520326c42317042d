package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"folio/certificate"
	"folio/clock"
	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/mongodb"
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
	format int    // by which it has been written to
	raised string // the version that raised it to that
	last   int64  // revision of folio-store
	tables tables.Store
	vault  *vault.Sealed
	// credentials are the certificates in the vault, opened once for all who sign with them.
	credentials *certificate.Credentials
}

// openStores opens log, tables and vault. With own the embedded node is started, and
// a folder in use is refused; without it a running service's node is used through
// its socket, and one is started only if there is none. Nobody waits for a command's answers but its operator: a log
// that does not answer is asked again for as long as a start waits for it.
func openStores(ctx context.Context, d dataFlags, own bool, logger *slog.Logger) (_ *stores, err error) {
	s := &stores{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close(context.WithoutCancel(ctx)))
		}
	}()
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w: name another one with --data, or make it for the user that folio "+
			"runs as", err)
	}
	if err := d.imported(); err != nil {
		return nil, err
	}
	address, err := d.eventstore()
	if err != nil {
		return nil, err
	}
	if address == "" {
		if address, err = s.embedded(ctx, d, own, logger); err != nil {
			return nil, err
		}
	}
	options := eventstore.Options{Address: address, Prefix: d.StreamPrefix, Logger: logger}
	if !d.serves {
		options.AwayAfter, options.CallTimeout = startPatience, startPatience
	}
	if s.log, err = eventstore.Open(ctx, options); err != nil {
		return nil, err
	}
	if err := patiently(ctx, logger, func() error { return s.openTables(ctx, d, own, logger) }); err != nil {
		return nil, err
	}
	if s.id, err = s.storeID(ctx); err != nil {
		return nil, err
	}
	if err := s.understood(); err != nil {
		return nil, err
	}
	if err := s.log.Expect(ctx, s.id, events.Position{}); err != nil {
		return nil, err
	}
	if err := patiently(ctx, logger, func() error { return s.checkVault(ctx) }); err != nil {
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

// openTables opens read models and vault; in MongoDB the vault has a database of its own
// beside the one that the address names.
func (s *stores) openTables(ctx context.Context, d dataFlags, own bool, logger *slog.Logger) (err error) {
	var models tables.Store
	var secrets *vault.Sealed
	address, err := d.mongo()
	if err != nil {
		return err
	}
	if address != "" {
		at, err := mongodb.Parse(address)
		if err != nil {
			return fmt.Errorf("open the read models: %w", err)
		}
		if models, err = mongo.Open(ctx, address, at.Database); err != nil {
			return fmt.Errorf("open the read models: %w", err)
		}
		secrets, err = vaultmongo.Open(ctx, address, at.Database+"_vault", d.masterKey())
		if err != nil {
			return errors.Join(fmt.Errorf("open the vault: %w", err), models.Close())
		}
	} else {
		var opts []tablesqlite.Option
		if !own {
			opts = append(opts, tablesqlite.Lean)
		}
		if models, err = tablesqlite.Open(ctx, filepath.Join(d.Data, "tables.db"), opts...); err != nil {
			return fmt.Errorf("open the read models: %w", err)
		}
		secrets, err = vaultsqlite.Open(ctx, filepath.Join(d.Data, "vault.db"), d.masterKey())
		if err != nil {
			return errors.Join(fmt.Errorf("open the vault: %w", err), models.Close())
		}
	}
	s.tables, s.vault, s.credentials = local{models, logger, &sync.Once{}}, secrets, certificate.NewCredentials(secrets)
	return nil
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

// storeID is the log's id, drawn when the log is first used: never beside tables that were
// made from another one.
func (s *stores) storeID(ctx context.Context) (string, error) {
	for {
		id := ""
		for r, err := range s.log.Read(ctx, eventstore.StoreStream, 0) {
			if err != nil {
				return "", fmt.Errorf("read which log this is: %w", err)
			}
			if events.KinshipOf(r) == events.Foreign {
				continue
			}
			if r, err = events.Open(r); err != nil {
				return "", err
			}
			e, ok := r.Event.(events.StoreCreated)
			if !ok {
				return "", fmt.Errorf("the stream %s holds %s: this is not a log of Folio's", eventstore.StoreStream, r.Type)
			}
			id, s.format, s.raised, s.last = e.Store, e.Format, e.Version, int64(r.Revision)
		}
		if id != "" {
			return id, nil
		}
		known, err := s.tables.Checkpoints(ctx)
		if err != nil {
			return "", fmt.Errorf("read which log the read models came from: %w", err)
		}
		if len(known) > 0 {
			return "", fmt.Errorf("this event log is new and has no id, but the read models belong to the event log %s: "+
				"give Folio that log, or its backup; to begin with a new log, give it a new --data folder or MongoDB database, too",
				known[0].Store)
		}
		if err := createStore(ctx, s.log, eventstore.NoStream, "folio"); err != nil &&
			!errors.Is(err, eventstore.ErrConflict) {
			return "", err
		}
	}
}

// followed are the streams whose states the executor believes without reading them.
var followed = []string{"account-", "apikey-", "company-", "outage-"}

// follow tells the executor, and news by stream, of what others record, until ctx ends.
func follow(ctx context.Context, l *eventstore.Log, x *commands.Executor, news func(stream string)) error {
	end, err := l.End(ctx)
	for err != nil {
		if !clock.Sleep(ctx, time.Second) { // nothing is believed meanwhile
			return ctx.Err()
		}
		end, err = l.End(ctx)
	}
	return l.Follow(ctx, end, eventstore.Filter{Streams: followed}, eventstore.FollowOptions{
		OnState: func(s eventstore.FollowState) { x.Connected(s.Connected && s.CaughtUp) },
	}, func(_ context.Context, b eventstore.Batch) error {
		x.Heard(b.Events...)
		for _, e := range b.Events {
			news(e.Stream)
		}
		return nil
	})
}
