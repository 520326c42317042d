package quarantine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"

	"folio/commands"
	"folio/commands/company"
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

func TestABrokenEventHoldsItsStreamUntilItIsSkipped(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	w.logo("A", "a0")
	w.write("company-A", "LogoUploaded", `{"sha256":7}`, 1)
	w.logo("A", "a2")
	w.logo("B", "b0")
	r.hears("a0", "b0")
	w.wants("company-A from 1: unreadable")

	w.logo("A", "a3")
	w.logo("B", "b1")
	r.hears("b1")

	w.restart() // with what an earlier owner held
	again := w.reader()
	again.at = r.at
	w.logo("A", "a4")
	again.hears()
	w.decides("company-A", decide.Retry{Stream: "company-A", Reason: "hoping"})
	again.hears()
	w.wants("company-A from 1: unreadable")

	w.decides("company-A", skip(w, "company-A"))
	w.logo("A", "a5")
	again.hears("a2", "a3", "a4", "a5")
	w.wants()

	w.restart() // a reader that lost its tables hears everything but the event that was skipped
	w.reader().hears("a0", "a2", "b0", "a3", "b1", "a4", "a5")
}

func TestTwoBrokenEventsAreTwoDecisions(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	w.write("company-A", "LogoUploaded", `[]`, 1)
	w.logo("A", "a1")
	w.write("company-A", "LogoUploaded", `{}`, 9)
	w.logo("A", "a3")
	r.hears()
	w.decides("company-A", skip(w, "company-A"))
	r.hears("a1")
	w.wants("company-A from 2: unreadable")
	w.decides("company-A", skip(w, "company-A"))
	r.hears("a3")
	w.wants()
}

func TestAPanicIsTheTroubleOfOneStreamAndEndsWithTheProgram(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	r.does = func(e events.Recorded) error {
		if e.Stream == "company-A" && e.Revision == 0 {
			panic("nobody thought of that")
		}
		return nil
	}
	w.logo("A", "a0")
	w.logo("A", "a1")
	w.logo("B", "b0")
	r.hears("b0")
	w.wants("company-A from 0: unappliable")
	w.restart() // with a program that thought of it
	if better := w.reader(); !slices.Equal(better.heard, []string{"a0", "a1"}) {
		t.Errorf("a better program hears %q", better.heard)
	}
}

func TestTroubleOfAnotherStreamHoldsTheOneThatNeedsIt(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	troubled := true
	r.does = func(e events.Recorded) error {
		if e.Stream == "company-A" && e.Revision == 1 && troubled {
			return fmt.Errorf("look up: %w", &events.Trouble{Kind: events.Deleted, Stream: "webhook-A"})
		}
		return nil
	}
	w.logo("A", "a0")
	w.logo("A", "a1")
	r.hears("a0")
	w.wants("company-A from 1: deleted")
	troubled = false
	w.decides("webhook-A", decide.Retry{Stream: "webhook-A", Reason: "restored"})
	r.hears("a1")
}

func TestAFailureThatIsNobodysFaultHoldsNothing(t *testing.T) {
	w := newWorld(t)
	away := errors.New("tables are away")
	f := w.room.Feed("reader", types...)
	w.logo("A", "a0")
	for e, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{Types: types}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Deliver(t.Context(), e, func(context.Context, events.Recorded) error { return away }); !errors.Is(err,
			away) {
			t.Errorf("got %v", err)
		}
	}
	w.wants()
}

func TestWhatIsNotFoliosIsPassedOverAndCounted(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	w.write("shop-1", "LogoUploaded", `{"sha256":"x"}`, 1)
	w.write("invoice-1", "LogoUploaded", `{"sha256":"x"}`, 1)
	w.logo("A", "a0")
	r.hears("a0")
	if got := w.room.PassedOver()["reader"]; got != 2 {
		t.Errorf("%d were passed over, want 2", got)
	}
	w.wants()
}

func TestCommandsAreRefusedUntilTheStreamIsSound(t *testing.T) {
	w := newWorld(t)
	x := commands.NewExecutor(w.log, time.Now).Guarded(w.room)
	load := func() (company.State, error) {
		s, _, err := commands.Bind(x, company.Decider).Load(t.Context(), "A")
		return s, err
	}
	w.write("company-A", "CompanyRegistered", `{"company":"A","legal_name":"One"}`, 1)
	w.write("company-A", "Visited", `{"by":"crm"}`, 0) // another application's
	if s, err := load(); err != nil || s.LegalName != "One" {
		t.Fatalf("%+v, %v", s, err)
	}
	x = commands.NewExecutor(w.log, time.Now).Guarded(w.room) // that remembers nothing
	w.write("company-A", "FiscalProfileSet", `{"profile":7}`, 1)
	w.logo("A", "a3")
	var trouble *events.Trouble
	if _, err := load(); !errors.Is(err, commands.Held()) || !errors.As(err, &trouble) || trouble.Revision != 2 {
		t.Fatalf("got %v", err)
	}
	w.wants("company-A from 2: unreadable")
	w.decides("company-A", skip(w, "company-A"))
	w.restart()
	x = commands.NewExecutor(w.log, time.Now).Guarded(w.room)
	if s, err := load(); err != nil || s.LegalName != "One" {
		t.Errorf("after the decision: %+v, %v", s, err)
	}
	w.wants()
}

func TestTheCompanyOfAnInvoiceThatCannotBeReadIsKnown(t *testing.T) {
	w := newWorld(t)
	f := w.room.Feed("reader", "InvoiceCreated")
	w.write("invoice-1", "InvoiceCreated", `{"company":"A","document":7}`, 1)
	for e, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{Types: []string{"InvoiceCreated"}}) {
		if err == nil {
			err = f.Deliver(t.Context(), e, func(context.Context, events.Recorded) error { return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if f.Company("A") == nil || f.Company("B") != nil {
		t.Errorf("A: %v, B: %v", f.Company("A"), f.Company("B"))
	}
	for stream, want := range map[string]bool{"invoice-1": true, "invoice-": true, "invoice-2": false, "invoice": false} {
		if got, err := w.room.Holds(t.Context(), stream); err != nil || got != want {
			t.Errorf("%s is held: %v, %v", stream, got, err)
		}
	}
}

func TestTablesThatAreGoneHoldNothing(t *testing.T) {
	w := newWorld(t)
	w.logo("A", "a0")
	for _, table := range []string{"logos_v1", "logos_v1_g2", "others_v1"} {
		f, err := w.room.Table(t.Context(), table, types...)
		if err == nil {
			r := events.Recorded{Stream: "company-A", Type: "LogoUploaded"}
			err = f.Hold(t.Context(), r, r.About(events.Unappliable, errors.New("no")))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.room.Keep(t.Context(), "logos_v", "logos_v1_g2"); err != nil {
		t.Fatal(err)
	}
	w.wants("company-A from 0: unappliable", "company-A from 0: unappliable")
}

func TestAStreamThatSomebodyDeletesIsHeldAtOnce(t *testing.T) {
	w := newWorld(t)
	w.logo("A", "a0")
	forgotten := make(chan string, 1)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.room.Watch(ctx, events.Position{}, func(stream string) { forgotten <- stream }) }()
	w.operator.delete(t, "shop-1")
	w.operator.delete(t, "company-A")
	w.operator.delete(t, "company-B") // once it is forgotten, the one before was dealt with
	for _, want := range []string{"company-A", "company-B"} {
		if got := <-forgotten; got != want {
			t.Errorf("%s is forgotten, want %s", got, want)
		}
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := w.held(); !slices.Contains(got, "company-A from 0: deleted") {
		t.Errorf("held: %q", got)
	}
}
