package writeapi_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/access"
	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/httpapi"
	"folio/pdf"
	"folio/projections"
	"folio/projections/engine"
	"folio/readapi"
	"folio/scope"
	"folio/tables/sqlite"
	"folio/waiting"
	"folio/writeapi"
)

const cuit = "30500010912"

// world is the service without a network, an authority and a disk for its log.
type world struct {
	t       testing.TB
	log     *journal
	x       *commands.Executor
	router  http.Handler
	logs    *bytes.Buffer
	tables  *sqlite.Store
	people  map[string]string // account by bearer token
	login   *entrance
	cert    func(pfx []byte, password string) (writeapi.Certificate, error)
	mu      sync.Mutex
	at      time.Time
	secrets map[string][]byte
	hidden  bool // no uploaded range is shown yet
	behind  bool // the read models are, for as long as a write waits for them

	countries country.Registry
	config    country.Config
	shown     patient // what the read models are awaited by
}

// newWorld is at noon of a Friday in Argentina.
func newWorld(t testing.TB) *world {
	t.Helper()
	return newWorldOf(t, ar.Rules{})
}

// newWorldOf serves one country.
func newWorldOf(t testing.TB, rules country.Rules) *world {
	t.Helper()
	return newWorldWith(t, rules, country.Config{})
}

// newWorldWith serves one country as the operator has set it.
func newWorldWith(t testing.TB, rules country.Rules, config country.Config) *world {
	t.Helper()
	w := &world{t: t, config: config, login: &entrance{}, countries: country.Registry{rules}, log: newJournal(),
		logs: &bytes.Buffer{}, at: time.Date(2026, 11, 27, 15, 0, 0, 123456789, time.UTC),
		secrets: map[string][]byte{}, people: map[string]string{"token-of-ana": "A-ana", "token-of-bob": "A-bob"}}
	w.open()
	w.router = w.routes()
	return w
}

// Bearer knows the tokens of people.
func (w *world) Bearer(_ context.Context, token string) (httpapi.Principal, error) {
	if account, ok := w.people[token]; ok {
		return httpapi.Principal{Kind: httpapi.Account, Account: account, Scopes: scope.All}, nil
	}
	return httpapi.Principal{}, httpapi.ErrBadCredential
}

// entrance is the door for accounts that a test puts in.
type entrance struct{ entry }

type entry = writeapi.Login // the field needs another name than the method

// door is who may enter: people by token, companies by their real keys.
type door struct {
	*world
	*access.Keys
}

func (w *world) open() {
	var err error
	w.tables, err = sqlite.Open(context.Background(), filepath.Join(w.t.TempDir(), "tables.db"))
	check(w.t, err)
	w.x = commands.NewExecutor(w.log, w.now)
	w.x.Connected(true)
}

