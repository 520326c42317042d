package main

import (
	"context"
	"errors"
	"time"

	"folio/admission"
	"folio/projections"
	"folio/projections/engine"
	"folio/writeapi"

	"github.com/prometheus/client_golang/prometheus"
)

// gates admit callers to what all of them share. Docs/operating.md states these figures.
type gates struct {
	// work is a core and the memory of what takes long: lists, PDFs, signed documents,
	// logos, certificates, numbering files, suppliers' documents, plans of replays.
	work *admission.Gate
	// bodies is the memory of requests' bodies, from their first byte to the answer.
	bodies *admission.Gate
}

// Bytes of memory that the gates let in at once.
const (
	workMemory = 320 << 20
	bodyMemory = 32 << 20
)

// newGates lets no company have more than half of the cores and of the memory for work,
// nor more than an eighth of that for bodies.
func newGates() gates {
	return gates{
		work: admission.New("lists, documents and uploads", admission.Limits{All: workMemory, Each: workMemory / 2,
			Least: workMemory / int64(admission.Cores()), Line: 50, Lines: 1000, Free: 40 * time.Millisecond,
			Patience: 15 * time.Second}),
		bodies: admission.New("uploads", admission.Limits{All: bodyMemory, Each: bodyMemory / 8,
			Least: 4 << 10, Line: 100, Lines: 1000, Patience: 5 * time.Second}),
	}
}

// gateMetrics shows Prometheus who waits.
type gateMetrics struct {
	gates func() map[string]*admission.Gate
}

var (
	gateUsed = prometheus.NewDesc("folio_admission_used", "Cost inside a gate: bytes, or places of log-ins.",
		[]string{"gate"}, nil)
	gateWaiting = prometheus.NewDesc("folio_admission_waiting", "Requests in line before a gate.", []string{"gate"}, nil)
	gateRefused = prometheus.NewDesc("folio_admission_refused_total", "Requests that a gate turned away with 429 or 503.",
		[]string{"gate"}, nil)
)

// Describe implements prometheus.Collector.
func (gateMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{gateUsed, gateWaiting, gateRefused} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (m gateMetrics) Collect(to chan<- prometheus.Metric) {
	for name, g := range m.gates() {
		u := g.Usage()
		to <- prometheus.MustNewConstMetric(gateUsed, prometheus.GaugeValue, float64(u.Used), name)
		to <- prometheus.MustNewConstMetric(gateWaiting, prometheus.GaugeValue, float64(u.Waiting), name)
		to <- prometheus.MustNewConstMetric(gateRefused, prometheus.CounterValue, float64(u.Refused), name)
	}
}

// gateList names every gate of the process.
func (s *service) gateList() map[string]*admission.Gate {
	list := s.accounts.Gates()
	list["work"], list["bodies"] = s.gates.work, s.gates.bodies
	return list
}

// holdings is how much an account and a company may have; keys and companies are counted by
// the read models.
func (s *service) holdings() writeapi.Holdings {
	reader, one := projections.NewReader(s.tables, streams{s.log}), engine.Page{Limit: 1}
	return writeapi.Holdings{
		MaxKeys: int64(s.flags.MaxKeys), MaxCompanies: int64(s.flags.MaxCompanies),
		MaxCertificates: s.flags.MaxCertificates, MaxRanges: s.flags.MaxRanges,
		Keys: func(ctx context.Context, company string) (int64, error) {
			list, err := reader.ListAPIKeys(ctx, company, one)
			return list.Total, orNotBuilt(err)
		},
		Companies: func(ctx context.Context, account string) (int64, error) {
			list, err := reader.ListCompanies(ctx, account, one)
			return list.Total, orNotBuilt(err)
		},
	}
}

// orNotBuilt lets a write go on while nothing can be counted yet: a bound that is passed by
// a few is better than a service that takes no company until its read models are built.
func orNotBuilt(err error) error {
	if errors.Is(err, engine.ErrNotBuilt) {
		return nil
	}
	return err
}
