package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// importMark is there from before the first fact of an import until after the last one is durable. The facts of one
// that was killed are a log that nothing else tells from a whole one: each stream ends where it may end.
const importMark = "import.unfinished"

func (d dataFlags) importMark() string { return filepath.Join(d.Data, importMark) }

// beginImport says in the data folder that what is in the log is not whole.
func (d dataFlags) beginImport(file string, now time.Time) error {
	text := fmt.Sprintf("%s is being imported since %s\n", filepath.Base(file), now.UTC().Format(time.RFC3339))
	f, err := os.OpenFile(d.importMark(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("note that an import begins: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close(), syncFolder(d.Data)); err != nil {
		return fmt.Errorf("note that an import begins: %w", err)
	}
	return nil
}

// endImport says that it is whole.
func (d dataFlags) endImport() error {
	if err := errors.Join(os.Remove(d.importMark()), syncFolder(d.Data)); err != nil {
		return fmt.Errorf("note that the import has ended: %w", err)
	}
	return nil
}

// imported refuses a folder whose import has begun and not ended.
func (d dataFlags) imported() error {
	_, err := os.Stat(d.importMark())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look whether an import has ended: %w", err)
	}
	what := "remove the folder"
	if d.elsewhere() || d.inMongo() {
		what = "remove the folder, and the log and the databases on servers that it was imported into"
	}
	return fmt.Errorf("an import into %s has begun and not ended (%s): its log is not whole. If 'folio import' still runs, "+
		"wait until it ends. Otherwise %s, and import the export anew", d.Data, importMark, what)
}
