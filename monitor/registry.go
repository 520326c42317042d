// Package monitor holds the metrics that tell an operator whether invoices are issued: what callers and authorities
// are answered, what waits and for how long, and what runs out. docs/metrics.md lists every metric and is made from
// the registry.
//
// Labels are bounded by countries, routes and kinds, never by companies: with thousands of companies one more label
// would be more series than the rest together. `folio series list` and readyz name the single company.
package monitor

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// Registry keeps metrics and remembers what they are, for the catalogue.
type Registry struct {
	*prometheus.Registry
	mu    sync.Mutex
	known map[string]Metric
}

// Metric describes one metric as the catalogue shows it.
type Metric struct {
	Name, Help string
	Labels     []string // sorted
}

// NewRegistry is empty.
func NewRegistry() *Registry {
	return &Registry{Registry: prometheus.NewRegistry(), known: map[string]Metric{}}
}

// Register implements prometheus.Registerer.
func (r *Registry) Register(c prometheus.Collector) error {
	r.note(c)
	return r.Registry.Register(c)
}

// MustRegister implements prometheus.Registerer.
func (r *Registry) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		r.note(c)
	}
	r.Registry.MustRegister(all...)
}

// Catalogue lists the metrics that were registered, by name. Those that the Go runtime and the process collectors
// bring are not ours to describe and are left out.
func (r *Registry) Catalogue() []Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Metric, 0, len(r.known))
	for _, m := range r.known {
		if strings.HasPrefix(m.Name, "folio_") {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func (r *Registry) note(c prometheus.Collector) {
	descs := make(chan *prometheus.Desc)
	go func() {
		c.Describe(descs)
		close(descs)
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	for d := range descs {
		if m, ok := parse(d.String()); ok {
			r.known[m.Name] = m
		}
	}
}

// described is the form of a Desc as text, which is the only way to read one.
var described = regexp.MustCompile(
	`^Desc\{fqName: "([^"]*)", help: "((?:[^"\\]|\\.)*)",(?: unit: "[^"]*",)? constLabels: \{(.*)\}, variableLabels: \{(.*)\}\}$`)

func parse(text string) (m Metric, ok bool) {
	found := described.FindStringSubmatch(text)
	if found == nil {
		return m, false
	}
	m.Name, m.Help = found[1], strings.ReplaceAll(found[2], `\"`, `"`)
	for _, pair := range strings.Split(found[3], ",") {
		if name, _, is := strings.Cut(pair, "="); is {
			m.Labels = append(m.Labels, name)
		}
	}
	for _, name := range strings.Split(found[4], ",") {
		if name != "" {
			m.Labels = append(m.Labels, name)
		}
	}
	slices.Sort(m.Labels)
	return m, true
}
