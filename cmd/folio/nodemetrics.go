package main

import (
	"folio/eventstore/node"
	"folio/eventstore/node/storage"

	"github.com/prometheus/client_golang/prometheus"
)

// nodeMetrics are what the embedded log says of itself.
type nodeMetrics struct{ stats func() node.Stats }

func nodeDesc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("folio_log_"+name, help, nil, nil)
}

var (
	nodeAppends       = nodeDesc("appends", "Appends answered by the embedded log, refused ones included.")
	nodeEvents        = nodeDesc("events", "Events written by the embedded log.")
	nodeCommits       = nodeDesc("commits", "Transactions of the embedded log.")
	nodeFsyncs        = nodeDesc("fsyncs", "Commits of the embedded log that were synced to the disk.")
	nodeCommitSeconds = nodeDesc("commit_seconds", "Time that the embedded log spent in commits.")
	nodeLatency       = nodeDesc("append_seconds", "Time from an append's arrival at the embedded log to its answer.")
	nodeBatches       = nodeDesc("commit_appends", "Appends that share one commit of the embedded log.")
	nodePosition      = nodeDesc("last_position", "Position of the newest event of the embedded log.")
	nodeSubscriptions = nodeDesc("subscriptions", "Live subscriptions of the embedded log.")
	nodeGroups        = nodeDesc("persistent_subscriptions", "Persistent subscriptions of the embedded log.")
	nodeLag           = nodeDesc("subscription_lag_seconds", "How long the slowest live subscription has left an event "+
		"waiting.")
)

// Describe implements prometheus.Collector.
func (nodeMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{nodeAppends, nodeEvents, nodeCommits, nodeFsyncs, nodeCommitSeconds, nodeLatency,
		nodeBatches,
		nodePosition, nodeSubscriptions, nodeGroups, nodeLag} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (m nodeMetrics) Collect(out chan<- prometheus.Metric) {
	s := m.stats()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64) {
		out <- prometheus.MustNewConstMetric(d, kind, v)
	}
	send(nodeAppends, prometheus.CounterValue, float64(s.Appends))
	send(nodeEvents, prometheus.CounterValue, float64(s.Events))
	send(nodeCommits, prometheus.CounterValue, float64(s.Batches))
	send(nodeFsyncs, prometheus.CounterValue, float64(s.Fsyncs))
	send(nodeCommitSeconds, prometheus.CounterValue, s.CommitTime.Seconds())
	send(nodePosition, prometheus.GaugeValue, float64(s.LastPosition))
	send(nodeSubscriptions, prometheus.GaugeValue, float64(s.Subscriptions))
	send(nodeGroups, prometheus.GaugeValue, float64(s.Groups))
	send(nodeLag, prometheus.GaugeValue, s.Lag.Seconds())
	out <- constHistogram(nodeLatency, s.Latency)
	out <- constHistogram(nodeBatches, s.BatchSizes)
}

// constHistogram turns counts of each bucket into Prometheus's, which include those below.
func constHistogram(d *prometheus.Desc, h storage.Histogram) prometheus.Metric {
	upTo, total := make(map[float64]uint64, len(h.Bounds)), uint64(0)
	for i, n := range h.Counts {
		total += n
		if i < len(h.Bounds) {
			upTo[h.Bounds[i]] = total
		}
	}
	return prometheus.MustNewConstHistogram(d, total, h.Sum, upTo)
}
