package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"folio/authority/circuit"
	"folio/processors"
	"folio/projections"
)

// healthz says that the process lives; it asks nothing.
func (s *service) healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "ok")
}

// feed is one line of readyz.
type feed struct {
	Name     string    `json:"name"`
	State    string    `json:"state"`
	CaughtUp bool      `json:"caught_up"`
	Position string    `json:"position,omitempty"`
	Lag      string    `json:"lag,omitempty"`
	Since    time.Time `json:"since"`
	Fault    string    `json:"fault,omitempty"`
}

// readyz says whether the service can do its work: 503 names each feed that lags
// behind or stands still, and why.
func (s *service) readyz(w http.ResponseWriter, r *http.Request) {
	feeds, ready := []feed{}, true
	if s.flags.has(roleProjections) {
		for _, p := range s.runner.Status() {
			f := projectionFeed(p)
			ready = ready && f.Fault == "" && (f.CaughtUp || p.Condition == projections.Standby)
			feeds = append(feeds, f)
		}
	}
	if s.flags.has(roleProcessors) {
		for _, p := range s.processors() {
			f := processorFeed(p.Status())
			ready = ready && f.Fault == "" && (f.CaughtUp || f.State == "standby")
			feeds = append(feeds, f)
		}
	}
	authorities := []circuit.State{}
	for _, c := range s.circuits {
		authorities = append(authorities, c.States()...)
	}
	status := "ready"
	w.Header().Set("Content-Type", "application/json")
	if !ready {
		status = "not ready"
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	err := json.NewEncoder(w).Encode(struct {
		Status string `json:"status"`
		Feeds  []feed `json:"feeds"`
		// Authorities do not decide: while one is down invoices queue, and callers are served.
		Authorities []circuit.State `json:"authorities"`
		// Quarantine does not decide either: what is held is of one stream each.
		Quarantine quarantined `json:"quarantine"`
	}{status, feeds, authorities, s.quarantined(r.Context())})
	if err != nil {
		s.logger.Debug("readyz was not read", "error", err)
	}
}

func projectionFeed(p projections.Status) feed {
	f := feed{Name: "projection " + p.Name, State: string(p.Condition), CaughtUp: p.CaughtUp, Position: p.Position.String(), Since: p.Since}
	if p.Lag > 0 {
		f.Lag = p.Lag.Round(time.Millisecond).String()
	}
	if p.Err != nil {
		f.Fault = p.Err.Error()
	}
	return f
}

func processorFeed(p processors.Status) feed {
	state := "standby"
	if p.Owner {
		state = "working"
	}
	return feed{Name: "processor " + p.Name, State: state, CaughtUp: p.CaughtUp, Since: p.Since, Fault: p.Fault}
}

// metrics are what Prometheus reads.
type metrics struct{ registry *prometheus.Registry }

func newMetrics(s *service) *metrics {
	m := &metrics{prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(gateMetrics{s.gateList})
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "folio", Name: name, Help: help}, value))
	}
	if s.node != nil {
		m.registry.MustRegister(nodeMetrics{s.node.Stats})
	}
	for i, p := range s.runner.Status() {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "folio", Name: "projection_lag_seconds",
			Help: "Age of the last event folded while not caught up.", ConstLabels: prometheus.Labels{"projection": p.Name}},
			func() float64 { return s.runner.Status()[i].Lag.Seconds() }))
	}
	gauge("submission_waiting_series", "Numbering series with work that this process knows of.", func() float64 { return float64(s.submission.Series()) })
	m.registry.MustRegister(quarantineMetrics{s})
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
