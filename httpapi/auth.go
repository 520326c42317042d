package httpapi

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strings"

	"folio/fault"
	"folio/scope"
)

// Kind says what a Principal is.
type Kind uint8

// The two kinds of caller: an account with a bearer token, and a company's API key.
const (
	Account Kind = iota + 1
	Key
)

// Principal is who calls. Account is set for a bearer, Company and KeyID for a key. Behind
// RequireCompany a bearer has a Company too.
type Principal struct {
	Kind    Kind
	Account string
	Company string
	KeyID   string
	Scopes  scope.Set // what it may; of an account alone, the most that it may anywhere
}

// Actor names p for event metadata and logs, such as "key:01J…"; never a secret.
// Empty for nobody.
func (p Principal) Actor() string {
	switch p.Kind {
	case Account:
		return "account:" + p.Account
	case Key:
		return "key:" + p.KeyID
	}
	return ""
}

// Party is whose share of a common resource p uses: its company's, or the account's.
func (p Principal) Party() string {
	if p.Company != "" {
		return p.Company
	}
	return p.Actor()
}

// Authenticator checks credentials. It is called for every request that shows one,
// unless the rate limit of the credential or its address is used up; it must not grow with
// bad input. It
// returns ErrBadCredential (or another fault) for what it refuses, as Refused where it knows whose it is, and a fault
// of code Unavailable when it cannot know.
type Authenticator interface {
	Bearer(ctx context.Context, token string) (Principal, error)
	Key(ctx context.Context, key string) (Principal, error)
}

// The faults of authentication.
var (
	ErrBadCredential = fault.New(fault.Unauthorized, "BAD_CREDENTIAL",
		"The credential is not valid: it is unknown, expired or revoked. Log in again, or use another API key.")
	ErrNoBearer = fault.New(fault.Unauthorized, "BEARER_REQUIRED",
		"Log in with POST /api/login and send the token in the header Authorization: Bearer <ACCESS_TOKEN>.")
	ErrNoKey = fault.New(fault.Unauthorized, "API_KEY_REQUIRED",
		"Send the company's API key in the header x-api-key, or a token in the header Authorization with the company's id "+
			"in Folio-Company.")
	ErrNoCredential = fault.New(fault.Unauthorized, "CREDENTIAL_REQUIRED",
		"Send the company's API key in the header x-api-key, or a token in the header Authorization: Bearer <ACCESS_TOKEN>.")
	ErrOtherCompany = fault.New(fault.Forbidden, "OTHER_COMPANY",
		"The path, or Folio-Company, names another company than the API key's. Use that company's key.")
)

// RefusedCredential is why a credential is not taken that says by itself whose it is. The line of the request names the
// key or the account, so that a support call can be answered; nobody is let in for it.
type RefusedCredential struct {
	Whose Principal
	Err   error
}

func (e *RefusedCredential) Error() string { return e.Err.Error() }

// Unwrap gives the fault.
func (e *RefusedCredential) Unwrap() error { return e.Err }

// The challenges of WWW-Authenticate (RFC 9110 §11.6.1).
const (
	challengeBearer = `Bearer realm="folio"`
	challengeKey    = `ApiKey realm="folio", header="x-api-key"`
)

// maxCredential bounds what is handed to the Authenticator.
const maxCredential = 4096

// credential is what a request showed, checked once.
type credential struct {
	shown bool
	who   Principal
	err   error
}

func (s *service) bearerOf(r *http.Request) credential {
	values := r.Header.Values("Authorization")
	if len(values) == 0 {
		return credential{}
	}
	scheme, token := authorization(r)
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" || len(token) > maxCredential {
		return credential{shown: true, err: ErrNoBearer}
	}
	who, err := s.auth.Bearer(r.Context(), token)
	return credential{shown: true, who: who, err: err}
}

// authorization is what the first header of that name holds.
func authorization(r *http.Request) (scheme, credentials string) {
	scheme, credentials, _ = strings.Cut(r.Header.Get("Authorization"), " ")
	return scheme, strings.TrimSpace(credentials)
}

// BearerToken is the token of a request that RequireBearer let through.
func BearerToken(r *http.Request) string {
	_, token := authorization(r)
	return token
}

func (s *service) keyOf(r *http.Request) credential {
	values := r.Header.Values("X-Api-Key")
	if len(values) == 0 {
		return credential{}
	}
	if len(values) > 1 || values[0] == "" || len(values[0]) > maxCredential {
		return credential{shown: true, err: ErrNoKey}
	}
	who, err := s.auth.Key(r.Context(), values[0])
	return credential{shown: true, who: who, err: err}
}

