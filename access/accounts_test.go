package access

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"folio/commands"
	"folio/commands/account"
	"folio/eventstore"
	"folio/fault"
	"folio/httpapi"
	"folio/scope"

	"github.com/oklog/ulid/v2"
)

const (
	email    = "ana@example.com"
	password = "correct horse battery"
)

var ctx = context.Background()

func TestRegisterRefusesWhatCannotBeAnAccount(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	for _, c := range []struct{ name, email, password, want string }{
		{"no address", "", password, "email NOT_AN_EMAIL"},
		{"no domain", "ana", password, "email NOT_AN_EMAIL"},
		{"a name around it", "Ana <ana@example.com>", password, "email NOT_AN_EMAIL"},
		{"spaces around it", " ana@example.com", password, "email NOT_AN_EMAIL"},
		{"two addresses", "a@example.com,b@example.com", password, "email NOT_AN_EMAIL"},
		{"a password that is too short", "b@example.com", "1234567", "password PASSWORD_LENGTH"},
		{"a password that is too long", "b@example.com", strings.Repeat("x", MaxPassword+1), "password PASSWORD_LENGTH"},
		{"an address that is taken", email, password, "ACCOUNT_ALREADY_EXISTS"},
		{"an address that is taken in other case", "Ana@Example.COM", password, "ACCOUNT_ALREADY_EXISTS"},
	} {
		_, err := h.accounts.Register(ctx, c.email, c.password, "test")
		f := fault.As(err)
		switch {
		case f == nil:
			t.Errorf("%s: %v", c.name, err)
		case len(f.Violations) == 1 && f.Violations[0].Path+" "+f.Violations[0].Code == c.want, f.Constant == c.want:
		default:
			t.Errorf("%s: %+v, want %s", c.name, f, c.want)
		}
		if err != nil && strings.Contains(err.Error(), c.password) {
			t.Errorf("%s: the error shows the password", c.name)
		}
	}
}

func TestNoSecretEntersTheLog(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	id := ulid.Make().String()
	key, hash, err := NewKey(id, "")
	if err != nil {
		t.Fatal(err)
	}
	h.issue(t, id, hash)
	all, _ := h.Events()
	for _, r := range all {
		if text := r.Stream + string(r.Raw) + r.Meta.Actor; strings.Contains(text, password) ||
			strings.Contains(text, key) || strings.Contains(text, key[len(key)-secretLength:]) {
			t.Errorf("%s of %s holds a secret: %s", r.Type, r.Stream, r.Raw)
		}
	}
	for ref, secret := range h.secrets {
		if strings.Contains(ref+string(secret), password) {
			t.Errorf("%s is kept in the clear", ref)
		}
	}
}

func TestLoginGivesATokenOfTheAccount(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	id := h.register(t, email, password)
	token, life, err := h.accounts.Login(ctx, " ANA@example.com", password, "192.0.2.1")
	if err != nil || life != 12*60*60 {
		t.Fatalf("life %d, %v", life, err)
	}
	who, err := h.accounts.Bearer(ctx, token)
	if err != nil || who != (httpapi.Principal{Kind: httpapi.Account, Account: id, Scopes: scope.All}) {
		t.Errorf("%+v, %v", who, err)
	}
	if claims, _ := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1]); strings.Contains(string(claims),
		email) {
		t.Errorf("the token tells the e-mail: %s", claims)
	}
	// Another process with the same key from the vault takes it.
	if who, err := newHouse(t, h.journal, h.handClock).accounts.Bearer(ctx, token); err != nil || who.Account != id {
		t.Errorf("another process: %+v, %v", who, err)
	}
}

func TestAnUnknownAddressCostsAsMuchAsAWrongPassword(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	h.register(t, "off@example.com", password)
	disable(t, h, "off@example.com")
	var texts []string
	for _, c := range []struct{ name, email, password string }{
		{"a wrong password", email, "wrong password"},
		{"an unknown address", "nobody@example.com", "wrong password"},
		{"no address at all", "", ""},
		{"a disabled account with its password", "off@example.com", password},
	} {
		before := *h.derived
		_, _, err := h.accounts.Login(ctx, c.email, c.password, "192.0.2.1")
		if !errors.Is(err, errLogin) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n := *h.derived - before; n != 1 {
			t.Errorf("%s: the password was derived %d times, want 1", c.name, n)
		}
		texts = append(texts, err.Error())
	}
	for _, text := range texts {
		if text != texts[0] {
			t.Errorf("the answers differ: %q", texts)
		}
	}
}

