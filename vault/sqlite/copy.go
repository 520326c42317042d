package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// Copy writes the vault in the file at path into a new file, as it is at one moment, and has it on disk
// when it returns. Whoever has the vault open goes on meanwhile. What is sealed stays sealed: the copy needs
// the same master key, which is in neither.
func Copy(ctx context.Context, path, to string) (err error) {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("copy vault: %w", err)
	}
	if _, err := os.Stat(to); err == nil {
		return fmt.Errorf("copy vault: %s is there already", to)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("copy vault: %w", err)
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath()+
		"?_pragma=busy_timeout(10000)")
	if err != nil {
		return fmt.Errorf("copy vault: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return fmt.Errorf("copy vault: %w", err)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("copy vault: %w", err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("copy vault: %w", err)
	}
	return nil
}
