package main

import (
	"testing"

	"folio/eventstore/node"
	"folio/eventstore/node/storage"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

func TestTheLogsMetrics(t *testing.T) {
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(nodeMetrics{func() node.Stats {
		return node.Stats{Appends: 7, Latency: storage.Histogram{Bounds: []float64{0.1, 1}, Counts: []uint64{4, 2, 1},
			Sum: 3}}
	}})
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*dto.Metric{}
	for _, f := range families {
		found[f.GetName()] = f.GetMetric()[0]
	}
	if got := found["folio_log_appends"].GetCounter().GetValue(); got != 7 {
		t.Errorf("appends: %v", got)
	}
	h := found["folio_log_append_seconds"].GetHistogram()
	if h.GetSampleCount() != 7 || h.GetBucket()[0].GetCumulativeCount() != 4 ||
		h.GetBucket()[1].GetCumulativeCount() != 6 {
		t.Errorf("latency: %v", h)
	}
}
