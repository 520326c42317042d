package readapi_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/admission"
	"folio/apidoc"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
	"folio/httpapi"
	"folio/money"
	"folio/processors/delivery"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/readapi"
	"folio/scope"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/waiting"
)

type given = projectiontest.Given

// opened is a log as it is read for the past: with its events opened.
type opened struct{ projectiontest.Source }

func (o opened) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		for r, err := range o.Source.Read(ctx, stream, from) {
			if err == nil {
				r, err = events.Open(r)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// held has whoever waits for a read model wait until the end.
type held struct{ waits, end chan struct{} }

// world is the read side over a history.
type world struct {
	t           testing.TB
	router      http.Handler
	notes       *waiting.Notes
	files       map[string][]byte
	asked       []string // positions that were waited for
	seen        []string // what those read that may only read
	late        bool     // the read model does not get there
	held        *held    // nil: nobody waits for real
	store       tables.Store
	authorities *waiting.Authorities
	waited      func()   // in every wait, unless it is nil
	moves       []func() // what the read model shows next, to those who wait for more
	work        *admission.Gate
}

var now = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

func newWorld(t testing.TB, all ...given) *world {
	w, _ := newWorldOf(t, false, all...)
	return w
}

// newWorldOf is newWorld whose read models are folded on, as those of a service are, or not. More adds to its log.
func newWorldOf(t testing.TB, folding bool, all ...given) (_ *world, more func(...given)) {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "tables.db"))
	check(t, err)
	logger := slog.New(slog.DiscardHandler)
	w := &world{t: t, store: store, files: map[string][]byte{}, work: admission.New("heavy reads", roomy)}
	w.notes, err = waiting.Open(ctx, store, func() time.Time { return now })
	check(t, err)
	w.authorities, err = waiting.OpenAuthorities(ctx, store, func() time.Time { return now })
	check(t, err)
	check(t, engine.Prepare(ctx, store, projections.All...))
	log := projectiontest.NewSource(t, all...)
	runner, err := engine.NewRunner(engine.Options{Tables: store, Source: log, Store: "01STORE", Owner: "test",
		Log: logger, Projections: projections.All})
	check(t, err)
	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- runner.Run(running) }()
	head, _ := log.Head(ctx)
	for _, p := range projections.All {
		check(t, runner.WaitFor(ctx, p.Name(), head))
	}
	for !caughtUp(runner) { // then lists are known to be whole
		time.Sleep(time.Millisecond)
	}
	t.Cleanup(func() { check(t, store.Close()) })
	folds := runner
	if folding {
		t.Cleanup(func() {
			stop()
			check(t, <-done)
		})
	} else {
		stop()
		check(t, <-done)
		folds = nil
	}
	clock := func() time.Time { return now }
	r := httpapi.NewRouter(httpapi.Config{Auth: w, Members: w, Log: logger, Clock: clock, Spanish: apidoc.Spanish,
		Seen: func(_ context.Context, who httpapi.Principal, r *http.Request, _ string) error {
			w.seen = append(w.seen, who.Actor()+" "+r.URL.Path)
			return nil
		}})
	readapi.Routes(r, readapi.Config{Documents: projections.NewReader(store, log), Log: opened{log},
		Countries: country.Registry{ar.Rules{}, cl.Rules{}, uy.Rules{}}, Notes: w.notes, Authorities: w.authorities,
		Files: w, Shown: w, Keys: w, Accounts: w, Rates: rates{}, Told: told{log}, Models: models, Folding: folds,
		Work: w.work, Clock: clock})
	w.router = r
	return w, func(more ...given) { shown(t, log, runner, more...) }
}

// Prefix is that of keys without an environment.
func (w *world) Prefix(string) string { return "fk_" }

// Bearer and Key take the account's and the company's id for a credential; a key that ends with
// -reads may only read.
func (w *world) Bearer(_ context.Context, token string) (httpapi.Principal, error) {
	if !strings.HasPrefix(token, "A") {
		return httpapi.Principal{}, httpapi.ErrBadCredential
	}
	return httpapi.Principal{Kind: httpapi.Account, Account: token, Scopes: scope.All}, nil
}

func (w *world) Key(_ context.Context, key string) (httpapi.Principal, error) {
	if !strings.HasPrefix(key, "C") {
		return httpapi.Principal{}, httpapi.ErrBadCredential
	}
	company, reads := strings.CutSuffix(key, "-reads")
	who := httpapi.Principal{Kind: httpapi.Key, Company: company, KeyID: "K-" + key, Scopes: scope.All}
	if reads {
		who.Scopes = scope.Read
	}
	return who, nil
}

// Most lets an address be at most the role that stands before its @, and nothing where that is none.
func (w *world) Most(_ context.Context, email string) (scope.Set, error) {
	name, _, _ := strings.Cut(email, "@")
	return map[string]scope.Set{"auditor": scope.Read, "issuer": scope.Read | scope.Issue, "owner": scope.All}[name], nil
}

