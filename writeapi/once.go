package writeapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"

	"folio/admission"
	"folio/commands"
	"folio/commands/idempotency"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/strict"

	"github.com/oklog/ulid/v2"
)

// use is a request with an Idempotency-Key on its way. Whatever it does has the identity that
// the first use of the key fixed in RequestAccepted: the id of what is made, the time, and that of
// each execution. So a repeat after a crash, in whatever process, does what is left to do.
//
// Who makes an invoice keeps the key himself, in the same stream: its facts are the answer.
type use struct {
	api
	r      *http.Request
	key    string // aggregate id of the key
	hash   string // of the request
	looked bool
	leave  func() // lets the next request with the key in
	again  bool   // an earlier request used the key
	used   bool   // this one did

	id     string // of what is made
	at     time.Time
	said   *events.RequestAnswered // to the first use
	secret string                  // id of what the answer shows a secret of; see showOnce
}

var (
	errAnswered = errors.New("the key's first use was answered")
	errSecond   = &fault.Error{Code: fault.Unavailable, Constant: "IDEMPOTENCY_KEY_IN_USE", RetryAfter: 1,
		Text: "Another request with this Idempotency-Key is on its way: repeat this one for its answer."}
)

// errShown is the refusal to show a secret again.
func errShown(id string) error {
	return fault.New(fault.Conflict, "SECRET_SHOWN_ONCE", fmt.Sprintf(
		"The first request with this Idempotency-Key made %s, and its secret was shown once, in that answer. If it is lost, "+
			"revoke or rotate it, and send a new key for a new one.", id))
}

type useKey struct{}

// useOf is the request's use of a key; nil without one.
func useOf(ctx context.Context) *use {
	u, _ := ctx.Value(useKey{}).(*use)
	return u
}

// usesLimits let the requests with one key go one after the other; the rest get its answer.
var usesLimits = admission.Limits{All: 10_000, Each: 1, Line: 1000, Lines: 10_000, Patience: 30 * time.Second}

// Keyed is the handler of a route that honours Idempotency-Keys: a request with one is done once.
// A key is its company's, or on routes of accounts its account's, and stands for one request:
// method, path and body. It is used up when the first fact is about to be recorded, so that a
// refused request leaves it free, and one that records nothing needs none.
type Keyed struct {
	api
	Handler httpapi.Handler // without the key
}

// ServeHTTP implements http.Handler.
func (k Keyed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpapi.Plain(k.once).ServeHTTP(w, r)
}

func (k Keyed) once(w http.ResponseWriter, r *http.Request) error {
	key, err := httpapi.IdempotencyKey(r)
	if err != nil {
		return err
	}
	caller := httpapi.Caller(r.Context())
	owner := cmp.Or(caller.Company, caller.Account)
	if key == "" || owner == "" {
		return k.Handler(w, r)
	}
	u := &use{api: k.api, key: idempotency.ID(owner, key), id: newID(r), at: httpapi.Started(r.Context())}
	u.r = r.WithContext(context.WithValue(r.Context(), useKey{}, u))
	return u.serve(w, k.Handler)
}

// maxSeconds is how often a request may find that another one used the key first.
const maxSeconds = 3

func (u *use) serve(w http.ResponseWriter, h httpapi.Handler) error {
	httpapi.OnBody(u.r.Context(), u.look)
	defer func() {
		if u.leave != nil {
			u.leave()
		}
	}()
	for range maxSeconds {
		out := &answer{ResponseWriter: w, header: w.Header().Clone(), status: http.StatusOK}
		err := h(out, u.r)
		if errors.Is(err, errSecond) {
			continue // with the identity of the first
		}
		if !u.looked { // a handler without a body may have met what the first use did
			told := u.look(unread{u.r})
			if told == nil && err != nil && u.again {
				continue // it met what was recorded before a crash
			}
			err = orElse(told, err)
		}
		switch {
		case errors.Is(err, errAnswered):
			return u.replay(w, *u.said)
		case err != nil:
			return err
		}
		return u.answered(w, out)
	}
	return errSecond
}

// unread is the content of a request to a handler that reads no body: what was sent all the same, since a key stands
// for that, too. An empty object says as little as nothing.
type unread struct{ r *http.Request }

func (u unread) Canonical() ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(u.r.Body, 64<<10))
	if err != nil {
		return nil, strict.BodyFault(err)
	}
	if body = bytes.TrimSpace(body); string(body) == "{}" {
		return nil, nil
	}
	return body, nil
}

