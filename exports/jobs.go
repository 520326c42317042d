package exports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/clock"
	"folio/commands/idempotency"
	"folio/fault"
)

// Bounds of what the jobs does and keeps.
const (
	Running    = 2  // exports being made at once
	Unfinished = 8  // and those that wait for it
	Each       = 5  // that a company may have, finished ones included
	All        = 50 // that there may be
	Lifetime   = 24 * time.Hour
)

// The states of an export.
const (
	Waiting     = "waiting"
	Working     = "running"
	Done        = "done"
	Failed      = "failed"
	Interrupted = "interrupted" // the process that made it ended
)

// ErrNone: there is no such export of the company's, or it has expired.
var ErrNone = errors.New("no such export")

// Export is one that was asked for.
type Export struct {
	ID         string    `json:"id"`
	Company    string    `json:"company"`
	From       string    `json:"from"`
	To         string    `json:"to"`
	Key        string    `json:"key,omitempty"`
	By         string    `json:"by,omitempty"` // who asked; empty for one of a version before
	Status     string    `json:"status"`
	Progress   Progress  `json:"progress"`
	CreatedAt  time.Time `json:"created_at"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
	ExpiresAt  time.Time `json:"expires_at,omitzero"` // when the record and its file are removed
	Events     int       `json:"events"`
	Invoices   int       `json:"invoices"`
	Until      string    `json:"until"`  // position of the last event that the checkpoint covers
	Beyond     int       `json:"beyond"` // facts that were there already, and that it does not cover yet
	Size       int64     `json:"size"`   // of the file, in bytes
	SHA256     string    `json:"sha256"`
	Error      string    `json:"error"` // why it failed
}

func (e Export) order() Order { return Order{e.Company, e.From, e.To, e.Key, e.By} }

// begun is the record as Start gave it first.
func (e Export) begun() Export {
	return Export{ID: e.ID, Company: e.Company, From: e.From, To: e.To, Key: e.Key, By: e.By, Status: Waiting,
		CreatedAt: e.CreatedAt}
}

// Maker writes exports; Source is one.
type Maker interface {
	Await(ctx context.Context, o Order, patience time.Duration) (beyond int, err error)
	Write(ctx context.Context, to io.Writer, scratch string, o Order, tell func(Progress)) (Result, error)
}

// Jobs makes exports in the background and keeps them in a folder, which several processes of one machine may share.
type Jobs struct {
	source Maker
	now    func() time.Time
	dir    string
	log    *slog.Logger
	// patience is how long an export waits for a checkpoint that covers what the company has.
	patience time.Duration
	places   chan struct{} // of those that are being made

	mu      sync.Mutex
	work    sync.WaitGroup
	closed  bool
	stop    context.CancelFunc
	ctx     context.Context
	cancels map[string]context.CancelFunc // of what this process makes
}

// Config is what the jobs has.
type Config struct {
	Maker Maker
	Dir   string // where the files are kept
	// Patience is how long an export waits for a checkpoint that covers what the company has.
	Patience time.Duration
	Now      func() time.Time
	Log      *slog.Logger
}

// Open opens the folder. What a process that ended left behind says that it was interrupted.
func Open(c Config) (*Jobs, error) {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of exports: %w", err)
	}
	j := &Jobs{source: c.Maker, now: c.Now, dir: c.Dir, log: c.Log, patience: c.Patience,
		places: make(chan struct{}, Running), cancels: map[string]context.CancelFunc{}}
	j.ctx, j.stop = context.WithCancel(context.Background())
	_, err := j.all()
	return j, err
}

// Run removes what has expired, until ctx ends.
func (j *Jobs) Run(ctx context.Context) error {
	for clock.Sleep(ctx, time.Minute) {
		j.mu.Lock()
		_, err := j.all()
		j.mu.Unlock()
		if err != nil {
			j.log.Error("exports that have expired could not be removed", "error", err)
		}
	}
	return ctx.Err()
}

// Close ends what is being made, which is interrupted then.
func (j *Jobs) Close() {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.stop()
	j.work.Wait()
}

// Start begins an export. It refuses with 429 and the seconds to wait while the company, or everybody, has as many as
// there may be. An order with the key of an export that is still there begins none: that one is given as it was begun,
// and again is true.
func (j *Jobs) Start(o Order) (e Export, again bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return Export{}, false, &fault.Error{Code: fault.Unavailable, Constant: "STOPPING", RetryAfter: 5,
			Text: "The service is about to stop. Ask again in a moment."}
	}
	all, err := j.all()
	if err != nil {
		return Export{}, false, err
	}
	if e, found := keyed(all, o); found {
		if o.By = e.By; e.order() != o { // whoever of the company asks again
			return Export{}, false, idempotency.ErrOtherBody
		}
		return e.begun(), true, nil
	}
	if err := j.room(all, o.Company); err != nil {
		return Export{}, false, err
	}
	e = Export{ID: ulid.Make().String(), Company: o.Company, From: o.From, To: o.To, Key: o.Key, By: o.By, Status: Waiting,
		CreatedAt: j.now().UTC()}
	lock, err := j.take(e.ID)
	if err != nil {
		return Export{}, false, err
	}
	if err := j.save(e); err != nil {
		return Export{}, false, errors.Join(err, lock.Close())
	}
	ctx, cancel := context.WithCancel(j.ctx)
	j.cancels[e.ID] = cancel
	j.work.Go(func() {
		defer cancel()
		j.make(ctx, e, lock)
		j.mu.Lock()
		delete(j.cancels, e.ID)
		j.mu.Unlock()
	})
	return e, false, nil
}

// keyed is the export of an order's company that was asked for with its key.
func keyed(all []Export, o Order) (Export, bool) {
	at := slices.IndexFunc(all, func(e Export) bool { return e.Company == o.Company && e.Key == o.Key })
	if o.Key == "" || at < 0 {
		return Export{}, false
	}
	return all[at], true
}

// room says whether one more may begin.
func (j *Jobs) room(all []Export, company string) error {
	now := j.now()
	unfinished, own, ownUnfinished, next := 0, 0, 0, now.Add(Lifetime)
	for _, e := range all {
		open := e.Status == Waiting || e.Status == Working
		if open {
			unfinished++
		}
		if e.Company == company {
			if own++; open {
				ownUnfinished++
			} else if e.ExpiresAt.Before(next) {
				next = e.ExpiresAt
			}
		}
	}
	switch {
	case ownUnfinished > 0:
		return &fault.Error{Code: fault.TooMany, Constant: "TOO_MANY_EXPORTS", RetryAfter: 10,
			Text: "An export of this company is being made. Wait until it is done, or remove it with " +
				"DELETE /api/exports/{export_id}."}
	case own >= Each:
		return &fault.Error{Code: fault.TooMany, Constant: "TOO_MANY_EXPORTS",
			RetryAfter: max(int(next.Sub(now).Seconds()), 1),
			Text: "The company has as many exports as there may be. Remove one with DELETE /api/exports/{export_id}, or " +
				"wait until the oldest expires."}
	case unfinished >= Unfinished || len(all) >= All:
		return &fault.Error{Code: fault.TooMany, Constant: "TOO_MANY_EXPORTS", RetryAfter: 60,
			Text: "The service has as many exports as it keeps. Ask again after Retry-After."}
	}
	return nil
}

// make makes one, and records what came of it.
func (j *Jobs) make(ctx context.Context, e Export, lock io.Closer) {
	err := j.finish(ctx, &e)
	e.FinishedAt = j.now().UTC()
	e.ExpiresAt = e.FinishedAt.Add(Lifetime)
	switch {
	case err == nil:
		e.Status = Done
	case ctx.Err() != nil:
		e.Status, e.Error = Interrupted, interrupted
	default:
		e.Status, e.Error = Failed, "Something in the service failed: its operator finds it in the log under the "+
			"export's id."
		if f := fault.As(err); f != nil {
			e.Error = f.Text
		}
		j.log.Error("an export failed", "export", e.ID, "company", e.Company, "error", err)
	}
	if err != nil {
		err = os.Remove(j.path(e.ID, partial))
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	}
	if err = errors.Join(err, j.update(e), lock.Close()); err != nil {
		j.log.Error("an export could not be put away", "export", e.ID, "error", err)
	}
}

// update replaces the record, unless it was removed meanwhile: then nothing stays of the export.
func (j *Jobs) update(e Export) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := os.Stat(j.path(e.ID, record)); err != nil {
		return j.forget(e.ID)
	}
	return j.save(e)
}

const interrupted = "The service stopped while the export was being made. Ask for another one."

// finish writes the file.
func (j *Jobs) finish(ctx context.Context, e *Export) error {
	select {
	case j.places <- struct{}{}:
		defer func() { <-j.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	told := time.Time{}
	tell := func(p Progress) {
		now := j.now()
		if e.Progress.Step == p.Step && now.Sub(told) < time.Second {
			return
		}
		told, e.Progress, e.Status = now, p, Working
		_ = j.update(*e) // the next one is as good
	}
	tell(Progress{Step: "checkpoint"})
	beyond, err := j.source.Await(ctx, e.order(), j.patience)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(j.path(e.ID, partial), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	size := &counter{to: io.MultiWriter(f, hash)}
	result, err := j.source.Write(ctx, size, j.dir, e.order(), tell)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	e.Progress.Done = e.Progress.Total
	e.Events, e.Invoices, e.Until, e.Beyond = result.Events, result.Invoices, result.Until.String(), beyond
	e.Size, e.SHA256 = size.n, hex.EncodeToString(hash.Sum(nil))
	return os.Rename(j.path(e.ID, partial), j.path(e.ID, file))
}

// The files of an export: <id> with one of these behind it.
const (
	record  = ".json"
	partial = ".part"
	file    = ".zip"
	locked  = ".lock"
)

func (j *Jobs) path(id, suffix string) string { return filepath.Join(j.dir, id+suffix) }
