package monitor

import (
	"cmp"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"folio/authority"
	"folio/httpapi"
)

// Histograms are kept twice: with these few bounds, which every Prometheus reads, and as a native histogram, which
// is exact to about a tenth and costs nothing until a server asks for it.
const (
	nativeFactor  = 1.1
	nativeBuckets = 100
)

func histogram(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "folio", Name: name, Help: help,
		Buckets: bounds, NativeHistogramBucketFactor: nativeFactor, NativeHistogramMaxBucketNumber: nativeBuckets,
		NativeHistogramMinResetDuration: time.Hour}, labels)
}

// Requests measures what callers were answered.
type Requests struct {
	answered *prometheus.CounterVec
	latency  *prometheus.HistogramVec
}

// NewRequests registers its metrics.
func NewRequests(r prometheus.Registerer) *Requests {
	m := &Requests{
		answered: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "folio", Name: "http_requests_total",
			Help: "Requests answered, by method, route pattern (none: no such path) and status."},
			[]string{"method", "route", "status"}),
		latency: histogram("http_request_seconds", "Time from a request's arrival to the end of its answer.",
			[]float64{.005, .025, .1, .25, .5, 1, 2.5, 10}, "method", "route"),
	}
	r.MustRegister(m.answered, m.latency)
	return m
}

// methods are those that the API has; any other word that a client sends is one label.
var methods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}

// Answered counts one request. Its label is the route's pattern: a path would be a label that the client chooses.
func (m *Requests) Answered(a httpapi.Answered) {
	method, route := a.Method, a.Route
	if !methods[method] {
		method = "other"
	}
	route = cmp.Or(route, "none")
	m.answered.WithLabelValues(method, route, strconv.Itoa(a.Status)).Inc()
	m.latency.WithLabelValues(method, route).Observe(a.Took.Seconds())
}

// Authorities measures the calls to authorities.
type Authorities struct{ calls *prometheus.HistogramVec }

// NewAuthorities registers its metrics.
func NewAuthorities(r prometheus.Registerer) *Authorities {
	m := &Authorities{histogram("authority_call_seconds",
		"Time of one call to an authority, by operation and outcome: answered, refused (it answered and declined), "+
			"broken (it answered that it cannot work now), not_sent, timeout or no_answer.",
		[]float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}, "authority", "environment", "operation", "outcome")}
	r.MustRegister(m.calls)
	return m
}

// Called counts one call.
func (m *Authorities) Called(name string, e authority.Environment, operation string, r authority.CallResult,
	took time.Duration) {
	m.calls.WithLabelValues(name, string(e), operation, string(r)).Observe(took.Seconds())
}