// admitted looks at the rate limit and checks the credentials. A credential that was good
// before has a budget of its own, which is charged before it is checked again. Others are
// checked only while their address has calls left, so that guesses cost nothing beyond
// that; one that is good is charged to itself from then on, any other call to the address.
func (s *service) admitted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r.Context())
		x.address = s.proxies.place(r)
		s.warnOfProxy(r)
		shown := fingerprint(r)
		budget, known := s.proven.Get(shown)
		d := Decision{Allowed: true}
		if known {
			d = s.limiter.Take(budget)
		} else if shown != (digest{}) {
			d = s.limiter.Look(x.address)
		}
		if d.Allowed {
			s.identify(x, r)
			if !known {
				budget = x.address
				if x.caller.Kind != 0 {
					budget = x.caller.Actor()
					s.proven.Add(shown, budget)
				}
				d = s.limiter.Take(budget)
			}
		}
		x.charge = func() Decision { return s.limiter.Take(budget) }
		d.SetHeader(w.Header())
		if !d.Allowed {
			Fail(w, r, d.Fault())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// identify checks what was shown; a key counts when both a key and a token are good.
func (s *service) identify(x *exchange, r *http.Request) {
	x.reads = reads(r)
	x.bearer, x.key = s.bearerOf(r), s.keyOf(r)
	switch {
	case x.key.shown && x.key.err == nil:
		x.caller = x.key.who
	case x.bearer.shown && x.bearer.err == nil:
		x.caller = x.bearer.who
	}
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// digest stands for the credentials of a request; the zero value for none.
type digest [sha256.Size]byte

// provenCredentials is how many credentials keep their budget apart from their address's.
const provenCredentials = 16_384

func fingerprint(r *http.Request) digest {
	bearer, key := r.Header["Authorization"], r.Header["X-Api-Key"]
	if len(bearer)+len(key) == 0 {
		return digest{}
	}
	var room [256]byte // a key's and a token's length, mostly
	all := room[:0]
	for _, list := range [...][]string{bearer, key} {
		for _, v := range list {
			all = append(append(all, v...), 0)
		}
		all = append(all, 1)
	}
	return sha256.Sum256(all)
}

// warnOfProxy says once that callers come through a proxy that is not believed: all of them
// share the budget of its address until it is named.
func (s *service) warnOfProxy(r *http.Request) {
	if !forwarded(r) || s.proxies.trusted(plainAddr(r.RemoteAddr)) {
		return
	}
	s.warned.Do(func() {
		s.log.Warn("requests come through a proxy that is not trusted: callers behind it share one limit until "+
			"--trusted-proxies names it",
			"proxy", r.RemoteAddr)
	})
}

// Caller is who calls, once a Require middleware has let the request pass.
func Caller(ctx context.Context) Principal { return exchangeOf(ctx).caller }

// RequireBearer lets only accounts pass.
func RequireBearer(next http.Handler) http.Handler {
	return require(next, challengeBearer, func(x *exchange, _ *http.Request) (Principal, error) {
		return x.bearer.or(ErrNoBearer)
	})
}

// RequireEither lets API keys and accounts pass, whatever they may; a key that is
// shown beside a token is the one that counts.
func RequireEither(next http.Handler) http.Handler {
	return require(next, challengeBearer+", "+challengeKey, func(x *exchange, _ *http.Request) (Principal, error) {
		if x.key.shown {
			return x.key.or(ErrNoKey)
		}
		return x.bearer.or(ErrNoCredential)
	})
}

func (c credential) or(missing error) (Principal, error) {
	if !c.shown {
		return Principal{}, missing
	}
	return c.who, c.err
}

func require(next http.Handler, challenge string, pick func(*exchange, *http.Request) (Principal, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r.Context())
		who, err := pick(x, r)
		if err != nil {
			w.Header().Set("WWW-Authenticate", challenge)
			if Status(err) != http.StatusUnauthorized {
				w.Header().Del("WWW-Authenticate")
			}
			Fail(w, r, err)
			return
		}
		x.caller = who
		if named := namedCompany(r); who.Kind == Key && named != "" && named != who.Company {
			Fail(w, r, Refused(r, who.Company, ErrOtherCompany))
			return
		}
		next.ServeHTTP(w, r)
	})
}
