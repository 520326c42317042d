package access

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/commands"
	"folio/commands/apikey"
	"folio/eventstore"
	"folio/httpapi"
	"folio/scope"
	"folio/tables"
	"folio/tables/sqlite"

	"github.com/oklog/ulid/v2"
)

func (h *house) issue(t testing.TB, id, hash string) {
	t.Helper()
	_, err := commands.Bind(h.x, apikey.Decider).Execute(ctx, id,
		apikey.Issue{Key: id, Company: "C1", Account: "A1", SHA256: hash},
		commands.Request{ID: commands.Derived("issue", id), At: h.now()})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *house) revoke(t testing.TB, id string) {
	t.Helper()
	_, err := commands.Bind(h.x, apikey.Decider).Execute(ctx, id, apikey.Revoke{Company: "C1"},
		commands.Request{ID: commands.Derived("revoke", id), At: h.now()})
	if err != nil {
		t.Fatal(err)
	}
}

func drawn(t testing.TB) (key, id, hash string) {
	t.Helper()
	id = ulid.Make().String()
	key, hash, err := NewKey(id, "")
	if err != nil {
		t.Fatal(err)
	}
	return key, id, hash
}

func TestAKeyHasItsPrefixItsIDAnd256BitsOfSecret(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		key, id, hash := drawn(t)
		if !strings.HasPrefix(key, "fk_"+id) || len(key) != 3+26+43 || len(hash) != 64 {
			t.Fatalf("key of %d letters, id %s, hash %s", len(key), id, hash)
		}
		if strings.Trim(key[3:], "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			t.Fatal("letters outside base62")
		}
		if secret := key[29:]; seen[secret] || strings.Contains(hash, secret) {
			t.Fatal("a secret came twice")
		} else {
			seen[secret] = true
		}
	}
}

