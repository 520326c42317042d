package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"folio/access"
	"folio/commands"
	"folio/commands/apikey"
	"folio/commands/company"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/eventstore"
	"folio/httpapi"
	"folio/writeapi"
)

// ceilingFlag makes this program serve the handler of POST /api/invoices without
// storage, in a process of its own as the service is.
const ceilingFlag = "serve-ceiling"

// oblivion is a log that answers at once, keeps what the handler must read again
// (company and keys) and forgets the invoices but the last.
type oblivion struct {
	at   atomic.Uint64
	mu   sync.Mutex
	kept map[string][]events.Recorded
	last eventstore.Pending
}

// Append implements commands.Log.
func (o *oblivion) Append(_ context.Context, stream string, expected int64,
	ps ...eventstore.Pending) (eventstore.Appended, error) {
	at := o.at.Add(uint64(len(ps)))
	out := eventstore.Appended{Revision: uint64(expected + int64(len(ps))),
		Position: events.Position{Commit: at, Prepare: at}}
	o.mu.Lock()
	defer o.mu.Unlock()
	if strings.HasPrefix(stream, "invoice-") {
		o.last = ps[len(ps)-1]
		return out, nil
	}
	for i, p := range ps {
		o.kept[stream] = append(o.kept[stream], events.Recorded{ID: p.ID.String(), Stream: stream, Type: p.Type, Meta: p.Meta,
			Raw: p.Data, Revision: uint64(expected + 1 + int64(i)), Position: out.Position})
	}
	return out, nil
}

// Read implements commands.Log.
func (o *oblivion) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		o.mu.Lock()
		all := o.kept[stream]
		o.mu.Unlock()
		for _, r := range all[min(from, uint64(len(all))):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// handlers is the write side over oblivion: a company with keys.
type handlers struct {
	log  *oblivion
	keys []string
	http.Handler
}

func newHandlers(ctx context.Context, issuer string, keys int) (*handlers, error) {
	h := &handlers{log: &oblivion{kept: map[string][]events.Recorded{}}}
	x := commands.NewExecutor(h.log, time.Now)
	x.Connected(true)
	id := ulid.Make().String()
	request := func() commands.Request {
		return commands.Request{ID: uuid.New(), Actor: "bench", At: time.Now()}
	}
	_, err := commands.Bind(x, company.Decider).ExecuteNew(ctx, id, company.Register{Company: events.CompanyRegistered{
		Company: id, Account: "bench", Country: "AR", LegalName: companyName, TaxIdentifier: issuer,
		TaxIdentifierName: "CUIT", Currency: 1,
	}}, request())
	profile := events.FiscalProfile{TaxCondition: "responsable_inscripto", GrossIncomeNumber: "901-712345-6"}
	_, err2 := commands.Bind(x, company.Decider).Execute(ctx, id, company.SetFiscalProfile{Profile: profile}, request())
	_, err3 := commands.Bind(x, company.Decider).Execute(ctx, id, company.UploadCertificate{
		Certificate: events.CertificateUploaded{Certificate: ulid.Make().String(), Environment: "Production"}}, request())
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, err
	}
	for range keys {
		keyID := ulid.Make().String()
		key, hash, err := access.NewKey(keyID, "")
		if err != nil {
			return nil, err
		}
		_, err = commands.Bind(x, apikey.Decider).ExecuteNew(ctx, keyID, apikey.Issue{Key: keyID, Company: id, SHA256: hash},
			request())
		if err != nil {
			return nil, err
		}
		h.keys = append(h.keys, key)
	}
	r := httpapi.NewRouter(httpapi.Config{Auth: access.Door{Keys: access.NewKeys(x, nil)},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	writeapi.Routes(r, writeapi.Config{Executor: x, Countries: country.Registry{ar.Rules{}},
		Shown: atOnce{}})
	h.Handler = r
	return h, nil
}

// atOnce shows every write without waiting.
type atOnce struct{}

func (atOnce) WaitFor(context.Context, string, events.Position) error { return nil }

// place is what the serving process tells the one that measures.
type place struct {
	Address string   `json:"address"`
	Keys    []string `json:"keys"`
}

// serveCeiling serves until standard input ends, so that it does not outlive the bench.
func serveCeiling(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h, err := newHandlers(ctx, cuit(0), mostClients)
	if err != nil {
		return err
	}
	l, address, err := httpapi.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	out, err := json.Marshal(place{address, h.keys})
	if err != nil {
		return err
	}
	fmt.Println(string(out))
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	return httpapi.Serve(ctx, l, httpapi.NewServer(h, slog.Default()), time.Second)
}
