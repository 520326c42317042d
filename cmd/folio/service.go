package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"folio/access"
	"folio/apidoc"
	"folio/authority/circuit"
	"folio/bus"
	"folio/certificate"
	"folio/commands"
	"folio/countries"
	"folio/country"
	"folio/country/figures"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/exports"
	"folio/outbound"
	"folio/papers"
	"folio/pdf"
	"folio/processors/outagewatch"
	"folio/processors/reactor"
	"folio/processors/submission"
	"folio/projections"
	"folio/projections/engine"
	"folio/quarantine"
	"folio/readapi"
	"folio/tracing"
	"folio/transparency"
	"folio/verification"
	"folio/version"
	"folio/waiting"
	"folio/writeapi"

	"github.com/go-chi/chi/v5"
	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/errgroup"
)

// service is the whole program as a value.
type service struct {
	flags  serveFlags
	logger *slog.Logger
	owner  string   // of leases: this process, this start
	folder *os.File // its lock; nil when this process needs none
	*stores

	reader     *fanout.Reader // of the log, for all who follow it by type
	router     *bus.Router    // of what the processors hear
	quarantine *quarantine.Room
	executor   *commands.Executor
	documents  *projections.Reader
	accounts   *access.Accounts
	usage      *access.Usage
	notes      *waiting.Notes
	seen       *waiting.Authorities
	circuits   []*circuit.Driver
	outages    *outagewatch.Watch
	runner     *engine.Runner
	processors []reactor.Processor // those that have effects, each with one owner at a time
	submission *submission.Processor
	verifier   *verification.Verifier // of purchases; nil: nobody is asked
	outbound   *outbound.Client
	published  *transparency.Store
	exports    *exports.Jobs // nil: this process makes none
	deliveries deliveryMetrics
	sandbox    *sandboxServer // nil when this process has none
	drivers    *drivers
	figures    figures.Table // of the law
	trust      country.Trust // of numbering files: the sandbox's key
	metrics    *metrics
	traces     *tracing.Tracer // nil: nobody wants them
	well       wellbeing
	gates      gates
	stopping   <-chan struct{} // closed once the service was told to stop
	doors
}

// newService opens everything and listens, so that an error of the set-up is one
// before anything runs. Whoever gets a service must run it, or close it.
func newService(ctx context.Context, f serveFlags, logger *slog.Logger) (_ *service, err error) {
	s := &service{flags: f, logger: logger, owner: fmt.Sprintf("%s/%d/%s", machine(), os.Getpid(), ulid.Make()),
		gates: newGates(), metrics: newMetrics()}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close(context.WithoutCancel(ctx)))
		}
	}()
	logger.Info("folio starts", "version", version.Number(), "roles", strings.Join(f.Roles, ","))
	warnOfMisspelt(f.misspelt, logger)
	if s.figures, err = readFigures(f.Figures); err != nil {
		return nil, err
	}
	if err := f.usable(logger); err != nil {
		return nil, err
	}
	warnOfFigures(s.figures, todayIn, logger)
	if err := s.openTracing(ctx); err != nil {
		return nil, err
	}
	if err := s.openData(ctx); err != nil {
		return nil, err
	}
	s.reader = newReader(s.log, f.has(roleProcessors) && f.Transparency != "off")
	s.executor = commands.NewExecutor(s.log, time.Now).Guarded(s.quarantine).Telling(s.recorded)
	if err := patiently(ctx, logger, func() error { return s.openNotes(ctx) }); err != nil {
		return nil, err
	}
	s.documents = projections.NewReader(s.tables, streams{s.executor})
	s.runner, err = engine.NewRunner(engine.Options{Projections: projections.All, Tables: s.tables,
		Reads: s.documents.Reads, BatchLimit: eventstore.DefaultMaxBatch,
		Source: folds{engine.Without(s.log, s.quarantine), s.log, s.reader}, Store: s.id, Owner: s.owner, Log: logger,
		Quarantine: foldGuards{s.quarantine}})
	if err != nil {
		return nil, err
	}
	if err := patiently(ctx, logger, func() error { return s.prepareModels(ctx) }); err != nil {
		return nil, err
	}
	if err := s.openAuthorities(ctx); err != nil {
		return nil, err
	}
	s.openVerifier()
	s.outages = s.watchOutages()
	s.guardAuthorities()
	if err := patiently(ctx, logger, func() error { return s.openExports(ctx) }); err != nil {
		return nil, err
	}
	s.measureAll()
	if err := s.doors.open(ctx, s); err != nil {
		return nil, err
	}
	if err := s.openProcessors(ctx); err != nil {
		return nil, err
	}
	s.measureState()
	return s, nil
}