func disable(t *testing.T, h *house, email string) {
	t.Helper()
	_, err := commands.Bind(h.x, account.Decider).Execute(ctx, account.ID(email), account.Disable{},
		commands.Request{ID: commands.Derived("disable", email), At: h.now()})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTokensThatAreNotGood(t *testing.T) {
	m, c := newJournal(), newClock()
	h := newHouse(t, m, c)
	id := h.register(t, email, password)
	token := h.login(t, email, password)
	parts := strings.Split(token, ".")
	forged := func(method jwt.SigningMethod, key any, change func(*claims)) string {
		cl := claims{RegisteredClaims: jwt.RegisteredClaims{Subject: id, IssuedAt: jwt.NewNumericDate(c.now()),
			ExpiresAt: jwt.NewNumericDate(c.now().Add(time.Hour))}, Stream: account.ID(email), Secret: secretOf(t, h)}
		change(&cl)
		text, err := jwt.NewWithClaims(method, cl).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	same := func(*claims) {}
	if _, err := h.accounts.Bearer(ctx, forged(jwt.SigningMethodHS256, signing, same)); err != nil {
		t.Fatalf("the forge itself is wrong: %v", err)
	}
	for name, bad := range map[string]string{
		"nothing":                     "",
		"no token":                    "hello",
		"one letter of the body":      parts[0] + "." + flip(parts[1]) + "." + parts[2],
		"one letter of the signature": parts[0] + "." + parts[1] + "." + flip(parts[2]),
		"no signature":                parts[0] + "." + parts[1] + ".",
		"alg none":                    forged(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, same),
		"another algorithm":           forged(jwt.SigningMethodHS512, signing, same),
		"another key":                 forged(jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), same),
		"expired": forged(jwt.SigningMethodHS256, signing,
			func(c *claims) { c.ExpiresAt = jwt.NewNumericDate(h.now().Add(-time.Second)) }),
		"without end": forged(jwt.SigningMethodHS256, signing, func(c *claims) { c.ExpiresAt = nil }),
		"of another account": forged(jwt.SigningMethodHS256, signing,
			func(c *claims) { c.Subject = "01KJQ8J0000000000000000000" }),
		"of no account": forged(jwt.SigningMethodHS256, signing,
			func(c *claims) { c.Stream = account.ID("nobody@example.com") }),
		"of another password": forged(jwt.SigningMethodHS256, signing, func(c *claims) { c.Secret = "account/x/password/y" }),
		"far too long":        parts[0] + "." + strings.Repeat("A", 1<<20) + "." + parts[2],
	} {
		if who, err := h.accounts.Bearer(ctx, bad); !errors.Is(err, httpapi.ErrBadCredential) ||
			who != (httpapi.Principal{}) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	c.advance(account.TokenLife - time.Second)
	if _, err := h.accounts.Bearer(ctx, token); err != nil {
		t.Errorf("in its last second: %v", err)
	}
	c.advance(time.Second)
	var said claims
	if _, _, err := jwt.NewParser().ParseUnverified(token, &said); err != nil {
		t.Fatal(err)
	}
	if _, err := h.accounts.Bearer(ctx, token); !errors.Is(err, httpapi.ErrBadCredential) ||
		whose(err).Account != said.Subject {
		t.Errorf("after its last second: %v, of %+v", err, whose(err))
	}
	if _, err := h.accounts.Bearer(ctx, forged(jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)),
		same)); whose(err) != (httpapi.Principal{}) {
		t.Errorf("a token that nobody signed is taken for one of %+v", whose(err))
	}
}

func secretOf(t *testing.T, h *house) string {
	t.Helper()
	s, _, err := commands.Bind(h.x, account.Decider).Load(ctx, account.ID(email))
	if err != nil {
		t.Fatal(err)
	}
	return s.Secret
}

// flip changes a letter in the middle: the last one may hold bits that do not count.
func flip(s string) string {
	b := []byte(s)
	if i := len(b) / 2; b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}

