package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"folio/eventstore/node"
	vaultsqlite "folio/vault/sqlite"
)

// The parts of a backup, named as in a data folder.
const (
	backupLog   = "log"
	backupVault = "vault.db"
	backupNote  = "backup.json"
)

// backupFiles are checked by their hash before a restore.
var backupFiles = []string{filepath.Join(backupLog, "events.db"), backupVault}

// note says what a backup holds. It is written last: a folder without it is no backup.
type note struct {
	At       time.Time         `json:"at"`
	Position uint64            `json:"position"` // of the log's last event
	SHA256   map[string]string `json:"sha256"`
}

type backupCmd struct {
	dataFlags
	To string `arg:"" help:"Folder to make the backup in; it must be new or empty." type:"path"`
}

// Run works beside a running service and without one.
func (c *backupCmd) Run(ctx context.Context) error {
	if c.Eventstore != "" || c.Mongo != "" {
		return errors.New("folio backup is for the embedded log and vault: back up EventStoreDB and MongoDB with their own tools, the log before the vault")
	}
	if err := errors.Join(c.exists(), mustBeEmpty(c.To)); err != nil {
		return err
	}
	n := note{At: time.Now().UTC(), SHA256: map[string]string{}}
	var err error
	// The log first: what its events refer to was in the vault before them, so a vault copied later has it.
	if n.Position, err = node.Backup(ctx, c.nodeDir(), filepath.Join(c.To, backupLog)); err != nil {
		return err
	}
	if err := vaultsqlite.Copy(ctx, filepath.Join(c.Data, backupVault), filepath.Join(c.To, backupVault)); err != nil {
		return err
	}
	for _, name := range backupFiles {
		if n.SHA256[name], err = hashFile(filepath.Join(c.To, name)); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	if err := writeDurably(filepath.Join(c.To, backupNote), append(text, '\n')); err != nil {
		return err
	}
	fmt.Printf("log up to position %d, secrets and files are in %s\n", n.Position, c.To)
	fmt.Printf("the master key is not: keep %s elsewhere, without it the vault cannot be opened\n", c.masterKey())
	return nil
}

func mustBeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: name another folder", dir)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func hashFile(name string) (_ string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("hash %s: %w", name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func writeDurably(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}