// openNotes opens what is kept in the tables beside read models, and what knows callers.
func (s *service) openNotes(ctx context.Context) (err error) {
	if s.notes, err = waiting.Open(ctx, s.tables, time.Now); err != nil {
		return err
	}
	if s.seen, err = waiting.OpenAuthorities(ctx, s.tables, time.Now); err != nil {
		return err
	}
	return s.openAccess(ctx)
}

// prepareModels makes the tables of the read models that are missing.
func (s *service) prepareModels(ctx context.Context) error {
	if err := engine.Prepare(ctx, s.tables, projections.All...); err != nil {
		return err
	}
	return s.runner.Check(ctx)
}

// openData opens log, tables and vault, which must belong together, and what is held of them.
func (s *service) openData(ctx context.Context) (err error) {
	data := s.flags.dataFlags
	data.serves = true
	if s.stores, err = openStores(ctx, data, s.flags.has(roleNode), s.logger); err != nil {
		return err
	}
	if s.flags.has(roleWrite) || s.flags.has(roleProcessors) {
		if err := s.raiseFormat(ctx); err != nil {
			return err
		}
	}
	if s.flags.has(roleNode) || s.flags.has(roleSandbox) {
		if s.folder, err = takeFolder(s.flags.Data); err != nil {
			return err
		}
	}
	return patiently(ctx, s.logger, func() (err error) {
		if err := s.expectTables(ctx); err != nil {
			return err
		}
		s.quarantine, err = quarantine.Open(ctx, s.log, s.tables, time.Now, s.logger)
		return err
	})
}

// tokenKey is where the signing key of tokens is sealed.
const tokenKey = "token-signing-key"

// run works until ctx ends or something that cannot be done without fails. When ctx ends it tells
// load balancers and callers, and goes on serving for as long as --drain says. Then HTTP stops
// first, then what follows the log, then the stores.
func (s *service) run(ctx context.Context, ready func()) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	var g errgroup.Group
	seen, err := s.saved(ctx) // before anything moves it
	if err != nil {
		return errors.Join(err, s.close(context.WithoutCancel(ctx)))
	}
	g.Go(func() error { return untilDone(work, follow(work, s.log, s.executor, s.outages.News)) })
	g.Go(func() error { return untilDone(work, s.outages.Run(work)) })
	g.Go(func() error { return untilDone(work, s.quarantine.Follow(work)) })
	g.Go(func() error { return untilDone(work, s.quarantine.Watch(work, seen, s.executor.Forget)) })
	if s.flags.has(roleProjections) {
		g.Go(func() error { return untilDone(work, s.runner.Run(work)) })
	}
	if s.flags.has(roleProcessors) {
		g.Go(func() error { return untilDone(work, s.router.Run(work)) })
		for _, p := range s.processors {
			g.Go(func() error { return s.own(work, p) })
		}
	}
	if s.exports != nil {
		g.Go(func() error { return untilDone(work, s.exports.Run(work)) })
	}
	if s.flags.BackupEvery > 0 {
		go s.backUp(work) // a copy that is under way ends with the process: it has a name of its own until it is whole
	}
	g.Go(func() error { giveBack(work); return nil })
	g.Go(func() error { return s.examine(work) })
	g.Go(func() error { return s.whenBack(work) })
	serving, stopServing := context.WithCancelCause(work)
	defer stopServing(nil)
	s.stopping = ctx.Done()
	g.Go(func() error { s.drain(ctx, serving); stopServing(nil); return nil })
	g.Go(func() error { return s.watch(work, stopServing) })
	g.Go(func() error { return s.adminUntil(work, stopServing) })
	ready()
	err = s.serve(serving)
	if cause := context.Cause(serving); cause != nil && !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	stopWork()
	return errors.Join(err, g.Wait(), s.close(context.WithoutCancel(ctx)))
}