func TestTokensStopWithTheAccountAndWithThePassword(t *testing.T) {
	for name, end := range map[string]func(*house){
		"the account is disabled": func(h *house) { disable(t, h, email) },
		"its sessions are ended": func(h *house) {
			if err := h.accounts.EndSessions(ctx, email,
				commands.Request{ID: commands.Derived("end"), At: h.now()}); err != nil {
				t.Fatal(err)
			}
		},
		"the operator sets the password": func(h *house) {
			if err := h.accounts.SetPassword(ctx, email, password,
				commands.Request{ID: commands.Derived("set"), At: h.now()}); err != nil {
				t.Fatal(err)
			}
		},
		"the password changes": func(h *house) {
			_, err := commands.Bind(h.x, account.Decider).Execute(ctx, account.ID(email),
				account.ChangePassword{Secret: "other"},
				commands.Request{ID: commands.Derived("change"), At: h.now()})
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		m, c := newJournal(), newClock()
		here, there := newHouse(t, m, c), newHouse(t, m, c)
		here.x.Connected(true)
		there.x.Connected(true)
		here.register(t, email, password)
		token := here.login(t, email, password)
		for _, h := range []*house{here, there} {
			if _, err := h.accounts.Bearer(ctx, token); err != nil {
				t.Fatalf("%s: before: %v", name, err)
			}
		}
		end(here)
		there.x.Heard(m.last(account.Decider.Stream(account.ID(email))))
		for _, h := range []*house{here, there} {
			if _, err := h.accounts.Bearer(ctx, token); !errors.Is(err, httpapi.ErrBadCredential) {
				t.Errorf("%s: after: %v", name, err)
			}
		}
	}
}

func TestAShortSigningKeyIsRefused(t *testing.T) {
	m, c := newJournal(), newClock()
	if _, err := NewAccounts(commands.NewExecutor(m, c.now), m, signing[:31], c.now); err == nil {
		t.Error("31 bytes are enough")
	}
}

func TestALogThatIsAwayIsNoWrongPassword(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	token := h.login(t, email, password)
	h = newHouse(t, h.journal, h.handClock) // nothing in memory
	h.down = eventstore.ErrUnavailable
	if _, _, err := h.accounts.Login(ctx, email, password, "192.0.2.1"); httpapi.Status(err) != 503 {
		t.Errorf("login: %v", err)
	}
	if _, err := h.accounts.Bearer(ctx, token); httpapi.Status(err) != 503 {
		t.Errorf("bearer: %v", err)
	}
	h.down = nil
	delete(h.secrets, secretOf(t, h))
	if _, _, err := h.accounts.Login(ctx, email, password, "192.0.2.1"); err == nil || fault.As(err) != nil {
		t.Errorf("a password that the vault lost is a fault of the caller's: %v", err)
	}
}

func TestTheRealDerivation(t *testing.T) {
	h := newHasher()
	sealed, err := h.hash(ctx, "ana", password)
	if err != nil {
		t.Fatal(err)
	}
	pass := attempt{party: "ana"}
	if ok, err := h.matches(ctx, password, sealed, pass); !ok || err != nil {
		t.Errorf("the password: %v, %v", ok, err)
	}
	if ok, err := h.matches(ctx, password+" ", sealed, pass); ok || err != nil {
		t.Errorf("another: %v, %v", ok, err)
	}
	if again, _ := h.hash(ctx, "ana", password); string(again) == string(sealed) {
		t.Error("two hashes are the same: no salt")
	}
	for _, spoilt := range []string{"x", "bcrypt$a$b", "argon2id$!$b", "argon2id$YQ"} {
		if ok, err := h.matches(ctx, password, []byte(spoilt), pass); ok || err == nil ||
			strings.Contains(err.Error(), spoilt) && len(spoilt) > 1 {
			t.Errorf("%q: %v, %v", spoilt, ok, err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := h.hash(ended, "ana", password); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that went away: %v", err)
	}
}

func TestAfterAllSessionsEndedAFreshLogInWorks(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	for n := range 3 {
		token := h.login(t, email, password)
		if _, err := h.accounts.Bearer(ctx, token); err != nil {
			t.Fatalf("round %d: %v", n, err)
		}
		if err := h.accounts.EndSessions(ctx, email,
			commands.Request{ID: commands.Derived("end", string(rune('a'+n))), At: h.now()}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.accounts.Bearer(ctx, token); !errors.Is(err, httpapi.ErrBadCredential) {
			t.Errorf("round %d: after the end: %v", n, err)
		}
	}
}
