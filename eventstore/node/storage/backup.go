package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
)

// Backup copies the log of a data folder into another folder, as it is at one moment, and answers the
// position of its last event. It works beside the node that has the folder open and without one. The
// copy is verified like Check does and is on disk when Backup returns; a copy that is not sound is an
// error that wraps ErrDamaged. Progress, which may be nil, hears of the events verified so far.
func Backup(ctx context.Context, dir, to string, progress func(events uint64)) (last uint64, err error) {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return 0, fmt.Errorf("make the backup's folder: %w", err)
	}
	from, file := filepath.Join(dir, LogFile), filepath.Join(to, LogFile)
	if _, err := os.Stat(from); err != nil {
		return 0, fmt.Errorf("back up: there is no event log in %s: %w", dir, err)
	}
	if _, err := os.Stat(file); err == nil {
		return 0, fmt.Errorf("back up: %s holds an event log already", to)
	}
	if err := vacuumInto(from, file); err != nil {
		return 0, fmt.Errorf("copy the event log: %w", err)
	}
	if err := markCopy(to); err != nil {
		return 0, fmt.Errorf("finish the copy of the event log: %w", err)
	}
	found, err := Check(ctx, to, progress)
	switch {
	case err != nil:
		return 0, fmt.Errorf("verify the copy of the event log: %w", err)
	case len(found.Problems) > 0:
		return 0, fmt.Errorf("%w: the copy has %d problems, the first: %s", ErrDamaged, len(found.Problems),
			found.Problems[0])
	}
	return found.LastPosition, errors.Join(syncFile(file), syncFolder(to))
}

// vacuumInto writes the database as one transaction sees it into a new file.
func vacuumInto(from, to string) (err error) {
	db, err := openDatabase(from, "wal_autocheckpoint(0)", writerCache)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	if err := db.exec("VACUUM INTO ?", to); err != nil {
		return err
	}
	return os.Chmod(to, 0o600)
}

// markCopy gives a copy its high-water mark.
func markCopy(dir string) (err error) {
	db, err := openDatabase(filepath.Join(dir, LogFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	last, err := lastRecord(db)
	if err != nil {
		return err
	}
	m, err := openMark(dir, db, last, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return m.close()
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
