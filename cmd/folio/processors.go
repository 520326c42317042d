package main

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/client_golang/prometheus"

	"folio/bus"
	"folio/clock"
	"folio/countries"
	"folio/processors"
	"folio/processors/contingency"
	"folio/processors/dailyreport"
	"folio/processors/reactor"
	"folio/processors/submission"
	"folio/projections"
)

// openProcessors makes all processors and their metrics. What they call is open already.
func (s *service) openProcessors(ctx context.Context) error {
	sender, err := s.openSender()
	if err != nil {
		return err
	}
	tree, err := s.openTransparency(ctx)
	if err != nil {
		return err
	}
	letters, err := s.openMail()
	if err != nil {
		return err
	}
	router := bus.RouterConfig{Logger: s.logger, Metrics: s.metrics.registry, Namespace: "folio_watermill"}
	if s.traces != nil {
		router.Handled = s.handled
	}
	s.router, err = bus.NewRouter(router)
	if err != nil {
		return err
	}
	s.processors = processors.All(processors.Config{
		Base: reactor.Base{
			Executor: s.executor, Log: s.id, End: s.log.End, Tables: s.tables, Rules: countries.ByCode,
			Clock: clock.Real{}, Logger: s.logger, Issued: s.issued,
			Source: s.reader, Router: s.router,
			Guard: func(processor string, types []string) reactor.Guard {
				return s.quarantine.Feed(processor, types...)
			},
		},
		Submission: submission.Config{
			Files: s.vault, Credentials: s.credentials, Secrets: s.vault, Notes: s.notes, Driver: s.drivers.find,
			RetryBase: s.flags.RetryBase, RenewAfter: s.flags.RenewAfter, StandsAfter: s.flags.StandsAfter,
			Handover: s.flags.Handover != handoverOff,
			Random:   jitter, NewID: func() string { return ulid.Make().String() },
		},
		DailyReport: dailyreport.Config{
			Files: s.vault, Credentials: s.credentials, Driver: s.drivers.find,
			After: s.flags.DailyReportAfter, SkipEmpty: s.flags.DailyReportSkipEmpty, RetryBase: s.flags.RetryBase,
		},
		Contingency: contingency.Config{
			Files: s.vault, Credentials: s.credentials, Driver: s.drivers.find, RetryBase: s.flags.RetryBase,
			NewID: func() string { return ulid.Make().String() },
		},
		Keys:     s.vault,
		Delivery: sender,
		Notary:   tree,
		Mail:     letters,
	})
	s.submission = processors.Find[*submission.Processor](s.processors)
	for _, p := range s.processors {
		s.reader.Want(p.Types()...)
		s.measure(p)
	}
	return nil
}

// issued finds a company's own document by its coordinates, once the read models show a position.
func (s *service) issued(ctx context.Context, n reactor.Named) (string, error) {
	if err := (shown{s.runner}).WaitFor(ctx, projections.Invoices.Name(), n.At); err != nil {
		return "", err
	}
	return projections.NewReader(s.tables, streams{s.log}).FindIssuedBy(ctx, n.Company, n.Environment, n.Reference, n.By)
}

// measure registers the figures of a processor.
func (s *service) measure(p reactor.Processor) {
	gauge := s.metrics.gauge
	by := prometheus.Labels{"processor": p.Name()}
	gauge("processor_working", "1 while this process does the processor's work.", by,
		func() float64 { return truth(p.Status().Owner) })
	gauge("processor_caught_up", "1 while the processor knows all that is in the log.", by,
		func() float64 { return truth(p.Status().CaughtUp) })
	gauge("processor_lag_seconds", "For how long the processor that this process runs has not known all that is in "+
		"the log.", by, func() float64 { return behind(p.Status(), time.Now()).Seconds() })
	gauge("processor_failing", "1 while the processor fails or refuses to work; readyz says why.", by,
		func() float64 { return truth(p.Status().Fault != "") })
	for _, g := range p.Gauges() {
		gauge(g.Name, g.Help, nil, g.Value)
	}
}

func behind(s reactor.Status, now time.Time) time.Duration {
	if !s.Owner || s.CaughtUp {
		return 0
	}
	return max(0, now.Sub(s.Since))
}

// own runs a processor whenever this process has its lease.
func (s *service) own(ctx context.Context, p reactor.Processor) error {
	reactor.Own(ctx, s.logger, s.tables, s.owner, p)
	return nil
}