// routes is the API with its projections running.
func (w *world) routes() http.Handler {
	ctx, cancel := context.WithCancel(context.Background())
	logger := slog.New(slog.NewTextHandler(&locked{b: w.logs}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	use, err := access.OpenUsage(ctx, w.tables, logger, w.now)
	check(w.t, err)
	notes, err := waiting.Open(ctx, w.tables, w.now)
	check(w.t, err)
	check(w.t, engine.Prepare(ctx, w.tables, projections.All...))
	runner, err := engine.NewRunner(engine.Options{Tables: w.tables, Source: w.log, Store: "01STORE",
		Owner: "test", Log: logger, Projections: projections.All})
	check(w.t, err)
	done := make(chan error, 1)
	go func() { done <- runner.Run(ctx) }()
	for slices.ContainsFunc(runner.Status(), func(s engine.Status) bool { return !s.CaughtUp }) {
		time.Sleep(time.Millisecond) // then lists are known to be whole
	}
	w.t.Cleanup(func() {
		cancel()
		check(w.t, <-done)
		check(w.t, w.tables.Close())
	})
	r := httpapi.NewRouter(httpapi.Config{Auth: door{w, access.NewKeys(w.x, use)}, Members: access.NewMembers(w.x),
		Log: logger, Clock: w.now})
	w.shown = patient{runner, w}
	reader, one := projections.NewReader(w.tables, nil), engine.Page{Limit: 1}
	writeapi.Routes(r, writeapi.Config{Executor: w.x, Countries: w.countries, Rules: w.config,
		Login: w.login, Vault: w, Shown: w.shown, Index: index{reader, w}, NewKey: access.NewKey, LogoMemory: pdf.LogoMemory,
		Logo: pdf.NormaliseLogo,
		Certificate: func(pfx []byte, password string, _ time.Time) (writeapi.Certificate, error) {
			return w.cert(pfx, password)
		},
		Webhooks: writeapi.Webhooks{
			NewSecret: func() (string, error) { return "whsec_", nil },
			Check:     func(string) (string, string) { return "", "" },
			Planned:   func(context.Context, events.ReplayStarted) (int64, error) { return 1, nil },
			Running: func(ctx context.Context, company string) (string, error) {
				list, err := reader.ListReplays(ctx, company, one)
				if len(list.Documents) == 0 {
					return "", err
				}
				return list.Documents[0].ID, err
			}},
		Holdings: writeapi.Holdings{MaxKeys: 20, MaxCompanies: 20, MaxCertificates: 3, MaxRanges: 3,
			Keys: func(ctx context.Context, company string) (int64, error) {
				list, err := reader.ListAPIKeys(ctx, company, one)
				return list.Total, err
			},
			Companies: func(ctx context.Context, account string) (int64, error) {
				list, err := reader.ListCompanies(ctx, account, one)
				return list.Total, err
			}}})
	readapi.Routes(r, readapi.Config{Documents: reader, Countries: w.countries, Notes: notes, Files: w,
		Shown: runner, Keys: use, Clock: w.now})
	return r
}

type locked struct {
	mu sync.Mutex
	b  *bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// index is what is shown, unless the world hides it.
type index struct {
	*projections.Reader
	w *world
}

func (i index) FindRange(ctx context.Context, company, id string) (string, error) {
	if i.w.hidden {
		return "", nil
	}
	return i.Reader.FindRange(ctx, company, id)
}

// patient waits as the service does, but longer than a busy machine needs.
type patient struct {
	runner *engine.Runner
	w      *world
}

func (p patient) WaitFor(ctx context.Context, projection string, at events.Position) error {
	if p.w.behind {
		return context.DeadlineExceeded
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return p.runner.WaitFor(ctx, projection, at)
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *world) advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

// Seal, Open, StoreFile and File make the world its own vault.
func (w *world) Seal(_ context.Context, ref string, secret []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.secrets[ref] = bytes.Clone(secret)
	return nil
}

func (w *world) Open(_ context.Context, ref string) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, ok := w.secrets[ref]
	if !ok {
		return nil, fmt.Errorf("no secret %s", ref)
	}
	return s, nil
}

func (w *world) StoreFile(ctx context.Context, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])
	return name, w.Seal(ctx, name, content)
}

func (w *world) File(ctx context.Context, sha string) ([]byte, error) { return w.Open(ctx, sha) }

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

// call sends one request; headers are "Name: value".
func (w *world) call(method, path, body string, headers ...string) answer {
	w.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.router.ServeHTTP(rec, r)
	return answer{rec, w.t}
}

func (a answer) want(status int) answer {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("status %d, want %d: %s", a.Code, status, a.Body)
	}
	return a
}

func (a answer) object() map[string]any {
	a.t.Helper()
	return decoded(a.t, a.Body.String())
}

func (a answer) text(member string) string {
	a.t.Helper()
	s, ok := a.object()[member].(string)
	if !ok {
		a.t.Fatalf("%s is no text: %s", member, a.Body)
	}
	return s
}

// fails wants a problem with the constant and, when given, exactly these violations
// as "path CODE", in any order.
func (a answer) fails(status int, constant string, violations ...string) {
	a.t.Helper()
	a.want(status)
	var p struct {
		Message string
		Code    string
		Errors  []struct{ Path, Code, Message string }
	}
	check(a.t, json.Unmarshal(a.Body.Bytes(), &p))
	if p.Message != constant || p.Code == "" {
		a.t.Errorf("message is %s, want %s: %s", p.Message, constant, a.Body)
	}
	if violations == nil {
		return
	}
	missing := map[string]int{}
	for _, v := range violations {
		missing[v]++
	}
	for _, e := range p.Errors {
		missing[e.Path+" "+e.Code]--
		if e.Message == "" {
			a.t.Errorf("%s %s says nothing", e.Path, e.Code)
		}
	}
	for v, n := range missing {
		if n != 0 {
			a.t.Errorf("violation %q is %d times too few", v, n)
		}
	}
	if a.t.Failed() {
		a.t.Logf("%s", a.Body)
	}
}

