package quarantine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"

	"folio/commands"
	decide "folio/commands/quarantine"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/quarantine"
	"folio/tables"
	"folio/tables/sqlite"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a log with tables beside it.
type world struct {
	*testing.T
	log      *eventstore.Log
	tables   tables.Store
	room     *quarantine.Room
	operator operator
	n        int
}

// operator has the server's own tools.
type operator struct{ *esdb.Client }

func (o operator) delete(t *testing.T, stream string) {
	t.Helper()
	_, err := o.AppendToStream(t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}},
		esdb.EventData{EventType: "LogoUploaded", ContentType: esdb.ContentTypeJson, Data: []byte(`{}`)})
	if err == nil {
		_, err = o.DeleteStream(t.Context(), stream, esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func newOperator(t *testing.T, address string) operator {
	t.Helper()
	config, err := esdb.ParseConnectionString("esdb://localhost:2113?tls=false")
	if err != nil {
		t.Fatal(err)
	}
	config.Address, config.Logger = address, func(esdb.LogLevel, string, ...any) {}
	c, err := esdb.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return operator{c}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	n, err := node.Open(t.Context(), node.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close(context.Background()) })
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: n.Address()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{T: t, log: l, tables: s, operator: newOperator(t, n.Address())}
	w.restart()
	return w
}

// restart is a new process on the same log and tables.
func (w *world) restart() {
	w.Helper()
	room, err := quarantine.Open(w.Context(), w.log, w.tables, func() time.Time { return at },
		slog.New(slog.DiscardHandler))
	if err != nil {
		w.Fatal(err)
	}
	w.room = room
}

// write appends an event as somebody may have stored it.
func (w *world) write(stream, kind, data string, schema int) {
	w.Helper()
	last, found, err := w.log.ReadLast(w.Context(), stream)
	expected := eventstore.NoStream
	if found {
		expected = int64(last.Revision)
	}
	if err == nil {
		w.n++
		_, err = w.log.Append(w.Context(), stream, expected,
			eventstore.Pending{ID: uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, w.n)),
				Type: kind, Meta: events.Meta{Schema: schema, At: at}, Data: json.RawMessage(data)})
	}
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) logo(company, sha string) {
	w.Helper()
	w.write("company-"+company, "LogoUploaded", fmt.Sprintf(`{"sha256":%q}`, sha), 1)
}

// decides records an operator's decision.
func (w *world) decides(stream string, c decide.Command) {
	w.Helper()
	_, err := commands.Bind(commands.NewExecutor(w.log, time.Now), decide.Decider).Execute(w.Context(), stream, c,
		commands.Request{ID: commands.Derived(stream, fmt.Sprint(w.n)), Actor: "test", At: at})
	if w.n++; err != nil {
		w.Fatal(err)
	}
}

// held is what the reader holds, as another process sees it.
func (w *world) held() (out []string) {
	w.Helper()
	all, err := w.room.Held(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	for _, h := range all {
		out = append(out, fmt.Sprintf("%s from %d: %s", h.Stream, h.From, h.Kind))
	}
	slices.Sort(out)
	return out
}

// reader is a processor that notes the logos it hears of.
type reader struct {
	w     *world
	feed  *quarantine.Feed
	at    events.Position
	heard []string
	does  func(events.Recorded) error
}

var types = []string{"LogoUploaded", "CompanyRegistered"}

func (w *world) reader() *reader {
	w.Helper()
	r := &reader{w: w, feed: w.room.Feed("reader", types...)}
	if err := r.feed.Begin(w.Context(), r.handle); err != nil {
		w.Fatal(err)
	}
	return r
}

func (r *reader) handle(_ context.Context, e events.Recorded) error {
	if r.does != nil {
		if err := r.does(e); err != nil {
			return err
		}
	}
	if l, ok := e.Event.(events.LogoUploaded); ok {
		r.heard = append(r.heard, l.SHA256)
	}
	return nil
}

// hears takes what is new in the log, as a bus does.
func (r *reader) hears(want ...string) {
	r.w.Helper()
	before := len(r.heard)
	for e, err := range r.w.log.All(r.w.Context(), r.at,
		eventstore.Filter{Types: slices.Concat(types, quarantine.Types)}) {
		if err == nil {
			err = r.feed.Deliver(r.w.Context(), e, r.handle)
		}
		if err != nil {
			r.w.Fatal(err)
		}
		r.at = e.Position
	}
	if err := r.feed.Saved(r.w.Context()); err != nil {
		r.w.Fatal(err)
	}
	if got := r.heard[before:]; !slices.Equal(got, want) {
		r.w.Errorf("heard %q, want %q", got, want)
	}
}

func (w *world) wants(held ...string) {
	w.Helper()
	if got := w.held(); !slices.Equal(got, held) {
		w.Errorf("held %q, want %q", got, held)
	}
}

func skip(w *world, stream string) decide.Skip {
	w.Helper()
	all, err := w.room.Held(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	for _, h := range all {
		if h.Because == stream {
			return decide.Skip{Trouble: h.Trouble(), Reason: "looked"}
		}
	}
	w.Fatalf("nobody holds %s", stream)
	return decide.Skip{}
}
