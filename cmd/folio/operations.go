package main

import (
	"fmt"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// healthz says that the process lives; it asks nothing.
func (s *service) healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "ok")
}

// metrics are what Prometheus reads.
type metrics struct{ registry *prometheus.Registry }

func newMetrics(s *service) *metrics {
	m := &metrics{prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(gateMetrics{s.gateList}, readerMetrics{s.reader})
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "folio", Name: name, Help: help},
			value))
	}
	if s.node != nil {
		m.registry.MustRegister(nodeMetrics{s.node.Stats})
	}
	for i, p := range s.runner.Status() {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "folio",
			Name: "projection_lag_seconds",
			Help: "Age of the last event folded while not caught up.", ConstLabels: prometheus.Labels{"projection": p.Name}},
			func() float64 { return s.runner.Status()[i].Lag.Seconds() }))
	}
	gauge("log_answers_reads", "1 while the event log answers reads.",
		func() float64 { return truth(s.log.Health().Reads()) })
	gauge("log_takes_appends", "1 while the event log takes appends.",
		func() float64 { return truth(s.log.Health().Appends()) })
	m.registry.MustRegister(quarantineMetrics{s})
	m.registry.MustRegister(figureMetrics{s.figures}, outageMetrics{s})
	return m
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
