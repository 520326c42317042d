package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"folio/eventstore/fanout"
)

// readerMetrics say how often this process read the log.
type readerMetrics struct{ reader *fanout.Reader }

var (
	readerPasses = prometheus.NewDesc("folio_reader_passes",
		"Readings of the event log that this process began, for all read models and processors.", nil, nil)
	readerEvents = prometheus.NewDesc("folio_reader_events", "Events received in all of them.", nil, nil)
	readerOpen   = prometheus.NewDesc("folio_reader_open_passes",
		"Readings that go on: one, and one for each that catches up or is built anew.", nil, nil)
)

// Describe implements prometheus.Collector.
func (readerMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- readerPasses
	out <- readerEvents
	out <- readerOpen
}

// Collect implements prometheus.Collector.
func (m readerMetrics) Collect(out chan<- prometheus.Metric) {
	s := m.reader.Stats()
	out <- prometheus.MustNewConstMetric(readerPasses, prometheus.CounterValue, float64(s.Passes))
	out <- prometheus.MustNewConstMetric(readerEvents, prometheus.CounterValue, float64(s.Events))
	out <- prometheus.MustNewConstMetric(readerOpen, prometheus.GaugeValue, float64(s.Open))
}
