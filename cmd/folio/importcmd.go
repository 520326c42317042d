package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/audit"
	"folio/events"
	"folio/eventstore"
	"folio/exports"
	"folio/transparency"
)

type importCmd struct {
	dataFlags
	File      string `arg:"" help:"An export of a company's whole history." type:"existingfile"`
	Key       string `required:"" help:"Verifier key of the log that it came from, or a file that holds it." placeholder:"KEY|FILE"`
	LogOrigin string `help:"What the origin of the new log's checkpoints begins with." default:"folio/log" placeholder:"NAME"`
}

// Validate is called by the parser.
func (c *importCmd) Validate() error {
	if err := transparency.CheckOrigin(c.LogOrigin); err != nil {
		return fmt.Errorf("--log-origin: %w", err)
	}
	return nil
}

// Run verifies the export and fills a log that has no events. The data folder is made if it is
// not there; no service may run on it. An export of a period is refused before that.
func (c *importCmd) Run(ctx context.Context) error {
	key, err := audit.ReadKey(c.Key)
	if err != nil {
		return err
	}
	r, err := audit.VerifyFile(c.File, key)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if !r.Manifest.Whole() {
		return fmt.Errorf("%s has the documents of a period only, and what came before it would be missing: numbers, the "+
			"originals of notes, keys of requests. It can be read and verified as it is (folio verify-export). To import, ask "+
			"for an export of the whole history: POST /api/exports without date_from and date_to, or folio export company %s",
			c.File, r.Manifest.Company)
	}
	s, err := openStores(ctx, c.dataFlags, true, c.logger())
	if err != nil {
		return err
	}
	return errors.Join(c.fill(ctx, s, r), s.close(ctx))
}

// fill begins a tree that commits to the checkpoint of the export, and appends the events behind it.
func (c *importCmd) fill(ctx context.Context, s *stores, r audit.Report) error {
	for e, err := range s.log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return err
		}
		if e.Stream != eventstore.StoreStream && events.KinshipOf(e) != events.Foreign {
			return fmt.Errorf("this log has events already (%s at %s): an export is imported into an empty one. "+
				"After an import "+
				"that was interrupted, begin again with a folder of its own", e.Stream, e.Position)
		}
	}
	if err := c.beginImport(c.File, time.Now()); err != nil {
		return err
	}
	previous := events.TreeHead{Tree: r.Manifest.Tree, Origin: r.Origin, Key: r.Key, Size: r.Size, Root: r.Root}
	reason := "import of company " + r.Manifest.Company + " from the log " + r.Manifest.Log + ", made at " +
		r.Manifest.MadeAt
	if _, err := s.trees("folio import").BeginAfter(ctx, c.LogOrigin, previous, reason); err != nil {
		return errors.Join(err, c.imported())
	}
	bar := startCount("import")
	n, err := exports.Import(ctx, c.File, exports.Into{Append: s.log.Append, StoreFile: s.vault.StoreFile,
		Progress: func(n int) { _ = bar.Set(n) }})
	if err = errors.Join(err, bar.Finish()); err != nil {
		return errors.Join(err, c.imported()) // which tells what to do
	}
	if err := c.endImport(); err != nil {
		return err
	}
	fmt.Printf("%d facts and %d files of %s are in the log %s\n", n, r.Files, r.Manifest.LegalName, s.id)
	fmt.Println("serve it to read it, without what calls authorities and webhooks: folio serve --roles " +
		"node,sandbox,write,read,projections")
	fmt.Printf("nobody may log in yet: 'folio account add', then 'folio company move %s EMAIL'\n", r.Manifest.Company)
	return nil
}
