package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"folio/eventstore/node/storage"
	"folio/sqlfile"
)

type backupVerifyCmd struct {
	dataFlags
	Folder  string `arg:"" help:"Folder that folio backup made, or the service by --backup-every." type:"existingdir"`
	Scratch string `help:"Folder in which it is restored; it needs the room of the backup. Empty: the system's for temporary files." type:"existingdir" placeholder:"FOLDER"`
	DGIHash string `name:"dgi-hash" help:"Hash of the signatures of Uruguayan documents, as serve has it." enum:"sha256,sha1" default:"sha256"`
}

// Run restores the backup as folio restore does, with the master key of --data or --master-key-file, and holds what
// came out against everything that folio verify knows. Nothing of the service is touched. It ends with 1 at the first
// thing that is wrong.
func (c *backupVerifyCmd) Run(ctx context.Context) (err error) {
	if c.elsewhere() || c.inMongo() {
		return errors.New("only a backup that holds log and vault can be tried: restore a copy of the server's data and " +
			"run folio verify on it")
	}
	home, err := os.MkdirTemp(c.Scratch, "folio-backup-verify")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { err = errors.Join(ofBackup(err, filepath.Join(home, "data"), c.Folder), os.RemoveAll(home)) }()
	trial := c.dataFlags
	trial.MasterKeyFile, trial.Data, trial.LogLevel = c.masterKey(), filepath.Join(home, "data"), "error"
	restore := restoreCmd{dataFlags: trial, From: c.Folder}
	n, _, err := restore.restore(ctx)
	if err != nil {
		return fmt.Errorf("the backup cannot be restored: %w", err)
	}
	if err := (&verifyCmd{dataFlags: trial, NoModels: true, DGIHash: c.DGIHash}).Run(ctx); err != nil {
		return fmt.Errorf("the backup can be restored, and what is in it is not sound: %w", err)
	}
	fmt.Printf("the backup of %s, position %d, can be restored with this master key\n",
		n.At.Format("2006-01-02 15:04:05Z"), n.Position)
	return nil
}

// damagedBackup is damage that was found in a copy of a backup's files, which is gone when the message is read.
type damagedBackup struct {
	error
	copy, backup string
}

// ofBackup has damage in the folder copy name the files of the backup that they were copied from.
func ofBackup(err error, copy, backup string) error {
	if errors.Is(err, errBackupLog) || errors.Is(err, storage.ErrDamaged) || sqlfile.Damaged(err) {
		return damagedBackup{err, copy, backup}
	}
	return err
}

// Error implements error.
func (d damagedBackup) Error() string {
	text := strings.NewReplacer(d.copy, d.backup, storage.Advice, otherBackup).Replace(d.error.Error())
	if !strings.Contains(text, otherBackup) {
		text += "; " + otherBackup
	}
	return text
}

// Unwrap gives what was found.
func (d damagedBackup) Unwrap() error { return d.error }

// otherBackup is what to do about one that is not good.
const otherBackup = "use another backup"
