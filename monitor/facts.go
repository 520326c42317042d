package monitor

import (
	"github.com/prometheus/client_golang/prometheus"

	"folio/commands"
	"folio/commands/invoice"
	"folio/events"
)

// Facts counts what this process recorded of invoices, e-mails, reports and codes of contingency: once each,
// whatever is read or built anew.
type Facts struct{ invoices, reports, emails, codes, contingent *prometheus.CounterVec }

// The outcomes of daily reports.
const (
	reportSent     = "sent"
	reportAccepted = "accepted"
	reportRejected = "rejected"
)

// The outcomes of e-mails.
const (
	emailRequested = "requested"
	emailSent      = "sent"
	emailDelayed   = "delayed"
	emailFailed    = "failed"
)

// The outcomes of codes of contingency, beside the kinds of events.CAEAWarned.
const (
	codeGranted = "granted"
	codeRefused = "refused"
	codeClosed  = "closed"
)

// contingentIssued is the outcome of a document that is issued by contingency, beside those of events.ReportState.
const contingentIssued = "issued"

// byOutcome are facts that are told apart by what came of something. Each outcome has a series from the start.
func byOutcome(r prometheus.Registerer, name, help string, outcomes ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "folio", Name: name, Help: help}, []string{"outcome"})
	for _, outcome := range outcomes {
		v.WithLabelValues(outcome)
	}
	r.MustRegister(v)
	return v
}

// NewFacts registers its metrics. The countries have series from the start, so that a rate exists before the first
// rejection.
func NewFacts(r prometheus.Registerer, countries []string) *Facts {
	m := &Facts{
		invoices: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "folio", Name: "invoices_total",
			Help: "Invoices that this process brought to a state, by country, environment (none: no certificate yet) " +
				"and state: Pending (created), Accepted or Rejected."}, []string{"country", "environment", "state"}),
		reports: byOutcome(r, "daily_reports_total", "Daily reports by what this process recorded of them: sent, "+
			"accepted or rejected.", reportSent, reportAccepted, reportRejected),
		emails: byOutcome(r, "emails_total", "E-mails with invoices by what this process recorded of them: requested, "+
			"sent (the mail server took it), delayed (a try that failed) or failed (the last one did).",
			emailRequested, emailSent, emailDelayed, emailFailed),
		codes: byOutcome(r, "caea_total", "Codes of contingency (Argentina, CAEA) by what this process recorded of them: "+
			"granted, refused, closed (all is reported), or a warning: not_held, three_days_left, one_day_left or overdue.",
			codeGranted, codeRefused, codeClosed),
		contingent: byOutcome(r, "contingency_documents_total", "Documents issued by contingency by what this process "+
			"recorded of them: issued, or what the authority said of their report: reported, observed, refused, or due "+
			"(not yet).", contingentIssued, string(events.ReportDone), string(events.ReportObserved),
			string(events.ReportRefused)),
	}
	for _, c := range countries {
		for _, environment := range []string{"Production", "Testing"} {
			for _, state := range []invoice.Status{invoice.Pending, invoice.Accepted, invoice.Rejected} {
				m.invoices.WithLabelValues(c, environment, stateName(state))
			}
		}
	}
	r.MustRegister(m.invoices)
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
		case events.EmailRequested:
			m.emails.WithLabelValues(emailRequested).Inc()
		case events.EmailSent:
			m.emails.WithLabelValues(emailSent).Inc()
		case events.EmailDelayed:
			m.emails.WithLabelValues(emailDelayed).Inc()
		case events.EmailFailed:
			m.emails.WithLabelValues(emailFailed).Inc()
		default:
			m.contingency(f)
		}
	}
}

// contingency counts what becomes of codes that were given ahead, and of what is issued by them.
func (m *Facts) contingency(f events.Event) {
	switch f := f.(type) {
	case events.CAEAGranted:
		m.codes.WithLabelValues(codeGranted).Inc()
	case events.CAEARefused:
		m.codes.WithLabelValues(codeRefused).Inc()
	case events.CAEAClosed:
		m.codes.WithLabelValues(codeClosed).Inc()
	case events.CAEAWarned:
		m.codes.WithLabelValues(f.Kind).Inc()
	case events.ContingencyIssued:
		m.contingent.WithLabelValues(contingentIssued).Inc()
	case events.ContingencyReportSettled:
		for _, o := range f.Outcomes {
			m.contingent.WithLabelValues(string(o.State)).Inc()
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
