package main

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/client_golang/prometheus"

	"folio/authority/circuit"
	"folio/clock"
	"folio/commands/outage"
	"folio/events"
	"folio/processors/outagewatch"
	"folio/projections"
)

// watchOutages makes the watch over the calls of this process.
func (s *service) watchOutages() *outagewatch.Watch {
	return outagewatch.New(outagewatch.Config{Executor: s.executor,
		Threshold: outage.Threshold{Calls: s.flags.OutageCalls, After: s.flags.OutageAfter},
		NewID:     func() string { return ulid.Make().String() }, Clock: clock.Real{}, Logger: s.logger,
		Retry: s.flags.RetryBase})
}

// called tells the watch what came of a call.
func (s *service) called(c circuit.Call) {
	at := outage.Place{Company: c.Company, Environment: string(c.Environment), Authority: c.Authority}
	if c.Fault == "" {
		s.outages.Answered(outage.Answered{Place: at, At: c.At, Operation: c.Operation})
		return
	}
	s.outages.Failed(at, events.FailingCall{At: c.At, Operation: c.Operation, Fault: c.Fault, Spared: c.Spared})
}

// outageStates is what readyz tells of companies for which an authority counts as away.
type outageStates struct {
	Open  int64         `json:"open"`
	Some  []outageState `json:"some"`            // the last ones that were opened
	Fault string        `json:"fault,omitempty"` // why that is not known
}

type outageState struct {
	Outage      string    `json:"outage"`
	Company     string    `json:"company"`
	Environment string    `json:"environment"`
	Authority   string    `json:"authority"`
	Cause       string    `json:"cause"`
	Since       time.Time `json:"since"`
}

func (s *service) outageStates(ctx context.Context) outageStates {
	ctx, done := context.WithTimeout(ctx, soonOnly)
	defer done()
	open, err := projections.NewReader(s.tables, streams{s.log}).OpenOutages(ctx, toldOf)
	if err != nil {
		return outageStates{Some: []outageState{}, Fault: err.Error()}
	}
	out := outageStates{Open: open.Total, Some: []outageState{}}
	for _, o := range open.Documents {
		out.Some = append(out.Some, outageState{o.ID, o.Company, o.Environment, o.Authority, o.Opened.Cause, o.Since})
	}
	return out
}

// outageMetrics count the outages that are open.
type outageMetrics struct{ s *service }

var openOutages = prometheus.NewDesc("folio_authority_outages_open",
	"Companies for which an authority counts as away; readyz names some of them.", nil, nil)

// Describe implements prometheus.Collector.
func (outageMetrics) Describe(out chan<- *prometheus.Desc) { out <- openOutages }

// Collect implements prometheus.Collector.
func (m outageMetrics) Collect(out chan<- prometheus.Metric) {
	if states := m.s.outageStates(context.Background()); states.Fault == "" {
		out <- prometheus.MustNewConstMetric(openOutages, prometheus.GaugeValue, float64(states.Open))
	}
}
