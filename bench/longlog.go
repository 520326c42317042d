package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"folio/authority"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/countries"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node/storage"
	"folio/vault"
	vaultsqlite "folio/vault/sqlite"
)

// longLog writes a log of any length as a service records it: invoices of one company, each from its creation to the
// authority's answer, with the files that the facts name. A verifier finds nothing wrong with it.
type longLog struct {
	data    string
	company string
	fields  map[string]string // of the company's fiscal profile
	made    template
	driver  authority.Driver
	vault   *vault.Sealed
	answer  string // SHA-256 of what the authority answers, which nobody reads
	next    map[string]uint64
	at      uint64 // position of the last event
	err     error
}

// perSubmission is how many invoices are sent at once.
const perSubmission = 20

// longLog makes a data folder with so many events, once. What comes before the invoices was recorded by a service.
func (b *bench) longLog(ctx context.Context, count int) (_ *longLog, err error) {
	if b.long != nil {
		return b.long, nil
	}
	started := time.Now()
	l := &longLog{data: filepath.Join(b.dir, "long"), next: map[string]uint64{}}
	p, err := b.service(ctx, l.data, all)
	if err != nil {
		return nil, err
	}
	tenants, err := b.setUp(ctx, p, l.data, 1, 1)
	if err = errors.Join(err, p.stop()); err != nil {
		return nil, err
	}
	l.company = tenants[0].id
	if l.made, err = newTemplate(ctx, l.company, 2); err != nil {
		return nil, err
	}
	l.vault, err = vaultsqlite.Open(ctx, filepath.Join(l.data, "vault.db"), filepath.Join(l.data, "master.key"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.vault.Close()) }()
	if l.answer, err = l.vault.StoreFile(ctx, []byte("<answer/>")); err != nil {
		return nil, err
	}
	rules, _ := countries.ByCode(l.made.Country)
	l.driver = countries.Drivers(countries.Settings{Base: "http://127.0.0.1:1", Timeout: time.Second, Vault: l.vault,
		Log: slog.New(slog.DiscardHandler)})[rules.Authority()]
	if err := l.write(ctx, count); err != nil {
		return nil, err
	}
	b.long = l
	fmt.Fprintf(b.table.out, "  (seeded %s events in %s)\n", thousands(int64(count)),
		time.Since(started).Round(time.Second))
	return l, nil
}

// write puts the long log in the place of the short one, whose events it begins with. The tables are made anew.
func (l *longLog) write(ctx context.Context, count int) error {
	file, short := filepath.Join(l.data, "log"), filepath.Join(l.data, "log-short")
	if err := os.Rename(file, short); err != nil {
		return err
	}
	begun, err := l.begun(ctx, short)
	if err != nil {
		return err
	}
	_, err = storage.Import(ctx, file, func(yield func(storage.Imported, error) bool) {
		for _, e := range begun {
			if !yield(e, nil) {
				return
			}
		}
		l.submissions(ctx, count-len(begun), yield)
	})
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(filepath.Join(l.data, "tables.db") + end) // some are not there
	}
	return errors.Join(err, l.err, os.RemoveAll(short))
}

// begun reads what the service recorded.
func (l *longLog) begun(ctx context.Context, dir string) (out []storage.Imported, err error) {
	j, err := openJournal(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	for r, err := range j.log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return nil, err
		}
		id, err := uuid.Parse(r.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, storage.Imported{Position: r.Position.Commit, Stream: r.Stream, Revision: r.Revision, ID: id,
			Type: r.Type, JSON: true, Metadata: r.RawMeta, Data: r.Raw, Created: r.Logged})
		l.at = r.Position.Commit
		if opened, err := events.Open(r); err == nil {
			if set, ok := opened.Event.(events.FiscalProfileSet); ok {
				l.fields = set.Profile.Fields
			}
		}
	}
	return out, nil
}

