package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/eventstore/node/storage"
	"folio/money"
	"folio/quarantine"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/transparency"
	"folio/vault"
	vaultsqlite "folio/vault/sqlite"
	"folio/verify"

	"github.com/google/uuid"
)

// at is when everything of these logs happened.
var at = time.Date(2026, time.November, 29, 12, 0, 0, 0, time.UTC)

// fact is one event of a log that a test makes up.
type fact struct {
	stream string
	event  events.Event
}

// late is an event of which the log says that it took it so much later than it was recorded.
type late struct {
	events.Event
	by time.Duration
}

// world is a log with a past that a test made up, a vault and tables.
type world struct {
	t      testing.TB
	dir    string
	log    *eventstore.Log
	vault  *vault.Sealed
	tables tables.Store
	file   string // SHA-256 of a file that the vault has
}

func newWorld(t testing.TB, facts iter.Seq[fact]) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	var err error
	if w.vault, err = vaultsqlite.Open(t.Context(), filepath.Join(w.dir, "vault.db"),
		filepath.Join(w.dir, "master.key")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.vault.Close() })
	if w.file, err = w.vault.StoreFile(t.Context(), []byte("what was sent")); err != nil {
		t.Fatal(err)
	}
	salts, err := transparency.OpenSalts(t.Context(), w.vault)
	if err != nil {
		t.Fatal(err)
	}
	revisions, position, roots := map[string]uint64{}, uint64(0), transparency.NewRoots()
	_, err = storage.Import(t.Context(), filepath.Join(w.dir, "log"), func(yield func(storage.Imported, error) bool) {
		for f := range facts {
			created := at
			if e, ok := f.event.(late); ok {
				f.event, created = e.Event, at.Add(e.by)
			}
			if e, ok := f.event.(events.TreeBegun); ok {
				e.Salts, e.Leaf = salts.Fingerprint(), transparency.LeafVersion
				f.event = e
			}
			if e, ok := f.event.(events.CheckpointRecorded); ok {
				root, err := roots.Root()
				if err != nil {
					t.Error(err)
				}
				e.Size, e.Root = roots.Size(), root.String()
				f.event = e
			}
			name, schema, data, err := events.Encode(f.event)
			meta, failed := json.Marshal(events.Meta{Schema: schema, At: at, Actor: "test"})
			position += 100
			e := storage.Imported{Position: position, Stream: f.stream, Revision: revisions[f.stream],
				ID:   uuid.NewSHA1(uuid.Nil, fmt.Append(nil, position)),
				Type: name, JSON: true, Metadata: meta, Data: data, Created: created}
			revisions[f.stream]++
			leaf := salts.Entry(events.Recorded{Stream: e.Stream, Revision: e.Revision, Type: e.Type, ID: e.ID.String(),
				Raw: e.Data, RawMeta: e.Metadata})
			if err := roots.Add(leaf); err != nil {
				t.Error(err)
			}
			if !yield(e, errors.Join(err, failed)) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	n, err := node.Open(t.Context(), node.Options{Dir: filepath.Join(w.dir, "log")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close(context.Background()) })
	if w.log, err = eventstore.Open(t.Context(), eventstore.Options{Address: n.Address()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.log.Close() })
	w.tables = w.open("tables.db")
	return w
}

func (w *world) open(name string) tables.Store {
	w.t.Helper()
	db, err := sqlite.Open(w.t.Context(), filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = db.Close() })
	return db
}

// config verifies the log "L" without read models.
func (w *world) config() verify.Config {
	w.t.Helper()
	room, err := quarantine.Open(w.t.Context(), w.log, w.tables, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		w.t.Fatal(err)
	}
	return verify.Config{Log: w.log, Logs: []string{"L"}, Secrets: w.vault, Decisions: room, Tables: w.tables}
}

func all(facts ...fact) iter.Seq[fact] {
	return func(yield func(fact) bool) {
		for _, f := range facts {
			if !yield(f) {
				return
			}
		}
	}
}

const series = "numbering-C1-Production-1-1"

func created(n int) fact {
	id := fmt.Sprintf("I%07d", n)
	return fact{"invoice-" + id, events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR",
		Environment: "Production",
		Document: events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: 1, Date: "2026-11-29 09:00:00",
			Totals: events.Totals{Total: money.MustParse("242.00")}}}}
}

// submission is what happens to some invoices, from their creation to the authority's yes.
func submission(number, first, count int, file string) (out []fact) {
	id := fmt.Sprintf("S%07d", number)
	opened := events.SubmissionOpened{Submission: id, First: int64(first), SHA256: file, AuthorityLast: int64(first - 1)}
	settled := events.SubmissionSettled{Submission: id}
	var started, ended []fact
	for n := first; n < first+count; n++ {
		c := created(n)
		invoice := c.event.(events.InvoiceCreated).Invoice
		given := events.Authorization{Type: "CAE", Code: fmt.Sprint(76000000000000 + n), ExpiresOn: "2026-12-09"}
		opened.Invoices = append(opened.Invoices, invoice)
		settled.Outcomes = append(settled.Outcomes,
			events.Outcome{Invoice: invoice, Number: int64(n), Result: events.Accepted, Authorization: &given})
		out = append(out, c)
		started = append(started, fact{c.stream,
			events.SubmissionStarted{Submission: id, Environment: "Production", Number: int64(n)}})
		ended = append(ended, fact{c.stream, events.NumberAssigned{BranchOffice: 1, Number: int64(n)}},
			fact{c.stream, events.AuthorityAccepted{Submission: id, Authorization: given}})
	}
	out = append(append(out, fact{series, opened}), started...)
	return append(append(out, fact{series, settled}), ended...)
}

// many are submissions of ten invoices each, 42 events.
func many(count int) iter.Seq[fact] {
	return func(yield func(fact) bool) {
		if !yield(fact{"transparency-L", events.TreeBegun{Tree: "L", Origin: "folio/log/L"}}) {
			return
		}
		for n, made := 0, 0; made < count; n++ {
			for _, f := range submission(n, 1+10*n, 10, theFile()) {
				if !yield(f) {
					return
				}
				made++
			}
		}
	}
}
