package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/vault"
)

// note says what a backup holds and which position of the log it belongs to. It is written last: a folder
// without it is no backup.
type note struct {
	At time.Time `json:"at"`
	// id of a log that is not in the backup, or that goes with a vault that is not
	Log      string            `json:"log,omitempty"`
	Position uint64            `json:"position"` // of the log's last event
	SHA256   map[string]string `json:"sha256"`
}

func (n *note) holds(name string) bool { return n.SHA256[name] != "" }

// vaultBackup is the secret that a backup leaves in a vault that it does not hold: a copy of the vault that has
// it was made after the copy of the log.
const vaultBackup = "backup"

// hasVault refuses a folder without vault, which a misspelt --data is.
func (c *backupCmd) hasVault() error {
	if c.inMongo() {
		return nil
	}
	if _, err := os.Stat(filepath.Join(c.Data, backupVault)); err != nil {
		return fmt.Errorf("%s holds no vault: name the service's folder with --data", c.Data)
	}
	return nil
}

// noteElsewhere finds the log's id and, for a log on a server, its end; and leaves both in a vault on a server.
func (c *backupCmd) noteElsewhere(ctx context.Context, n *note) error {
	s, err := openStores(ctx, c.dataFlags, false, c.logger())
	if err != nil {
		return err
	}
	return errors.Join(c.noteStores(ctx, s, n), s.close(ctx))
}

func (c *backupCmd) noteStores(ctx context.Context, s *stores, n *note) error {
	if err := s.belong(ctx); err != nil {
		return err
	}
	n.Log = s.id
	if c.elsewhere() {
		end, err := s.log.End(ctx)
		if err != nil {
			return fmt.Errorf("find the end of the log: %w", err)
		}
		n.Position = end.Commit
	}
	if !c.inMongo() {
		return nil
	}
	text, err := json.Marshal(n)
	if err == nil {
		err = s.vault.Seal(ctx, vaultBackup, text)
	}
	if err != nil {
		return fmt.Errorf("note the backup in the vault: %w", err)
	}
	return nil
}

// belong refuses a log beside tables that were made from another one.
func (s *stores) belong(ctx context.Context) error {
	known, err := s.tables.Checkpoints(ctx)
	if err != nil {
		return fmt.Errorf("read which log the read models came from: %w", err)
	}
	for _, c := range known {
		if c.Store != s.id {
			return fmt.Errorf("the read models belong to the event log %s, and this is %s: name the log that goes with this "+
				"--data folder or --mongo database",
				c.Store, s.id)
		}
	}
	return nil
}

// fits compares what the backup holds with where the restored service keeps its data.
func (c *restoreCmd) fits(n note) error {
	switch {
	case !n.holds(backupEvents) && !n.holds(backupVault) && n.Log == "":
		return fmt.Errorf("%s names neither a log nor a vault: use another backup", backupNote)
	case c.KeepLog && !c.elsewhere():
		return errors.New("--keep-log is for a log on a server: name it with --eventstore")
	case n.holds(backupEvents) && c.elsewhere():
		return errors.New("the backup holds the log of an embedded node, which cannot be put into a server: leave out " +
			"--eventstore")
	case !n.holds(backupEvents) && !c.elsewhere():
		return fmt.Errorf("the backup belongs to the log %s on a server: restore that with its own tools first, then name "+
			"it with --eventstore", n.Log)
	case n.holds(backupVault) && c.inMongo():
		return errors.New("the backup holds the vault of a data folder, which cannot be put into MongoDB: leave out --mongo")
	case !n.holds(backupVault) && !c.inMongo():
		return errors.New("the backup belongs to a vault in MongoDB: restore that with its own tools first, then name it " +
			"with --mongo")
	}
	return nil
}

// checkElsewhere holds the log and the vault on servers against the position that the backup belongs to.
func (c *restoreCmd) checkElsewhere(ctx context.Context, s *stores, n note) error {
	if c.elsewhere() {
		if err := c.checkLog(ctx, s.log, n); err != nil {
			return err
		}
	}
	if !c.inMongo() {
		return nil
	}
	return checkVaultBackup(ctx, s.vault, n)
}

// checkLog refuses another log, and one that has events which the backup's vault may lack the secrets of.
func (c *restoreCmd) checkLog(ctx context.Context, l *eventstore.Log, n note) error {
	known := false
	for r, err := range l.Read(ctx, eventstore.StoreStream, 0) {
		if err == nil {
			r, err = events.Open(r)
		}
		if err != nil {
			return fmt.Errorf("read which log this is: %w", err)
		}
		e, ok := r.Event.(events.StoreCreated)
		known = known || ok && e.Store == n.Log
	}
	if !known {
		return fmt.Errorf("the log at --eventstore is not %s, to which the backup belongs: restore a copy of that one "+
			"with the server's own tools", n.Log)
	}
	later, err := eventsAfter(ctx, l, n.Position)
	switch {
	case err != nil:
		return err
	case later > 0 && !c.KeepLog:
		return fmt.Errorf("the log has %d events of Folio's after position %d, to which the backup belongs: restore a "+
			"backup that was made after the copy of the log; "+
			"or, if the log was never lost, add --keep-log: what was uploaded since (certificates, passwords, logos) is then "+
			"missing and must be uploaded again", later, n.Position)
	case later > 0:
		fmt.Printf("the log has %d events after the backup: certificates, passwords and logos that came with them are "+
			"missing, upload them again\n", later)
	}
	return nil
}

// eventsAfter counts our events after a position. A server adds some of its own at each start.
func eventsAfter(ctx context.Context, l *eventstore.Log, position uint64) (later int, err error) {
	end, err := l.End(ctx)
	if err != nil {
		return 0, fmt.Errorf("find the end of the log: %w", err)
	}
	if end.Commit <= position {
		return 0, nil
	}
	for r, err := range l.All(ctx, events.Position{Commit: position, Prepare: position}, eventstore.Filter{}) {
		if err != nil {
			return later, fmt.Errorf("read the log after position %d, to which the backup belongs: %w", position, err)
		}
		if events.KinshipOf(r) != events.Foreign {
			later++
		}
	}
	return later, nil
}

// checkVaultBackup refuses a copy of the vault that may be older than the log.
func checkVaultBackup(ctx context.Context, v vault.Vault, n note) error {
	text, err := v.Open(ctx, vaultBackup)
	if err != nil && !errors.Is(err, vault.ErrNotFound) {
		return fmt.Errorf("read which log the vault belongs to: %w", err)
	}
	var of note
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err != nil || of.Log != n.Log || of.Position < n.Position {
		return fmt.Errorf("the vault in MongoDB does not go with this backup (log %s up to position %d): restore a copy "+
			"of it that was made after folio backup", n.Log, n.Position)
	}
	return nil
}
