package exports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sys/unix"
)

// List gives a company's exports, the newest first.
func (j *Jobs) List(company string) ([]Export, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all, err := j.all()
	own := slices.DeleteFunc(all, func(e Export) bool { return e.Company != company })
	slices.Reverse(own)
	return own, err
}

// Get reads one of a company's; ErrNone.
func (j *Jobs) Get(company, id string) (Export, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.get(company, id)
}

func (j *Jobs) get(company, id string) (Export, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return Export{}, ErrNone
	}
	e, err := j.load(id)
	if errors.Is(err, fs.ErrNotExist) || err == nil && e.Company != company {
		return Export{}, ErrNone
	}
	return e, err
}

// File opens the file of a company's export that is done; ErrNone. The caller closes it.
func (j *Jobs) File(company, id string) (*os.File, error) {
	if _, err := j.Get(company, id); err != nil {
		return nil, err
	}
	f, err := os.Open(j.path(id, file))
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNone
	}
	return f, err
}

// Remove removes a company's export, and ends it if this process makes it; ErrNone.
func (j *Jobs) Remove(company, id string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.get(company, id); err != nil {
		return err
	}
	if cancel := j.cancels[id]; cancel != nil {
		cancel()
	}
	return j.forget(id)
}

func (j *Jobs) forget(id string) error {
	var errs []error
	for _, suffix := range []string{record, partial, file, locked} {
		if err := os.Remove(j.path(id, suffix)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// save replaces the record.
func (j *Jobs) save(e Export) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	aside := j.path(e.ID, record+".new")
	if err := os.WriteFile(aside, text, 0o600); err != nil {
		return fmt.Errorf("keep the record of an export: %w", err)
	}
	return os.Rename(aside, j.path(e.ID, record))
}

// load reads a record. One that nobody works on any more says that it was interrupted.
func (j *Jobs) load(id string) (e Export, err error) {
	text, err := os.ReadFile(j.path(id, record))
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil {
		return e, fmt.Errorf("read the record of an export: %w", err)
	}
	if e.Status != Waiting && e.Status != Working {
		return e, nil
	}
	lock, err := j.take(id)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	// It may have been finished since the record was read.
	if text, err = os.ReadFile(j.path(id, record)); err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil || e.Status != Waiting && e.Status != Working {
		return e, err
	}
	e.Status, e.Error, e.FinishedAt = Interrupted, interrupted, j.now().UTC()
	e.ExpiresAt = e.FinishedAt.Add(Lifetime)
	if err := os.Remove(j.path(id, partial)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return e, err
	}
	return e, j.save(e)
}

// take locks an export for who makes it; EWOULDBLOCK while somebody does. The lock ends with the process.
func (j *Jobs) take(id string) (*os.File, error) {
	f, err := os.OpenFile(j.path(id, locked), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock an export: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock an export: %w", err), f.Close())
	}
	return f, nil
}

// all reads every record, the oldest first, and removes those that have expired.
func (j *Jobs) all() (out []Export, err error) {
	names, err := os.ReadDir(j.dir)
	if err != nil {
		return nil, fmt.Errorf("list the exports: %w", err)
	}
	seen := map[string]bool{}
	for _, n := range names {
		id, _, _ := strings.Cut(n.Name(), ".")
		if _, err := ulid.ParseStrict(id); err != nil || seen[id] {
			continue
		}
		seen[id] = true
		e, err := j.load(id)
		if errors.Is(err, fs.ErrNotExist) {
			if err := j.sweep(id); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if !e.ExpiresAt.IsZero() && !j.now().Before(e.ExpiresAt) {
			if err := j.forget(id); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, e)
	}
	return out, nil
}

// sweep removes what is left of an export without a record, unless somebody is about to write one.
func (j *Jobs) sweep(id string) error {
	lock, err := j.take(id)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(j.forget(id), lock.Close())
}
