package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sys/unix"

	"folio/countries"
	"folio/exports"
	"folio/papers"
	"folio/projections"
	"folio/transparency"
)

type exportCompanyCmd struct {
	dataFlags
	Company string        `arg:"" help:"Id of the company: 'folio company list' shows them."`
	From    string        `help:"Documents dated from this day on: YYYY-MM-DD. Without a period the export has the whole history, and can be imported." placeholder:"DAY"`
	To      string        `help:"Documents dated up to this day: YYYY-MM-DD." placeholder:"DAY"`
	Out     string        `help:"Write to this file; without it to COMPANY.zip. It must not be there." placeholder:"FILE"`
	Wait    time.Duration `help:"How long to wait for a checkpoint of a running service that covers what the company has now." default:"2m"`
}

// Validate is called by the parser.
func (c *exportCompanyCmd) Validate() error {
	// The parser asks before it looks whether the argument is there, and says itself that it is missing.
	if _, err := ulid.ParseStrict(c.Company); c.Company != "" && err != nil {
		return fmt.Errorf("%q is no company id: 'folio company list' shows them", c.Company)
	}
	for _, day := range []string{c.From, c.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return fmt.Errorf("%q is no day: write YYYY-MM-DD", day)
		}
	}
	if c.From != "" && c.To != "" && c.To < c.From {
		return errors.New("--to is before --from")
	}
	return nil
}

// Run works beside a running service and without one; without one nobody makes a checkpoint that it could wait for.
func (c *exportCompanyCmd) Run(ctx context.Context) error {
	c.Out = cmp.Or(c.Out, c.Company+".zip")
	return onStores(ctx, c.dataFlags, func(s *stores) (err error) {
		source, err := s.exportSource(ctx)
		if err != nil {
			return err
		}
		if s.node != nil {
			c.Wait = 0
		}
		order := exports.Order{Company: c.Company, From: c.From, To: c.To}
		if c.Wait > 0 {
			fmt.Fprintf(os.Stderr, "looking for a checkpoint that covers everything; it may take a minute\n")
		}
		beyond, err := source.Await(ctx, order, c.Wait)
		if err != nil {
			return err
		}
		result, err := c.write(ctx, source, order)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d facts and %d invoices, up to %s\n", c.Out, result.Events, result.Invoices, result.Until)
		if beyond > 0 {
			fmt.Printf("%d later facts are not in it: no checkpoint covers them yet, which a running service "+
				"makes\n", beyond)
		}
		return nil
	})
}

// write writes the file beside its place and puts it there when it is whole.
func (c *exportCompanyCmd) write(ctx context.Context, source exports.Source,
	order exports.Order) (result exports.Result, err error) {
	if _, err := os.Stat(c.Out); err == nil {
		return result, fmt.Errorf("%s is there already: name another file with --out", c.Out)
	}
	dir := filepath.Dir(c.Out)
	if err := sweepParts(c.Out); err != nil {
		return result, err
	}
	f, err := os.CreateTemp(dir, filepath.Base(c.Out)+".*"+partSuffix)
	if err != nil {
		return result, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	if err = lockPart(f); err != nil {
		return result, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	if result, err = source.Write(ctx, io.Writer(f), dir, order, nil); err != nil {
		return result, err
	}
	if err = errors.Join(f.Sync(), os.Rename(f.Name(), c.Out)); err != nil {
		return result, err
	}
	return result, f.Close()
}

// partSuffix ends the name of an export that is being written. Nobody else's file has it: FILE.1.part may be one of a
// download, or a part into which somebody cut the export.
const partSuffix = ".folio-part"

// lockPart says that the file is being written; the lock ends with the process, however it ends.
func lockPart(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// sweepParts removes what exports to the same file left behind that were killed: their files, which nobody locks. What
// belongs to another user stays.
func sweepParts(out string) error {
	names, err := os.ReadDir(filepath.Dir(out))
	if errors.Is(err, fs.ErrPermission) { // one may write into it all the same
		return nil
	}
	if err != nil {
		return err
	}
	for _, n := range names {
		drawn, ours := strings.CutPrefix(n.Name(), filepath.Base(out)+".")
		drawn, part := strings.CutSuffix(drawn, partSuffix)
		if _, err := strconv.ParseUint(drawn, 10, 64); !ours || !part || err != nil || !n.Type().IsRegular() {
			continue
		}
		err := sweepPart(filepath.Join(filepath.Dir(out), n.Name()))
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("remove what an export that was killed left behind: %w", err)
		}
	}
	return nil
}

func sweepPart(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0) // NFS locks only what may be written
	if errors.Is(err, fs.ErrNotExist) {       // its export has just ended
		return nil
	}
	if err != nil {
		return err
	}
	if err = lockPart(f); errors.Is(err, unix.EWOULDBLOCK) { // it is being written
		return f.Close()
	}
	if err == nil {
		err = os.Remove(name)
	}
	return errors.Join(err, f.Close())
}

// exportSource is what exports are made of, from the log alone.
func (s *stores) exportSource(ctx context.Context) (exports.Source, error) {
	tree, err := transparency.OpenStore(ctx, s.tables)
	return exports.Source{Log: s.log, LogID: s.id, Secrets: s.vault, Tree: tree, Now: time.Now,
		Papers:    papers.Maker{Countries: countries.Rules(), Files: s.vault},
		Documents: projections.NewReader(s.tables, s.log)}, err
}