func TestKeysWorkAtOnceAndStopAtOnce(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	keys := NewKeys(h.x, nil)
	key, id, hash := drawn(t)
	if _, err := keys.Key(ctx, key); !errors.Is(err, httpapi.ErrBadCredential) {
		t.Errorf("before it was issued: %v", err)
	}
	h.issue(t, id, hash)
	if who, err := keys.Key(ctx, key); err != nil ||
		who != (httpapi.Principal{Kind: httpapi.Key, Company: "C1", KeyID: id, Scopes: scope.All}) {
		t.Errorf("%+v, %v", who, err)
	}
	other, _, _ := drawn(t)
	for name, bad := range map[string]string{
		"nothing":                 "",
		"the id alone":            "fk_" + id,
		"another prefix":          "sk_" + key[3:],
		"another secret":          "fk_" + id + other[29:],
		"another's id":            other[:29] + key[29:],
		"one letter more":         key + "0",
		"one letter less":         key[:len(key)-1],
		"its hash for the secret": "fk_" + id + hash[:43],
		"an id that is none":      "fk_" + strings.Repeat("Z", 26) + key[29:],
		"an id with a slash":      "fk_" + id[:25] + "/" + key[29:],
		"white space around":      " " + key,
		"a lower-case id":         "fk_" + strings.ToLower(id) + key[29:],
	} {
		if who, err := keys.Key(ctx, bad); !errors.Is(err, httpapi.ErrBadCredential) || who != (httpapi.Principal{}) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	h.revoke(t, id)
	for say, refused := range map[string]string{"has been revoked": key, "with this secret": "fk_" + id + other[29:]} {
		_, err := keys.Key(ctx, refused)
		if !errors.Is(err, httpapi.ErrBadCredential) || whose(err).KeyID != id || !strings.Contains(err.Error(), id) ||
			!strings.Contains(err.Error(), say) || strings.Contains(err.Error(), refused[29:]) {
			t.Errorf("after it was revoked: %v, of %+v", err, whose(err))
		}
	}
}

// whose is of whom a credential is that was not taken.
func whose(err error) httpapi.Principal {
	if refused := (*httpapi.RefusedCredential)(nil); errors.As(err, &refused) {
		return refused.Whose
	}
	return httpapi.Principal{}
}

func TestAKeyIsCheckedInMemoryWhileTheNewsComeIn(t *testing.T) {
	m, c := newJournal(), newClock()
	here, there := newHouse(t, m, c), newHouse(t, m, c)
	key, id, hash := drawn(t)
	here.issue(t, id, hash)
	keys := NewKeys(there.x, nil)
	check := func() (reads int, err error) {
		before := m.reads
		_, err = keys.Key(ctx, key)
		return m.reads - before, err
	}
	for _, step := range []struct {
		name  string
		first func()
		reads int
		good  bool
	}{
		{"before the subscription lives each check reads the log", func() {}, 1, true},
		{"and the next one too", func() {}, 1, true},
		{"with it the state in memory is believed", func() { there.x.Connected(true) }, 0, true},
		{"another process revokes, and the news is heard", func() {
			here.revoke(t, id)
			there.x.Heard(m.last("apikey-" + id))
		}, 1, false},
		{"it stays revoked", func() {}, 0, false},
	} {
		step.first()
		reads, err := check()
		if reads != step.reads || (err == nil) != step.good || err != nil && !errors.Is(err, httpapi.ErrBadCredential) {
			t.Errorf("%s: %d reads, %v", step.name, reads, err)
		}
	}
}

func TestAMinuteWithoutNewsMeans503(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	keys := NewKeys(h.x, nil)
	key, id, hash := drawn(t)
	h.issue(t, id, hash)
	h.x.Connected(false)
	h.advance(60 * time.Second)
	if _, err := keys.Key(ctx, key); err != nil {
		t.Errorf("after exactly a minute: %v", err)
	}
	h.advance(time.Second)
	if _, err := keys.Key(ctx, key); httpapi.Status(err) != 503 {
		t.Errorf("after more than a minute: %v", err)
	}
	h.x.Connected(true)
	if _, err := keys.Key(ctx, key); err != nil {
		t.Errorf("with news again: %v", err)
	}
	h = newHouse(t, h.journal, h.handClock)
	h.down = eventstore.ErrUnavailable
	if _, err := NewKeys(h.x, nil).Key(ctx, key); httpapi.Status(err) != 503 || strings.Contains(err.Error(), key[29:]) {
		t.Errorf("with the log away: %v", err)
	}
}

func TestTheDayOfUse(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	failing := &once{Store: store}
	use, err := OpenUsage(ctx, failing, slog.New(slog.NewTextHandler(io.Discard, nil)), h.now)
	if err != nil {
		t.Fatal(err)
	}
	keys := NewKeys(h.x, use)
	key, id, hash := drawn(t)
	h.issue(t, id, hash)
	want := func(day string) {
		t.Helper()
		if got, err := use.LastUsed(ctx, id); err != nil || got != day {
			t.Errorf("last used %q, %v; want %q", got, err, day)
		}
	}
	good := func(key string) {
		if _, err := keys.Key(ctx, key); err != nil {
			t.Error(err)
		}
	}
	want("")
	if _, err := keys.Key(ctx, key[:len(key)-1]+"_"); err == nil {
		t.Error("a wrong key is good")
	}
	want("")
	failing.fail = true
	good(key) // the table is away: the caller is not to suffer from it
	want("")
	good(key)
	want("2026-03-02")
	h.advance(11*time.Hour + 59*time.Minute)
	good(key)
	want("2026-03-02")
	writes := failing.writes
	h.advance(time.Minute)
	good(key)
	good(key)
	want("2026-03-03")
	if failing.writes != writes+1 {
		t.Errorf("%d writes for one day", failing.writes-writes)
	}
}

// once fails the next write when told to.
type once struct {
	tables.Store
	fail   bool
	writes int
}

func (o *once) Apply(c context.Context, b tables.Batch) error {
	o.writes++
	if o.fail {
		o.fail = false
		return errors.New("tables are away")
	}
	return o.Store.Apply(c, b)
}

func TestEverythingAtOnce(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	door := Door{h.accounts, NewKeys(h.x, nil)}
	h.register(t, email, password)
	token := h.login(t, email, password)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			key, id, hash := drawn(t)
			h.issue(t, id, hash)
			for range 20 {
				if _, err := door.Key(ctx, key); err != nil {
					t.Error(err)
				}
				if _, err := door.Bearer(ctx, token); err != nil {
					t.Error(err)
				}
				h.x.Heard(h.last("apikey-" + id))
			}
			if i%2 == 0 {
				if _, _, err := h.accounts.Login(ctx, email, password, "192.0.2.1"); err != nil {
					t.Error(err)
				}
			}
			h.revoke(t, id)
			if _, err := door.Key(ctx, key); !errors.Is(err, httpapi.ErrBadCredential) {
				t.Errorf("a revoked key: %v", err)
			}
		})
	}
	all.Wait()
}

func FuzzKey(f *testing.F) {
	h := newHouse(f, newJournal(), newClock())
	keys := NewKeys(h.x, nil)
	key, id, hash := drawn(f)
	h.issue(f, id, hash)
	f.Add(key)
	f.Add("fk_")
	f.Add("fk_" + id + strings.Repeat("é", 43))
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := keys.Key(ctx, s); (err == nil) != (s == key) {
			t.Errorf("%q: %v", s, err)
		}
	})
}
