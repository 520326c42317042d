package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"folio/clock"

	"golang.org/x/sys/unix"
)

// backupFlags have the owner of the embedded log take backups by itself.
type backupFlags struct {
	BackupEvery time.Duration `group:"data" help:"How often log, secrets and files are backed up, as folio backup does; 0: never. By the process with the embedded log." default:"0s"`
	BackupKeep  int           `group:"data" help:"How many of these backups are kept." default:"7"`
	BackupTo    string        `group:"data" help:"Folder for them, best on another disk. Empty: backups in the data folder." type:"path" placeholder:"FOLDER"`
}

func (s serveFlags) validateBackups() error {
	switch {
	case s.BackupEvery < 0 || s.BackupEvery > 0 && s.BackupEvery < time.Second:
		return errors.New("--backup-every is a time of a second or more, or 0 for never")
	case s.BackupKeep < 1:
		return errors.New("--backup-keep must be 1 at least")
	case s.BackupEvery > 0 && (s.elsewhere() || s.inMongo() || !s.has(roleNode)):
		return errors.New("--backup-every is for the process with the embedded log, with read models and vault in its " +
			"data folder: copy servers with their own tools, and see docs/operating.md for the order")
	}
	return nil
}

// schedule makes backups in a folder, one at a time.
type schedule struct {
	backupFlags
	data   dataFlags
	to     string
	logger *slog.Logger
}

// The names of what is in the folder. A backup has the first two forms until it is whole, and while it is removed:
// whatever bears them when the service starts was interrupted.
const (
	backupBegun = ".making-"
	backupGoing = ".removing-"
	backupNamed = "20060102T150405Z" // UTC
)

// backUp makes backups until ctx ends. One that fails is told, and tried again a time later.
func (s *service) backUp(ctx context.Context) {
	b := schedule{backupFlags: s.flags.backupFlags, data: s.flags.dataFlags, to: s.flags.BackupTo, logger: s.logger}
	if b.to == "" {
		b.to = filepath.Join(s.flags.Data, "backups")
	}
	for {
		wait, err := b.due(time.Now())
		if err == nil && wait > 0 {
			if !clock.Sleep(ctx, wait) {
				return
			}
			continue
		}
		if err == nil {
			err = b.once(ctx, time.Now())
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			b.logger.Error("a backup failed; the ones before are kept", "folder", b.to, "error", err)
			if !clock.Sleep(ctx, min(b.BackupEvery, 10*time.Minute)) {
				return
			}
		}
	}
}

// due is how long the next backup has time: from the newest one on, whoever made it.
func (b schedule) due(now time.Time) (time.Duration, error) {
	names, err := b.finished()
	if err != nil || len(names) == 0 {
		return 0, err
	}
	last, err := time.Parse(backupNamed, names[len(names)-1])
	if err != nil {
		return 0, err
	}
	return min(last.Add(b.BackupEvery).Sub(now), b.BackupEvery), nil // a clock that was moved back delays none
}

// finished are the backups that are whole, the oldest first.
func (b schedule) finished() (names []string, err error) {
	entries, err := os.ReadDir(b.to)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if _, not := time.Parse(backupNamed, e.Name()); not == nil && e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// once makes one backup and removes those that are too many. The folder never holds more than are kept, and one.
func (b schedule) once(ctx context.Context, now time.Time) error {
	if err := os.MkdirAll(b.to, 0o700); err != nil {
		return fmt.Errorf("make the folder of backups: %w", err)
	}
	if err := b.sweep(); err != nil {
		return err
	}
	if err := b.room(); err != nil {
		return err
	}
	name := now.UTC().Format(backupNamed)
	c := backupCmd{dataFlags: b.data, To: filepath.Join(b.to, backupBegun+name)}
	n, _, err := c.make(ctx)
	if err != nil {
		return errors.Join(err, os.RemoveAll(c.To))
	}
	if err := os.Rename(c.To, filepath.Join(b.to, name)); err != nil {
		return fmt.Errorf("finish the backup: %w", err)
	}
	if err := syncFolder(b.to); err != nil {
		return err
	}
	b.logger.Info("a backup was made", "folder", filepath.Join(b.to, name), "position", n.Position,
		"took", time.Since(now).Round(time.Millisecond).String())
	return b.prune()
}

// sweep removes what was interrupted.
func (b schedule) sweep() error {
	entries, err := os.ReadDir(b.to)
	if err != nil {
		return fmt.Errorf("look at the folder of backups: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), backupBegun) || strings.HasPrefix(e.Name(), backupGoing) {
			if err := os.RemoveAll(filepath.Join(b.to, e.Name())); err != nil {
				return fmt.Errorf("remove what was interrupted: %w", err)
			}
		}
	}
	return nil
}

// room refuses a backup that would fill the disk on which the log may be: as much as there is now must be free, and
// what the service needs.
func (b schedule) room() error {
	var disk unix.Statfs_t
	if err := unix.Statfs(b.to, &disk); err != nil {
		return fmt.Errorf("look at the disk of %s: %w", b.to, err)
	}
	need := int64(leastDisk)
	for _, name := range []string{backupEvents, backupVault} {
		need += sizeOf(filepath.Join(b.data.Data, name))
	}
	if free := int64(disk.Bavail) * int64(disk.Bsize); free < need {
		return fmt.Errorf("%d MiB are free on the disk of %s, a backup needs %d: make room, or lower --backup-keep",
			free>>20, b.to, need>>20)
	}
	return nil
}

// prune removes the oldest ones. One that is half removed no longer has a backup's name.
func (b schedule) prune() error {
	names, err := b.finished()
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-b.BackupKeep)] {
		gone := filepath.Join(b.to, backupGoing+name)
		if err := os.Rename(filepath.Join(b.to, name), gone); err != nil {
			return fmt.Errorf("remove an old backup: %w", err)
		}
		if err := os.RemoveAll(gone); err != nil {
			return fmt.Errorf("remove an old backup: %w", err)
		}
	}
	return nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
