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
	"slices"
	"sync"
	"time"

	"folio/eventstore/node/storage"
	vaultsqlite "folio/vault/sqlite"

	"github.com/schollz/progressbar/v3"
)

// The parts of a backup, named as in a data folder.
const (
	backupLog   = "log"
	backupVault = "vault.db"
	backupNote  = "backup.json"
)

// backupEvents is the log in a backup.
var backupEvents = filepath.Join(backupLog, "events.db")

// backupCmds are folio backup FOLDER and folio backup verify FOLDER.
type backupCmds struct {
	Make   backupCmd       `cmd:"" default:"withargs" help:"Copy log, secrets and files together into a folder, beside a running service too."`
	Verify backupVerifyCmd `cmd:"" help:"Try a backup: restore it into a scratch folder, and verify what came out."`
}

type backupCmd struct {
	dataFlags
	To string `arg:"" help:"Folder to make the backup in; it must be new or empty." type:"path"`
}

// Run works beside a running service and without one. What is in EventStoreDB or MongoDB is copied with their own
// tools: the backup then says which position of the log it belongs to, and leaves that in the vault too.
func (c *backupCmd) Run(ctx context.Context) error {
	n, files, err := c.make(ctx)
	if err != nil {
		return err
	}
	c.say(n, files)
	return nil
}

// make makes the backup and says nothing.
func (c *backupCmd) make(ctx context.Context) (n note, files []string, err error) {
	if err := errors.Join(c.exists(), c.imported(), c.hasVault(), mustBeEmpty(c.To)); err != nil {
		return n, nil, err
	}
	if err := os.MkdirAll(c.To, 0o700); err != nil {
		return n, nil, fmt.Errorf("make the backup's folder: %w", err)
	}
	n = note{At: time.Now().UTC(), SHA256: map[string]string{}}
	if files, err = c.copyParts(ctx, &n); err != nil {
		return n, nil, err
	}
	for _, name := range files {
		if n.SHA256[name], err = hashFile(filepath.Join(c.To, name)); err != nil {
			return n, nil, err
		}
	}
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return n, nil, err
	}
	return n, files, writeDurably(filepath.Join(c.To, backupNote), append(text, '\n'))
}

// copyParts copies the log first: what its events refer to was in the vault before them, so a vault copied later
// has it. It answers the files that were made.
func (c *backupCmd) copyParts(ctx context.Context, n *note) (files []string, err error) {
	if !c.elsewhere() {
		if n.Position, err = c.copyLog(ctx); err != nil {
			return nil, err
		}
		files = append(files, backupEvents)
	}
	if c.elsewhere() || c.inMongo() {
		if err := c.noteElsewhere(ctx, n); err != nil {
			return nil, err
		}
	}
	if !c.inMongo() {
		if err := c.copyDatabase(ctx, backupVault); err != nil {
			return nil, err
		}
		files = append(files, backupVault)
	}
	trial, err := c.copySandbox(ctx)
	return append(files, trial...), err
}

// say tells what is in the backup and what is not.
func (c *backupCmd) say(n note, files []string) {
	if !c.elsewhere() {
		fmt.Printf("the log up to position %d is in %s\n", n.Position, c.To)
	} else {
		fmt.Printf("%s belongs to the log %s up to position %d: to a copy of the server's data made before this command\n",
			c.To, n.Log, n.Position)
	}
	if !c.inMongo() {
		fmt.Printf("secrets and files are in it\n")
	} else {
		fmt.Printf("secrets and files are not: copy the vault's database in MongoDB with its own tools now, after this " +
			"command\n")
	}
	if slices.ContainsFunc(files, func(name string) bool { return filepath.Dir(name) == sandboxDir }) {
		fmt.Println("the sandbox's keys and records are in it too")
	}
	fmt.Printf("the master key is not: keep %s elsewhere, without it the vault cannot be opened\n", c.masterKey())
}

// copyLog copies the log and verifies the copy: one line at a time tells of it.
func (c *backupCmd) copyLog(ctx context.Context) (last uint64, err error) {
	copied := startGrowth("copy of the log", filepath.Join(c.To, backupEvents),
		sizeOf(filepath.Join(c.Data, backupEvents)))
	verifying := sync.OnceValue(func() *progressbar.ProgressBar {
		copied()
		return startCount("the copy is verified")
	})
	last, err = storage.Backup(ctx, c.nodeDir(), filepath.Join(c.To, backupLog),
		func(events uint64) { _ = verifying().Set64(int64(events)) })
	_ = verifying().Finish()
	return last, err
}

// copyDatabase copies one database of the data folder as it is at one moment.
func (c *backupCmd) copyDatabase(ctx context.Context, name string) error {
	from, to := filepath.Join(c.Data, name), filepath.Join(c.To, name)
	stop := startGrowth("copy of "+name, to, sizeOf(from))
	defer stop()
	return vaultsqlite.Copy(ctx, from, to)
}

// sandboxDir is where a data folder keeps its sandbox.
const sandboxDir = "sandbox"

// copySandbox copies what the sandbox would be another authority without: the keys that
// certificates and numbering files were signed with, and the documents it has accepted.
// It comes after the log, so it knows at least what the log knows, like a real authority.
func (c *backupCmd) copySandbox(ctx context.Context) (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(c.Data, sandboxDir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(c.To, sandboxDir), 0o700); err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := filepath.Join(sandboxDir, e.Name())
		switch filepath.Ext(name) {
		case ".db":
			err = c.copyDatabase(ctx, name)
		case ".pem":
			err = copyFile(filepath.Join(c.Data, name), filepath.Join(c.To, name))
		default: // where it listens, and SQLite's own files
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", name, err)
		}
		names = append(names, name)
	}
	return names, nil
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
	h, p := sha256.New(), startProgress("check of "+filepath.Base(name), sizeOf(name))
	_, err = io.Copy(io.MultiWriter(h, counted{p}), f)
	if _ = p.Finish(); err != nil {
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
