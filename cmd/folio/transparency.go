package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	decide "folio/commands/transparency"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/fault"
	"folio/httpapi"
	"folio/processors/notary"
	"folio/transparency"
)

// transparencyFlags say who may read the transparency log and who is given its checkpoints.
type transparencyFlags struct {
	Transparency      string        `group:"transparency" help:"Who may read /log/: public is everybody, accounts whoever is logged in, operator callers on this machine only. off: no tree is kept." enum:"public,accounts,operator,off" default:"public"`
	LogOrigin         string        `group:"transparency" help:"What the origin of checkpoints begins with, before the log's id; taken when a tree begins. Empty: the host of --base-url, or folio, with /log behind." placeholder:"NAME"`
	CheckpointEvery   time.Duration `group:"transparency" help:"At most so long between an event and the checkpoint that covers it." default:"1m"`
	CheckpointEvents  int           `group:"transparency" help:"At most so many events between two checkpoints." default:"1000"`
	Witness           []string      `group:"transparency" help:"Witness that cosigns each checkpoint (C2SP tlog-witness): its verifier key, a space, its address; may be given again." sep:"none" placeholder:"'VKEY URL'"`
	CheckpointAddress []string      `group:"transparency" help:"Address that each checkpoint is posted to; may be given again." sep:"none" placeholder:"URL"`
}

func (f transparencyFlags) validate() error {
	if f.CheckpointEvery <= 0 || f.CheckpointEvents <= 0 {
		return errors.New("--checkpoint-every and --checkpoint-events must be more than nothing")
	}
	if f.LogOrigin != "" {
		if err := transparency.CheckOrigin(f.LogOrigin); err != nil {
			return fmt.Errorf("--log-origin: %w", err)
		}
	}
	for _, address := range f.CheckpointAddress {
		if err := isAddress("--checkpoint-address", address); err != nil {
			return err
		}
	}
	_, err := f.witnesses()
	return err
}

func (f transparencyFlags) witnesses() ([]notary.Witness, error) {
	out := make([]notary.Witness, len(f.Witness))
	for i, text := range f.Witness {
		var err error
		if out[i], err = notary.ParseWitness(text); err != nil {
			return nil, fmt.Errorf("--witness: %w", err)
		}
		if err := isAddress("--witness", out[i].URL); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// origin is what the origins of trees begin with.
func (s serveFlags) origin() string {
	if s.LogOrigin != "" {
		return s.LogOrigin
	}
	host := "folio"
	if u, err := url.Parse(s.BaseURL); err == nil && u.Host != "" {
		host = u.Host
	}
	return host + "/log"
}

// openTransparency opens what the notary publishes and says what the notary has; nil: no tree is kept.
func (s *service) openTransparency(ctx context.Context) (_ *notary.Config, err error) {
	if s.published, err = transparency.OpenStore(ctx, s.tables); err != nil || s.flags.Transparency == "off" {
		return nil, err
	}
	witnesses, err := s.flags.witnesses()
	if err != nil {
		return nil, err
	}
	for _, address := range s.flags.CheckpointAddress {
		if err := s.outbound.Check(address); err != nil {
			return nil, fmt.Errorf("--checkpoint-address %s: %w; --webhook-allow admits private networks", address, err)
		}
	}
	before, err := s.formerIDs(ctx)
	return &notary.Config{
		Source: everything{s.reader}, Before: before, Store: s.published, Secrets: s.vault, Origin: s.flags.origin(),
		Every: s.flags.CheckpointEvery, Most: s.flags.CheckpointEvents,
		Client: s.outbound, Witnesses: witnesses, Addresses: s.flags.CheckpointAddress,
	}, err
}

// formerIDs are those that the log had before it was restored, oldest first.
func (s *stores) formerIDs(ctx context.Context) (ids []string, err error) {
	for r, err := range s.log.Read(ctx, eventstore.StoreStream, 0) {
		if err == nil {
			r, err = events.Open(r)
		}
		if err != nil {
			return nil, fmt.Errorf("read which logs this one was: %w", err)
		}
		if e, ok := r.Event.(events.StoreCreated); ok && e.Store != s.id {
			ids = append(ids, e.Store)
		}
	}
	return ids, nil
}

// rotations are those of the keys that signed checkpoints of this log, oldest first. One that cannot be read vouches
// for nothing; verify says so of it.
func (s *stores) rotations(ctx context.Context) (out []events.NotaryKeyRotated, err error) {
	ids, err := s.formerIDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range append(ids, s.id) {
		for r, err := range s.log.Read(ctx, decide.Decider.Stream(id), 0) {
			if err != nil {
				return nil, fmt.Errorf("read the rotations of the key: %w", err)
			}
			if r.Type != events.Name[events.NotaryKeyRotated]() {
				continue
			}
			if r, err = events.Open(r); err != nil {
				continue
			}
			if e, ok := r.Event.(events.NotaryKeyRotated); ok {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// everything is the log as the notary reads it.
type everything struct{ reader *fanout.Reader }

func (e everything) Follow(ctx context.Context, after events.Position,
	handle func(context.Context, notary.Batch) error) error {
	return e.reader.FollowAll(ctx, after, eventstore.FollowOptions{},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, notary.Batch(b)) })
}

// ErrNoCheckpoint is the answer of a log that has published nothing yet.
var errNoCheckpoint = &fault.Error{Code: fault.Unavailable, Constant: "NO_CHECKPOINT", RetryAfter: 2,
	Text: "The transparency log has published no checkpoint yet, or builds its tiles anew. Ask again in a moment."}

// transparencyRoutes serve the log to whom the operator lets read it.
func (s *service) transparencyRoutes(r chi.Router) {
	if s.flags.Transparency == "off" {
		return
	}
	caches := transparency.ForCaller
	if s.flags.Transparency == "public" {
		caches = transparency.ForAll
	}
	serve := http.StripPrefix("/log", transparency.Handler(s.published, caches, failTransparency))
	switch s.flags.Transparency {
	case "accounts":
		r.With(httpapi.RequireBearer).Method(http.MethodGet, "/log/*", serve)
	case "operator":
		r.Get("/log/*", func(w http.ResponseWriter, q *http.Request) {
			if !s.proxies.Local(q) {
				httpapi.Fail(w, q, httpapi.ErrNoRoute)
				return
			}
			serve.ServeHTTP(w, q)
		})
	default:
		r.Method(http.MethodGet, "/log/*", serve)
	}
}

func failTransparency(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, transparency.ErrNone):
		err = fmt.Errorf("%w: %w", errNoCheckpoint, err)
	case errors.Is(err, transparency.ErrUnknownPath):
		err = httpapi.ErrNoRoute
	}
	httpapi.Fail(w, r, err)
}