// look asks what the key stands for, once the body is known.
func (u *use) look(body httpapi.Content) error {
	if u.looked || u.left() {
		return nil
	}
	u.looked = true
	canonical, err := body.Canonical()
	if err != nil {
		return err
	}
	if u.leave, err = u.uses.Enter(u.r.Context(), u.key, 1); err != nil {
		return err
	}
	u.hash = sha256Hex(append([]byte(u.r.Method+" "+u.r.URL.Path+"\n"), canonical...))
	s, found, err := u.log.Idempotency.Load(u.r.Context(), u.key)
	if err != nil || !found {
		return err
	}
	return u.follow(s)
}

// left says that the handler keeps the key itself.
func (u *use) left() bool { return httpapi.KeyAskedTwice(u.r) }

// follow takes over what the first use fixed.
func (u *use) follow(s idempotency.State) error {
	if s.BodyHash != u.hash {
		return idempotency.ErrOtherBody
	}
	u.again, u.id, u.at, u.said = true, s.Resource, s.Time, s.Answer
	httpapi.Repeats(u.r.Context(), s.Time)
	if s.Answer != nil {
		return errAnswered
	}
	return nil
}

// accept uses the key: it is called before the request's first fact is recorded.
func (u *use) accept(ctx context.Context) error {
	if u.again || u.used || u.left() {
		return nil
	}
	if !u.looked { // the handler read no body
		if err := u.look(unread{u.r}); err != nil || u.again {
			return orElse(err, errSecond)
		}
	}
	out, err := u.log.Idempotency.ExecuteNew(ctx, u.key,
		idempotency.Accept{BodyHash: u.hash, Resource: u.id, Time: u.at.UTC()}, u.request("accept"))
	if err != nil {
		return err
	}
	if out.State.Resource != u.id {
		return orElse(u.follow(out.State), errSecond)
	}
	u.used = true
	return nil
}

func (u *use) request(step string) commands.Request {
	q := request(u.r)
	q.ID, q.Before, q.Again = commands.Derived(step, u.id), nil, false
	return q
}

// replay gives the first answer once more.
func (u *use) replay(w http.ResponseWriter, e events.RequestAnswered) error {
	if e.Once != "" {
		return errShown(e.Once)
	}
	h := w.Header()
	h.Set("Idempotency-Replayed", "true")
	for name, value := range map[string]string{"Location": e.Location, "Folio-Position": e.Position} {
		if value != "" {
			h.Set(name, value)
		}
	}
	if e.Body == "" {
		w.WriteHeader(e.Status)
		return nil
	}
	httpapi.RawJSON(w, e.Status, []byte(e.Body))
	return nil
}

// answered keeps what the request is answered with, and then answers.
func (u *use) answered(w http.ResponseWriter, out *answer) error {
	if u.again || u.used { // otherwise it recorded nothing, or keeps the key itself
		said := events.RequestAnswered{Status: out.status, Location: out.header.Get("Location"),
			Position: out.header.Get("Folio-Position"), Body: string(bytes.TrimSuffix(out.body.Bytes(), []byte("\n"))),
			Once: u.secret}
		if said.Once != "" {
			said.Body = ""
		}
		kept, err := u.log.Idempotency.Execute(u.r.Context(), u.key, idempotency.Answer{Answer: said}, u.request("answer"))
		if err != nil {
			return err
		}
		if recorded := kept.State.Answer; recorded != nil && *recorded != said { // another process was faster
			return u.replay(w, *recorded)
		}
	}
	maps.Copy(w.Header(), out.header)
	w.WriteHeader(out.status)
	_, _ = w.Write(out.body.Bytes()) // the only failure is a client that has gone
	return nil
}

// answer holds an answer back until it is kept.
type answer struct {
	http.ResponseWriter
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answer) Header() http.Header { return w.header }

func (w *answer) WriteHeader(status int) { w.status = status }

func (w *answer) Write(b []byte) (int, error) { return w.body.Write(b) }

// Unwrap lets http.ResponseController reach the connection.
func (w *answer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// newID is the id of what the request makes, a ULID of its time: one, the same for every repeat.
func newID(r *http.Request) string {
	if u := useOf(r.Context()); u != nil {
		return u.id
	}
	return ulid.MustNew(ulid.Timestamp(httpapi.Started(r.Context())), ulid.DefaultEntropy()).String()
}

// repeats says that an earlier request with the same key may have been recorded.
func repeats(r *http.Request) bool {
	u := useOf(r.Context())
	return u != nil && u.again
}

// showOnce says that the answer shows a secret of what has this id. Recorded is what of it the log
// has, and ours what this request drew: where they differ an earlier request was recorded.
func showOnce(r *http.Request, id, recorded, ours string) error {
	if recorded != ours {
		return errShown(id)
	}
	if u := useOf(r.Context()); u != nil {
		u.secret = id
	}
	return nil
}
