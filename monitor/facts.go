package monitor

import (
	"github.com/prometheus/client_golang/prometheus"

	"folio/commands"
	"folio/commands/invoice"
	"folio/events"
)

// Facts counts what this process recorded of invoices and daily reports: once each, whatever is read or built anew.
type Facts struct{ invoices, reports *prometheus.CounterVec }

// The outcomes of daily reports.
const (
	reportSent     = "sent"
	reportAccepted = "accepted"
	reportRejected = "rejected"
)

// NewFacts registers its metrics. The countries have series from the start, so that a rate exists before the first
// rejection.
func NewFacts(r prometheus.Registerer, countries []string) *Facts {
	m := &Facts{
		invoices: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "folio", Name: "invoices_total",
			Help: "Invoices that this process brought to a state, by country, environment (none: no certificate yet) " +
				"and state: Pending (created), Accepted or Rejected."}, []string{"country", "environment", "state"}),
		reports: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "folio", Name: "daily_reports_total",
			Help: "Daily reports by what this process recorded of them: sent, accepted or rejected."},
			[]string{"outcome"}),
	}
	for _, c := range countries {
		for _, environment := range []string{"Production", "Testing"} {
			for _, state := range []invoice.Status{invoice.Pending, invoice.Accepted, invoice.Rejected} {
				m.invoices.WithLabelValues(c, environment, stateName(state))
			}
		}
	}
	for _, outcome := range []string{reportSent, reportAccepted, reportRejected} {
		m.reports.WithLabelValues(outcome)
	}
	r.MustRegister(m.invoices, m.reports)
	return m
}

// stateName is a status as readers of invoices see it.
func stateName(s invoice.Status) string {
	switch s {
	case invoice.Accepted:
		return "Accepted"
	case invoice.Rejected:
		return "Rejected"
	default:
		return "Pending"
	}
}

// Recorded is for commands.Executor.Telling.
func (m *Facts) Recorded(t commands.Told) {
	for _, f := range t.Facts {
		switch f.(type) {
		case events.InvoiceCreated, events.AuthorityAccepted, events.AuthorityRejected, events.InvoiceRefused:
			if s, ok := t.State.(invoice.State); ok {
				m.invoices.WithLabelValues(s.Country, environmentName(s.Environment), stateOf(f)).Inc()
			}
		case events.DailyReportSent:
			m.reports.WithLabelValues(reportSent).Inc()
		case events.DailyReportAccepted:
			m.reports.WithLabelValues(reportAccepted).Inc()
		case events.DailyReportRejected:
			m.reports.WithLabelValues(reportRejected).Inc()
		}
	}
}

func stateOf(e events.Event) string {
	switch e.(type) {
	case events.InvoiceCreated:
		return stateName(invoice.Pending)
	case events.AuthorityAccepted:
		return stateName(invoice.Accepted)
	}
	return stateName(invoice.Rejected)
}

func environmentName(e string) string {
	if e == "" {
		return "none"
	}
	return e
}