// MayIn makes A1 the owner of C1, and so on.
func (w *world) MayIn(_ context.Context, account, company string) (scope.Set, error) {
	if strings.TrimPrefix(account, "A") == strings.TrimPrefix(company, "C") {
		return scope.All, nil
	}
	return 0, nil
}

// File, WaitFor and LastUsed are what the endpoints need besides documents.
func (w *world) File(_ context.Context, sha string) ([]byte, error) {
	if f, ok := w.files[sha]; ok {
		return f, nil
	}
	return nil, errors.New("no such file")
}

// Reached has the read model move as the test says, each time that somebody waits, and then no more.
func (w *world) Reached(ctx context.Context, projection string, at events.Position) (events.Position, error) {
	if err := w.WaitFor(ctx, projection, at); err != nil || len(w.moves) == 0 {
		return at, cmp.Or(err, errors.New("not yet"))
	}
	w.moves[0]()
	w.moves = w.moves[1:]
	return at, nil
}

func (w *world) WaitFor(ctx context.Context, projection string, at events.Position) error {
	if w.held != nil {
		w.held.waits <- struct{}{}
		select {
		case <-w.held.end:
		case <-ctx.Done():
		}
		return errors.New("not yet")
	}
	if w.waited != nil {
		w.waited()
	}
	w.asked = append(w.asked, projection+" "+at.String())
	if w.late {
		return errors.New("not yet")
	}
	return nil
}

func (w *world) LastUsed(_ context.Context, key string) (string, error) {
	if key == "K2" {
		return "2026-11-26", nil
	}
	return "", nil
}

// told is what the program's webhooks tell of.
type told struct{ log projectiontest.Source }

func (told) Types() []string { return delivery.Told() }

func (t told) Again(ctx context.Context, r events.Recorded) (bool, error) {
	return delivery.Again(ctx, t.log, r)
}

type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

func (w *world) get(path string, headers ...string) answer { return w.call("GET", path, headers...) }

func (w *world) call(method, path string, headers ...string) answer {
	w.t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.router.ServeHTTP(rec, r)
	return answer{rec, w.t}
}

const (
	key1 = "x-api-key: C1"
	key2 = "x-api-key: C2"
	ana  = "Authorization: Bearer A1"
	bob  = "Authorization: Bearer A2"
)

func (a answer) want(status int) answer {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("status %d, want %d: %s", a.Code, status, a.Body)
	}
	return a
}

func (a answer) into(v any) {
	a.t.Helper()
	check(a.t, json.Unmarshal(a.Body.Bytes(), v))
}

func (a answer) fails(status int, constant string, violations ...string) {
	a.t.Helper()
	var p struct {
		Message string
		Errors  []struct{ Path, Code string }
	}
	a.want(status).into(&p)
	var got []string
	for _, e := range p.Errors {
		got = append(got, e.Path+" "+e.Code)
	}
	slices.Sort(got)
	slices.Sort(violations)
	if p.Message != constant || !slices.Equal(got, violations) {
		a.t.Errorf("%s %v, want %s %v", p.Message, got, constant, violations)
	}
}

// page is a page of a list.
type page struct {
	Page         int               `json:"page"`
	TotalPages   int               `json:"total_pages"`
	TotalResults int               `json:"total_results"`
	PerPage      int               `json:"per_page"`
	NextCursor   *string           `json:"next_cursor"`
	UpdatedUntil string            `json:"updated_until"`
	Data         []json.RawMessage `json:"data"`
}

func (w *world) page(path string, headers ...string) page {
	w.t.Helper()
	var p page
	w.get(path, headers...).want(200).into(&p)
	return p
}

// ids are those of the rows, by the member given.
func (p page) ids(t testing.TB, member string) []string {
	t.Helper()
	out := []string{}
	for _, row := range p.Data {
		var v map[string]json.RawMessage
		check(t, json.Unmarshal(row, &v))
		var id string
		check(t, json.Unmarshal(v[member], &id))
		out = append(out, id)
	}
	return out
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// created is an invoice of a company; change edits its document.
func created(company, id string, change func(*events.Document)) given {
	amount := money.MustParse
	d := events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: 5, Date: "2026-11-20 10:00:00", Concept: "1",
		ExternalReference: "Ref-" + id,
		Issuer: events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT",
			DocumentNumber: "30500010912"},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "33693450239"},
		Currency:  events.Currency{Code: "ARS", Rate: amount("1")},
		Items: []events.Item{{Quantity: amount("1"), UnitOfMeasure: "u", UnitPrice: amount("100.00"), Description: "Artículo",
			Taxes: []events.ItemTax{{Type: "iva21", Rate: amount("21"), Amount: amount("21.00")}}}},
		Totals: events.Totals{SubTotal: amount("100.00"), Total: amount("121.00"),
			Taxes: []events.TotalTax{{Type: "iva21", Amount: amount("21.00"), BaseAmount: amount("100.00")}}}}
	if change != nil {
		change(&d)
	}
	return given{Stream: "invoice-" + id, Event: events.InvoiceCreated{Invoice: id, Company: company, Country: "AR",
		Environment: "Testing", Document: d,
		Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.", TaxIdentifier: "30500010912"}}}
}