// shop is a company with a key.
type shop struct{ id, key string }

const (
	ana = "Authorization: Bearer token-of-ana"
	bob = "Authorization: Bearer token-of-bob"
)

func (w *world) company() shop {
	w.t.Helper()
	id := w.call("POST", "/api/companies", `{"legal_name":"Molinos del Plata S.A.","tax_identifier":"`+cuit+
		`","tax_identifier_name":"CUIT","start_activities_date":"1999-03-01","id_currency":1}`,
		ana).want(201).text("id_company")
	key := w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`","description":"Tienda"}`,
		ana).want(201).text("api_key")
	return shop{id, "x-api-key: " + key}
}

// sample is the specification's body with some members replaced by JSON, or taken
// away where it is "".
func sample(t testing.TB, changes ...string) string {
	t.Helper()
	raw, err := os.ReadFile("../country/ar/testdata/specification_sample.json")
	check(t, err)
	v := decoded(t, string(raw))
	for i := 0; i < len(changes); i += 2 {
		change(t, v, strings.Split(changes[i], "."), changes[i+1])
	}
	return encoded(t, v)
}

func change(t testing.TB, v map[string]any, path []string, value string) {
	t.Helper()
	if len(path) > 1 {
		inner, ok := v[path[0]].(map[string]any)
		if raw, changed := v[path[0]].(json.RawMessage); changed {
			inner, ok = decoded(t, string(raw)), true
		}
		if !ok {
			inner = map[string]any{}
		}
		v[path[0]] = inner
		change(t, inner, path[1:], value)
		return
	}
	if value == "" {
		delete(v, path[0])
		return
	}
	v[path[0]] = json.RawMessage(value)
}

// settle accepts an invoice as the authority would.
func (w *world) settle(id string, number int64) {
	w.t.Helper()
	for i, c := range []invoice.Command{
		invoice.StartSubmission{Submission: "S-" + id, Environment: "Testing", Number: number},
		invoice.RecordAcceptance{Submission: "S-" + id, BranchOffice: 1,
			Outcome: events.Outcome{Invoice: id, Number: number, Result: events.Accepted,
				Authorization: &events.Authorization{Type: "CAE", Code: "76123456789012", ExpiresOn: "2026-12-07",
					QR: "https://www.arca.gob.ar/fe/qr/?p=e30="}, Sandbox: true}},
	} {
		_, err := commands.Bind(w.x, invoice.Decider).Execute(context.Background(), id, c,
			commands.Request{ID: commands.Derived("settle", id, fmt.Sprint(i)), Actor: "test", At: w.now()})
		check(w.t, err)
	}
	if !w.behind { // notes find documents by their coordinates there
		at, err := w.log.Head(context.Background())
		check(w.t, err)
		check(w.t, w.shown.WaitFor(context.Background(), "invoices", at))
	}
}

func (w *world) reject(id string) {
	w.t.Helper()
	for i, c := range []invoice.Command{
		invoice.StartSubmission{Submission: "S-" + id, Environment: "Testing", Number: 9},
		invoice.RecordRejection{Submission: "S-" + id,
			Reasons: []events.AuthorityMessage{{Code: "10015", Text: "DocNro no se encuentra registrado"}}},
	} {
		_, err := commands.Bind(w.x, invoice.Decider).Execute(context.Background(), id, c,
			commands.Request{ID: commands.Derived("reject", id, fmt.Sprint(i)), Actor: "test", At: w.now()})
		check(w.t, err)
	}
}

// position is that of the last event.
func (w *world) position() string {
	at, _ := w.log.Head(context.Background())
	return "Folio-Min-Position: " + at.String()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func decoded(t testing.TB, body string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v map[string]any
	check(t, d.Decode(&v))
	return v
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	check(t, err)
	return string(out)
}
