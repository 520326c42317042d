package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node/storage"
	"folio/secretfile"
	"folio/version"

	"github.com/google/uuid"
)

type restoreCmd struct {
	dataFlags
	From    string `arg:"" help:"Folder that folio backup made." type:"path"`
	KeepLog bool   `help:"With --eventstore: the log was never lost, only what the backup holds. No series is held, and the log may go on after the backup."`
}

// Run makes a data folder from a backup. Everything is done in a folder beside it, which becomes the data
// folder at the end: one that is half restored cannot be served. A log or a vault on a server was restored with
// the server's tools before; it is held against the position that the backup belongs to.
func (c *restoreCmd) Run(ctx context.Context) error {
	n, found, err := c.restore(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%s is as of %s, position %d\n", c.Data, n.At.Format(time.RFC3339), n.Position)
	fmt.Println("read models are built at the next start; callbacks and submissions after that time are not known to it")
	found.say()
	return nil
}

// restore says nothing.
func (c *restoreCmd) restore(ctx context.Context) (n note, found heldSeries, err error) {
	if n, err = c.verify(); err != nil {
		return n, found, err
	}
	if err := errors.Join(c.fits(n), c.target()); err != nil {
		return n, found, err
	}
	making := c.Data + ".restoring"
	if err := os.RemoveAll(making); err != nil {
		return n, found, err
	}
	defer func() { err = errors.Join(ofBackup(err, making, c.From), os.RemoveAll(making)) }()
	if err := c.copyTo(making, n); err != nil {
		return n, found, err
	}
	if found, err = c.prepare(ctx, making, n); err != nil {
		return n, found, err
	}
	return n, found, c.place(making)
}

// verify reads what the backup says of itself and compares its files with that.
func (c *restoreCmd) verify() (n note, err error) {
	text, err := os.ReadFile(filepath.Join(c.From, backupNote))
	if err != nil {
		return n, fmt.Errorf("%s is no finished backup: %w", c.From, err)
	}
	if err := json.Unmarshal(text, &n); err != nil {
		return n, fmt.Errorf("read %s: %w", backupNote, err)
	}
	for name := range n.SHA256 {
		if !filepath.IsLocal(name) {
			return n, fmt.Errorf("%s names %q, which is not in the backup: use another backup", backupNote, name)
		}
		got, err := hashFile(filepath.Join(c.From, name))
		if err != nil {
			return n, err
		}
		if got != n.SHA256[name] {
			return n, fmt.Errorf("%s is not as it was when the backup was made: use another backup", filepath.Join(c.From, name))
		}
	}
	return n, nil
}

// target refuses a data folder in use. The master key may be in it already.
func (c *restoreCmd) target() error {
	for _, name := range []string{backupLog, backupVault, "tables.db", sandboxDir, importMark} {
		if _, err := os.Stat(filepath.Join(c.Data, name)); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s holds data already: move it away, or name a new folder with --data", c.Data)
		}
	}
	if _, err := os.Stat(c.masterKey()); err != nil {
		return fmt.Errorf("the master key is missing: put the one that the backup was made under at %s, or name it with "+
			"--master-key-file", c.masterKey())
	}
	return nil
}

func (c *restoreCmd) copyTo(making string, n note) error {
	names := slices.Sorted(maps.Keys(n.SHA256))
	if n.holds(backupEvents) {
		names = append(names, filepath.Join(backupLog, "events.mark"))
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(making, name)), 0o700); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(c.From, name), filepath.Join(making, name)); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	p := startProgress("copy of "+filepath.Base(from), sizeOf(from))
	_, err = io.Copy(io.MultiWriter(out, counted{p}), in)
	_ = p.Finish()
	return errors.Join(err, out.Sync(), out.Close())
}

