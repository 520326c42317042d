package mail_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/processors/mail"
	"folio/processors/processortest"
	"folio/tables"
	"folio/tables/sqlite"
)

var noon = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

// world is a processor whose mail server says what it is told to say.
type world struct {
	t      *testing.T
	log    *processortest.Log
	clock  *processortest.Clock
	x      *commands.Executor
	tables tables.Store

	mu   sync.Mutex
	says map[string][]error // by recipient, in their order; nil beyond them
	sent []mail.Message
	told lines
}

// lines are what is logged.
type lines struct {
	mu sync.Mutex
	strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Builder.Write(p)
}

// count is how many lines have a text.
func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.String(), text)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{t: t, log: processortest.NewLog(), clock: processortest.At(noon), tables: store,
		says: map[string][]error{}}
	w.x = commands.NewExecutor(w.log, w.clock.Now)
	return w
}

// start runs a processor until the function it gives is called.
func (w *world) start() (stop func()) {
	w.t.Helper()
	b := w.log.Base(w.x, w.tables, w.clock)
	b.Logger = slog.New(slog.NewTextHandler(&w.told, nil))
	p := mail.New(b, mail.Config{Send: w.send, RetryBase: time.Minute})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	}
}

func (w *world) send(_ context.Context, m mail.Message) (mail.Sent, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, m)
	if said := w.says[m.To]; len(said) > 0 {
		w.says[m.To] = said[1:]
		return mail.Sent{}, said[0]
	}
	return mail.Sent{MessageID: m.Email + "@x", Files: []string{m.Invoice + ".pdf"}}, nil
}

func (w *world) messages() []mail.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sent)
}

// ask records an accepted invoice and a message with it.
func (w *world) ask(company, invoice, to string) {
	w.log.Record(w.t, w.clock.Now(), "invoice-"+invoice,
		events.InvoiceCreated{Invoice: invoice, Company: company, Country: "AR"},
		events.SubmissionStarted{Submission: "S", Environment: "Testing", Number: 1},
		events.NumberAssigned{BranchOffice: 1, Number: 1}, events.AuthorityAccepted{Submission: "S"},
		events.EmailRequested{Email: "E-" + invoice, Company: company, To: to})
}

func await[E events.Event](w *world, n int) []E {
	w.t.Helper()
	return processortest.Await[E](w.t, w.log, n)
}

func TestAMessageIsSentOnce(t *testing.T) {
	w := newWorld(t)
	w.ask("C1", "I1", "a@b.cl")
	stop := w.start()
	sent := await[events.EmailSent](w, 1)
	if sent[0].Email != "E-I1" || sent[0].Try != 1 || sent[0].MessageID != "E-I1@x" || sent[0].Files[0] != "I1.pdf" {
		t.Errorf("%+v", sent)
	}
	w.log.AwaitHeard(t)
	stop()
	if err := w.tables.ResetCheckpoint(t.Context(), mail.Name); err != nil { // all is heard again
		t.Fatal(err)
	}
	stop = w.start()
	w.ask("C1", "I2", "a@b.cl")
	await[events.EmailSent](w, 2)
	stop()
	if got := w.messages(); len(got) != 2 || !got[0].At.Equal(noon) || got[0].Company != "C1" {
		t.Errorf("%+v", got)
	}
}

func TestATryThatFailsIsRepeatedLaterAndLater(t *testing.T) {
	w := newWorld(t)
	busy := &mail.Refused{Reason: "451 busy"}
	w.says["a@b.cl"] = slices.Repeat([]error{busy}, 100)
	w.ask("C1", "I1", "a@b.cl")
	stop := w.start()
	for i, minutes := range []int{1, 5, 15, 60, 240, 720, 1440} {
		d := await[events.EmailDelayed](w, i+1)[i]
		if d.Try != i+1 || d.Reason != "451 busy" || d.Next.Sub(w.clock.Now()) != time.Duration(minutes)*time.Minute {
			t.Errorf("%+v at %s", d, w.clock.Now())
		}
		if i == 3 { // a process that begins anew goes on where the log is
			stop()
			stop = w.start()
		}
		w.clock.Set(d.Next)
	}
	if f := await[events.EmailFailed](w, 1)[0]; f.Try != 8 || f.Reason != "451 busy" {
		t.Errorf("%+v", f)
	}
	stop()
	if n := len(w.messages()); n != 8 {
		t.Errorf("%d tries", n)
	}
}

func TestAMessageWhoseDocumentsCannotBeMadeEndsWithAReason(t *testing.T) {
	w := newWorld(t)
	w.says["a@b.cl"] = slices.Repeat([]error{&mail.Unmade{Err: errors.New("page 1: no such glyph")}}, 100)
	w.ask("C1", "I1", "a@b.cl")
	stop := w.start()
	defer stop()
	for i := range 7 {
		d := await[events.EmailDelayed](w, i+1)[i]
		if strings.Contains(d.Reason, "glyph") || !strings.Contains(d.Reason, "could not be made") {
			t.Errorf("%+v", d)
		}
		w.clock.Set(d.Next)
	}
	if f := await[events.EmailFailed](w, 1)[0]; f.Try != 8 || !strings.Contains(f.Reason, "could not be made") {
		t.Errorf("%+v", f)
	}
}

func TestARefusalForGoodEndsAMessageAndNoOther(t *testing.T) {
	w := newWorld(t)
	w.says["nobody@b.cl"] = []error{&mail.Refused{Final: true, Reason: "550 no such user"}}
	w.says["busy@b.cl"] = slices.Repeat([]error{&mail.Refused{Reason: "451"}}, 100)
	w.says["ours@b.cl"] = slices.Repeat([]error{errors.New("the vault is away")}, 100)
	for i, to := range []string{"nobody@b.cl", "busy@b.cl", "ours@b.cl", "good@b.cl"} {
		w.ask("C1", fmt.Sprint("I", i), to)
	}
	w.ask("C2", "J", "good@b.cl")
	stop := w.start()
	defer stop()
	if f := await[events.EmailFailed](w, 1); f[0].Email != "E-I0" || f[0].Reason != "550 no such user" || f[0].Try != 1 {
		t.Errorf("%+v", f)
	}
	for _, s := range await[events.EmailSent](w, 2) {
		if s.Email != "E-I3" && s.Email != "E-J" {
			t.Errorf("%+v", s)
		}
	}
	if d := await[events.EmailDelayed](w, 1); len(d) != 1 || d[0].Email != "E-I1" {
		t.Errorf("%+v: a fault of our own is no try", d)
	}
}

// A wrong password shows in the log, once, and so does its end; what is said of a recipient never does.
func TestAServerThatLetsNobodyInIsToldOnce(t *testing.T) {
	w := newWorld(t)
	locked := &mail.Refused{Reason: "535 wrong password", Away: true}
	w.says["a@b.cl"] = []error{locked, locked, &mail.Refused{Reason: "450 a@b.cl is over its quota"}}
	w.ask("C1", "I1", "a@b.cl")
	stop := w.start()
	for i := range 3 {
		w.clock.Set(await[events.EmailDelayed](w, i+1)[i].Next)
	}
	await[events.EmailSent](w, 1)
	stop()
	if gone, back := w.told.count("535 wrong password"), w.told.count("takes messages again"); gone != 1 || back != 1 ||
		w.told.count("a@b.cl") != 0 {
		t.Errorf("it was told %d times and its end %d times, in\n%s", gone, back, w.told.String())
	}
}
