package delivery_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"folio/commands/delivery"
	"folio/events"
	"folio/eventstore"
	"folio/outbound"
	"folio/tables/sqlite"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// call is one request as a receiver got it.
type call struct {
	at       time.Time
	url, id  string
	document string
	status   string
	attempt  int
	body     []byte
	header   http.Header
}

func (c call) String() string {
	return fmt.Sprintf("%s %s %d at %s", c.document, c.status, c.attempt, c.at.Format(time.TimeOnly))
}

// world is all that outlives a process: log, tables and receivers. Its time is the
// bubble's: it moves when everybody waits.
type world struct {
	t     *testing.T
	log   *memoryLog
	store *sqlite.Store
	p     *process

	steps atomic.Int64
	plan  atomic.Pointer[plan]

	mu      sync.Mutex
	died    string
	calls   []call
	answer  func(c call) (outcome outbound.Ending, takes time.Duration)
	current map[string]int // calls under way by URL
	most    map[string]int
	atOnce  int
	peak    int
}

func inWorld(t *testing.T, f func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(newWorld(t)) })
}

func newWorld(t *testing.T) *world {
	t.Helper()
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, log: newMemoryLog(), store: store, current: map[string]int{}, most: map[string]int{}}
	w.answer = func(call) (outbound.Ending, time.Duration) { return outbound.Delivered, 10 * time.Millisecond }
	t.Cleanup(func() {
		if w.p != nil {
			w.p.stop()
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Post is the network: it notes the call and answers as the test wants.
func (w *world) Post(ctx context.Context, to string, header http.Header, body []byte) outbound.Result {
	var payload struct {
		Document string `json:"document_id"`
		Status   string `json:"status"`
		Attempt  int    `json:"attempt"`
	}
	if err := json.Unmarshal(body, &payload); err != nil {
		panic(err)
	}
	c := call{at: time.Now(), url: to, id: header.Get("webhook-id"), document: payload.Document, status: payload.Status,
		attempt: payload.Attempt, body: bytes.Clone(body), header: header.Clone()}
	w.mu.Lock()
	w.calls = append(w.calls, c)
	w.current[to]++
	w.atOnce++
	w.most[to], w.peak = max(w.most[to], w.current[to]), max(w.peak, w.atOnce)
	answer := w.answer
	w.mu.Unlock()
	outcome, takes := answer(c)
	time.Sleep(takes)
	w.mu.Lock()
	w.current[to]--
	w.atOnce--
	w.mu.Unlock()
	r := outbound.Result{Ending: outcome, Latency: takes}
	switch outcome {
	case outbound.Delivered:
		r.Status = 200
	case outbound.Status:
		r.Status, r.Fault, r.Body = 500, "the receiver answered 500, not 200", []byte("no")
	default:
		r.Fault = string(outcome)
	}
	return r
}

func (w *world) answers(f func(c call) (outbound.Ending, time.Duration)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = f
}

// got are the calls so far.
func (w *world) got() []call {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.calls)
}

func (w *world) told() (out []string) {
	for _, c := range w.got() {
		out = append(out, fmt.Sprintf("%s %s %d", c.document, c.status, c.attempt))
	}
	return out
}

// toldOf is what the receivers heard about one document.
func (w *world) toldOf(document string) (out []string) {
	for _, s := range w.told() {
		if strings.HasPrefix(s, document+" ") {
			out = append(out, s)
		}
	}
	return out
}

// record puts a fact of somebody else's into the log and gives its id.
func (w *world) record(stream string, e events.Event) string {
	w.t.Helper()
	name, schema, data, err := events.Encode(e)
	if err != nil {
		w.t.Fatal(err)
	}
	id := uuid.New()
	_, err = w.log.Append(context.Background(), stream, int64(len(w.log.facts(stream)))-1,
		eventstore.Pending{ID: id, Type: name, Data: data, Meta: events.Meta{Schema: schema, At: time.Now()}})
	if err != nil {
		w.t.Fatal(err)
	}
	return id.String()
}

func (w *world) subscribe(company string, codes ...string) {
	w.record("webhook-"+company, events.WebhookSubscribed{Company: company, Webhook: 1, URL: "https://" + company,
		Events: codes, Secret: secret})
}

func (w *world) create(company, invoice string) {
	w.record("invoice-"+invoice, events.InvoiceCreated{Invoice: invoice, Company: company, Country: "AR",
		Document: events.Document{ExternalReference: "ref-" + invoice}})
}

func (w *world) start(invoice string) string {
	return w.record("invoice-"+invoice, events.SubmissionStarted{Submission: "S", Environment: "Testing", Number: 1})
}

func (w *world) accept(invoice string) string {
	return w.record("invoice-"+invoice, events.AuthorityAccepted{Submission: "S", Sandbox: true,
		Authorization: events.Authorization{
			Type: "CAE", Code: "75123456789012", ExpiresOn: "2000-01-11",
			QR: "https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjF9&x=ñ"}})
}

func (w *world) reject(invoice string) string {
	return w.record("invoice-"+invoice, events.AuthorityRejected{Submission: "S", Reasons: []events.AuthorityMessage{
		{Code: "10016", Text: "Fecha <mala>"}, {Code: "10048", Text: "Importe"}}})
}

func (w *world) refuse(invoice string) string {
	return w.record("invoice-"+invoice, events.
		InvoiceRefused{Reasons: []events.AuthorityMessage{{Code: events.CodeUnfit, Text: "/Emisor"}}})
}

// state is a delivery as the log has it.
func (w *world) state(id string) delivery.State {
	var s delivery.State
	for _, r := range w.log.facts("delivery-" + id) {
		s = delivery.Decider.Evolve(s, r.Event)
	}
	return s
}

// attempts are the recorded ones of a delivery.
func (w *world) attempts(id string) (out []events.DeliveryAttempted) {
	for _, r := range w.log.facts("delivery-" + id) {
		if e, ok := r.Event.(events.DeliveryAttempted); ok {
			out = append(out, e)
		}
	}
	return out
}

// deliveries are the ids in the log, in order.
func (w *world) deliveries() (out []string) {
	for _, r := range w.log.facts("") {
		if e, ok := r.Event.(events.DeliveryScheduled); ok {
			out = append(out, e.Delivery)
		}
	}
	return out
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func list(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
