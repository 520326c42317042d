package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	notes "golang.org/x/mod/sumdb/note"

	"folio/audit"
	"folio/countries"
	"folio/events"
	"folio/eventstore/node/storage"
	"folio/projections"
	"folio/quarantine"
	"folio/tables"
	tablesqlite "folio/tables/sqlite"
	"folio/transparency"
	"folio/verify"
)

type verifyCmd struct {
	dataFlags
	Checkpoint []string `help:"Checkpoint that somebody kept: what /log/checkpoint gave then. May be given again." type:"existingfile" sep:"none" placeholder:"FILE"`
	Key        []string `help:"Verifier key of those checkpoints, or a file that holds it. May be given again." sep:"none" placeholder:"KEY|FILE"`
	Resume     string   `help:"File to go on from when the last run was interrupted; it is written while this one runs, and removed at its end." type:"path" placeholder:"FILE"`
	NoModels   bool     `help:"Leave the read models out."`
	DGIHash    string   `name:"dgi-hash" help:"As the service has it." enum:"sha256,sha1" default:"sha256"`
	JSON       bool     `help:"Print what was verified as JSON."`
}

const whatToDo = `What to do: docs/verify.md, "When it differs"`

// heapLimit is what the collector keeps the program's own memory below, so that with the pages of its databases it
// takes less than 200 MB beside a service.
const heapLimit = 84 << 20

// Run works beside a running service, without one, and against a log on a server. It ends with 1 at the first
// difference.
func (c *verifyCmd) Run(ctx context.Context) error {
	dropProgram() // what only the start touched
	debug.SetMemoryLimit(heapLimit)
	debug.SetGCPercent(400) // up to the limit: what is read is garbage a moment later
	if err := c.exists(); err != nil {
		return err
	}
	var report verify.Report
	begun := false
	err := onStores(ctx, c.dataFlags, func(s *stores) error {
		var rotations []events.NotaryKeyRotated
		if len(c.Checkpoint) > 0 {
			var err error
			if rotations, err = s.rotations(ctx); err != nil {
				return err
			}
		}
		begun = true
		held, err := c.held(rotations...)
		if err != nil {
			return err
		}
		sound := make(chan error, 1)
		go func() { sound <- c.sound(ctx) }()
		report, err = c.verify(ctx, s, held)
		// What is damaged may be read as something else, or not at all: that it is damaged says more.
		return cmp.Or(<-sound, err)
	})
	if err != nil && !begun {
		return cmp.Or(c.sound(ctx), err)
	}
	if d := (*verify.Difference)(nil); errors.As(err, &d) {
		return fmt.Errorf("%w\n%s", err, whatToDo)
	}
	if err != nil {
		return err
	}
	return c.print(report)
}

// sound looks at the files of the embedded log, beside the rest, which reads them through the log.
func (c *verifyCmd) sound(ctx context.Context) error {
	if c.elsewhere() {
		return nil
	}
	found, err := storage.Check(ctx, c.nodeDir(), nil)
	if err == nil && len(found.Problems) > 0 {
		err = fmt.Errorf("the files of the event log: %s\n%s", found.Problems[0], whatToDo)
	}
	return err
}

// held reads the checkpoints that somebody kept. A key that was given vouches for those that it handed over to.
func (c *verifyCmd) held(rotations ...events.NotaryKeyRotated) (out []verify.Held, err error) {
	if len(c.Checkpoint) > 0 && len(c.Key) == 0 {
		return nil, errors.New("--checkpoint needs the verifier key that it was signed with: --key (what /log/key gave)")
	}
	keys := make([]string, len(c.Key))
	for i, key := range c.Key {
		if keys[i], err = audit.ReadKey(key); err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
	}
	keys = transparency.Successors(keys, rotations)
	for _, file := range c.Checkpoint {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--checkpoint: %w", err)
		}
		h := verify.Held{Name: filepath.Base(file)}
		h.Checkpoint, err = transparency.OpenHead(string(text), keys...)
		if unverified := new(notes.UnverifiedNoteError); errors.As(err, &unverified) {
			return nil, fmt.Errorf("--checkpoint %s: none of the keys signed it, nor one that this log has a rotation to from "+
				"them. Add the one that did with another --key: what /log/key gave when it was kept: %w", file, err)
		}
		if err != nil {
			return nil, fmt.Errorf("--checkpoint %s: %w", file, err)
		}
		out = append(out, h)
	}
	return out, nil
}

func (c *verifyCmd) verify(ctx context.Context, s *stores, held []verify.Held) (verify.Report, error) {
	quiet := slog.New(slog.DiscardHandler)
	room, err := quarantine.Open(ctx, s.log, s.tables, time.Now, quiet)
	if err != nil {
		return verify.Report{}, err
	}
	ids, err := s.formerIDs(ctx)
	if err != nil {
		return verify.Report{}, err
	}
	progress := startCount("the log is verified")
	defer func() { _ = progress.Finish() }()
	config := verify.Config{Log: s.log, Logs: append(ids, s.id), Secrets: s.vault, Decisions: room, Tables: s.tables,
		Held: held, State: c.Resume, Now: time.Now, Scratch: c.scratch, Progress: func(n int64) { _ = progress.Set64(n) },
		Sent: newResent(s, countries.Settings{Base: "http://127.0.0.1:1", Timeout: time.Second, Log: quiet,
			DGIHash: hashes[c.DGIHash], DGIMessageHash: hashes[c.DGIHash]})}
	if !c.NoModels {
		config.Models = projections.All
	}
	return verify.Run(ctx, config)
}

// scratch is where read models are made anew: beside the file to resume from, or in a folder that is removed.
func (c *verifyCmd) scratch(ctx context.Context) (tables.Store, error) {
	if c.Resume != "" {
		if _, err := os.Stat(c.Resume); err != nil { // there is nothing to go on from
			for _, end := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(c.Resume + ".db" + end) // it may not be there
			}
		}
		db, err := tablesqlite.Open(ctx, c.Resume+".db", tablesqlite.Lean)
		return db, err
	}
	dir, err := os.MkdirTemp("", "folio-verify")
	if err != nil {
		return nil, err
	}
	db, err := tablesqlite.Open(ctx, filepath.Join(dir, "replay.db"), tablesqlite.Lean)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return scratch{db, dir}, nil
}

// scratch removes its folder when it is closed.
type scratch struct {
	tables.Store
	dir string
}

// Close implements tables.Store.
func (s scratch) Close() error { return errors.Join(s.Store.Close(), os.RemoveAll(s.dir)) }

func (c *verifyCmd) print(r verify.Report) error {
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	for _, n := range slices.Compact(r.Notes) {
		fmt.Println("not verified:", n)
	}
	if r.MoreNotes > 0 {
		fmt.Printf("not verified: %d more, which are not listed\n", r.MoreNotes)
	}
	return told(os.Stdout, r)
}

func told(w io.Writer, r verify.Report) error {
	_, err := fmt.Fprintf(w, "%d events, %d leaves and %d checkpoints; %d files; %d submissions written again byte for "+
		"byte; %d documents of read models\nnothing differs\n",
		r.Events, r.Leaves, r.Checkpoints, r.Files, r.Submissions, r.Documents)
	return err
}
