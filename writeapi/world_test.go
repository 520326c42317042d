package writeapi_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/access"
	"folio/commands"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/httpapi"
	"folio/papers"
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
	mail    mailbox
	points  writeapi.Points // what the authority says of points of sale; nil: nobody is asked
	t       testing.TB
	log     *journal
	x       *commands.Executor
	router  http.Handler
	logs    *bytes.Buffer
	tables  *sqlite.Store
	people  map[string]string // account by bearer token
	login   *entrance
	cert    func(pfx []byte, password string) (writeapi.Certificate, error)
	calls   atomic.Int64 // that were begun
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
		Log: logger, Clock: w.now, Context: func(ctx context.Context) context.Context {
			return context.WithValue(ctx, numberOfCall{}, w.calls.Add(1))
		}})
	w.shown = patient{runner, w}
	reader, one := projections.NewReader(w.tables, nil), engine.Page{Limit: 1}
	writeapi.Routes(r, writeapi.Config{Executor: w.x, Countries: w.countries, Rules: w.config,
		Points: w.points,
		Login:  w.login, Vault: w, Shown: w.shown, Index: index{reader, w}, NewKey: access.NewKey, LogoMemory: pdf.LogoMemory,
		Logo: pdf.NormaliseLogo, Mail: &w.mail,
		Preview: papers.Maker{Countries: w.countries, Files: w}.Preview,
		Certificate: func(pfx []byte, password string, _ time.Time) (writeapi.Certificate, error) {
			return w.cert(pfx, password)
		},
		Webhooks: writeapi.Webhooks{
			NewSecret: func() (string, error) { return "whsec_", nil },
			Check:     func(string) (string, string) { return "", "" },
			End:       w.log.End,
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
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
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

func (w *world) Delete(_ context.Context, ref string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.secrets, ref)
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
