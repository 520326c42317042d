package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"folio/countries"
	"folio/monitor"
	"folio/processors"
	"folio/processors/contingency"
	"folio/processors/dailyreport"
	"folio/processors/delivery"
	"folio/processors/mail"
	"folio/processors/submission"
	"folio/projections"
	"folio/projections/engine"
)

// healthz says that the process lives; it asks nothing.
func (s *service) healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "ok")
}

// metrics are what Prometheus reads.
type metrics struct {
	registry *monitor.Registry
	requests *monitor.Requests
	calls    *monitor.Authorities
	facts    *monitor.Facts
	state    *monitor.State
}

// newMetrics counts what happens from the start on. What is there to show is registered by measureAll.
func newMetrics() *metrics {
	r := monitor.NewRegistry()
	return &metrics{registry: r, requests: monitor.NewRequests(r), calls: monitor.NewAuthorities(r),
		facts: monitor.NewFacts(r, countries.Codes())}
}

// gauge registers a figure that is asked for at each scrape.
func (m *metrics) gauge(name, help string, labels prometheus.Labels, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Namespace: "folio", Name: name, Help: help, ConstLabels: labels}, value))
}

// measureAll registers what this process can tell of itself. All but the processors is open.
func (s *service) measureAll() {
	m := s.metrics
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(gateMetrics{s.gateList}, readerMetrics{s.reader}, circuitMetrics{s})
	if s.node != nil {
		m.registry.MustRegister(nodeMetrics{s.node.Stats})
	}
	for i, p := range s.runner.Status() {
		m.gauge("projection_lag_seconds", "Age of the last event folded while not caught up.",
			prometheus.Labels{"projection": p.Name}, func() float64 { return s.runner.Status()[i].Lag.Seconds() })
		m.gauge("projection_stopped", "1 while going on would leave a hole in the documents: readyz says what to mend.",
			prometheus.Labels{"projection": p.Name},
			func() float64 { return truth(s.runner.Status()[i].Condition == engine.Stopped) })
	}
	m.gauge("log_answers_reads", "1 while the event log answers reads.", nil,
		func() float64 { return truth(s.log.Health().Reads()) })
	m.gauge("log_takes_appends", "1 while the event log takes appends.", nil,
		func() float64 { return truth(s.log.Health().Appends()) })
	m.gauge("ready", "1 while readyz answers 200.", nil, func() float64 { return truth(s.ready()) })
	for _, name := range storesBeside {
		m.gauge("store_up", "1 while a store beside the log can be read and written: tables, vault or disk.",
			prometheus.Labels{"store": name}, func() float64 { return truth(s.well.fault(name) == nil) })
	}
	m.registry.MustRegister(quarantineMetrics{s}, figureMetrics{s.figures}, outageMetrics{s})
}

// measureState registers what is read from the tables. The processors are open.
func (s *service) measureState() {
	deliveries := processors.Find[*delivery.Processor](s.processors)
	s.metrics.state = &monitor.State{Every: s.flags.MetricsEvery, Now: time.Now, Log: s.logger, Sources: monitor.Sources{
		Tables: s.tables, Reader: projections.NewReader(s.tables, nil), Notes: s.notes, Submission: submission.Name,
		DailyReports: dailyreport.Name, Mail: mail.Name, Contingency: contingency.Name,
		Delivery: deliveries.OldestDue, Zone: zoneOf}}
	s.metrics.registry.MustRegister(s.metrics.state)
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