// prepare verifies the restored log and the key of the vault, gives the log a new id and holds series.
func (c *restoreCmd) prepare(ctx context.Context, making string, n note) (found heldSeries, err error) {
	d := c.dataFlags
	d.MasterKeyFile, d.Data = c.masterKey(), making
	if err := os.MkdirAll(making, 0o700); err != nil {
		return found, err
	}
	if n.holds(backupEvents) {
		if err := verifyLog(ctx, d.nodeDir()); err != nil {
			return found, err
		}
	}
	s, err := openStores(ctx, d, true, c.logger())
	if err != nil {
		return found, err
	}
	found, err = c.prepareStores(ctx, s, n)
	return found, errors.Join(err, s.close(ctx))
}

func (c *restoreCmd) prepareStores(ctx context.Context, s *stores, n note) (found heldSeries, err error) {
	if err := c.checkElsewhere(ctx, s, n); err != nil || c.KeepLog {
		return found, err
	}
	if err := renewID(ctx, s.log); err != nil {
		return found, err
	}
	if c.inMongo() {
		if s.id, err = s.storeID(ctx); err != nil {
			return found, err
		}
		// Read models and worklists there belong to the log as it was.
		if err := (&projectionsRebuildCmd{}).rebuild(ctx, s); err != nil {
			return found, err
		}
	}
	return holdSeries(ctx, s, n)
}

var errBackupLog = errors.New("the backup's log is damaged")

func verifyLog(ctx context.Context, dir string) error {
	verifying := startCount("the log is verified")
	found, err := storage.Check(ctx, dir, func(events uint64) { _ = verifying.Set64(int64(events)) })
	_ = verifying.Finish()
	if err == nil && len(found.Problems) > 0 {
		err = fmt.Errorf("%w: %s", errBackupLog, strings.Join(found.Problems, "; "))
	}
	return err
}

// renewID makes a restored log another one: what was derived from the old log, whose later events are gone,
// must not be taken for this one's.
func renewID(ctx context.Context, l *eventstore.Log) error {
	last := eventstore.NoStream
	for r, err := range l.Read(ctx, eventstore.StoreStream, 0) {
		if err != nil {
			return fmt.Errorf("read which log this is: %w", err)
		}
		last = int64(r.Revision)
	}
	return createStore(ctx, l, last, "folio restore")
}

// createStore records an id of the log.
func createStore(ctx context.Context, l *eventstore.Log, expected int64, actor string) error {
	return recordStore(ctx, l, expected, actor, uuid.NewString())
}

// recordStore records that the log has this id and the format of this program.
func recordStore(ctx context.Context, l *eventstore.Log, expected int64, actor, id string) error {
	name, schema, data, err := events.Encode(events.StoreCreated{Store: id, Format: events.LogFormat,
		Version: version.Number()})
	if err != nil {
		return err
	}
	request := uuid.New()
	_, err = l.Append(ctx, eventstore.StoreStream, expected, eventstore.Pending{ID: request, Type: name, Data: data,
		Meta: events.Meta{Schema: schema, Actor: actor, Request: request.String(), At: time.Now().UTC()}})
	if err != nil {
		return fmt.Errorf("record which log this is: %w", err)
	}
	return nil
}

// place moves the finished folder to where it is served. The log comes last: without it nothing starts.
func (c *restoreCmd) place(making string) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return err
	}
	for _, name := range []string{sandboxDir, backupVault, backupLog} {
		if _, err := os.Stat(filepath.Join(making, name)); errors.Is(err, os.ErrNotExist) {
			continue // the sandbox of a service that has none
		}
		if err := os.Rename(filepath.Join(making, name), filepath.Join(c.Data, name)); err != nil {
			return fmt.Errorf("put the restored data in place: %w", err)
		}
		if err := belong(filepath.Join(c.Data, name)); err != nil {
			return fmt.Errorf("put the restored data in place: %w", err)
		}
	}
	return belong(c.masterKey()) // which its operator put there
}

// belong gives what root restored to whose data folder it is.
func belong(root string) error {
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, secretfile.Belong(path))
	})
}
