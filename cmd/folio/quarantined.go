package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"folio/quarantine"
)

// quarantined is what readyz tells of streams that are held.
type quarantined struct {
	Held   int               `json:"held"`            // by all readers together
	Oldest []quarantine.Held `json:"oldest"`          // a few of them
	Fault  string            `json:"fault,omitempty"` // why that is not known
}

const (
	toldOf   = 20              // held streams that readyz names
	soonOnly = 1 * time.Second // a probe waits no longer for the tables
)

func (s *service) quarantined(ctx context.Context) quarantined {
	ctx, done := context.WithTimeout(ctx, soonOnly)
	defer done()
	held, err := s.quarantine.Held(ctx)
	if err != nil {
		return quarantined{Oldest: []quarantine.Held{}, Fault: err.Error()}
	}
	return quarantined{Held: len(held), Oldest: held[:min(len(held), toldOf)]}
}

// quarantineMetrics count what is held and what was passed over.
type quarantineMetrics struct{ s *service }

var (
	heldStreams = prometheus.NewDesc("folio_quarantine_streams", "Streams of the log that a reader holds, by reader.",
		[]string{"held_by"}, nil)
	foreign = prometheus.NewDesc("folio_foreign_events_total",
		"Entries of the log that a reader passed over because they are not Folio's, by reader.", []string{"reader"}, nil)
)

// Describe implements prometheus.Collector.
func (m quarantineMetrics) Describe(out chan<- *prometheus.Desc) { out <- heldStreams; out <- foreign }

// Collect implements prometheus.Collector.
func (m quarantineMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, done := context.WithTimeout(context.Background(), soonOnly)
	defer done()
	if held, err := m.s.quarantine.Held(ctx); err == nil {
		count := map[string]int{}
		for _, h := range held {
			count[h.Feed]++
		}
		for feed, n := range count {
			out <- prometheus.MustNewConstMetric(heldStreams, prometheus.GaugeValue, float64(n), feed)
		}
	}
	for reader, n := range m.s.quarantine.PassedOver() {
		out <- prometheus.MustNewConstMetric(foreign, prometheus.CounterValue, float64(n), reader)
	}
}