// submissions yields so many events, and the rest of the last submission.
func (l *longLog) submissions(ctx context.Context, count int, yield func(storage.Imported, error) bool) {
	for first, made := int64(1), 0; made < count; first += perSubmission {
		facts, err := l.submission(ctx, first)
		if l.err = err; err != nil {
			return
		}
		for stream, e := range facts {
			one, err := l.fact(stream, e)
			if !yield(one, err) || err != nil {
				return
			}
			made++
		}
	}
}

// fact is the next event of a stream.
func (l *longLog) fact(stream string, e events.Event) (storage.Imported, error) {
	name, schema, data, err := events.Encode(e)
	if err != nil {
		return storage.Imported{}, err
	}
	now := time.Now().UTC()
	meta, err := json.Marshal(events.Meta{Schema: schema, At: now, Actor: "submission", Request: uuid.NewString()})
	l.at += uint64(len(data)+len(meta)) + 100
	out := storage.Imported{Position: l.at, Stream: stream, Revision: l.next[stream], ID: uuid.New(), Type: name,
		JSON: true, Metadata: meta, Data: data, Created: now}
	if l.next[stream]++; l.next[stream] == eventsOfInvoice && events.Category(stream) == invoice.Decider.Category {
		delete(l.next, stream)
	}
	return out, err
}

// eventsOfInvoice are created, started, numbered, accepted.
const eventsOfInvoice = 4

// submission is what happens to the invoices that are sent under the numbers from first on.
func (l *longLog) submission(ctx context.Context, first int64) (iter.Seq2[string, events.Event], error) {
	series := numbering.Series{Company: l.company, Environment: l.made.Environment,
		OfficialCode: l.made.Document.OfficialCode, BranchOffice: l.made.Document.BranchOffice}
	id := ulid.Make().String()
	opened := events.SubmissionOpened{Submission: id, First: first, AuthorityLast: first - 1}
	settled := events.SubmissionSettled{Submission: id}
	b := authority.Batch{Series: authority.Series{Company: l.company,
		Environment: authority.Environment(series.Environment), OfficialCode: series.OfficialCode,
		BranchOffice: series.BranchOffice}}
	var lives [][]events.Event
	for n := first; n < first+perSubmission; n++ {
		one := ulid.Make().String()
		life := l.made.history(one, n, true)
		for i, e := range life {
			switch e := e.(type) {
			case events.SubmissionStarted:
				e.Submission = id
				life[i] = e
			case events.AuthorityAccepted:
				e.Submission = id
				life[i] = e
				settled.Outcomes = append(settled.Outcomes, events.Outcome{Invoice: one, Number: n, Result: events.Accepted,
					Authorization: &e.Authorization, Sandbox: e.Sandbox})
			}
		}
		lives, opened.Invoices = append(lives, life), append(opened.Invoices, one)
		b.Documents = append(b.Documents, authority.Document{Invoice: one, Number: n, Document: l.made.Document,
			Taxes: l.made.Taxes, Profile: l.made.Profile, Fields: l.fields})
	}
	sent, err := l.driver.Prepare(ctx, authority.Credential{}, b)
	if err != nil {
		return nil, fmt.Errorf("write what is sent: %w", err)
	}
	if opened.SHA256, err = l.vault.StoreFile(ctx, sent.Content); err != nil {
		return nil, err
	}
	settled.Calls = []events.Call{{Operation: "FECAESolicitar", At: time.Now().UTC(), Request: opened.SHA256,
		Answer: l.answer}}
	return inOrder(numbering.Decider.Stream(series.ID()), opened, settled, lives), nil
}

// inOrder is the order in which a service records it.
func inOrder(series string, opened events.SubmissionOpened, settled events.SubmissionSettled,
	lives [][]events.Event) iter.Seq2[string, events.Event] {
	return func(yield func(string, events.Event) bool) {
		each := func(from, to int) bool {
			for i, life := range lives {
				for _, e := range life[from:to] {
					if !yield(invoice.Decider.Stream(opened.Invoices[i]), e) {
						return false
					}
				}
			}
			return true
		}
		_ = each(0, 1) && yield(series, opened) && each(1, 2) && yield(series, settled) && each(2, eventsOfInvoice)
	}
}