// watch ends the service when its embedded log stops by itself, since a write that failed
// must not be retried as if nothing had happened, and when the log turns out to be another one
// or an older copy: what the process knows is not of that log.
func (s *service) watch(ctx context.Context, stop context.CancelCauseFunc) error {
	var failed <-chan struct{}
	if s.node != nil {
		failed = s.node.Failed()
	}
	select {
	case <-failed:
		stop(fmt.Errorf("the event log stopped: %w", s.node.Err()))
	case <-s.log.Failed():
		stop(s.log.Health().Err)
	case <-ctx.Done():
	}
	return nil
}

// untilDone drops the error of a task that was told to end.
func untilDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *service) close(ctx context.Context) error {
	errs := []error{s.doors.close(), s.closeTracing(ctx)}
	if s.exports != nil {
		s.exports.Close()
	}
	if s.sandbox != nil {
		errs = append(errs, s.sandbox.close(ctx))
	}
	if s.stores != nil {
		errs = append(errs, s.stores.close(ctx))
	}
	if s.folder != nil {
		errs = append(errs, s.folder.Close())
	}
	return errors.Join(errs...)
}

func (s *service) routes(r chi.Router) {
	if s.flags.has(roleWrite) {
		writeapi.Routes(r, writeapi.Config{
			Webhooks: s.webhooks(), Purchases: s.purchases(), Mail: s.mailbox(), Points: s.points(),
			Executor: s.executor, Countries: countries.Rules(),
			Rules: country.Config{Figures: s.figures, ExchangeDifferenceNotes: s.flags.ExchangeDifferenceNotes}, Trust: s.trust,
			Sandbox: s.flags.Authority == "sandbox",
			Login:   s.accounts, Vault: s.vault, Shown: shown{s.runner}, NewKey: access.NewKey, LogoMemory: pdf.LogoMemory,
			Logo:        pdf.NormaliseLogo,
			Certificate: openCertificate, Work: s.gates.work,
			Preview:  papers.Maker{Countries: countries.Rules(), Files: s.vault}.Preview,
			Holdings: s.holdings(), Index: s.documents,
		})
	}
	if s.flags.has(roleRead) {
		readapi.Routes(r, readapi.Config{
			Documents: s.documents, Log: pastLog{streams{s.executor}, s.log},
			Leaves: s.leaves(), Exports: s.exporter(),
			Countries: countries.Rules(), Notes: s.notes, Authorities: s.seen, Files: s.vault, Quarantine: s.quarantine,
			Rates: rates{s},
			Shown: s.runner, Folding: s.runner, Keys: s.usage, Accounts: s.accounts, Models: s.models,
			Told:     webhookFacts{streams{s.executor}},
			Handover: s.handover(),
			Clock:    time.Now, Work: s.gates.work,
		})
		s.transparencyRoutes(r)
	}
	apidoc.Routes(r)
}

// patience is how long a write waits for its read model.
const patience = 2 * time.Second

// shown waits for a read model on behalf of a write.
type shown struct{ runner *engine.Runner }

func (w shown) WaitFor(ctx context.Context, projection string, at events.Position) error {
	ctx, cancel := context.WithTimeout(ctx, eventstore.Left(ctx, patience))
	defer cancel()
	return w.runner.WaitFor(ctx, projection, at)
}

// openCertificate opens an uploaded .pfx file for writeapi.
func openCertificate(pfx []byte, password string, _ time.Time) (writeapi.Certificate, error) {
	o, err := certificate.Open(pfx, password)
	if err != nil {
		return writeapi.Certificate{}, err
	}
	sealed, err := o.Seal()
	if err != nil {
		return writeapi.Certificate{}, err
	}
	leaf := o.Leaf()
	return writeapi.Certificate{
		SerialNumber: leaf.SerialNumber.Text(16), Subject: leaf.Subject.String(), Issuer: leaf.Issuer.String(),
		TaxIdentifier: o.TaxIdentifier(), ValidFrom: leaf.NotBefore, ValidTo: leaf.NotAfter,
		Fingerprint: o.Fingerprint(), Sealed: sealed,
	}, nil
}
